"""The order of file names, in which numbers count: `2.md` before `10.md`, `第九章` before `第十章`."""

from __future__ import annotations

from novel_hooks.annotations import Iterable
from novel_hooks.pattern import Pattern
from novel_hooks.rules.text import numerals

_RUNS = Pattern(rf"([0-9]+|[０-９]+|[{numerals.MARKS}]+|[上中下](?=[卷册部篇集]?[)）】]?(?:\.\w+)?\Z))")
_THIRDS = ("上", "中", "下")


def in_order(names: Iterable[str]) -> list[str]:
    """Sort file names: runs of digits and Chinese numerals by value, the rest by code point.

    Full-width digits are digits, and 上, 中, 下 at the end count as three. A run that is no numeral (`千里`)
    counts as text. Names that differ only in how a number is written stand by code point.
    """
    listed = sorted(names)
    whole = "".join(listed)
    if len(listed) < 2 or (whole.isascii() and not any(digit in whole for digit in "0123456789")):
        return listed
    return sorted(listed, key=place)


def place(name: str) -> list[tuple[int, int, str]]:
    """Return the name's parts, by which names are sorted: a number before a text in the same place."""
    key: list[tuple[int, int, str]] = []
    for part in _RUNS.split(name):
        if not part:
            continue
        number = numerals.parse(part) if _RUNS.fullmatch(part) else None
        if part in _THIRDS:
            number = _THIRDS.index(part)
        key.append((1, 0, part) if number is None else (0, number, ""))
    return key
