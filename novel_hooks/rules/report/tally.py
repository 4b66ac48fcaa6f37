"""The tally of words: a line for each landed chapter, its length and when it was written. Pure."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

from novel_hooks.rules.text.json_values import text

_COLUMNS = 3


Written = tuple[int, str]
"""A landed chapter: its length in 字, and the moment (ISO-8601) at which it was written, "" if unknown.

A chapter that moved in has no such moment; recording a chapter anew leaves it as it was. A plain tuple, for
`status` reads one for each chapter of the book.
"""


def moment_of(line: Mapping[str, object]) -> str:
    """Return the moment at which the chapter of a line of the change log was written; "" when unknown."""
    told = text(line.get("first_ts" if "first_ts" in line else "ts")) or ""
    return told if told.isprintable() else ""


def tally_lines(tally: Mapping[int, Written]) -> list[str]:
    """Return the tally as lines, in order of the chapters: number, length, moment, with tabs between."""
    return [f"{chapter}\t{chars}\t{at}" for chapter, (chars, at) in sorted(tally.items())]


def parse(listed: Iterable[str]) -> dict[int, Written] | None:
    """Parse the lines that `tally_lines` made; None for anything else."""
    rows = [line.split("\t") for line in listed]
    if not rows:
        return {}
    if set(map(len, rows)) != {_COLUMNS}:
        return None
    chapters, lengths, moments = zip(*rows)
    digits = "".join(chapters + lengths)
    if not (all(chapters) and all(lengths) and digits.isascii() and digits.isdigit()):
        return None
    return dict(zip(map(int, chapters), zip(map(int, lengths), moments)))


def is_whole(tally: Mapping[int, object], last: int) -> bool:
    """Tell whether every chapter up to `last` is in the tally."""
    return all(map(tally.__contains__, range(1, last + 1)))


def total(tally: Mapping[int, Written], chapters: Sequence[int]) -> int:
    """Return the 字 of these chapters together."""
    return sum(tally[chapter][0] for chapter in chapters if chapter in tally)


def recent_days(written: Iterable[tuple[int | None, int]], today: int) -> dict[str, int]:
    """Return `{chars, chapters, streak}` of today, as `pace.pace` counts.

    `written` are (day, 字), newest first; days are numbers, counted from any day. Those older than the streak
    are not asked for, so that the cost does not grow with the book.
    """
    first, days, chars, chapters = today, set[int](), 0, 0
    for day, written_chars in written:
        if day is None or day > today:
            continue
        if day < first - 1:
            break
        first = day
        days.add(day)
        chars += written_chars if day == today else 0
        chapters += day == today
    return {"chars": chars, "chapters": chapters, "streak": len(days)}
