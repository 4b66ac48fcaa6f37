"""Foreshadowing at commit: merged, or postponed with a warning; it never stops a landing.

Source: seed 002 §3, protocol §5.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Mapping
from novel_hooks.errors import Problem
from novel_hooks.flows.book import logs
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.inventory import lost_inputs
from novel_hooks.record import Record
from novel_hooks.rules.foreshadowing import facts, fast_check
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change


class Threads(Record):
    """Merged foreshadowing. `before` holds the touched items as they were (None: absent), for a rollback."""

    changes: tuple[Change, ...]
    warnings: tuple[Problem, ...]
    before: Mapping[str, Any]


def foreshadowing_ops(entry: Mapping[str, Any]) -> list[Any]:
    """Return the foreshadow ops of a delta or of a line of the change log."""
    return [op for op in entry.get("ops") or () if isinstance(op, dict) and op.get("op") == "foreshadow"]


def merge(book: Book, volume: int, chapter: int, entry: Mapping[str, Any]) -> Threads:
    """Merge the chapter's foreshadow ops, and those of earlier chapters in the backlog.

    When the facts are lost, the ops of every chapter in the change log are merged.
    """
    backlog = waiting_chapters(book) or lost_inputs.foreshadowing_chapters(book)
    ops = foreshadowing_ops(entry)
    if not ops and not backlog:
        return Threads((), (), {})
    try:
        noted = book.read(layout.FORESHADOW_BACKLOG) is not None
        return _merge_entries(book, volume, [*_waiting_lines(book, backlog), entry], bool(backlog) and noted)
    except Problem as error:
        waits = sorted({*backlog, chapter}) if ops else backlog
        note = errors.ForeshadowingSkipped(layout.FORESHADOWING, reason=error)
        return Threads((journal.put(layout.FORESHADOW_BACKLOG, jsonio.dump(waits)),), (note,), {})


def _merge_entries(book: Book, volume: int, entries: list[Mapping[str, Any]], clear: bool) -> Threads:
    data = book.read(layout.FORESHADOWING)
    document: Any = {"foreshadowing": []} if data is None else jsonio.parse(data, layout.FORESHADOWING)
    originals = {item.get("id"): item for item in facts.parse(document, layout.FORESHADOWING)}
    plan, warnings = _read_plan(book, layout.foreshadowing_plan(volume))
    touched: dict[str, Any] = {}
    for entry in entries:
        ops = foreshadowing_ops(entry)
        merged = facts.merge(document, plan, ops, entry["chapter"], entry.get("storyline_id"))
        document = merged.document
        warnings += merged.warnings
        touched.update({str(op.get("path")): originals.get(op.get("path")) for op in ops})
    written = jsonio.dump(document)
    changes = [journal.put(layout.FORESHADOWING, written)]
    if fast_check.fits_schema(document):
        book.validity.learn("foreshadowing", written)
        if fast_check.splittable(document):
            book.validity.learn("foreshadowing", written, fast_check.CANONICAL)
    if clear:
        changes.append(journal.remove(layout.FORESHADOW_BACKLOG))
    return Threads(tuple(changes), tuple(warnings), touched)


def _read_plan(book: Book, path: str) -> tuple[Any, list[Problem]]:
    """Return the volume's plan, as far as it is JSON; a broken one fills nothing in, with a warning."""
    try:
        data = book.read(path)
        return (None if data is None else jsonio.parse(data, path)), []
    except Problem as fault:
        return None, [errors.ForeshadowingPlanUnread(path, reason=fault)]


def waiting_chapters(book: Book) -> list[int]:
    """Return the chapters whose foreshadowing could not be merged when they landed."""
    found = book.own(layout.FORESHADOW_BACKLOG)
    return [n for n in found if isinstance(n, int)] if isinstance(found, list) else []


def _waiting_lines(book: Book, chapters: list[int]) -> list[Mapping[str, Any]]:
    """Return their lines of the change log, in chapter order."""
    if not chapters:
        return []
    entries = logs.lines(book, layout.CHANGELOG)
    return sorted((e for e in entries if e.get("chapter") in chapters), key=lambda e: int(e["chapter"]))
