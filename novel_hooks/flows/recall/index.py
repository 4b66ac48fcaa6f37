"""The index of names on disk: which landed chapters hold a word, without reading all of them.

`.novel/recall.txt` is derived from the chapters. An entry counts only while its chapter's file has the same
stat or the same hash. So a rollback, a restore, a hand edit or a broken index never changes the result, only
the number of chapters that are read. A long book costs one stat for each chapter.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time

from novel_hooks import layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Collection, Iterator
from novel_hooks.errors import Problem
from novel_hooks.rules.recall import index as indexes
from novel_hooks.rules.recall.index import Entry, Index
from novel_hooks.store.fence import seal
from novel_hooks.store.fence.marks import signature
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import text as formats_text

if TYPE_CHECKING:
    from novel_hooks.flows.book.book import Book

_FORMAT = "novel-recall 1"
SETTLED_NS = 2_000_000_000
"""A file this young may change again without looking different: its mark is not kept."""

_last: list[Any] = []
"""The bytes that were parsed last, and their index: a packet is built before and again under the lock."""


def of_words(book: Book, words: Collection[str], last: int) -> Index:
    """Return the index of the chapters up to `last`, with at least these words. Raises nothing.

    A new one is in `book.learnt`.
    """
    known, writable = _load(book)
    known = known or Index()
    vocabulary = indexes.with_words(known, words)
    base = known if vocabulary[: len(known.words)] == known.words else Index()
    entries: dict[int, Entry] = {}
    whole = vocabulary == base.words
    for chapter, mark in _signatures(book.project, last):
        found = base.entries.get(chapter)
        if found is None or not mark or found.signature != mark or not whole:
            found = _entry(book.project, chapter, mark, base, vocabulary)
        if found is not None:
            entries[chapter] = found
    fresh = Index(vocabulary, entries)
    if writable and fresh != known:
        book.learnt[layout.RECALL] = seal.sealed_lines(_FORMAT, indexes.rows(fresh))
    return fresh


def note_landing(book: Book, chapter: int, data: bytes) -> None:
    """Put a chapter that is about to land into an existing index, by `book.learnt`."""
    stored, _ = _read(book)
    listed = None if stored is None else seal.parse_lines(stored, _FORMAT)
    if listed:
        rows = indexes.with_chapter(listed, chapter, hashlib.sha256(data).hexdigest(), _prose(data))
        book.learnt[layout.RECALL] = seal.sealed_lines(_FORMAT, rows)


def _load(book: Book) -> tuple[Index | None, bool]:
    """Return (the index, None when there is none or it is broken; whether a file may be put in its place)."""
    data, writable = _read(book)
    if _last[:1] != [data]:
        listed = None if data is None else seal.parse_lines(data, _FORMAT)
        _last[:] = [data, None if listed is None else indexes.parse(listed)]
    return _last[1], writable


def _read(book: Book) -> tuple[bytes | None, bool]:
    try:
        return book.read(layout.RECALL), True
    except Problem:  # a folder in its place, or a link: the checkup reports it
        return None, False


def _signatures(project: Project, last: int) -> Iterator[tuple[int, str]]:
    """Yield each chapter up to `last` with its file's stat mark, "" where that cannot be relied on."""
    if type(project) is not Project:  # seen through a landing that is not through: a stat means nothing
        yield from ((chapter, "") for chapter in range(1, last + 1))
        return
    newest = time.time_ns() - SETTLED_NS
    lstat, root = os.lstat, project.root
    place = project.place if project.titled() else str
    for chapter in range(1, last + 1):
        try:
            found = lstat(f"{root}/{place(layout.chapter(chapter))}")
        except (OSError, Problem):
            yield chapter, ""
            continue
        settled = found.st_mtime_ns <= newest and found.st_ctime_ns <= newest and stat.S_ISREG(found.st_mode)
        yield chapter, signature(found) if settled else ""


def _entry(
    project: Project, chapter: int, mark: str, known: Index, vocabulary: tuple[str, ...]
) -> Entry | None:
    """Return the entry of a chapter that is read, by the known one as far as it goes; None without a text."""
    before, fresh = known.entries.get(chapter), vocabulary[len(known.words) :]
    same = before is not None and mark != "" and before.signature == mark
    try:
        data = project.read(layout.chapter(chapter))
    except Problem:
        return None
    if data is None:
        return None
    sha256 = before.sha256 if before is not None and same else hashlib.sha256(data).hexdigest()
    if before is not None and before.sha256 == sha256:
        return Entry(mark, sha256, before.places + indexes.places(fresh, _prose(data), len(known.words)))
    return Entry(mark, sha256, f" {indexes.places(vocabulary, _prose(data))}")


def _prose(data: bytes) -> bytes:
    """Return the bytes without the author's comments: they are no part of the text."""
    if b"<!--" not in data:
        return data
    return formats_text.without_comments(data.decode("utf-8", "replace")).encode("utf-8")
