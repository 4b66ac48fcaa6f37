"""Sentences of Chinese prose, with their lines, and excerpts of long ones. Pure.

A sentence ends at `。！？` outside quotation marks. A speech stays whole, with the words behind it that say
who speaks; the next speech begins another sentence. No sentence goes past its line: a paragraph is one.
"""

from __future__ import annotations

from novel_hooks.annotations import Collection, Iterator, Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record

MOST = 90
"""Characters of a sentence that are shown; of a longer one the clauses around the word."""
CUT = "……"

_ENDS = "。！？!?"
_OPEN, _CLOSE = "“「『‘（(《【", "”」』’）)》】"
_STRAIGHT = '"'
_LAST = frozenset((*_ENDS, *_CLOSE, _STRAIGHT))
"""The marks behind which a sentence may end."""
_CLAUSE = Pattern(r"[^，。！？；：、!?;]*[，。！？；：、!?;]*[”」』’）)》】]*")


class Sentence(Record):
    """One sentence as the text has it, without blanks around it; `line` counts from 1."""

    line: int
    text: str


def sentences(text: str, words: Collection[str] | None = None) -> Iterator[Sentence]:
    """Yield the sentences of a text in order; with `words` only those that hold one of them."""
    for number, line in enumerate(text.split("\n"), 1):
        if words is None or has_any(line, words):
            for one in split(line):
                if words is None or has_any(one, words):
                    yield Sentence(number, one)


def has_any(text: str, words: Collection[str]) -> bool:
    """Tell whether one of the words stands in the text."""
    return any(word in text for word in words)


def split(line: str) -> list[str]:
    """Split one line into its sentences, without blanks around them; empty ones are left out.

    Quotation marks that do not pair are read as far as they go: nothing of the line is lost.
    """
    found: list[str] = []
    begun = depth = 0
    spoken = False
    for at, mark in enumerate(line, 1):
        if mark in _OPEN or (mark == _STRAIGHT and not spoken):
            spoken, depth = spoken or mark == _STRAIGHT, depth + 1
        elif mark in _CLOSE or mark == _STRAIGHT:
            spoken, depth = spoken and mark != _STRAIGHT, max(0, depth - 1)
        if depth == 0 and mark in _LAST and _ends_here(line, at):
            found.append(line[begun:at])
            begun = at
    return [one for one in map(str.strip, [*found, line[begun:]]) if one]


def _ends_here(line: str, at: int) -> bool:
    """Does a sentence end before the character at `at`, outside every quotation?

    A closed speech ends one only where another begins: else what follows says who spoke.
    """
    last, following = line[at - 1 : at], line[at : at + 1]
    if last in _ENDS:
        return following not in (*_ENDS, *_CLOSE) if following else True
    speech = (last in _CLOSE or last == _STRAIGHT) and line[at - 2 : at - 1] in _ENDS
    return speech and (following in _OPEN or following == _STRAIGHT)


def excerpt(sentence: str, words: Collection[str], most: int = MOST) -> str:
    """Return the sentence, or of a long one the clauses around the first word, marked where it is cut."""
    if len(sentence) <= most:
        return sentence
    clauses = [found.group() for found in _CLAUSE.finditer(sentence) if found.group()]
    at = next((n for n, clause in enumerate(clauses) if has_any(clause, words)), 0)
    first, last = _grow(list(map(len, clauses)), at, most)
    kept = "".join(clauses[first : last + 1])
    if len(kept) > most:
        return _window(kept, words, most)
    return (CUT if first else "") + kept + (CUT if last + 1 < len(clauses) else "")


def _grow(sizes: Sequence[int], at: int, most: int) -> tuple[int, int]:
    """Return the first and last of the pieces around `at` that are no longer than `most` together."""
    first = last = at
    room = most - sizes[at]
    while True:
        before = first > 0 and sizes[first - 1] <= room
        behind = last + 1 < len(sizes) and sizes[last + 1] <= room
        if behind and (not before or last - at <= at - first):
            last += 1
            room -= sizes[last]
        elif before:
            first -= 1
            room -= sizes[first]
        else:
            return first, last


def _window(clause: str, words: Collection[str], most: int) -> str:
    """Return so many characters of a clause that is too long itself, its first word in the middle."""
    places = [(clause.index(word), word) for word in words if word in clause]
    at, word = min(places, default=(0, ""))
    begin = max(0, min(at - (most - len(word)) // 2, len(clause) - most))
    end = begin + most
    return (CUT if begin else "") + clause[begin:end] + (CUT if end < len(clause) else "")


def marked(text: str, words: Collection[str]) -> str:
    """Return the text with every word in 【】, the longest word at each place."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    pieces: list[str] = []
    at = 0
    while at < len(text):
        word = next((one for one in ordered if one and text.startswith(one, at)), "")
        pieces.append(f"【{word}】" if word else text[at])
        at += len(word) or 1
    return "".join(pieces)
