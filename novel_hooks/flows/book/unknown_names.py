"""`novel entities`: the names of the text that have no record yet. Reads only. Source: protocol §1."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any
from novel_hooks import layout
from novel_hooks.errors import Problem
from novel_hooks.flows.book import logs
from novel_hooks.flows.book.book import Book
from novel_hooks.record import Record
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import unknown_names
from novel_hooks.rules.cast.unknown_names import UnknownName
from novel_hooks.rules.state import entry_names, new_ops
from novel_hooks.store.formats import jsonio


class Unregistered(Record):
    """Names without a record. `noted`: distinct names of the log, those registered since among them."""

    strangers: tuple[UnknownName, ...]
    noted: int


class Line(Record):
    """One line of the unknown-entities log: its bytes with LF, its object, None when nobody can read it."""

    raw: bytes
    said: dict[str, Any] | None


def lines(book: Book) -> list[Line]:
    """Return the unknown-entities log line by line, empty ones left out.

    Raises what keeps it from being a file. The log only advises, so a line that cannot be read stops nothing
    that lands.
    """
    data = book.read(layout.UNKNOWN_ENTITIES) or b""
    raws = [raw for raw in data.split(b"\n") if raw.strip()]
    said: Sequence[dict[str, Any] | None] | None = logs.parse_whole(raws, layout.UNKNOWN_ENTITIES)
    if said is None:
        said = [_parse_line(raw) for raw in raws]
    return [Line(raw + b"\n", each) for raw, each in zip(raws, said)]


def _parse_line(raw: bytes) -> dict[str, Any] | None:
    try:
        found = jsonio.parse(raw, layout.UNKNOWN_ENTITIES)
    except Problem:
        return None
    return found if isinstance(found, dict) else None


def registered_names(book: Book) -> set[str]:
    """Return every name that has a record.

    Characters and their aliases, retired ones included, and the names that people go by; things, places and
    factions of the state, and their aliases.
    """
    people = [*book.cast(), *book.retired()]
    names = {word for person in people for word in casts.names_of(person)}
    state = book.state()
    for group in new_ops.NAMED:
        for key, entry in (state.get(group) or {}).items():
            names.update(word for _, word in entry_names.ranked_names(key, entry))
    for entry in (state.get("characters") or {}).values():
        assumed = entry.get("goes_as") if isinstance(entry, dict) else None
        names.update([assumed] if isinstance(assumed, str) and assumed.strip() else [])
    return names


def run(book: Book) -> Unregistered:
    """Return the names of the text without a record.

    Raises what is wrong with the log, the characters' cards or the state.
    """
    noted = logs.lines(book, layout.UNKNOWN_ENTITIES)
    known = registered_names(book) if noted else set()
    found = unknown_names.unknown_names(noted, known)
    return Unregistered(tuple(found), len(unknown_names.unregistered_names(noted, ())))
