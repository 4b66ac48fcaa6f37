"""What a text that is not UTF-8 may be. Never guessed: a mark at its beginning is proof, all else is a hint.

A hint shows how the text would read, for the author to judge. Asked for only when reading as UTF-8 failed.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

import codecs

from novel_hooks.record import Record

ENCODINGS = ("gb18030", "gbk", "big5", "utf-16", "utf-16-le", "utf-16-be", "utf-32")
"""What an author may say besides UTF-8."""

_MARKS = (  # UTF-32 before UTF-16: the one little-endian mark begins like the other
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_MARKED = ("utf-16", "utf-32")
_PLAIN = ("gb18030", "big5")
_WIDE = ("utf-16-le", "utf-16-be")
_LAYOUT = "\n\r\t\f\x1a"
_SHOWN = 10


class Reading(Record):
    """`begins`: the first characters of the text, were it in this encoding."""

    encoding: str
    begins: str


class Unreadable(Exception):
    """The bytes are no text in this encoding; `offset` is the byte (from 0) where that shows, None: the mark
    at the beginning that this encoding needs is not there."""

    def __init__(self, offset: int | None) -> None:
        super().__init__(offset)
        self.offset = offset


def bom_encoding(data: bytes) -> str | None:
    """The encoding that a mark (BOM) at the beginning proves; None without one. UTF-8 has none here."""
    return next((name for mark, name in _MARKS if data.startswith(mark)), None)


def decode(data: bytes, encoding: str) -> str:
    """The text in one of `KNOWN`, without a mark. Raises Unreadable, also for marks that are no characters.

    Plain `utf-16` and `utf-32` do not tell the order of their bytes: without a mark they are refused.
    """
    if encoding in _MARKED and bom_encoding(data) != encoding:
        raise Unreadable(None)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as wrong:
        raise Unreadable(wrong.start) from None
    text = text[1:] if text.startswith("\ufeff") else text
    odd = next((at for at, mark in enumerate(text) if not _is_character(mark)), None)
    if odd is not None:
        raise Unreadable(len(text[:odd].encode(encoding)))
    return text


def possible_readings(data: bytes) -> list[Reading]:
    """How the text would read in the encodings that it is sound in, the likelier kinds first.

    Without a mark, UTF-16 is named only where zero bytes or the failure of all others speak for it.
    """
    found = bom_encoding(data)
    if found is not None:
        return list(_fitting_readings(data, (found,)))
    plain = [] if b"\0" in data else list(_fitting_readings(data, _PLAIN))
    return plain or list(_fitting_readings(data, _WIDE))


def describe(readings: list[Reading]) -> str:
    """The readings for the author: `gb18030（读作「桥头」）或 big5（读作「…」）`."""
    return "或 ".join(f"{one.encoding}（读作「{one.begins}」）" for one in readings)


def beginning(text: str) -> str:
    """The first characters of what is not blank."""
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return first[:_SHOWN] + ("…" if len(first) > _SHOWN else "")


def _fitting_readings(data: bytes, names: tuple[str, ...]) -> Iterator[Reading]:
    for name in names:
        try:
            text = decode(data, name)
        except Unreadable:
            continue
        if text.strip():
            yield Reading(name, beginning(text))


def _is_character(mark: str) -> bool:
    """Not a control mark, half a pair, a private or an unassigned place: those no text has."""
    from unicodedata import category

    if mark in _LAYOUT or mark >= "\U00020000":  # newer characters, which an older Python does not know
        return mark < "\U000f0000"
    return category(mark) not in ("Cc", "Cs", "Co", "Cn")
