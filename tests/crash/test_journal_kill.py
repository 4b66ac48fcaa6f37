"""A landing killed, refused or interrupted at any point: all of it is there afterwards, or nothing."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import pytest
from crash import killpoints, landings

from novel_hooks import errors
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import journal

if TYPE_CHECKING:
    from pathlib import Path


class Ends:
    """The tree before and after, and fresh copies of the project before."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.start = landings.build_project(folder / "start")
        self.old = landings.tree(self.start)
        self.new = landings.after(self.start, folder / "through")
        self._count = 0

    def fresh(self, of: Project | None = None) -> Project:
        self._count += 1
        return landings.copy(of or self.start, self.folder / f"copy-{self._count}")

    def points(self) -> list[tuple[str, str]]:
        """The points of a landing, as `killpoints.trace` gives them."""
        unstopped = self.fresh()
        return killpoints.trace(lambda: landings.land_all(unstopped))

    def committing(self) -> set[int]:
        """The landing's commit point and the point behind it."""
        commit = killpoints.commit_point(self.points())
        assert commit is not None
        return {commit, commit + 1}


# Every so many points, and the two of `Ends.committing`; an odd number meets both halves of a write.
STEPS = (5, pytest.param(1, marks=pytest.mark.exhaustive))


@pytest.fixture
def ends(tmp_path: Path) -> Ends:
    made = Ends(tmp_path)
    assert made.old != made.new
    return made


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("step", STEPS)
def test_a_landing_killed_anywhere_is_whole_or_nothing_after_recovery(
    ends: Ends, step: int, many: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if many:
        landings.as_many(monkeypatch)
    seen = []

    def killed(number: int) -> str:
        project = ends.fresh()
        outcome = killpoints.killed_at(number, lambda: landings.land_all(project))
        committed = journal.pending(project) is not None
        note = journal.recover(project)
        after = landings.tree(project)
        assert after in (ends.old, ends.new), f"mixed after a kill at point {number}"
        assert (note is not None) == committed
        if committed:
            assert after == ends.new
            assert note is not None and landings.LABEL in note
        assert journal.recover(project) is None
        assert landings.tree(project) == after
        seen.append((committed, after == ends.new))
        return outcome

    outcomes = [outcome for _, outcome in killpoints.points(killed, step, ends.committing())]
    assert set(outcomes) == {killpoints.KILLED, killpoints.DONE}
    assert {(False, False), (True, True), (False, True)} == set(seen)
    assert seen == sorted(seen, key=lambda pair: (pair[1], not pair[0])), "once new, never old again"


@pytest.mark.parametrize(
    ("step", "every"), [(5, 29), pytest.param(1, 1, marks=[pytest.mark.exhaustive, pytest.mark.timeout(900)])]
)
def test_a_recovery_killed_anywhere_is_finished_by_the_next(ends: Ends, step: int, every: int) -> None:
    broken: dict[str, Project] = {}

    def killed(number: int) -> str:
        project = ends.fresh()
        outcome = killpoints.killed_at(number, lambda: landings.land_all(project))
        if journal.pending(project) is not None:
            broken.setdefault(repr(landings.tree(project)), project)
        return outcome

    assert list(killpoints.points(killed, step))
    assert len(broken) > 5
    for project in list(broken.values())[::every]:
        _kill_recovery_everywhere(ends, project, step)


def _kill_recovery_everywhere(ends: Ends, broken: Project, step: int) -> None:
    def killed(number: int) -> str:
        project = ends.fresh(broken)
        outcome = killpoints.killed_at(number, lambda: journal.recover(project))
        journal.recover(project)
        assert landings.tree(project) == ends.new, f"after a kill of the recovery at point {number}"
        return outcome

    assert list(killpoints.points(killed, step))[-1][1] == killpoints.DONE


@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EACCES, errno.EIO, errno.EROFS])
def test_one_refused_call_is_told_and_leaves_all_or_nothing(ends: Ends, error: int, step: int) -> None:
    codes = set()

    def refused(number: int) -> None:
        project = ends.fresh()
        outcome = killpoints.refused_at(number, error, lambda: landings.land_all(project))
        codes.add(outcome)
        if outcome == "JOURNAL_PENDING":
            assert journal.pending(project) is not None
            journal.recover(project)
            assert landings.tree(project) == ends.new
        elif outcome in ("WRITE_FAILED", "WRITE_NOT_SYNCED"):
            assert landings.tree(project) == ends.old, f"a trace of what was refused at point {number}"
        else:
            assert outcome == killpoints.DONE
            journal.recover(project)
            assert landings.tree(project) == ends.new

    for number in sorted({*range(1, len(ends.points()) + 1, step), *ends.committing()}):
        refused(number)
    assert {"JOURNAL_PENDING", "WRITE_FAILED", killpoints.DONE} <= codes


