"""Texts whose encoding nobody named: proved by a mark (BOM) or by strict reading, else by their words.

When two encodings both read without a fault, the one wins whose characters are those of Chinese prose. When
neither clearly does, the author is asked. Millions of characters are read in one pass.
"""

from __future__ import annotations

import codecs

from novel_hooks.annotations import Iterable
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.store.formats import encodings

_NO_TEXT = Pattern("[\x00-\x08\x0b\x0e-\x19\x1b-\x1f\x7f-\x9f\ud800-\udfff\ufffd-\uffff]")
_USUAL = frozenset(
    "的一是不了在人有我他这個个们們来來到时時大地为為子中你说說生国國年着著就那和要她出也得里裡后後自以会會"
    "家可下而过過天去能对對小多然于於心学學么麼之都好看起发發当當没沒成只如事把还還用第样樣道想作种種开開"
    "从從头頭面样話话手又知道情己间間前回已"
)
_SAMPLE = 200_000
_CLEAR = 3
_LEAST = 0.08
"""The least share of usual characters of a text of Chinese prose; real ones have a third."""
_PART, _PARTS, _NONE = 600, 40, 0.005
"""Parts of a text that are looked at, their size, and a share of usual characters that no prose has."""
_TRIED = ("gb18030", "big5")


class Read(Record):
    """A text, its encoding; line ends are LF."""

    text: str
    encoding: str


class Unread(Exception):
    """Bytes that are no text. `case` is broken, marks or several.

    `encoding` is the one that could read the most, `offset` the byte where it stopped, `readings` those that
    fit.
    """

    def __init__(self, case: str, encoding: str, offset: int, readings: str = "") -> None:
        super().__init__(case)
        self.case = case
        self.encoding = encoding
        self.offset = offset
        self.readings = readings


def read(data: bytes, encoding: str | None = None) -> Read:
    """Return the text of the bytes; `encoding` is the author's word. Raises Unread."""
    marked = encodings.bom_encoding(data)
    if marked is not None:
        return _plain(_decoded(data, marked), marked, data)
    if encoding is not None and encoding not in ("utf-8", "utf8"):
        return _plain(_decoded(data, encoding), encoding, data)
    try:
        return _plain(data.decode("utf-8-sig"), "utf-8", data)
    except UnicodeDecodeError as wrong:
        if encoding is not None:
            raise Unread("broken", "utf-8", wrong.start) from None
        furthest = Unread("broken", "utf-8", wrong.start)
    found, stopped = _readings(data, (*_wide(data), *_TRIED))
    if not any(one.encoding == "big5" for one in found):
        more, fault = _readings(data, ("big5hkscs",))  # Big5 with the characters of Hong Kong
        found, stopped = [*found, *more], [*stopped, *fault]
    if not found:
        zeros = b"\0" in data  # what decodes to the end but for a zero is no broken UTF-16
        raise max([furthest, *stopped], key=lambda one: (zeros and one.case == "marks", one.offset))
    return _likeliest(found, data)


def _wide(data: bytes) -> tuple[str, ...]:
    """Return the two orders of UTF-16 for bytes with zeros in them; () for others."""
    return ("utf-16-le", "utf-16-be") if b"\0" in data[:_SAMPLE] else ()


def _decoded(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as wrong:
        raise Unread("broken", encoding, wrong.start) from None


def _plain(text: str, encoding: str, data: bytes) -> Read:
    """Return the text with LF ends, without marks of byte order and of the end. Raises Unread."""
    text = text.rstrip("\x1a")
    odd = _NO_TEXT.search(text)
    if odd is not None:
        mark = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
        raise Unread("marks", encoding, mark + len(text[: odd.start()].encode(encoding)))
    return Read(text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff"), encoding)


def _readings(data: bytes, names: Iterable[str]) -> tuple[list[Read], list[Unread]]:
    found, stopped = [], []
    for name in names:
        try:
            found.append(_plain(_decoded(data, name), name, data))
        except Unread as wrong:
            stopped.append(wrong)
    return found, stopped


def _likeliest(found: list[Read], data: bytes) -> Read:
    """Return the reading that is prose. Raises Unread when that is not clear."""
    shares = {one.encoding: _share(one.text) for one in found}
    first, *rest = sorted(found, key=lambda one: -shares[one.encoding])
    share = shares[first.encoding]
    if share < _LEAST or any(share < _CLEAR * shares[one.encoding] for one in rest):
        shown = encodings.describe(
            [encodings.Reading(one.encoding, encodings.beginning(one.text)) for one in found]
        )
        raise Unread("several", first.encoding, 0, shown)
    strange = _strange_line(first.text)
    if strange is not None:  # two texts in two encodings, put together in one file
        at = _decoded(data, first.encoding).find(strange)
        raise Unread("marks", first.encoding, len(data.decode(first.encoding)[:at].encode(first.encoding)))
    return first


def _strange_line(text: str) -> str | None:
    """Return a line of the first part, of parts spread over the text, that is no prose at all; else None."""
    for place in range(_PARTS + 1):
        start = max(0, (len(text) - _PART) * place // _PARTS)
        part = text[start : start + _PART]
        if len(part) == _PART and _share(part) < _NONE and sum(mark > "\x7f" for mark in part) > _PART // 2:
            return max(part.split("\n"), key=len)
    return None


def _share(text: str) -> float:
    """Return the share of usual characters among the text's first that are no ASCII."""
    part = [mark for mark in text[:_SAMPLE] if mark > "\x7f" and mark.isalnum()]
    return len([mark for mark in part if mark in _USUAL]) / len(part) if part else 0.0
