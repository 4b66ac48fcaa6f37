"""`novel lock acquire|release|clear`: a session takes the book for a chapter. Source: protocol §2, §6."""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.briefing import due_step
from novel_hooks.flows.chapter import handout, writing_run
from novel_hooks.flows.checks import break_points
from novel_hooks.flows.session import pending_landing
from novel_hooks.flows.session.caller import Caller
from novel_hooks.flows.session.session import Session, writing
from novel_hooks.record import Record
from novel_hooks.rules.steps.checkpoint import WRITING_STATES
from novel_hooks.store.files import atomic
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change
from novel_hooks.store.lock import lock, oslock

RUN_LEFT = (
    "上一趟是走一步停一下的（--step），没走完就断了：这一章接着这样停，入库以后不再停。"
    "不想停，就输入 /novel:continue --step none。"
)


class Acquired(Record):
    """A session lock taken. `chapter` is the one now in flight (None: this state writes no chapter).

    `stop_after` are the phases after which this run stops.
    """

    chapter: int | None
    begun: bool
    stop_after: tuple[str, ...]
    notes: tuple[str, ...]


def acquire(
    project: Project, caller: Caller, stop_after: tuple[str, ...] | None = None, run: int | None = None
) -> Acquired:
    """Hold the lock beyond this command; at an idle stage in WRITING also begin the next chapter.

    `stop_after` (phases): this run's break points, kept until the lock is released; None changes nothing.
    `run`: a run of so many chapters begins here, and the budget of a run counts from here. Raises
    BoundaryOff, and the errors of `writing`.
    """
    caller.check_boundary()
    point = Book(pending_landing.after_landing(project)).checkpoint()
    with writing(project, caller, point.inflight, for_session=True) as session:
        book = Book(project)
        begun = _next_chapter(book)
        run_changes = writing_run.begin_changes(book, caller, run)
        told = break_points.stops(book)  # the last thing that may be refused: from here on all is done
        chapter = _begin(session, book, begun, run_changes)
        lock.acquire(project, caller.owner, chapter, caller.now, stop_after)
        session.keep = True
        if session.left and stop_after is None:
            session.notes.append(RUN_LEFT)
        stops = told if stop_after is None else stop_after
        return Acquired(chapter, begun is not None, stops, tuple(session.notes))


def _next_chapter(book: Book) -> int | None:
    """Return the chapter that the lock begins; None when one is in flight, or none is due for a draft."""
    view = due_step.view(book)
    point, due = view.point, view.due.step
    if point.active or point.state not in WRITING_STATES or due is None:
        return None
    return due.number if due.kind == "chapter" and due.phase == "draft" else None


def _begin(session: Session, book: Book, number: int | None, run_changes: Sequence[Change]) -> int | None:
    """Begin the chapter and the run, so that a finished draft survives its session; return the one in flight.

    drafting, inflight = last + 1 (seed 000 Step 3.0). Staging's folders are there then; none is made in vain.
    """
    made: list[str] = []
    try:
        for folder in layout.STAGING_DIRS:
            made += atomic.make_folders(session.project, folder)
        return _land(session, book, number, run_changes)
    except Problem:
        atomic.remove_folders(session.project, made)
        raise


def _land(session: Session, book: Book, number: int | None, run_changes: Sequence[Change]) -> int | None:
    point, changes = book.checkpoint(), [*handout.learnt_changes(book), *run_changes]
    if number is None:
        session.land(changes, label="记下设置")
        return point.inflight
    moved = point.moved(
        session.caller.stamp, pipeline_stage="drafting", inflight_chapter=number, revision_count=0
    )
    changes.append(journal.put(layout.CHECKPOINT, jsonio.dump(moved.document)))
    session.land(changes, label=f"开始第 {number} 章")
    return number


def release(project: Project, caller: Caller) -> bool:
    """Release the caller's own lock; return False when it has none. Raises LockBusy for another's."""
    caller.check_thread()
    with oslock.running(project):
        state = lock.lock_state(project, caller.owner, caller.now)
        if state.kind == "other":
            raise lock.busy_refusal(state, caller.owner, caller.now)
        token = (state.info or {}).get("token")
        return state.kind == "own" and isinstance(token, str) and lock.release(project, token)


def end_turn(project: Project, caller: Caller) -> bool:
    """Release the session's lock at the end of its turn; return False when it has none.

    A lock with break points stays, marked as that of an ended session.
    """
    if project.kind(layout.LOCK_DIR) != "folder":
        return False
    with oslock.running(project):
        return lock.end_turn(project, caller.owner, caller.now)


def clear(project: Project, caller: Caller, force: bool) -> str | None:
    """Remove a stale lock, with `force` a live one too; return a note of its owner, None without a lock."""
    caller.check_thread()
    with oslock.running(project):
        return lock.clear(project, caller.owner, caller.now, force)
