"""`novel lock acquire|release|clear`: a session takes the book for a chapter. Source: protocol §2, §6."""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.briefing import next_step
from novel_hooks.flows.chapter import handout
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
from novel_hooks.store.lock import lock, oslock

RUN_LEFT = (
    "上一趟是走一步停一下的（--step），没走完就断了：这一章接着这样停，入库以后不再停。"
    "不想停，就输入 /novel:continue --step none。"
)


class Acquired(Record):
    """A session lock taken. `chapter` is the one in flight now (None: nothing is written in this state).

    `stop_after` are the phases after which this run stops.
    """

    chapter: int | None
    begun: bool
    stop_after: tuple[str, ...]
    notes: tuple[str, ...]


def acquire(project: Project, caller: Caller, stop_after: tuple[str, ...] | None = None) -> Acquired:
    """Hold the lock beyond this command; at an idle stage in WRITING the next chapter begins.

    `stop_after` (phases): this run's break points, kept until the lock is released; None changes nothing.
    Raises BoundaryOff, and what `writing` raises.
    """
    caller.check_boundary()
    point = Book(pending_landing.after_landing(project)).checkpoint()
    with writing(project, caller, point.inflight, for_session=True) as session:
        for folder in layout.STAGING_DIRS:
            atomic.make_folders(project, folder)
        chapter, begun = _begin(session)
        lock.acquire(project, caller.owner, chapter, caller.now, stop_after)
        book = Book(project)
        stops = break_points.stops(book)
        session.land(handout.learnt_changes(book), label="记下设置")
        session.keep = True
        if session.left and stop_after is None:
            session.notes.append(RUN_LEFT)
        return Acquired(chapter, begun, stops, tuple(session.notes))


def _begin(session: Session) -> tuple[int | None, bool]:
    """Begin the next chapter, so that a finished draft survives its session.

    drafting, inflight = last + 1 (seed 000 Step 3.0). Returns (the chapter in flight, whether it was begun
    here).
    """
    book = Book(session.project)
    view = next_step.view(book)
    point = view.point
    if point.active or point.state not in WRITING_STATES:
        return point.inflight, False
    due = view.due.step
    if due is None or due.kind != "chapter" or due.phase != "draft":
        return None, False
    stamp = session.caller.stamp
    moved = point.moved(stamp, pipeline_stage="drafting", inflight_chapter=due.number, revision_count=0)
    changes = [*handout.learnt_changes(book), journal.put(layout.CHECKPOINT, jsonio.dump(moved.document))]
    session.land(changes, label=f"开始第 {due.number} 章")
    return due.number, True


def release(project: Project, caller: Caller) -> bool:
    """Give one's own lock back; False when there was none of ours. Raises LockBusy for another's."""
    caller.check_thread()
    with oslock.running(project):
        state = lock.lock_state(project, caller.owner, caller.now)
        if state.kind == "other":
            raise lock.busy_refusal(state, caller.owner, caller.now)
        token = (state.info or {}).get("token")
        return state.kind == "own" and isinstance(token, str) and lock.release(project, token)


def end_turn(project: Project, caller: Caller) -> bool:
    """Give the session's lock back at the end of its turn; False when it has none.

    One with break points of its own stays for them, as that of a session that has ended.
    """
    if project.kind(layout.LOCK_DIR) != "folder":
        return False
    with oslock.running(project):
        return lock.end_turn(project, caller.owner, caller.now)


def clear(project: Project, caller: Caller, force: bool) -> str | None:
    """Remove a dead lock; a live one only with `force`.

    Returns a note that names its owner, None without a lock.
    """
    caller.check_thread()
    with oslock.running(project):
        return lock.clear(project, caller.owner, caller.now, force)
