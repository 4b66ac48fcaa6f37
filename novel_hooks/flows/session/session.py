"""A writing command's hold on the project: OS lock, session lock, pending journal.

Source: protocol §5 and §6. A command inside a session renews that session's lock. A command outside one holds
the lock for itself and releases it.
"""

from __future__ import annotations

from contextlib import contextmanager

from novel_hooks.annotations import Collection, Iterator, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.session import chapter_files, fence, word_tally
from novel_hooks.flows.session.caller import Caller
from novel_hooks.store.fence import watched_files
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change
from novel_hooks.store.lock import lock, lockstate, oslock

_UNMARKED = (
    "{paths} 已经写好，只是没能记下这是你自己改的；下一步要是问起，运行 `novel accept-changes` 认下就好。"
)
_LOCK_KEPT = "写作锁没能交还（{why}）；下一次运行会自己接过来。"


class Session:
    """The hold itself. `notes` are Chinese sentences for the author (a lock taken over, …)."""

    def __init__(self, project: Project, caller: Caller, token: str, held_before: bool) -> None:
        self.project = project
        self.caller = caller
        self.token = token
        self.held_before = held_before
        self.keep = held_before
        self.notes: list[str] = []
        self.finished: str | None = None
        """The label of the landing that a killed command had left, and that is through now."""
        self.left: tuple[str, ...] = ()
        """The break points of a killed run that this lock goes on with."""
        self.cut_off_since: float | None = None
        """When the command began that was killed before it gave its lock back; None when there was none."""
        self.earlier_lock: bytes | None = None
        """A dead session's lock, to be put back behind a command that does not end its run."""

    def end(self) -> None:
        """End the run: the lock does not outlast this command."""
        self.keep, self.earlier_lock = False, None

    def land(self, changes: Sequence[Change], label: str) -> None:
        """Land all changes or none; before each publish check that the lock is still ours."""
        if changes:
            derived = [
                *watched_files.followed(self.project, changes),
                *word_tally.followed(self.project, changes),
            ]
            sealed = fence.seal([*derived, *changes])
            placed = chapter_files.placed(self.project, sealed)
            journal.land(self.project, placed, label=label, guard=self.guard)

    def renew_marks(self, paths: Collection[str]) -> None:
        """Mark `paths`, which `novel` has just written, anew, so that they are no breach of the second fence.

        It runs after their landing, so a failure is a note, never a refusal.
        """
        try:
            self.land(fence.renew(self.project, paths), label="更新写入边界")
        except (Problem, OSError):
            self.notes.append(_UNMARKED.format(paths="、".join(sorted(paths))))

    def guard(self) -> None:
        """Raise LockLost when another session has taken the lock."""
        lock.verify(self.project, self.token)


@contextmanager
def writing(
    project: Project,
    caller: Caller,
    chapter: int | None = None,
    for_session: bool = False,
    clearing: bool = False,
) -> Iterator[Session]:
    """Hold the project for one command. Raises CommandBusy or LockBusy (exit 4) at once and never waits.

    Raises SubAgentRefused for a command of a sub-agent of Codex. `chapter` is the command's, for a lock of
    its own; a session's lock keeps its chapter, because the command may still be refused. `for_session`: the
    lock will outlast the command. Any other lock is marked as brief, so that a killed command's is not taken
    for its session's. After a command that does not end the run, the lock of a killed run with break points
    is put back, so that these are kept; with `clearing` it is not.
    """
    caller.check_thread()
    with oslock.running(project):
        state = lock.lock_state(project, caller.owner, caller.now)
        before = state.kind == "own" and not lock.is_brief(state)
        brief = not (before or for_session)
        held = lock.acquire(project, caller.owner, None if before else chapter, caller.now, brief=brief)
        session = Session(project, caller, held.token, before)
        session.left = held.left
        session.cut_off_since = state.since if lock.is_brief(state) else None
        session.earlier_lock = state.raw if held.left and brief and not clearing else None
        if held.note and session.earlier_lock is None:
            session.notes.append(held.note)
        try:
            left = journal.unfinished_label(project)
            told = journal.recover(project, session.guard)
            session.finished = left
            if told:
                session.notes.append(told)
            yield session
        except Problem:
            if lockstate.stays_dead(state, caller.owner, caller.now):
                session.earlier_lock = state.raw
            raise
        finally:
            _give_back(session)


def _give_back(session: Session) -> None:
    """Release the lock, or put the earlier one back; what the command has done or refused stays as it is."""
    try:
        if session.earlier_lock is not None:
            lock.put_back(session.project, session.token, session.earlier_lock)
        elif not session.keep:
            lock.release(session.project, session.token)
    except Problem as wrong:
        session.notes.append(_LOCK_KEPT.format(why=str(wrong).rstrip("。")))
