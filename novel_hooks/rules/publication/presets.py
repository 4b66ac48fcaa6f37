"""Layouts of plain text: indent, title, gap, scene break, as the large platforms have them. Pure.

A platform changes its layout from time to time; its editor accepts the text of a preset as it is.
`rules.text.typed_words` has the author's words for the presets.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Mapping
from novel_hooks.record import Record
from novel_hooks.rules.text import numerals

if TYPE_CHECKING:
    from novel_hooks.rules.manuscript.chapter_text import Section

_INDENT = "\u3000\u3000"


class Preset(Record):
    """One layout of plain text. `indent` begins each paragraph, `empty` lines stand between two of them.

    `scene` marks a scene break in a book that has no line of its own: "" for two empty lines. `number` is the
    form of `第 12 章`.
    """

    indent: str
    empty: int
    scene: str
    number: str
    marked: bool = False
    """Lines that belong together keep the marks by which `adopt` knows them."""


PRESETS: Mapping[str, Preset] = {
    "plain": Preset("", 1, "", "spaced", True),
    "qidian": Preset(_INDENT, 0, "＊＊＊", "chinese"),
    "fanqie": Preset("", 0, "＊＊＊", "tight"),
    "jjwxc": Preset(_INDENT, 1, "＊＊＊", "tight"),
}


def section_heading(section: Section, form: str = "spaced") -> str:
    """Return a section's heading: `第 12 章 夜雨`, `楔子`; `form` is spaced, tight or chinese."""
    if section.number is None:
        return section.title or ""
    return _join(_number(section.number, "章", form), section.title)


def volume_heading(number: int, title: str | None, form: str = "spaced") -> str:
    """Return a volume's heading: `第 2 卷 渡河`."""
    return _join(_number(number, "卷", form), title)


def _number(number: int, unit: str, form: str) -> str:
    if form == "chinese":
        return f"第{numerals.in_chinese(number)}{unit}"
    return f"第{number}{unit}" if form == "tight" else f"第 {number} {unit}"


def _join(number: str, title: str | None) -> str:
    return f"{number} {title}" if title else number
