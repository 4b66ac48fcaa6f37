"""The landing of a chapter's new records: `novel commit --chapter N` while its sync is open.

Summary, evaluation, crossref and the chapter's line of the change log are replaced; the state is replayed.
The text is the author's, and the gate is not asked again. Source: protocol §2, §5; ADR 0012.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any
from novel_hooks.errors import Problem, refuse
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter import handout, kept_attempts
from novel_hooks.flows.chapter.desk import RECORDED
from novel_hooks.flows.chapter.view import Sync
from novel_hooks.flows.inventory import hand_edits
from novel_hooks.flows.landing.changes import op_line
from novel_hooks.flows.recall import passages
from novel_hooks.flows.resync import foreshadowing_and_memory, record_backlog, reopen, state_records, view
from novel_hooks.flows.resync.state_records import Restated
from novel_hooks.flows.session import fence
from novel_hooks.flows.session.session import Session
from novel_hooks.record import Record
from novel_hooks.rules.state import changelog_edit
from novel_hooks.rules.steps import resync_steps
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.rules.steps.resync_steps import OpenSync
from novel_hooks.rules.text import typed_words
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change


class Relanding(Record):
    """A sync's landing, checked and planned, not yet written. `later` are chapters that it may affect."""

    sync: Sync
    changes: tuple[Change, ...]
    evaluation: dict[str, Any]
    later: tuple[int, ...]
    warnings: tuple[Problem, ...]


def run(session: Session, chapter: int) -> Relanding | None:
    """Land the chapter's new records; None without an open sync. Raises the obstacles, nothing changed."""
    plan = prepare(Book(session.project), chapter, session.caller.stamp)
    if plan is not None:
        fence.check(session.project)
        changes = [*plan.changes, *fence.disarm(session.project)]
        session.land(changes, label=f"第 {chapter} 章重新入库")
    return plan


def prepare(book: Book, chapter: int, now: str) -> Relanding | None:
    """Check everything, then plan every change in landing order; None when the chapter has no open sync."""
    point = book.checkpoint()
    found = view.open_sync(book, point)
    if found is None or found.opened.chapter != chapter:
        return None
    if found.changed:
        raise errors.SyncTextChanged(layout.chapter(chapter), chapter=chapter)
    due = found.due
    if due.step != resync_steps.sync_step(chapter, "commit"):  # new records and verdict are not all there
        raise errors.GateClosed(case="other step, why", chapter=chapter, due=due.label, reason=due.reason)
    judged = ("evaluation",) if found.opened.left is None else ()
    problems = [p for key in ("chapter", *RECORDED, *judged) for p in found.desk.get(key).problems]
    refuse(problems)
    return _plan_relanding(book, point, found, problems, now)


def _plan_relanding(
    book: Book, point: Checkpoint, found: Sync, problems: list[Problem], now: str
) -> Relanding:
    desk, chapter = found.desk, found.desk.number
    state = state_records.plan(desk, now)
    evaluation = state_records.evaluation(desk) if found.opened.left is None else {}
    then, begun = record_backlog.following(book, found.opened)
    lore = foreshadowing_and_memory.plan(desk, state, evaluation)
    entities = state_records.new_entities(desk, now)
    passages.note_landing(book, chapter, str(desk.get("chapter").value))
    moved = _next_checkpoint(point, state, chapter, now, then)
    changes = [
        *lore.prose,
        *state.changes,
        *lore.threads,
        *entities.changes,
        *state_records.chapter_log_changes(desk, point, evaluation),
        *lore.records,
        *state.kept,
        *hand_edits.forget_changes(book, chapter),
        *handout.learnt_changes(book),
        *kept_attempts.copy(desk, ("chapter",), layout.LANDED_VERSION),
        *begun,
        journal.put(layout.CHECKPOINT, jsonio.dump(moved.document)),
        *_clear_changes(found),
    ]
    later = _later_chapters(found, state)
    told = [*problems, *state.warnings, *entities.warnings, *lore.warnings]
    told += [
        errors.SyncLaterDropped(
            layout.CHANGELOG, chapter=f.chapter, op=op_line(desk.book, f.op), reason=f.reason
        )
        for f in state.log.fallen
    ]
    if later:
        told.append(errors.SyncLaterTouched(chapters=typed_words.number_list(later)))
    return Relanding(found, tuple(changes), evaluation, later, tuple(told))


def _later_chapters(found: Sync, state: Restated) -> tuple[int, ...]:
    """Return the later chapters that the new text may touch; none where the text is the old one."""
    if found.opened.left is not None:
        return ()
    old, new = state.old.get("ops") or (), state.line.get("ops") or ()
    return tuple(changelog_edit.affected_chapters(found.desk.book.lines(), found.desk.number, old, new))


def _next_checkpoint(
    point: Checkpoint, state: Restated, chapter: int, now: str, then: OpenSync | None
) -> Checkpoint:
    """Return the checkpoint with the sync closed, or with the next recording of a run opened."""
    counts = "skipped_deltas" in point.document or state.skipped
    more: dict[str, Any] = {"skipped_deltas": state.skipped} if counts else {}
    more.update({resync_steps.KEY: then.document()} if then else {})
    drop = ("failures",) if then else (resync_steps.KEY, "failures")
    return point.moved(now, last_step=str(resync_steps.sync_step(chapter, "commit")), drop=drop, **more)


def _clear_changes(found: Sync) -> list[Change]:
    """Remove what was staged for the sync, its packets, its hand-out."""
    desk, project = found.desk, found.desk.book.project
    own = (layout.HANDOUT, layout.work_log(desk.number))
    return [
        *kept_attempts.drop(desk, reopen.STAGED),
        *reopen.manifest_changes(desk),
        *(journal.remove(path) for path in own if project.has(path)),
    ]
