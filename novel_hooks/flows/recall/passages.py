"""The index of passages on disk: which landed chapters may share a long one with a text.

`.novel/passages.txt` is derived from the chapters: its hits are read and compared. Each landing adds its
chapter and a few earlier ones that are missing, so no command reads the whole book.
"""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import TYPE_CHECKING, Iterable
from novel_hooks.flows.book.collect import attempt
from novel_hooks.rules.recall import passages
from novel_hooks.rules.text import chapter_heading
from novel_hooks.store.fence import seal

if TYPE_CHECKING:
    from novel_hooks.flows.book.book import Book

_FORMAT = "novel-passages 1"
_CAUGHT_UP = 8
"""Earlier chapters without a row that a landing takes in."""


def rows(book: Book) -> list[str]:
    """Return the rows of the index; [] when there is none, or it is broken."""
    data, _ = attempt(lambda: book.read(layout.PASSAGES))
    return list(seal.parse_lines(data or b"", _FORMAT) or ())


def note_landing(book: Book, chapter: int, text: str) -> None:
    """Put a chapter that is about to land into the index, and a few before it, by `book.learnt`."""
    known = rows(book)
    listed = passages.with_row(known, chapter, chapter_row(chapter, text))
    there = passages.indexed_chapters(listed)
    missing = [number for number in range(chapter - 1, 0, -1) if number not in there]
    for number in missing[:_CAUGHT_UP]:
        earlier = text_of(book, number)
        listed = passages.with_row(listed, number, None if earlier is None else chapter_row(number, earlier))
    if listed != known:
        book.learnt[layout.PASSAGES] = dump(sorted(listed, key=_number))


def dump(listed: Iterable[str]) -> bytes:
    """Dump the rows of an index, in the chapters' order, to the file's bytes."""
    return seal.sealed_lines(_FORMAT, listed)


def text_of(book: Book, chapter: int) -> str | None:
    """Return a landed chapter's text; None when there is none that can be read."""
    return attempt(lambda: book.text(layout.chapter(chapter)))[0]


def chapter_row(chapter: int, text: str) -> str | None:
    """Return the row of a chapter's text; None when it is too short for one."""
    return passages.row(chapter, chapter_heading.heading(text)[1] or "", chapter_heading.body(text))


def _number(row: str) -> int:
    return int(row.partition("\t")[0])
