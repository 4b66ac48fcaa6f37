"""A name replaced by another in a text, only where it certainly is that name. Pure.

A longer known name keeps its part (`和光` in `苗和光`). A name that everyday words may hold is replaced where
it stands apart; the other places are the author's to look at.
"""

from __future__ import annotations

from novel_hooks.annotations import Collection, Iterator
from novel_hooks.record import Record
from novel_hooks.rules.cast.names import stands_apart
from novel_hooks.rules.spelling import like_characters, word_edges

_SHORT = 2


class Left(Record):
    """A place that keeps the old name: its line, the words around, the longer name it is part of or `""`."""

    line: int
    quote: str
    part_of: str


class Renamed(Record):
    """A text with the new name, how many places got it, and the places left."""

    text: str
    times: int
    left: tuple[Left, ...]


def rename(text: str, old: str, new: str, known: Collection[str] = ()) -> Renamed:
    """Replace `old` by `new`; `known` are all names of the book."""
    longer = sorted(
        (name for name in known if old in name and name != old), key=lambda name: (-len(name), name)
    )
    pieces, left, at = [], [], 0
    for place in _places(text, old):
        part_of = next((name for name in longer if _lies_in(text, place, old, name)), "")
        pieces.append(text[at:place])
        at = place + len(old)
        sure = not part_of and _is_name(text, place, old)
        pieces.append(new if sure else old)
        if not sure:
            left.append(Left(text.count("\n", 0, place) + 1, _quote(text, place, at), part_of))
    return Renamed("".join([*pieces, text[at:]]), len(pieces) // 2 - len(left), tuple(left))


def _places(text: str, old: str) -> Iterator[int]:
    place = text.find(old)
    while place >= 0:
        yield place
        place = text.find(old, place + len(old))


def _lies_in(text: str, place: int, old: str, longer: str) -> bool:
    offset = longer.find(old)
    while offset >= 0:
        if place >= offset and text.startswith(longer, place - offset):
            return True
        offset = longer.find(old, offset + 1)
    return False


def _is_name(text: str, place: int, old: str) -> bool:
    """Return whether the word at the place is the name and no piece of another word."""
    before, behind = text[place - 1 : place] if place else "", text[place + len(old) : place + len(old) + 1]
    if old[0].isascii() or old[-1].isascii():
        return stands_apart(text, place, old)
    if len(old) < _SHORT:
        return not word_edges.is_han(before) and not word_edges.is_han(behind)
    if len(old) > _SHORT or any(like_characters.rank(mark) >= word_edges.EVERYDAY for mark in old):
        return True
    return word_edges.begins(text, place) and word_edges.ends(text, place + len(old))


def _quote(text: str, start: int, end: int) -> str:
    begin = max(text.rfind("\n", 0, start) + 1, start - 8)
    stop = text.find("\n", end)
    return text[begin : min(end + 8, len(text) if stop < 0 else stop)].strip()
