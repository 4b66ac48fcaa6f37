"""The earlier sentences for a chapter's writer: of every named person, thing and place, the newest. Pure.

The same sentences give the same choice. Each sentence stands once, under all subjects that it names. When
there is not room for all, the subjects that were named longest ago come first, because the writer knows more
of the others.
"""

from __future__ import annotations

from itertools import islice

from novel_hooks.annotations import Callable, Iterable, Iterator, Mapping, Sequence
from novel_hooks.record import Record
from novel_hooks.rules.recall import sentences
from novel_hooks.rules.text import length

Namer = Callable[[str], Sequence[str]]
MentionsOf = Callable[[int], "Sequence[Mention]"]

NEWEST = 3
"""So many chapters, the last that name somebody, count for him, and the first."""
_TRIED = 12
EACH = 4
"""Sentences that one person, thing or place gets."""
SUBJECTS = 20
"""So many people, things and places of a chapter are looked for, the first that its plan names."""
MOST_CHARS = 1400
"""字 of all sentences together."""
_SHORT, _FULL = 10, 20
"""A sentence shorter than the first says little, one shorter than the second less than one that is not."""


class Subject(Record):
    """A person, thing or place; `words` are its names in a text, the one that is shown first."""

    id: str
    words: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name that is shown."""
        return self.words[0]


class Mention(Record):
    """One sentence: its chapter, its place in the chapter's file, the ids of those whom it is about."""

    chapter: int
    place: int
    text: str
    about: tuple[str, ...]


def chapters_to_use(
    name: str, newest_first: Iterator[int], first: int | None, mentions_of: MentionsOf
) -> list[int]:
    """Return the chapters whose sentences count for a subject: the newest that name it, then the first.

    A given chapter may hold a word of it only as a part of another's name. The first chapter introduced the
    subject, and no summary of the last chapters has that.
    """
    found: list[int] = []
    for chapter in islice(newest_first, _TRIED):
        if any(name in one.about for one in mentions_of(chapter)):
            found.append(chapter)
        if len(found) == NEWEST:
            break
    if first is not None and first not in found and any(name in one.about for one in mentions_of(first)):
        found.append(first)
    return found


def choose(mentions: Iterable[Mention], wanted: Mapping[str, Sequence[int]]) -> list[Mention]:
    """Return the chosen sentences, the newest chapter first, each chapter's in their order.

    `wanted` are the ids of the subjects, with the chapters of each that count, the newest first.
    """
    every = list(mentions)
    queues = [
        _queue(every, name, wanted[name]) for name in sorted(wanted, key=lambda name: max(wanted[name]))
    ]
    chosen: dict[str, Mention] = {}
    room = MOST_CHARS
    for turn in range(EACH):
        for queue in queues:
            one = queue[turn] if turn < len(queue) else None
            if one is None:
                continue
            known = chosen.get(one.text)
            if known is not None:
                about = tuple(dict.fromkeys([*known.about, *one.about]))
                chosen[one.text] = known._replace(about=about)
            elif length.length(one.text) <= room:
                chosen[one.text] = one
                room -= length.length(one.text)
    return sorted(chosen.values(), key=lambda one: (-one.chapter, one.place))


def _queue(every: Sequence[Mention], name: str, chapters: Sequence[int]) -> list[Mention]:
    """Return a subject's sentences, best first: the best of each chapter, then the second of each."""
    ranked = [sorted((m for m in every if m.chapter == n and name in m.about), key=_rank) for n in chapters]
    turns = max(map(len, ranked), default=0)
    return [listed[turn] for turn in range(turns) for listed in ranked if turn < len(listed)]


def _rank(one: Mention) -> tuple[int, int, int]:
    """Rank by the number of subjects that meet in the sentence, by substance, the chapter's last first."""
    return -len(one.about), (len(one.text) < _SHORT) + (len(one.text) < _FULL), -one.place


def document(chosen: Iterable[Mention], names: Mapping[str, str]) -> list[dict[str, object]]:
    """Return the sentences for a packet: `{about, chapter, text}`; `names` are the subjects' by id."""
    return [
        {"about": "、".join(names.get(one, one) for one in m.about), "chapter": m.chapter, "text": m.text}
        for m in chosen
    ]


def mentions(chapter: int, text: str, subjects: Iterable[Subject], namer: Namer) -> list[Mention]:
    """Return the sentences of a chapter that name any of the subjects, as excerpts, without its heading.

    `namer` returns the subjects of a sentence: of overlapping names the longest counts.
    """
    words = {word: None for one in subjects for word in one.words}
    wanted = {one.id for one in subjects}
    found: list[Mention] = []
    for sentence in sentences.sentences(text, words):
        if sentence.text.startswith("#"):
            continue
        shown = sentences.excerpt(sentence.text, words)
        about = tuple(one for one in namer(shown) if one in wanted)
        if about:
            found.append(Mention(chapter, sentence.line, shown, about))
    return found
