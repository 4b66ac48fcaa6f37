"""The open sync: its desk, its staged files, its next step. Reads only. Source: protocol §2."""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter import landed_desk, staged
from novel_hooks.flows.chapter.view import Sync, View
from novel_hooks.rules.steps import resync_steps
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.rules.steps.step_name import Step


def open_sync(book: Book, point: Checkpoint) -> Sync | None:
    """Return the open sync, None when there is none."""
    opened = resync_steps.open_sync(point)
    if opened is None:
        return None
    desk = landed_desk.desk(book, opened.chapter)
    found = staged.staged(desk, point)
    changed = desk.text_sha256() != opened.text_sha256
    due = resync_steps.next_sync_step(opened, changed, found.recorded, found.verdict)
    return Sync(opened, desk, found, changed, due)


def require_sync(view: View, step: Step) -> Sync:
    """Return the open sync that the step belongs to. Raises SyncNotOpen."""
    if view.sync is None or view.sync.opened.chapter != step.number:
        raise errors.SyncNotOpen(chapter=step.number)
    return view.sync


def as_work(view: View) -> View:
    """Return the view with the open sync's chapter as the chapter in work; unchanged without a sync."""
    sync = view.sync
    if sync is None:
        return view
    point = view.point._replace(inflight=sync.opened.chapter)
    return view._replace(point=point, desk=sync.desk, staged=sync.staged)
