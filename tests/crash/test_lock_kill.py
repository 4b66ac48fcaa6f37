"""The session lock taken, taken over and given back by commands that die, or that come all at once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from crash import killpoints

from novel_hooks import errors
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import process
from novel_hooks.store.journal import litter
from novel_hooks.store.lock import lock
from novel_hooks.store.lock.lock import Owner

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NOW = 1_760_000_000.0
HOST = process.host_name()
ME = Owner("me", os.getpid(), process.start_mark(os.getpid()), HOST)
OTHER = Owner("other", None, None, HOST)
GONE = Owner("gone", 4_194_304, None, HOST)


def _held(project: Project) -> str:
    lock.acquire(project, GONE, 6, NOW)
    return lock.acquire(project, ME, 7, NOW).token


WORKS: dict[str, Callable[[Project], object]] = {
    "take": lambda project: lock.acquire(project, ME, 7, NOW),
    "take over": _held,
    "renew": lambda project: (_held(project), lock.acquire(project, ME, 8, NOW + 1)),
    "release": lambda project: lock.release(project, _held(project)),
    "clear": lambda project: (_held(project), lock.clear(project, OTHER, NOW, force=True)),
}


@pytest.mark.parametrize("work", WORKS.values(), ids=WORKS.keys())
def test_a_command_killed_anywhere_leaves_a_lock_that_can_be_judged(
    tmp_path: Path, work: Callable[[Project], object]
) -> None:
    def killed(number: int) -> str:
        (tmp_path / f"book-{number}").mkdir()
        project = Project(str(tmp_path / f"book-{number}"))
        outcome = killpoints.killed_at(number, lambda: work(project))
        state = lock.lock_state(project, ME, NOW)
        assert state.kind in ("free", "own", "stale")
        if state.kind != "free":
            assert state.info is not None and state.info["owner"] in ("me", "gone"), "never half made"
        litter.sweep(project)
        if project.kind(".novel.lock") == "folder":
            litter.sweep_folder(project, ".novel.lock")
            assert project.names(".novel.lock") == ["info.json"]
        lock.verify(project, lock.acquire(project, ME, 8, NOW).token)
        litter.sweep(project)
        assert project.names(".novel") == []
        return outcome

    assert len(list(killpoints.points(killed))) > 4


@pytest.mark.parametrize("rounds", [4, pytest.param(20, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("stale", [False, True])
def test_of_many_takers_at_once_exactly_one_wins_without_any_os_lock(
    tmp_path: Path, stale: bool, rounds: int
) -> None:
    for round_number in range(rounds):
        (tmp_path / f"book-{round_number}").mkdir()
        project = Project(str(tmp_path / f"book-{round_number}"))
        if stale:
            lock.acquire(project, GONE, 6, NOW)
        outcomes = _all_at_once(project, 8)
        assert outcomes.count("won") <= 1 and set(outcomes) <= {"won", "LOCK_BUSY"}, outcomes
        state = lock.lock_state(project, OTHER, NOW)
        assert (state.kind, outcomes.count("won")) in (("other", 1), ("free", 0)), (state, outcomes)
        if not stale:
            assert outcomes.count("won") == 1


def _all_at_once(project: Project, count: int) -> list[str]:
    """`count` processes, each its own owner, let loose by one closed pipe."""
    gate, opener = os.pipe()
    said, say = os.pipe()
    for number in range(count):
        if os.fork() == 0:
            os.close(opener)
            os.read(gate, 1)
            taker = Owner(f"taker-{number}", None, None, HOST)
            try:
                lock.acquire(project, taker, number, NOW)
                outcome = "won"
            except errors.Problem as wrong:
                outcome = wrong.code
            except BaseException as wrong:
                outcome = repr(wrong)
            os.write(say, (outcome + "\n").encode())
            os._exit(0)
    os.close(say)
    os.close(opener)
    with os.fdopen(said, encoding="utf-8") as lines:
        outcomes = lines.read().splitlines()
    os.close(gate)
    for _ in range(count):
        os.wait()
    return outcomes
