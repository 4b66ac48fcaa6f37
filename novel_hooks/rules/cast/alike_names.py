"""Names that may mean one thing: one holds the other, or both begin alike. Pure."""

from __future__ import annotations

from novel_hooks.annotations import Iterable, Iterator
from novel_hooks.record import Record
from novel_hooks.rules.cast.names import normalize_name

_SHORTEST = 2
"""So many marks must be held, or shared at the beginning."""


class Alike(Record):
    """A new name and a known one; `contained`: one of them holds the other."""

    name: str
    known: str
    contained: bool


def alike(new: Iterable[str], known: Iterable[str]) -> Iterator[Alike]:
    """Yield for each new name the known one that it is most like; a name without such a one is left out.

    A new name counts as known for the later ones.
    """
    listed = {normalize_name(name): name for name in known}
    for name in dict.fromkeys(new):
        word = normalize_name(name)
        if word in listed:
            continue
        shared = {other: _likeness(word, other) for other in listed}
        best = max(listed, key=lambda other: (shared[other], other), default="")
        if best and shared[best] > (0, 0):
            yield Alike(name, listed[best], shared[best][0] == 1)
        listed[word] = name


def _likeness(one: str, other: str) -> tuple[int, int]:
    """Return (1 when one holds the other, how many marks they share); (0, 0) when they are not alike."""
    shorter = min(len(one), len(other))
    if shorter >= _SHORTEST and (one in other or other in one):
        return 1, shorter
    same = next((n for n in range(shorter) if one[n] != other[n]), shorter)
    return (0, same) if same >= _SHORTEST else (0, 0)
