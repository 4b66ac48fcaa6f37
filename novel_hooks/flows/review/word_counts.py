"""Lengths in 字: of the book, its volume, today and the days before. Reads only.

One small file is read, never the chapters (`flows.session.word_tally`). Days are those of the local clock.
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Sequence
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.session import word_tally
from novel_hooks.rules.report import tally
from novel_hooks.rules.report.tally import Tally
from novel_hooks.store.host import moment


def summary(book: Book, written: Tally, volume: int, now: float) -> dict[str, Any]:
    """Return `{book, volume, goal, today: {chars, chapters}, streak}` in 字, of the chapters of the tally.

    `volume` is that of the current one, None while it has no chapter; `goal` is the author's for a day, None
    without one. `now` in seconds since the epoch.
    """
    outline, _ = attempt(lambda: book.outline(volume) if volume else None)
    first = outline.start if outline is not None and outline.headings else None
    goal, _ = attempt(lambda: settings.daily_chars(book))
    days = ((_day(at), chars) for chars, at in map(written.__getitem__, range(written.last, 0, -1)))
    lately = tally.recent_days(days, moment.local_day_number(now))
    return {
        "book": written.total(1, written.last),
        "volume": written.total(first, written.last) if first and first <= written.last else None,
        "goal": goal,
        "today": {"chars": lately["chars"], "chapters": lately["chapters"]},
        "streak": lately["streak"],
    }


def chars_of(book: Book, chapters: Sequence[int]) -> dict[int, int]:
    """Return the length in 字 of these chapters, all of them landed."""
    written = word_tally.read(book.project, max(chapters, default=0))
    return {number: written[number][0] for number in chapters}


def _day(at: str) -> int | None:
    written = moment.epoch(at)
    return None if written is None else moment.local_day_number(written)
