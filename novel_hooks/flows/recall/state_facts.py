"""Facts of people in the state (knowledge, possessions, feelings), searched for words. Reads only."""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Iterator, Mapping, Sequence
from novel_hooks.record import Record
from novel_hooks.rules.recall import sentences

if TYPE_CHECKING:
    from novel_hooks.flows.book.book import Book

_NAMES = ("display_name", "name", "aliases", "id")


class Fact(Record):
    """One fact of a person: his name, the fact's key in the state (`knows`, `inventory`), its words."""

    person: str
    key: str
    text: str


def facts_with(book: Book, words: Sequence[str]) -> list[Fact]:
    """Return every fact that holds a word, person by person. Raises the state's faults."""
    state, names = book.state(), book.state_names()
    return [
        Fact(names.get(slug, slug), key, told)
        for slug, entry in (state.get("characters") or {}).items()
        for key, value in (entry.items() if isinstance(entry, dict) else ())
        if key not in _NAMES
        for one in (value if isinstance(value, list) else [value])
        if sentences.has_any(told := "，".join(_texts(one, names)), words)
    ]


def _texts(value: object, names: Mapping[str, str]) -> Iterator[str]:
    """Yield the texts in a value, an id as the name it stands for."""
    if isinstance(value, str):
        yield names.get(value, value)
    elif isinstance(value, (dict, list)):
        for inside in value.values() if isinstance(value, dict) else value:
            yield from _texts(inside, names)
