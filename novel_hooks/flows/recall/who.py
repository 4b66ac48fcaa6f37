"""`novel who 名字`: everything in the book's files about a person. Reads only."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Mapping
from novel_hooks.errors import Problem
from novel_hooks.flows.book import foreshadowing
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import as_warnings, attempt
from novel_hooks.flows.recall import subjects
from novel_hooks.flows.recall.subjects import Subjects
from novel_hooks.record import Record
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast.characters import Character
from novel_hooks.rules.recall import near_names, sentences

_OFFERED = 5


class LastSeen(Record):
    """The last sentence that names a person, with its line in the chapter's file."""

    chapter: int
    line: int
    text: str


class Person(Record):
    """A person. `typed` is the name asked for; `near`: nobody bears it, and one of his is like it.

    `card` and `state` are as in the files.
    `retired`: he has left the book. `names` are display names by id, of people and things. `contracts` bind
    in the next chapter, `threads` are those whose words name him. `path` is his card's.
    """

    typed: str
    near: bool
    name: str
    path: str
    card: Mapping[str, Any]
    retired: bool
    state: Mapping[str, Any]
    names: Mapping[str, str]
    contracts: tuple[Mapping[str, Any], ...]
    last_seen: LastSeen | None
    threads: tuple[Mapping[str, Any], ...]
    problems: tuple[Problem, ...]


def run(book: Book, typed: str) -> Person:
    """Gather a person's facts by one of his names, or by a near name that is nobody else's.

    Raises PersonUnclear when several have the name or a near one, PersonUnknown when nobody has.
    """
    last = book.checkpoint().last
    active, retired = book.cast(), book.retired()
    known = subjects.read(book, last + 1)
    people = {subjects.person_id(one): one for one in (*retired, *active)}
    called = [one for one in known.names.who(typed.strip()) if one in people]
    person = people[_meant(known, people, typed.strip(), called)]
    subject = known.by_id.get(subjects.person_id(person))
    words = subject.words if subject is not None else (person.name,)
    seen, unread = attempt(lambda: _last_seen(book, words, last))
    threads, broken = attempt(lambda: foreshadowing.all_threads(book))
    wrong = as_warnings([*unread, *broken])  # all else is told all the same
    state = (book.state().get("characters") or {}).get(person.slug)
    gone = person.slug not in {one.slug for one in active}
    path = layout.character_card(person.slug)
    return Person(
        typed=typed.strip(),
        near=not called,
        name=person.name,
        path=layout.retired(path) if gone else path,
        card=person.document,
        retired=gone,
        state=state if isinstance(state, dict) else {},
        names={one.id.partition(":")[2]: one.name for one in known.by_id.values()},
        contracts=tuple(casts.contracts_in_force(person, last + 1)),
        last_seen=seen,
        threads=tuple(one for one in threads or () if _names_him(one, words)),
        problems=tuple(wrong),
    )


def _meant(known: Subjects, people: Mapping[str, Character], typed: str, called: list[str]) -> str:
    """Return the id of the person whom the typed name means; `called` are the ids of those who bear it."""
    found = called or _near(people, typed)
    if len(found) == 1:
        return found[0]
    if found:
        listed = "、".join(dict.fromkeys(people[one].name for one in found[:_OFFERED]))
        raise errors.PersonUnclear(name=typed, people=listed, first=people[found[0]].name, command="who")
    thing = next(iter(known.who(typed)), None)
    if thing is not None:
        noted = thing.id.startswith(f"{subjects.NOTED}:")
        raise errors.PersonUnknown(case="noted" if noted else "a thing", name=typed)
    cast = "、".join(one.name for one in list(people.values())[: 2 * _OFFERED]) or "还没有"
    raise errors.PersonUnknown(case="nobody", name=typed, people=cast)


def _near(people: Mapping[str, Character], typed: str) -> list[str]:
    """Return those a name of whom holds the typed text or stands in it; else those of the nearest name."""
    names = [(word, name) for name, one in people.items() for word in casts.names_of(one)[:-1]]
    words = [word for word, _ in names]
    slip = near_names.nearest(typed, words)
    near = near_names.holding(typed, words) or ([] if slip is None else [slip])
    return list(dict.fromkeys(name for word, name in names if word in near))


def _last_seen(book: Book, words: tuple[str, ...], last: int) -> LastSeen | None:
    """Return the last sentence that holds one of the words; chapters are read from the last one back."""
    for chapter in range(last, 0, -1):
        text = book.project.text(layout.chapter(chapter))
        found = list(sentences.sentences(text or "", words))
        if found:
            return LastSeen(chapter, found[-1].line, found[-1].text)
    return None


def _names_him(thread: Mapping[str, Any], words: tuple[str, ...]) -> bool:
    told = [thread.get(key) for key in ("description", "signal", "payoff")]
    told += [entry.get("detail") for entry in thread.get("history") or () if isinstance(entry, dict)]
    return any(isinstance(one, str) and sentences.has_any(one, words) for one in told)
