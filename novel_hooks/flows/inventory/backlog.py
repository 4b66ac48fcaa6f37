"""The backlog: adopted chapters without a summary, and how many of the last ones are needed. Reads only."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Iterator
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.rules.steps import resync_steps

NEEDED = 30
"""So many of the last chapters that moved in are to be recorded before one writes on."""


def is_waiting(book: Book, chapter: int) -> bool:
    """Tell whether the chapter was adopted and never recorded."""
    return chapter <= book.adoption().last and not book.project.has(layout.summary(chapter))


def waiting(book: Book) -> Iterator[int]:
    """Yield the chapters of the backlog, newest first."""
    last = min(book.adoption().last, book.checkpoint().last)
    return (number for number in range(last, 0, -1) if not book.project.has(layout.summary(number)))


def needed(book: Book) -> range:
    """Return the last chapters that moved in, which writing on needs recorded."""
    last = book.adoption().last
    return range(max(1, last - NEEDED + 1), min(last, book.checkpoint().last) + 1)


def problems(book: Book) -> list[Problem]:
    """Warn once of the needed chapters that are not recorded; never before the storylines."""
    if book.own(layout.ADOPTION) is None:
        return []
    point = book.checkpoint()
    if point.setting_up or resync_steps.open_sync(point) or not book.project.has(layout.STORYLINES):
        return []
    recent = needed(book)
    count = sum(not book.project.has(layout.summary(number)) for number in recent)
    return [errors.BacklogWaits(needed=len(recent), count=count)] if count else []
