"""A writing command's hold on the project: OS lock, session lock, pending journal first.

Source: protocol §5 and §6. A command inside a session renews that session's lock; one outside
holds the lock for itself and gives it back.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from novel_hooks.flows import fencing
from novel_hooks.flows.caller import Caller
from novel_hooks.store import journal, lock, oslock
from novel_hooks.store.journal import Change
from novel_hooks.store.project import Project


class Session:
    """The hold itself. `notes` are Chinese sentences for the author (a lock taken over, …)."""

    def __init__(self, project: Project, caller: Caller, token: str, held_before: bool) -> None:
        self.project = project
        self.caller = caller
        self.token = token
        self.held_before = held_before
        self.keep = held_before
        self.notes: list[str] = []
        self.finished = False
        """A landing that an earlier command had left was finished first."""
        self.left: tuple[str, ...] = ()
        """The break points of a killed run that this lock goes on with."""
        self.found: bytes | None = None
        """The lock of such a run, to be put back behind a command that does not end it."""

    def end(self) -> None:
        """The run is over: no lock outlasts this command."""
        self.keep, self.found = False, None

    def land(self, changes: Sequence[Change], label: str) -> None:
        """All of them or none; checks before each publish that the lock is still ours."""
        if changes:
            sealed = fencing.seal(list(changes))
            journal.land(self.project, sealed, label=label, guard=self.guard)

    def guard(self) -> None:
        """Raises LockLost when another session has taken the lock."""
        lock.verify(self.project, self.token)


@contextmanager
def writing(
    project: Project,
    caller: Caller,
    chapter: int | None = None,
    for_session: bool = False,
    clearing: bool = False,
) -> Iterator[Session]:
    """Hold the project for one command. Raises Busy or LockBusy (exit 4) at once, never waits.

    `chapter` is what the command was told, for a lock of its own. A session's lock keeps the
    chapter that it was taken for: the command may be refused yet.
    `for_session`: the lock is meant to outlast the command. One that is not says so in itself, so that what a
    killed command leaves is not taken for its session's. A killed run with break points has its lock back
    behind a command that does not end it, so that they are not forgotten; `clearing`: not even then.
    """
    with oslock.running(project):
        state = lock.look(project, caller.owner, caller.now)
        before = state.kind == "own" and not lock.is_brief(state)
        brief = not (before or for_session)
        held = lock.acquire(project, caller.owner, None if before else chapter, caller.now, brief=brief)
        session = Session(project, caller, held.token, before)
        session.left = held.left
        session.found = state.raw if held.left and brief and not clearing else None
        if held.note and session.found is None:
            session.notes.append(held.note)
        try:
            finished = journal.recover(project, session.guard)
            if finished:
                session.finished = True
                session.notes.append(finished)
            yield session
        finally:
            if session.found is not None:
                lock.put_back(project, session.token, session.found)
            elif not session.keep:
                lock.release(project, session.token)
