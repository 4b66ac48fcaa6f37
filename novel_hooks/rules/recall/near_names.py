"""The known name that a typed one means. Pure."""

from __future__ import annotations

from novel_hooks.annotations import Iterable
from novel_hooks.rules.text import typed_words


def holding(typed: str, names: Iterable[str]) -> list[str]:
    """Return the names that hold the typed text or stand in it, in order."""
    return [name for name in names if typed and name and (typed in name or name in typed)]


def nearest(typed: str, names: Iterable[str]) -> str | None:
    """Return the meant name; None when none is near.

    The first that holds the typed text or is held by it. Else one of its length with the same characters at
    half of its places, more of them and the first before others: `沈度` is 沈渡 and not 阿沈. Else the most
    similar one.
    """
    known = list(dict.fromkeys(names))
    whole = holding(typed, known)
    if whole:
        return whole[0]
    same = [one for one in known if len(one) == len(typed)]
    best = max(same, key=lambda one: (_shared(typed, one), one[:1] == typed[:1]), default=None)
    if best is not None and typed and 2 * _shared(typed, best) >= len(typed):
        return best
    return typed_words.nearest(typed, known)


def _shared(one: str, other: str) -> int:
    return sum(a == b for a, b in zip(one, other))
