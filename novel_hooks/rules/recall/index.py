"""The index of names: which landed chapters hold which words. Pure.

An entry holds the stat and the hash of its chapter's file, so that a changed chapter is found and read again.
It covers the first words of the index, as many as there were when its chapter was read.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Collection, Iterable, Sequence
from novel_hooks.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping

CAPACITY = 800
"""Words of an index; when more are asked for, it begins anew with those of the chapter in work."""


class Entry(Record):
    """One chapter. `signature` is its file's stat mark, "" when that cannot be relied on.

    `words` is the number of the index's words that were looked for. `places` are the numbers of those that
    stand in it, with a space before the first: ` 0 4 17 `.
    """

    signature: str
    sha256: str
    words: int
    places: str


class Index(Record):
    """The words, and by chapter the line of its entry, which is parsed when it is asked for."""

    words: tuple[str, ...] = ()
    lines: Mapping[int, str] = {}

    def entry(self, chapter: int) -> Entry | None:
        """Return the chapter's entry; None without one, or for a line that `entry_line` did not make."""
        parts = self.lines.get(chapter, "").split("\t")
        if len(parts) != len(Entry._fields) + 1 or not parts[3].isdecimal():
            return None
        return Entry(parts[1], parts[2], int(parts[3]), parts[4])


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


def numbers(vocabulary: Sequence[str], words: Collection[str]) -> list[str]:
    """Return the numbers of the words as `Entry.places` has them; a word that the index lacks has none."""
    return [f" {vocabulary.index(word)} " for word in words if word in vocabulary]


def rows(index: Index) -> list[str]:
    """Return the index as lines: the words, then one line a chapter, each with tabs between its parts."""
    return ["\t".join(index.words), *(line for _, line in sorted(index.lines.items()))]


def entry_line(chapter: int, one: Entry) -> str:
    """Return the line of a chapter's entry."""
    return f"{chapter}\t{one.signature}\t{one.sha256}\t{one.words}\t{one.places}"


def with_chapter(listed: Sequence[str], chapter: int, sha256: str, data: bytes) -> list[str]:
    """Return the rows of an index with a chapter of these bytes, instead of what they had of it.

    The others are not parsed: this is for a commit, which must not grow with the book.
    """
    words, own = _words(listed[0]), f"{chapter}\t"
    entry = Entry("", sha256, len(words), f" {places(words, data)}")
    return [listed[0], *(line for line in listed[1:] if not line.startswith(own)), entry_line(chapter, entry)]


def parse(listed: Sequence[str]) -> Index | None:
    """Parse the lines that `rows` made; None for anything else. An entry is parsed when it is asked for."""
    lines: dict[int, str] = {}
    for line in listed[1:]:
        number = line.partition("\t")[0]
        if not (number.isascii() and number.isdigit()):
            return None
        lines[int(number)] = line
    return Index(_words(listed[0]), lines) if listed else None


def _words(line: str) -> tuple[str, ...]:
    return tuple(line.split("\t")) if line else ()
