"""The names without a record that a chapter brings: noted, and people who appear again told to the author."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book import unknown_names
from novel_hooks.flows.book.book import Book
from novel_hooks.record import Record
from novel_hooks.rules.cast import unknown_names as entity_rules
from novel_hooks.rules.text import excerpt
from novel_hooks.rules.text.json_values import text
from novel_hooks.store.formats import jsonio, logtail
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change

MANY_UNREGISTERED = 3
"""So many people without a card who appear again are told to the author."""
_SHOWN = 6


class NewEntities(Record):
    """The lines that the unknown-entities log gets (`fresh`), as changes, and warnings for the author."""

    changes: tuple[Change, ...]
    warnings: tuple[Problem, ...]
    fresh: bytes = b""


def new_entities(book: Book, chapter: int, now: str, delta: Mapping[str, Any]) -> NewEntities:
    """Return the chapter's new mentions, and warnings on people without a card who appear again.

    They are reported once: the first `MANY_UNREGISTERED` together, and each later one in the second chapter
    that names him.
    A damaged log stays as it is, with a warning, and new lines are appended to it. Source: seed 000 Step 3.6.
    """
    told = entity_rules.merge_unknown((), chapter, now, delta.get("unknown_entities") or ())
    try:
        noted = unknown_names.lines(book, naming=[line["mention"] for line in told])
    except Problem as fault:
        return NewEntities((), _unlogged_problems(told, fault))
    known = [line.said for line in noted if line.said is not None]
    unread = len(noted) - len(known)
    warnings: list[Problem] = [errors.EntitiesUnread(layout.UNKNOWN_ENTITIES, count=unread)] if unread else []
    fresh = entity_rules.merge_unknown(known, chapter, now, told)
    if known and fresh:
        warnings += _come_again_problems(book, fresh)
    data = b"".join(jsonio.dump_line(line) for line in fresh)
    return NewEntities(_append_changes(book, data), tuple(warnings), data)


def _come_again_problems(book: Book, fresh: Sequence[Mapping[str, Any]]) -> list[Problem]:
    """Warn of people without a card who appear again with these new lines, when there are many of them."""
    known = [line.said for line in unknown_names.lines(book) if line.said is not None]
    people, again = entity_rules.come_again(known, fresh, unknown_names.settled_names(book))
    if not again or len(people) < MANY_UNREGISTERED:
        return []
    first = len(people) - len(again) < MANY_UNREGISTERED
    names = _names_text(people if first else again)
    return [errors.UnregisteredEntities(layout.UNKNOWN_ENTITIES, count=len(people), names=names)]


def unregistered_problems(book: Book, entry: Mapping[str, Any]) -> list[Problem]:
    """Warn of characters whom this delta begins and no card registers: applied, and reported, once."""
    paths = [str(op.get("path")).split(".") for op in entry.get("ops") or () if op.get("op") != "foreshadow"]
    spoken = {path[1] for path in paths if path[0] == "characters" and len(path) > 1}
    known = {person.slug for person in book.cast()} | {*(book.state().get("characters") or {})}
    strangers = sorted(spoken - known)
    if not strangers:
        return []
    said = {str(op.get("path")): op.get("value") for op in entry.get("ops") or ()}
    names = [text(said.get(f"characters.{slug}.display_name")) or slug for slug in strangers]
    return [errors.CharactersUnregistered(layout.CHANGELOG, names="、".join(names))]


def _unlogged_problems(fresh: Sequence[Mapping[str, Any]], fault: Problem) -> tuple[Problem, ...]:
    names = _names_text([str(one["mention"]) for one in fresh])
    return (errors.EntitiesUnkept(layout.UNKNOWN_ENTITIES, reason=fault, names=names),) if fresh else ()


def _names_text(names: Sequence[str]) -> str:
    return excerpt.first_of(names, _SHOWN)


def _append_changes(book: Book, fresh: bytes) -> tuple[Change, ...]:
    """Append to the log; half a line at its end gets its LF, so that the rest stays readable."""
    path = layout.UNKNOWN_ENTITIES
    if not fresh:
        return ()
    there = book.read(path) or b""
    if logtail.log_tail(there, path).kind == logtail.CUT:
        return (journal.put(path, there + b"\n" + fresh),)
    return (journal.append(path, fresh),)
