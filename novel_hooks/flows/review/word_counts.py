"""Lengths in 字: of the book, its volume, today and the days before. Reads only.

One small file is read, never the chapters (`flows.session.word_tally`). Days are those of the local clock.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from novel_hooks.flows.book.book import Book
    from novel_hooks.rules.report.tally import Written

from novel_hooks.flows.book import settings
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.session import word_tally
from novel_hooks.rules.report import tally
from novel_hooks.store.host import moment


def summary(book: Book, written: Mapping[int, Written], last: int, volume: int, now: float) -> dict[str, Any]:
    """Return `{book, volume, goal, today: {chars, chapters}, streak}` in 字, of the chapters up to `last`.

    `written` is the tally up to there, as `word_tally.read` returns it.

    `volume` is that of the current one, None while it has no chapter; `goal` is the author's for a day, None
    without one. `now` in seconds since the epoch.
    """
    outline, _ = attempt(lambda: book.outline(volume) if volume else None)
    first = outline.start if outline is not None and outline.headings else None
    here = range(first, last + 1) if first is not None else range(0)
    goal, _ = attempt(lambda: settings.daily_chars(book))
    days = ((_day(at), chars) for _, (chars, at) in sorted(written.items(), reverse=True))
    lately = tally.recent_days(days, moment.local_day_number(now))
    return {
        "book": sum(chars for chars, _ in written.values()),
        "volume": tally.total(written, here) if here else None,
        "goal": goal,
        "today": {"chars": lately["chars"], "chapters": lately["chapters"]},
        "streak": lately["streak"],
    }


def with_chars(written: Mapping[int, Written], rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of landed chapters (`chapter`), each with its length as `chars`; None without one."""
    found = ((row, written.get(row["chapter"])) for row in rows)
    return [{**row, "chars": None if one is None else one[0]} for row, one in found]


def chars_of(book: Book, chapters: Sequence[int]) -> dict[int, int]:
    """Return the length in 字 of these chapters, all of them landed."""
    written = word_tally.read(book.project, max(chapters)) if chapters else {}
    return {number: written[number][0] for number in chapters if number in written}


def _day(at: str) -> int | None:
    written = moment.epoch(at)
    return None if written is None else moment.local_day_number(written)
