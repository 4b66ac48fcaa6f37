"""The tally of words: a line for each landed chapter, its length and when it was written. Pure."""

from __future__ import annotations

from novel_hooks.annotations import Iterable, Mapping, Sequence
from novel_hooks.rules.text.json_values import text

Written = tuple[int, str]
"""A landed chapter: its length in 字, and the moment (ISO-8601) at which it was written, "" if unknown.

A chapter that moved in has no such moment; recording a chapter anew leaves it as it was.
"""


class Tally:
    """The chapters of a book from 1 on, as lines of `tally_lines`; a line is parsed when it is asked for.

    `status` asks for the last few: what it costs does not grow with the book.
    """

    __slots__ = ("_lines", "last")

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self.last = len(lines)

    def __getitem__(self, chapter: int) -> Written:
        return _parse_line(self._lines[chapter - 1])[1]

    def total(self, first: int, last: int) -> int:
        """Return the 字 of the chapters from first to last together."""
        return self._sum(last) - self._sum(first - 1)

    def _sum(self, chapter: int) -> int:
        return int(self._lines[chapter - 1].rpartition("\t")[2]) if chapter > 0 else 0


def moment_of(line: Mapping[str, object]) -> str:
    """Return the moment at which the chapter of a line of the change log was written; "" when unknown."""
    told = text(line.get("first_ts" if "first_ts" in line else "ts")) or ""
    return told if told.isprintable() else ""


def tally_lines(written: Mapping[int, Written]) -> list[str]:
    """Return the tally as lines, in order of the chapters, with tabs between.

    Number, length, moment, and the 字 of all chapters up to there.
    """
    found, total = [], 0
    for chapter, (chars, at) in sorted(written.items()):
        total += chars
        found.append(f"{chapter}\t{chars}\t{at}\t{total}")
    return found


def parse(lines: Iterable[str]) -> dict[int, Written]:
    """Parse lines of `tally_lines`, each chapter by its number."""
    return dict(map(_parse_line, lines))


def _parse_line(line: str) -> tuple[int, Written]:
    chapter, chars, at, _ = line.split("\t")
    return int(chapter), (int(chars), at)


def whole(lines: Sequence[str], last: int) -> Tally | None:
    """Return the tally up to `last`; None where a chapter up to there is not among the lines.

    They are in order and each chapter is there once, so the last one's place tells it.
    """
    if last and not (last <= len(lines) and lines[last - 1].startswith(f"{last}\t")):
        return None
    return Tally(lines[:last])


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
