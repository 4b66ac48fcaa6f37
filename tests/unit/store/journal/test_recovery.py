"""Recovery: a committed landing is finished, and nothing that was changed since is written over."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from crash import killpoints, landings

from novel_hooks import errors, layout
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import journal, manifest, recovery

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return landings.build_project(tmp_path / "book")


def test_nothing_pending_is_nothing_to_do(project: Project) -> None:
    assert journal.pending(project) is None
    assert journal.recover(project) is None


@pytest.mark.parametrize(
    "path",
    [
        "chapters/chapter-002.md",
        "state/current-state.json",
        "state/changelog.jsonl",
        "logs/unknown-entities.jsonl",
        "staging/chapters/chapter-002.md",
        ".checkpoint.json",
    ],
)
def test_what_was_changed_since_is_never_overwritten(project: Project, path: str) -> None:
    place = Path(landings.commit_only(project).absolute(path))
    place.parent.mkdir(exist_ok=True)
    kept = place.read_bytes() if place.exists() else b""
    place.write_bytes(kept + b"what the author wrote since\n")
    before = landings.tree(project)
    with pytest.raises(errors.JournalConflict) as caught:
        journal.recover(project)
    assert caught.value.path == path and caught.value.exit == errors.DAMAGED
    assert landings.tree(project) == before
    place.rename(place.parent / "put-aside")
    if "changelog" not in path:  # what it held is needed; all others may simply be gone
        assert journal.recover(project)
        assert journal.pending(project) is None


def test_a_log_whose_earlier_lines_were_changed_is_a_conflict(project: Project) -> None:
    place = Path(landings.commit_only(project).absolute("state/changelog.jsonl"))
    place.write_bytes(place.read_bytes().replace(b"1", b"7"))
    before = landings.tree(project)
    with pytest.raises(errors.JournalConflict):
        journal.recover(project)
    assert landings.tree(project) == before


@pytest.mark.parametrize("make", [os.mkdir, lambda place: os.symlink("nowhere", place)])
def test_a_folder_or_link_that_came_since_is_a_conflict(
    project: Project, make: Callable[[str], None]
) -> None:
    make(landings.commit_only(project).absolute("chapters/chapter-002.md"))
    with pytest.raises(errors.JournalConflict):
        journal.recover(project)


def test_a_log_that_lost_lines_is_damage(project: Project) -> None:
    Path(landings.commit_only(project).absolute("state/changelog.jsonl")).write_bytes(b"{")
    before = landings.tree(project)
    with pytest.raises(errors.JournalTargetShort) as caught:
        journal.recover(project)
    assert caught.value.exit == errors.DAMAGED
    assert landings.tree(project) == before


@pytest.mark.parametrize("torn", [b"\n", b'\n{"chap', b"\n\0\0\0", b"\0" * 10, b'\n{"chapter":2}\n'])
def test_an_append_cut_short_is_made_whole(project: Project, torn: bytes) -> None:
    with open(landings.commit_only(project).absolute("state/changelog.jsonl"), "ab") as handle:
        handle.write(torn)
    assert journal.recover(project)
    assert project.text("state/changelog.jsonl") == '{"chapter":1}\n{"chapter":2}\n'


def test_an_append_that_a_killed_process_left_whole_is_synced_before_the_journal_goes(
    project: Project,
) -> None:
    with open(landings.commit_only(project).absolute("state/changelog.jsonl"), "ab") as handle:
        handle.write(b'\n{"chapter":2}\n')
    points = killpoints.trace(lambda: journal.recover(project))
    synced = points.index(("fsync", project.absolute("state/changelog.jsonl")))
    dropped = next(n for n, (kind, place) in enumerate(points) if kind == "os.rename" and ".done-" in place)
    assert synced < dropped


def test_a_line_that_came_after_ours_stays(project: Project) -> None:
    with open(landings.commit_only(project).absolute("state/changelog.jsonl"), "ab") as handle:
        handle.write(b'\n{"chapter":2}\n{"later":1}\n')
    assert journal.recover(project)
    assert project.text("state/changelog.jsonl") == '{"chapter":1}\n{"chapter":2}\n{"later":1}\n'


def test_temporary_files_beside_the_destinations_are_swept(project: Project) -> None:
    landings.commit_only(project)
    left = f".novel-tmp-{os.getpid()}-{'d' * 12}"
    for folder in ("chapters", "state"):
        Path(project.absolute(f"{folder}/{left}")).write_bytes(b"x")
    assert journal.recover(project)
    assert left not in (*project.names("chapters"), *project.names("state"))


def test_a_guard_stops_a_recovery_before_each_file(project: Project) -> None:
    landings.commit_only(project)
    before = landings.tree(project)

    def lost() -> None:
        raise errors.LockLost(".novel.lock")

    with pytest.raises(errors.LockLost):
        recovery.recover(project, lost)
    assert landings.tree(project) == before
    assert journal.recover(project)


def test_a_disk_that_refuses_again_leaves_it_pending(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    after = landings.after(project, tmp_path / "through")
    landings.commit_only(project)

    def refuse(_project: Project, rel: str, *_: object, **__: object) -> None:
        raise errors.WriteFailed(rel, reason="磁盘空间不够")

    monkeypatch.setattr(recovery.atomic, "write", refuse)
    with pytest.raises(errors.JournalPending) as caught:
        journal.recover(project)
    assert caught.value.path == "chapters/chapter-002.md"
    assert caught.value.values["label"] == landings.LABEL
    assert "磁盘空间不够" in str(caught.value.values["detail"])
    monkeypatch.undo()
    assert journal.recover(project)
    assert landings.tree(project) == after


def test_every_blob_is_checked_before_anything_is_written(project: Project) -> None:
    landings.commit_only(project)
    plan = manifest.read(project)
    assert plan is not None
    recovery.verify(project, plan)
    last = [entry.blob for entry in plan.entries if entry.blob is not None][-1]
    Path(project.absolute(f"{layout.JOURNAL}/{last}")).write_bytes(b"?")
    before = landings.tree(project)
    with pytest.raises(errors.JournalBroken):
        journal.recover(project)
    assert landings.tree(project) == before
