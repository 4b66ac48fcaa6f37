"""The text of wanted chapters: landed, or staged for the chapter in work. Reads only."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Iterable
from novel_hooks.errors import Problem, refuse
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.inventory import lost_inputs
from novel_hooks.record import Record
from novel_hooks.rules.text import chapter_heading, length


class Text(Record):
    """One chapter's text; `landed` is False for the one in work. `chars` is its length in 字."""

    chapter: int
    title: str | None
    chars: int
    landed: bool
    text: str


def read(book: Book, wanted: Iterable[tuple[int, int]]) -> list[Text]:
    """Return the chapters of these ranges (first, last), in their order.

    Raises ChapterUnwritten for the first one that is not written, and errors of reading.
    """
    found: list[Text] = []
    problems: list[Problem] = []
    for first, last in wanted:
        for chapter in range(first, last + 1):
            try:
                found.append(_text(book, chapter))
            except errors.ChapterUnwritten:
                refuse(problems)
                raise
            except Problem as fault:
                problems += fault.problems
    refuse(problems)
    return found


def _text(book: Book, chapter: int) -> Text:
    path = layout.chapter(chapter)
    text = book.project.text(path)
    landed = text is not None
    if text is None:
        text = book.project.text(layout.staged(path))
    if text is None:
        raise lost_inputs.unwritten_refusal(book, chapter)
    return Text(chapter, chapter_heading.own_title(text), length.chars(text), landed, text)
