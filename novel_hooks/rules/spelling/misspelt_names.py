"""Known names that a text writes with one wrong character, of a like sound or look. Pure. Source: ADR 0014.

Avoiding a false alarm counts more than finding every slip. A name of two characters must keep its family
character and stand apart from the words around it. A form that the text uses throughout is another person's
name.
"""

from __future__ import annotations

from novel_hooks.annotations import Iterable, Iterator, Sequence
from novel_hooks.record import Record
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast.characters import Character
from novel_hooks.rules.spelling import everyday_words, like_characters, word_edges

_SHORT, _LONGEST = 2, 6
_RARE = 2
"""So often a text writes a slip; a form that it writes more often is its own."""
_EVERYDAY, _RARELY_USED = 1200, 2200
"""Ranks by use: characters before the first make everyday words, those from the second on hardly do."""
_PREFIX = "阿"


class Slip(Record):
    """A place of a text where `name` is written as `written`, by its offset."""

    name: str
    written: str
    start: int


def slips(text: str, people: Iterable[Character]) -> list[Slip]:
    """Return the misspelt names of these people in the order of the text."""
    cast = list(people)
    legal = {word for person in cast for word in casts.names_of(person)}
    spans = _spans(text, legal)
    found: dict[int, Slip] = {}
    for name, short in sorted(_searched(cast), key=lambda one: (-len(one[0]), one[0])):
        for start, at in _near(text, name):
            written = text[start : start + len(name)]
            if start + at in found or start + at in spans or written in legal:
                continue
            if not (_is_short_slip if short else _is_long_slip)(text, name, start, at):
                continue
            if like_characters.alike(name[at], written[at]):
                found[start + at] = Slip(name, written, start)
    return [found[at] for at in sorted(found) if text.count(found[at].written) <= _RARE]


def _searched(cast: Sequence[Character]) -> Iterator[tuple[str, bool]]:
    """Yield (name, whether it is short): of the short ones only those with the family's character."""
    for person in cast:
        for name in casts.names_of(person):
            if not _SHORT <= len(name) <= _LONGEST or not all(map(word_edges.is_han, name)):
                continue
            short = len(name) == _SHORT
            if not short or name[0] in (person.name[0], _PREFIX):
                yield name, short


def _near(text: str, name: str) -> Iterator[tuple[int, int]]:
    """Yield (start, place in the name) of each window that differs from the name in one Han character."""
    for at in range(len(name)):
        offset, piece = max((0, name[:at]), (at + 1, name[at + 1 :]), key=lambda anchor: len(anchor[1]))
        place = text.find(piece)
        while place >= 0:
            start = place - offset
            window = text[start : start + len(name)] if start >= 0 else ""
            same = window[:at] == name[:at] and window[at + 1 :] == name[at + 1 :]
            fits = same and len(window) == len(name) and window[at] != name[at]
            if fits and word_edges.is_han(window[at]):
                yield start, at
            place = text.find(piece, place + 1)


def _spans(text: str, words: Iterable[str]) -> set[int]:
    """Return every offset that lies in one of the words."""
    covered: set[int] = set()
    for word in words:
        place = text.find(word) if len(word) >= _SHORT else -1
        while place >= 0:
            covered.update(range(place, place + len(word)))
            place = text.find(word, place + 1)
    return covered


def _is_long_slip(text: str, name: str, start: int, at: int) -> bool:
    """Return whether the window is no end of a word and a title: `府上姑娘` is no `桑姑娘`."""
    return (
        at > 0 or like_characters.rank(text[start]) >= word_edges.EVERYDAY or word_edges.begins(text, start)
    )


def _is_short_slip(text: str, name: str, start: int, at: int) -> bool:
    """Return whether a form of two characters is a word by itself, no everyday one, of somebody in the text.

    The rarer the wrong character, the less must stand apart; a common right one beside it says little.
    """
    rank, other = like_characters.rank(text[start + at]), like_characters.rank(name[1 - at])
    if rank < _EVERYDAY or text[start : start + _SHORT] in everyday_words.WORDS:
        return False
    if name not in text or not word_edges.begins(text, start):
        return False
    if at == 0 and other < _EVERYDAY:
        return rank >= _RARELY_USED and word_edges.ends(text, start + _SHORT)
    return rank >= _RARELY_USED or word_edges.ends(text, start + _SHORT)
