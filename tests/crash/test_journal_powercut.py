"""A power cut at any point of a landing: what was not synced is lost, the chapter is whole or absent."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest
from crash import killpoints, landings
from crash.powercut import Disk

from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import journal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CHANCES = 3


def _bytes(project: Project) -> dict[str, bytes | None]:
    """The model keeps no modes."""
    return {rel: data for rel, (_, data) in landings.tree(project).items()}


def _cut_everywhere(project: Project, work: Callable[[], object], folder: Path) -> list[Project]:
    """The disks after a power cut before each point of `work`, `1 + CHANCES` for each."""
    folder.mkdir()

    def watched() -> None:
        disk = Disk(project.root)
        count = 0
        waiting: list[str] = []

        def stop(kind: str, place: str) -> None:
            nonlocal count
            if not (place + os.sep).startswith(project.root + os.sep) or waiting == ["busy"]:
                return
            if waiting:
                disk.synced(waiting.pop())
            waiting[:] = ["busy"]
            disk.examine()
            count += 1
            for chance in range(1 + CHANCES):
                luck = random.Random(f"{count}-{chance}") if chance else None
                disk.cut(str(folder / f"{count:03d}-{chance}"), luck)
            waiting[:] = [place] if kind == "fsync" else []

        killpoints.watch(stop)
        work()

    assert killpoints.in_child(watched) == killpoints.DONE
    return [Project(str(found)) for found in sorted(folder.iterdir())]


@pytest.mark.parametrize("many", [False, True])
def test_a_landing_survives_a_power_cut_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, many: bool
) -> None:
    if many:
        landings.as_many(monkeypatch)
    start = landings.build_project(tmp_path / "start")
    landings.land_all(landings.copy(start, tmp_path / "through"))
    old, new = _bytes(start), _bytes(Project(str(tmp_path / "through")))
    ends = []
    for project in _cut_everywhere(start, lambda: landings.land_all(start), tmp_path / "cuts"):
        journal.recover(project)
        assert _bytes(project) in (old, new), project.root
        ends.append(_bytes(project) == new)
    assert True in ends and False in ends
    assert ends[-1], "when `land` returns, the chapter is safe"


def test_a_recovery_survives_a_power_cut_anywhere(tmp_path: Path) -> None:
    start = landings.build_project(tmp_path / "start")
    landings.land_all(landings.copy(start, tmp_path / "through"))
    new = _bytes(Project(str(tmp_path / "through")))
    half = next(
        copy
        for number in range(30, 200)
        if (copy := landings.copy(start, tmp_path / f"half-{number}"))
        and killpoints.killed_at(number, lambda: landings.land_all(copy))
        and journal.pending(copy) is not None
    )
    for project in _cut_everywhere(half, lambda: journal.recover(half), tmp_path / "cuts"):
        journal.recover(project)
        assert _bytes(project) == new, project.root


def test_the_model_loses_what_is_not_synced(tmp_path: Path) -> None:
    """The test of the tests: a rename without any sync may lose the file's bytes, or the file."""
    project = landings.build_project(tmp_path / "start")

    def careless() -> None:
        place = os.path.join(project.root, "x")
        handle = os.open(place, os.O_WRONLY | os.O_CREAT)
        os.write(handle, b"new")
        os.close(handle)
        os.rename(place, os.path.join(project.root, "y"))
        os.remove(os.path.join(project.root, "y"))

    found = {
        name: (tmp_path / "cuts" / os.path.basename(cut.root) / name)
        for cut in _cut_everywhere(project, careless, tmp_path / "cuts")
        for name in ("x", "y")
        if cut.has(name)
    }
    assert set(found) == {"x", "y"}
    assert {path.read_bytes() for path in (tmp_path / "cuts").rglob("[xy]")} == {b"", b"ne", b"new"} - {b"ne"}
