"""Subjects: all people, things, places and unregistered names that the book has a name for.

Source: the cards, retired ones too; the state's items, places and factions; the last names of the
unknown-entities log.
"""

from __future__ import annotations

from functools import partial

from novel_hooks import layout
from novel_hooks.annotations import Iterator
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.record import Record
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import people as known_people
from novel_hooks.rules.cast.characters import Character
from novel_hooks.rules.cast.names import Names, normalize_name
from novel_hooks.rules.recall.selection import Subject
from novel_hooks.rules.state import entry_names, operations
from novel_hooks.rules.text.json_values import integer, objects, text
from novel_hooks.store.formats import jsonio

PERSON, NOTED = "person", "unknown"
_NOTED_BYTES = 1 << 16
"""So much of the log's end is read: what was noted long ago and never again is left to `novel find`."""
_SHORTEST = 2


class Subjects(Record):
    """All subjects by id (`person:shen-du`, `items:灯`), and the resolver of their names.

    A name of a person and a thing means the person; things of one name in two sections are one.
    """

    by_id: dict[str, Subject]
    names: Names

    def in_text(self, text: str) -> list[Subject]:
        """Return the subjects that a text names, in order; a shared name means none."""
        return [self.by_id[one] for one in self.names.ids_in_text(text) if one in self.by_id]

    def who(self, word: str) -> list[Subject]:
        """Return the subjects that the whole word means."""
        return [self.by_id[one] for one in self.names.who(word) if one in self.by_id]


def read(book: Book, before: int) -> Subjects:
    """Read all names of the book; of the log those noted before the chapter `before`.

    Raises the faults of the active cards or the state.
    """
    cast = [*book.cast(), *(attempt(book.retired)[0] or ())]  # a broken card there must not stop a step
    things = dict(_things(book))
    other = known_people.other_names(cast, book.state())
    people = {
        person_id(one): [*casts.names_of(one)[:-1], *other[one.slug], casts.names_of(one)[-1]] for one in cast
    }
    of_people = {normalize_name(word) for words in people.values() for word in words}
    taken = {word for words in (*people.values(), *things.values()) for word in words}
    noted = {f"{NOTED}:{one}": [one] for one in _mentions(book, before) if one not in taken}
    known = {**people, **things, **noted}
    by_id = {name: _subject(name, words[:-1] if name in people else words) for name, words in known.items()}
    called = {**people, **_called(things, of_people), **noted}
    return Subjects({name: one for name, one in by_id.items() if one.words}, Names(called.items()))


def _called(things: dict[str, list[str]], of_people: set[str]) -> dict[str, list[str]]:
    """Return the words that mean a thing: none that means a person, each name's of two sections once."""
    found: dict[str, list[str]] = {}
    titles: set[str] = set()
    for name, words in things.items():
        title = normalize_name(words[0])
        if title not in titles:
            found[name] = [word for word in words if normalize_name(word) not in of_people]
        titles.add(title)
    return {name: words for name, words in found.items() if words}


def person_id(person: Character) -> str:
    """Return the subject id of a character: `person:shen-du`."""
    return f"{PERSON}:{person.slug}"


def _subject(name: str, words: list[str]) -> Subject:
    """Make a subject of its words; what is too short to be looked for is no name of a text."""
    plain = [word.strip() for word in words if word.isprintable()]
    return Subject(name, tuple(dict.fromkeys(word for word in plain if len(word) >= _SHORTEST)))


def _things(book: Book) -> Iterator[tuple[str, list[str]]]:
    state = book.state()
    for section in operations.NAMED:
        entries = state.get(section)
        for key, entry in entries.items() if isinstance(entries, dict) else ():
            words = entry_names.names_in_text(key, entry)
            if words:
                yield f"{section}:{key}", words


def _mentions(book: Book, before: int) -> list[str]:
    """Return the names in the end of the unknown-entities log, each once; the log only advises."""
    tail, _ = attempt(lambda: book.project.tail(layout.UNKNOWN_ENTITIES, _NOTED_BYTES))
    data, whole = tail or (b"", True)
    lines = [line for line in data.split(b"\n")[0 if whole else 1 :] if line.strip()]
    parsed = (attempt(partial(jsonio.parse, line, layout.UNKNOWN_ENTITIES))[0] for line in lines)
    found: dict[str, None] = {}
    for said in objects([*parsed]):
        chapter, mention = integer(said.get("chapter")), text(said.get("mention"))
        if chapter is not None and chapter < before and mention:
            found[mention.strip()] = None
    return [one for one in found if one.isprintable() and len(one) >= _SHORTEST]
