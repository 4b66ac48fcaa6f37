"""The index of names: which landed chapters hold which words. Pure.

An entry holds the stat and the hash of its chapter's file, so that a changed chapter is found and read again.
Every entry covers every word of the index, and no other.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Collection, Iterable, Iterator, Sequence
from novel_hooks.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping

CAPACITY = 800
"""Words of an index; when more are asked for, it begins anew with those of the chapter in work."""


class Entry(Record):
    """One chapter. `signature` is its file's stat mark, "" when that cannot be relied on.

    `places` are the numbers of the words that stand in it, with a space before the first: ` 0 4 17 `.
    """

    signature: str
    sha256: str
    places: str


class Index(Record):
    """The words, and the entries by chapter."""

    words: tuple[str, ...] = ()
    entries: Mapping[int, Entry] = {}


def places(words: Sequence[str], data: bytes, first: int = 0) -> str:
    """Return the numbers of the words that stand in a chapter's UTF-8 bytes: `0 4 17 `, counted from `first`.

    No word of UTF-8 is found across the characters of another.
    """
    return "".join(f"{n} " for n, word in enumerate(words, first) if word.encode("utf-8") in data)


def with_words(index: Index, words: Iterable[str]) -> tuple[str, ...]:
    """Return the index's words with these added; these alone when there would be too many."""
    asked = dict.fromkeys(words)
    together = (*index.words, *(word for word in asked if word not in index.words))
    return together if len(together) <= CAPACITY else tuple(asked)


def chapters_of(index: Index, words: Collection[str], newest_first: bool = False) -> Iterator[int]:
    """Yield the chapters that hold any of the words, in order; words that the index lacks are in none."""
    numbers = [f" {index.words.index(word)} " for word in words if word in index.words]
    for chapter in sorted(index.entries, reverse=newest_first):
        places = index.entries[chapter].places
        if any(number in places for number in numbers):
            yield chapter


def rows(index: Index) -> list[str]:
    """Return the index as lines: the words, then one line a chapter, each with tabs between its parts."""
    return ["\t".join(index.words), *(_row(n, one) for n, one in sorted(index.entries.items()))]


def _row(chapter: int, one: Entry) -> str:
    return f"{chapter}\t{one.signature}\t{one.sha256}\t{one.places}"


def with_chapter(listed: Sequence[str], chapter: int, sha256: str, data: bytes) -> list[str]:
    """Return the rows of an index with a chapter of these bytes, instead of what they had of it.

    The others are not parsed: this is for a commit, which must not grow with the book.
    """
    entry, own = Entry("", sha256, f" {places(_words(listed[0]), data)}"), f"{chapter}\t"
    return [listed[0], *(row for row in listed[1:] if not row.startswith(own)), _row(chapter, entry)]


def parse(listed: Sequence[str]) -> Index | None:
    """Parse the lines that `rows` made; None for anything else."""
    entries: dict[int, Entry] = {}
    for line in listed[1:]:
        parts = line.split("\t")
        if len(parts) != len(Entry._fields) + 1 or not (parts[0].isascii() and parts[0].isdigit()):
            return None
        entries[int(parts[0])] = Entry(*parts[1:])
    return Index(_words(listed[0]), entries) if listed else None


def _words(row: str) -> tuple[str, ...]:
    return tuple(row.split("\t")) if row else ()
