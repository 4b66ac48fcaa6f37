"""The logs that grow with the book: unknown entities, and what each landed chapter replaced."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any
from novel_hooks import layout, sha2
from novel_hooks.errors import Problem, UnregisteredEntities
from novel_hooks.flows import landedrecord, merging
from novel_hooks.flows.book import Book
from novel_hooks.flows.outputs import Desk
from novel_hooks.record import Record
from novel_hooks.rules import entities as entity_rules
from novel_hooks.store import journal, jsonio
from novel_hooks.store.journal import Change

MANY_UNREGISTERED = 3
_SHOWN = 6


class Noted(Record):
    """What the unknown-entities log gets, and what the author is told of it."""

    changes: tuple[Change, ...]
    warnings: tuple[Problem, ...]


def entities(book: Book, chapter: int, now: str, delta: Mapping[str, Any]) -> Noted:
    """New mentions of this chapter; a warning from the third unregistered one on (seed 000 Step 3.6)."""
    known = merging.ledger_lines(book, layout.UNKNOWN_ENTITIES)
    fresh = entity_rules.merge_unknown(known, chapter, now, delta.get("unknown_entities") or ())
    unregistered = entity_rules.unregistered([*known, *fresh], registered(book))
    data = b"".join(jsonio.dump_line(line) for line in fresh)
    changes = (journal.append(layout.UNKNOWN_ENTITIES, data),) if data else ()
    if not fresh or len(unregistered) < MANY_UNREGISTERED:
        return Noted(changes, ())
    names = "、".join(unregistered[:_SHOWN]) + ("…" if len(unregistered) > _SHOWN else "")
    note = UnregisteredEntities(layout.UNKNOWN_ENTITIES, count=len(unregistered), names=names)
    return Noted(changes, (note,))


def registered(book: Book) -> set[str]:
    """Every name that has a record: characters, also those who left, and what the state knows by name."""
    people = [*book.cast(), *book.retired()]
    names = {person.name for person in people} | {person.slug for person in people}
    state = book.state()
    for group in ("items", "locations", "factions"):
        for slug, entry in (state.get(group) or {}).items():
            names.add(slug)
            if isinstance(entry, dict):
                names.update(str(entry[k]) for k in ("display_name", "name") if k in entry)
    return names


def landed(desk: Desk, changes: Sequence[Change], threads_before: Mapping[str, Any]) -> Change:
    """`novel`'s own record of the landing: hashes of what landed, and what it replaced.

    `created`: shared files that were not there before; `waiting`: the foreshadowing backlog before it.
    """
    memory = layout.memory(desk.contract().storyline_id)
    document = {
        "chapter": desk.number,
        "storyline_id": desk.contract().storyline_id,
        "sha256": {c.path: sha2.sha256(c.data).hexdigest() for c in changes},
        "before": {memory: desk.book.text(memory), layout.FORESHADOWING: dict(threads_before)},
        "created": [path for path in (layout.FORESHADOWING,) if desk.book.project.kind(path) == "absent"],
        "waiting": merging.waiting(desk.book),
    }
    return landedrecord.put(desk.number, document)