@pytest.mark.parametrize("step", STEPS)
def test_a_disk_that_fills_up_anywhere_loses_nothing(ends: Ends, step: int) -> None:
    def full(number: int) -> str:
        project = ends.fresh()
        outcome = killpoints.refused_from(number, errno.ENOSPC, lambda: landings.land_all(project))
        if outcome == "WRITE_FAILED":
            assert landings.tree(project) == ends.old
        else:
            assert outcome in ("JOURNAL_PENDING", killpoints.DONE)
            stuck = killpoints.refused_from(1, errno.ENOSPC, lambda: journal.recover(project))
            assert stuck in ("JOURNAL_PENDING", killpoints.DONE)
            journal.recover(project)
            assert landings.tree(project) == ends.new
        return outcome

    outcomes = {outcome for _, outcome in killpoints.points(full, step, ends.committing())}
    assert outcomes == {"WRITE_FAILED", "JOURNAL_PENDING", killpoints.DONE}


@pytest.mark.parametrize("step", STEPS)
def test_ctrl_c_anywhere_leaves_all_or_nothing(ends: Ends, step: int) -> None:
    def interrupted(number: int) -> str:
        project = ends.fresh()
        outcome = killpoints.interrupted_at(number, lambda: landings.land_all(project))
        if journal.pending(project) is None:
            assert _outside(landings.tree(project)) in (_outside(ends.old), _outside(ends.new))
        journal.recover(project)
        assert landings.tree(project) in (ends.old, ends.new)
        return outcome

    assert len(list(killpoints.points(interrupted, step, ends.committing()))) * step > 50


def _outside(found: landings.Tree) -> landings.Tree:
    """Without `.novel/`, where a landing that got through may leave its old journal to be swept."""
    return {rel: what for rel, what in found.items() if not rel.startswith(".novel/")}


def test_a_single_file_killed_anywhere_is_old_or_new(ends: Ends) -> None:
    change = journal.put(".checkpoint.json", b'{"last_completed_chapter": 9}\n')

    def killed(number: int) -> str:
        project = ends.fresh()
        outcome = killpoints.killed_at(
            number, lambda: journal.land(project, [change], label="推进", guard=lambda: None)
        )
        assert journal.recover(project) is None
        found = landings.tree(project)
        mode, _ = ends.old[".checkpoint.json"]
        assert found in (ends.old, {**ends.old, ".checkpoint.json": (mode, change.data)})
        return outcome

    assert 4 < len(list(killpoints.points(killed))) < 12


def test_a_lock_lost_at_any_publish_stops_the_landing_and_the_next_command_finishes(ends: Ends) -> None:
    calls = 0
    while True:
        project = ends.fresh()
        left = [calls]

        def guard(left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] < 0:
                raise errors.LockLost(".novel.lock")

        try:
            journal.land(project, landings.CHANGES, label=landings.LABEL, guard=guard)
        except errors.LockLost:
            assert (journal.pending(project) is None) == (calls == 0)
            journal.recover(project)
            assert landings.tree(project) == (ends.old if calls == 0 else ends.new)
            calls += 1
        else:
            break
    assert calls == 1 + len(landings.CHANGES) - 1  # the commit point, and each change that does something
