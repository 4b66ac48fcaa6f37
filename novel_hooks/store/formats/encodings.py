"""Encodings of texts that are not UTF-8: proved by a mark (BOM), else shown to the author, never guessed.

A hint shows how the text would read, and the author judges. Needed only once reading as UTF-8 has failed.
"""

from __future__ import annotations

import codecs

from novel_hooks.annotations import Iterator
from novel_hooks.record import Record

ENCODINGS = ("gb18030", "gbk", "big5", "big5hkscs", "utf-16", "utf-16-le", "utf-16-be", "utf-32")
"""The encodings that an author may name besides UTF-8."""

_MARKS = (  # UTF-32 before UTF-16: their little-endian marks begin alike
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
    """One encoding that the bytes may be in; `begins` is the beginning of the text that it gives."""

    encoding: str
    begins: str


class Unreadable(Exception):
    """Bytes that are no text in this encoding. `offset` is the faulty byte, from 0.

    It is None when the mark (BOM) is missing that this encoding needs.
    """

    def __init__(self, offset: int | None) -> None:
        super().__init__(offset)
        self.offset = offset


def bom_encoding(data: bytes) -> str | None:
    """Return the encoding that a mark (BOM) at the beginning proves; None without one, and for UTF-8's."""
    return next((name for mark, name in _MARKS if data.startswith(mark)), None)


def decode(data: bytes, encoding: str) -> str:
    """Return the text of `data` in one of `ENCODINGS`, without its mark.

    Raises `Unreadable`, also for code points that no text has (controls, private and unassigned ones).
    Plain `utf-16` and `utf-32` say nothing of the order of bytes: without a mark they are refused.
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
    """List the encodings that `data` is a text in, each with its beginning, the likelier first.

    Without a mark, UTF-16 is named only where there are zero bytes or no other encoding fits.
    """
    found = bom_encoding(data)
    if found is not None:
        return list(_fitting_readings(data, (found,)))
    plain = [] if b"\0" in data else list(_fitting_readings(data, _PLAIN))
    return plain or list(_fitting_readings(data, _WIDE))


def describe(readings: list[Reading]) -> str:
    """Return the readings for the author: `gb18030（读作「桥头」）或 big5（读作「…」）`."""
    return "或 ".join(f"{one.encoding}（读作「{one.begins}」）" for one in readings)


_LOOKED_AT = 10_000


def beginning(text: str) -> str:
    """Return the first ten characters of the first line that is not blank, with `…` when it goes on."""
    first = next(iter(text[:_LOOKED_AT].lstrip().splitlines()), "").rstrip()
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
    """Is it no control mark, half of a pair, private or unassigned code point?"""
    from unicodedata import category

    if mark in _LAYOUT or mark >= "\U00020000":  # newer characters, which an older Python does not know
        return mark < "\U000f0000"
    return category(mark) not in ("Cc", "Cs", "Co", "Cn")
