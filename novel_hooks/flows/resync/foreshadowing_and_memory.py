"""Prose, memory, foreshadowing and landed records of a chapter that is recorded anew.

A later chapter's landed record holds the contents before it. When those change, the record is renewed, so
that a rollback still restores the right files. Source: protocol §2 (sync), ADR 0012.
"""

from __future__ import annotations

from novel_hooks import errors, layout, sha2
from novel_hooks.annotations import Any, Mapping
from novel_hooks.errors import Problem
from novel_hooks.flows.book import landed_record, planned_chapters
from novel_hooks.flows.chapter.landed_desk import LandedDesk
from novel_hooks.flows.landing import changes as landing_changes
from novel_hooks.flows.landing import foreshadowing_merge
from novel_hooks.flows.resync.state_records import Restated
from novel_hooks.record import Record
from novel_hooks.rules.foreshadowing import replay
from novel_hooks.rules.state import changelog_edit
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change

Records = dict[int, dict[str, Any]]


class ForeshadowingAndMemory(Record):
    """The changes, in landing order: prose, then foreshadowing; `records` are the landed records."""

    prose: list[Change]
    threads: list[Change]
    records: list[Change]
    warnings: list[Problem]


def plan(desk: LandedDesk, state: Restated, evaluation: Mapping[str, Any]) -> ForeshadowingAndMemory:
    """Plan the changes of prose, memory, foreshadowing and landed records."""
    records: Records = {}
    prose = landing_changes.chapter_changes(desk, evaluation)
    prose += _memory_changes(desk, state, records)
    own = _record(desk, desk.number, records)
    if own is None and not evaluation:
        own = records[desk.number] = _first_record(desk, state)
    if own is not None:
        hashes = {change.path: sha2.digest(change.data) for change in prose}
        own["sha256"] = {**(own.get("sha256") or {}), **hashes}
    threads, warnings = _foreshadowing_changes(desk, state, records)
    changes = [landed_record.record_change(n, record) for n, record in sorted(records.items())]
    return ForeshadowingAndMemory(prose, threads, changes, warnings)


def _first_record(desk: LandedDesk, state: Restated) -> dict[str, Any]:
    """Return the record of a chapter that moved in: nothing was before it but the memory of its storyline."""
    storyline = desk.contract().storyline_id
    path = layout.memory(storyline)
    latest = changelog_edit.is_latest(state.log.lines, desk.number)
    before = {path: desk.book.text(path) if latest else None}
    waiting = foreshadowing_merge.waiting_chapters(desk.book)
    about = {"chapter": desk.number, "storyline_id": storyline, "adopted": True}
    return {**about, "before": before, "created": [], "sha256": {}, "waiting": waiting}


def _memory_changes(desk: LandedDesk, state: Restated, records: Records) -> list[Change]:
    """Replace the storyline's memory, unless a later chapter has; then its record gets the new one."""
    storyline = desk.contract().storyline_id
    path = layout.memory(storyline)
    if changelog_edit.is_latest(state.log.lines, desk.number):
        return [journal.put(path, desk.text_bytes("memory"))]
    later = [x["chapter"] for x in state.log.lines if x.get("storyline_id") == storyline]
    record = _record(desk, min(n for n in later if n > desk.number), records)
    if record is not None and path in (record.get("before") or {}):
        record["before"] = {**record["before"], path: str(desk.get("memory").value)}
    return []


def _record(desk: LandedDesk, chapter: int, records: Records) -> dict[str, Any] | None:
    """Return the chapter's landed record, to be renewed; None when it landed without one."""
    if chapter not in records:
        found = desk.book.landed(chapter)
        if found is None:
            return None
        records[chapter] = dict(found)
    return records[chapter]


def _foreshadowing_changes(
    desk: LandedDesk, state: Restated, records: Records
) -> tuple[list[Change], list[Problem]]:
    """Take this chapter's old ops back and apply the new ones; put off while the facts are broken."""
    both = [*replay.line_thread_ids(state.old), *replay.line_thread_ids(state.line)]
    waiting = foreshadowing_merge.waiting_chapters(desk.book) if both else []
    if not both or desk.number in waiting:  # its line is merged when its turn comes
        return [], []
    path, lines = layout.FORESHADOWING, desk.book.lines()
    chapters = sorted({*replay.chapters_touching(lines, desk.number, both), desk.number})
    before = {n: _items(desk.book.landed(n)) for n in chapters if desk.book.landed(n) is not None}
    try:
        data = desk.book.read(path)
        document = None if data is None else jsonio.parse(data, path)
        plans = _plans(desk, chapters)
        found = replay.replace_ops(document, lines, state.log.lines, desk.number, before, plans)
    except Problem as error:
        put = journal.put(layout.FORESHADOW_BACKLOG, jsonio.dump(sorted({*waiting, desk.number})))
        return [put], [errors.ForeshadowingSkipped(path, reason=error)]
    for chapter, items in found.before.items():
        record = _record(desk, chapter, records)
        if record is not None:
            threads = {**_items(record), **items}
            record["before"] = {**(record.get("before") or {}), layout.FORESHADOWING: threads}
    warnings = list(found.warnings)
    if found.kept:
        names = "、".join(f"「{one}」" for one in found.kept)
        warnings.append(errors.SyncThreadKept(path, names=names, chapter=desk.number))
    return [journal.put(path, jsonio.dump(found.document))], warnings


def _items(record: Mapping[str, Any] | None) -> dict[str, Any]:
    before = (record or {}).get("before")
    items = before.get(layout.FORESHADOWING) if isinstance(before, dict) else None
    return items if isinstance(items, dict) else {}


def _plans(desk: LandedDesk, chapters: list[int]) -> dict[int, Any]:
    """Return chapter → the foreshadowing plan of its volume; a broken one fills nothing in."""
    plans: dict[int, Any] = {}
    for chapter in chapters:
        path = layout.foreshadowing_plan(planned_chapters.chapter_volume(desk.book, chapter))
        try:
            data = desk.book.read(path)
            plans[chapter] = None if data is None else jsonio.parse(data, path)
        except Problem:  # as at commit, which warns the author
            plans[chapter] = None
    return plans
