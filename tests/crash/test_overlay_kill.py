"""Who only reads in the middle of a landing sees the project as it will be, and changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from crash import killpoints, landings

from novel_hooks import errors, layout
from novel_hooks.flows.session import pending_landing
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.overlay import Overlay

if TYPE_CHECKING:
    from pathlib import Path

FOLDERS = ("", "chapters", "evaluations", "state", "logs", "staging", "staging/chapters", "nowhere")
PATHS = (*(change.path for change in landings.CHANGES), "chapters/chapter-001.md", "logs/none.jsonl")


def seen(project: Project) -> dict[str, object]:
    """Everything that the commands ask of a project."""
    found: dict[str, object] = {folder: project.kind(folder) for folder in FOLDERS}
    found.update({f"{folder}/": project.names(folder) for folder in FOLDERS})
    found.update({path: (project.kind(path), project.read(path)) for path in PATHS})
    return found


def _committed(tmp_path: Path, name: str = "book") -> Project:
    """Killed right behind the commit point: nothing is published yet."""
    start = landings.build_project(tmp_path / f"{name}-start")
    traced = landings.copy(start, tmp_path / f"{name}-traced")
    points = killpoints.trace(lambda: landings.land_all(traced))
    at = next(i for i, (_, where) in enumerate(points, 1) if where.endswith(layout.JOURNAL))
    project = landings.copy(start, tmp_path / name)
    assert killpoints.killed_at(at + 1, lambda: landings.land_all(project)) == killpoints.KILLED
    return project


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_a_reader_sees_what_recovery_will_make(step: int, tmp_path: Path) -> None:
    start = landings.build_project(tmp_path / "start")
    through = landings.copy(start, tmp_path / "through")
    landings.land_all(through)
    new, waited = seen(through), 0

    def killed(number: int) -> str:
        nonlocal waited
        project = landings.copy(start, tmp_path / f"killed-{number}")
        outcome = killpoints.killed_at(number, lambda: landings.land_all(project))
        view = pending_landing.after_landing(project)
        if journal.pending(project) is None:
            assert view is project and pending_landing.problems(view) == []
            return outcome
        waited += 1
        before = landings.tree(project)
        assert seen(view) == new, f"after a kill at point {number}"
        assert [note.code for note in pending_landing.problems(view)] == ["JOURNAL_WAITS"]
        assert landings.tree(project) == before
        journal.recover(project)
        assert seen(view) == new, "the view outlives the landing"
        return outcome

    assert list(killpoints.points(killed, step))[-1][1] == killpoints.DONE
    assert waited * step > 20


def test_a_torn_append_is_seen_whole(tmp_path: Path) -> None:
    project = _committed(tmp_path)
    log = tmp_path / "book/state/changelog.jsonl"
    log.write_bytes(b'{"chapter":1}\n{"ch\0\0')
    assert (
        pending_landing.after_landing(project).read("state/changelog.jsonl")
        == b'{"chapter":1}\n{"chapter":2}\n'
    )


def test_what_recovery_would_refuse_is_refused_to_a_reader(tmp_path: Path) -> None:
    """Only the file itself: all others can be read."""
    project = _committed(tmp_path)
    (tmp_path / "book/state/current-state.json").write_bytes(b"{}")
    view = pending_landing.after_landing(project)
    with pytest.raises(errors.JournalConflict):
        view.read("state/current-state.json")
    (tmp_path / "book/state/changelog.jsonl").write_bytes(b"")
    with pytest.raises(errors.JournalTargetShort):
        view.read("state/changelog.jsonl")
    assert view.read(".checkpoint.json") == b'{"last_completed_chapter": 2}\n'
    place = tmp_path / "book/chapters/chapter-002.md"
    place.symlink_to("chapter-001.md")
    assert view.kind("chapters/chapter-002.md") == "link"
    with pytest.raises(errors.JournalConflict):
        view.read("chapters/chapter-002.md")


def test_a_damaged_journal_is_told(tmp_path: Path) -> None:
    project = _committed(tmp_path)
    blob = tmp_path / "book" / layout.JOURNAL / "0000"
    blob.write_bytes(b"x")
    with pytest.raises(errors.JournalBroken):
        pending_landing.after_landing(project).read("chapters/chapter-002.md")
    (tmp_path / "book" / layout.JOURNAL / "manifest.json").write_bytes(b"{}")
    with pytest.raises(errors.JournalBroken):
        pending_landing.after_landing(project)


def test_a_landing_that_gets_through_meanwhile_disturbs_nobody(tmp_path: Path) -> None:
    """Its blobs are gone when they are asked for, and the files are there."""
    project = _committed(tmp_path)
    view = pending_landing.after_landing(project)
    journal.recover(project)
    (tmp_path / "book/state/current-state.json").write_bytes(b'{"state_version": 3}\n')
    assert view.read("state/current-state.json") == b'{"state_version": 3}\n'


def test_nothing_is_written_through_a_view(tmp_path: Path) -> None:
    view = pending_landing.after_landing(_committed(tmp_path))
    assert isinstance(view, Overlay)
    with pytest.raises(TypeError):
        view.destination("a.md")
    with pytest.raises(TypeError):
        view.folder_destination("a")
