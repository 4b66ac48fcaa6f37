"""The index of names on disk: which landed chapters hold a word, without reading all of them.

`.novel/recall.txt` is derived from the chapters. An entry counts only while its chapter's file has the same
stat or the same hash. So a rollback, a restore, a hand edit or a broken index never changes the result, only
the number of chapters that are read. Only the chapters that are asked for are looked at.
"""

from __future__ import annotations

import os
import stat
import time

from novel_hooks import layout, sha2
from novel_hooks.annotations import TYPE_CHECKING, Collection, Iterator
from novel_hooks.errors import Problem
from novel_hooks.flows.book.collect import attempt
from novel_hooks.rules.recall import index as indexes
from novel_hooks.rules.recall.index import Entry, Index
from novel_hooks.store.fence import marks, seal
from novel_hooks.store.fence.marks import signature
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import text as formats_text

if TYPE_CHECKING:
    from novel_hooks.flows.book.book import Book


_FORMAT = "novel-recall 2"


class NameIndex:
    """The index as one command reads it, of the chapters up to `last`, with at least these words.

    It raises nothing. An entry is held against its chapter's file when it is first asked for.
    """

    def __init__(self, book: Book, words: Collection[str], last: int) -> None:
        listed = _read(book)
        self._known = (None if listed is None else indexes.parse(listed)) or Index()
        self.words = indexes.with_words(self._known, words)
        begun = self.words[: len(self._known.words)] == self._known.words
        self._base = self._known if begun else Index()
        self._book, self._last = book, last
        self._newest = time.time_ns() - marks.SETTLED_NS
        self._entries: dict[int, Entry | None] = {}

    def chapters_of(self, words: Collection[str], newest_first: bool = False) -> Iterator[int]:
        """Yield the chapters that hold any of the words, in order; words that the index lacks are in none."""
        numbers = indexes.numbers(self.words, words)
        for chapter in range(self._last, 0, -1) if newest_first else range(1, self._last + 1):
            found = self.entry(chapter)
            if found is not None and any(number in found.places for number in numbers):
                yield chapter

    def entry(self, chapter: int) -> Entry | None:
        """Return the chapter's entry as its file is now; None without a text."""
        if chapter not in self._entries:
            mark, known = _mark(self._book.project, chapter, self._newest), self._base.entry(chapter)
            if known is None or not mark or known.signature != mark or known.words != len(self.words):
                known = _read_entry(self._book.project, chapter, mark, known, self.words)
            self._entries[chapter] = known
        return self._entries[chapter]

    def learn(self) -> None:
        """Put the index into `book.learnt` when what was asked for is not as it was known."""
        lines = {n: line for n, line in self._base.lines.items() if n <= self._last}
        for chapter, found in self._entries.items():
            lines.pop(chapter, None)
            if found is not None:
                lines[chapter] = indexes.entry_line(chapter, found)
        fresh = Index(self.words, lines)
        if fresh != self._known:
            self._book.learnt[layout.RECALL] = seal.sealed_lines(_FORMAT, indexes.rows(fresh))


def note_landing(book: Book, chapter: int, data: bytes) -> None:
    """Put a chapter that is about to land into an existing index, by `book.learnt`."""
    listed = _read(book)
    if listed:
        rows = indexes.with_chapter(listed, chapter, sha2.digest(data), _prose(data))
        book.learnt[layout.RECALL] = seal.sealed_lines(_FORMAT, rows)


def _read(book: Book) -> list[str] | None:
    """Return the rows of the index; None when there is none, or it is broken."""
    data, _ = attempt(lambda: book.read(layout.RECALL))  # a folder or a link: the checkup reports it
    return None if data is None else seal.parse_lines(data, _FORMAT)


def _mark(project: Project, chapter: int, newest: int) -> str:
    """Return the stat mark of the chapter's file, "" where that cannot be relied on.

    `newest` is the time in ns behind which a file may change again without looking different.
    """
    if type(project) is not Project:  # seen through a landing that is not through: a stat means nothing
        return ""
    try:
        found = os.lstat(f"{project.root}/{project.place(layout.chapter(chapter))}")
    except (OSError, Problem):
        return ""
    settled = found.st_mtime_ns <= newest and found.st_ctime_ns <= newest and stat.S_ISREG(found.st_mode)
    return signature(found) if settled else ""


def _read_entry(
    project: Project, chapter: int, mark: str, before: Entry | None, vocabulary: tuple[str, ...]
) -> Entry | None:
    """Return the entry of a chapter that is read, by the known one as far as it goes; None without a text."""
    same = before is not None and mark != "" and before.signature == mark
    data, _ = attempt(lambda: project.read(layout.chapter(chapter)))
    if data is None:
        return None
    count = len(vocabulary)
    sha256 = before.sha256 if before is not None and same else sha2.digest(data)
    if before is not None and before.sha256 == sha256:
        more = indexes.places(vocabulary[before.words :], _prose(data), before.words)
        return Entry(mark, sha256, count, before.places + more)
    return Entry(mark, sha256, count, f" {indexes.places(vocabulary, _prose(data))}")


def _prose(data: bytes) -> bytes:
    """Return the bytes without the author's comments: they are no part of the text."""
    if b"<!--" not in data:
        return data
    return formats_text.without_comments(data.decode("utf-8", "replace")).encode("utf-8")
