"""Misspelt names in a chapter's text, compared with the names of the book. Reads only. Source: ADR 0014."""

from __future__ import annotations

from functools import partial

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Iterable, Iterator, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book.collect import attempt
from novel_hooks.record import Record
from novel_hooks.store.formats import jsonio

if TYPE_CHECKING:
    from novel_hooks.flows.book.book import Book
    from novel_hooks.rules.cast.characters import Character

_EARLIER = 3
"""So many chapters before are looked through for a form that may be another's name."""


class Misspelt(Record):
    """A known name that is written with a wrong character, with its line and the words around."""

    name: str
    written: str
    line: int
    quote: str


def find(
    book: Book, text: str, volume: int, chapter: int | None, allowed: Iterable[str] = ()
) -> list[Misspelt]:
    """Return the misspelt names of a text, in order. A card that cannot be read is left out.

    A form that plan, cards, state, logs or the chapters before have too is another person's name. These are
    read only when the text has a doubtful form.
    """
    from novel_hooks.rules.lint.sheet import Sheet
    from novel_hooks.rules.spelling import misspelt_names

    sheet = Sheet(text, allowed)
    found = misspelt_names.slips(sheet.plain, _people(book))
    known = list(_texts(book, volume, chapter)) if found else []
    slips = [slip for slip in found if all(slip.written not in one for one in known)]
    places = [(one, sheet.quote(one.start, one.start + len(one.name))) for one in slips]
    return [Misspelt(one.name, one.written, sheet.line(one.start), quote) for one, quote in places]


def problems(slips: Sequence[Misspelt], path: str, who: str = "") -> list[Problem]:
    """Return an error for each place, to be mended by `who`."""
    return [errors.NameMisspelt(path, **one._asdict(), who=f"让{who}" if who else "") for one in slips]


def called(book: Book) -> tuple[str, ...]:
    """Return names, aliases and forms of address of the book's people, from the readable cards."""
    from novel_hooks.rules.cast import characters as casts

    found: list[str] = []
    for person in _people(book):
        address = person.document.get("called_by")
        spoken = address.values() if isinstance(address, dict) else ()
        found += [*casts.names_of(person)[:-1], *(one for one in spoken if isinstance(one, str))]
    return tuple(sorted(set(found)))


def _people(book: Book) -> Iterator[Character]:
    """Yield everybody who has a card, by the card's words alone: its schema is not asked for."""
    from novel_hooks.rules.cast import characters as casts

    for folder in (layout.CHARACTERS, layout.RETIRED):
        for name in book.files(folder, (".json",))[0]:
            data, _ = attempt(partial(book.read, f"{folder}/{name}"))
            card, _ = attempt(partial(jsonio.parse, data or b"", name))
            if isinstance(card, dict):
                yield casts.character(name[:-5], card)


def _texts(book: Book, volume: int, chapter: int | None) -> Iterator[str]:
    """Yield the texts in which a form may stand that is no slip."""
    for path in _paths(book, volume, chapter):
        data, _ = attempt(partial(book.read, path))  # a step that needs a broken one refuses it
        if data is not None:
            yield data.decode("utf-8", "replace")


def _paths(book: Book, volume: int, chapter: int | None) -> Iterator[str]:
    for folder in (layout.CHARACTERS, layout.RETIRED, layout.WORLD):
        yield from (f"{folder}/{name}" for name in book.files(folder, (".json", ".md"))[0])
    yield from (layout.BRIEF, layout.STORYLINES, layout.FORESHADOWING, layout.STATE, layout.UNKNOWN_ENTITIES)
    if chapter is not None:
        yield from (layout.outline(volume), layout.foreshadowing_plan(volume))
        yield layout.contract(volume, chapter)
        for number in range(max(1, chapter - _EARLIER), chapter):
            yield from (layout.chapter(number), layout.summary(number))
