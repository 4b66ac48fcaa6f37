"""The author's list of words that a platform refuses, and the places where they stand. Pure."""

from __future__ import annotations

from novel_hooks.annotations import Iterator, Sequence
from novel_hooks.record import Record

_AROUND = 12


class Hit(Record):
    """A word in a chapter: its line from 1, and the text around it."""

    word: str
    line: int
    text: str


def parse(text: str) -> list[str]:
    """Return the words of the list: one a line, `#` begins a remark, an empty line is nothing."""
    lines = (line.partition("#")[0].strip() for line in text.split("\n"))
    return list(dict.fromkeys(filter(None, lines)))


def hits(text: str, words: Sequence[str]) -> Iterator[Hit]:
    """Yield each line of each word that the text has, in the order of the list."""
    for word in words:
        if word not in text:
            continue
        for number, line in enumerate(text.split("\n"), 1):
            at = line.find(word)
            if at >= 0:
                yield Hit(word, number, line[max(0, at - _AROUND) : at + len(word) + _AROUND].strip())
