"""One line of a chapter, and its marks: quotation marks, rows of lists, chats and panels."""

from __future__ import annotations

from novel_hooks.pattern import Pattern
from novel_hooks.record import Record

QUOTES = {
    "“": "”",
    "「": "」",
    "『": "』",
    "【": "】",
    "‘": "’",
    '"': '"',
    "'": "'",
    "〖": "〗",
    "﹁": "﹂",
    "﹃": "﹄",
    "〝": "〞",
    "＂": "＂",
    "«": "»",
}
"""Mark that opens a quotation → the one that closes it."""
_STAT = Pattern(r"[ \t\u3000]*[^\s：:。！？，]{1,10}[：:][ \t\u3000]*[^。！？\n]{1,24}\Z")
ROW = Pattern(r"[ \t\u3000]*(?:[-*+>|•·＞]|\d{1,2}[.、．]|[（(]?[一二三四五六七八九十]{1,3}[）)、]|[\[［【])")
"""How a row of a list or a chat begins."""


class Line(Record):
    """One line of the text with the offsets of its beginning and end; `number` counts from 1."""

    number: int
    start: int
    end: int
    text: str


def is_row(text: str) -> bool:
    """Tell whether the line is a row of a list, a chat or a panel's values."""
    return bool(ROW.match(text) or _STAT.match(text))
