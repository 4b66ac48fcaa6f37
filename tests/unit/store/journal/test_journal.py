"""Landings: all changes land or none, and a command that was killed is known by its label."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from crash import killpoints, landings

from novel_hooks import errors, layout
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import process
from novel_hooks.store.journal import journal, manifest

if TYPE_CHECKING:
    from collections.abc import Callable

    from novel_hooks.store.journal.journal import Change


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return landings.build_project(tmp_path / "book")


def _land(project: Project, *changes: Change, guard: Callable[[], None] = lambda: None) -> None:
    journal.land(project, changes, label=landings.LABEL, guard=guard)


class TestLanding:
    def test_all_kinds_of_change_land_and_nothing_is_left_over(self, project: Project) -> None:
        landings.land_all(project)
        assert project.read("chapters/chapter-002.md") == landings.NEW_CHAPTER
        assert project.text("state/changelog.jsonl") == '{"chapter":1}\n{"chapter":2}\n'
        assert project.text("logs/unknown-entities.jsonl") == '{"mention":"x"}\n'
        assert project.kind("staging/chapters/chapter-002.md") == "absent"
        assert os.stat(project.absolute("state/current-state.json")).st_mode & 0o777 == 0o640
        assert project.names(".novel") == [] and project.names("staging/chapters") == []

    def test_changes_are_published_in_the_order_given(self, project: Project) -> None:
        points = killpoints.trace(lambda: landings.land_all(project))
        placed = [
            os.path.relpath(place.rpartition(" > ")[2], project.root)
            for kind, place in points
            if kind in ("os.rename", "os.remove") and ".novel" + os.sep not in place.rpartition(" > ")[2]
        ]
        assert placed == [
            change.path
            for change in landings.CHANGES
            if change.kind != "append" and change.path != "staging/absent.md"
        ]

    def test_a_guard_that_raises_first_changes_nothing(self, project: Project) -> None:
        def lost() -> None:
            raise errors.LockLost(".novel.lock")

        before = landings.tree(project)
        for changes in (landings.CHANGES, landings.CHANGES[-1:]):
            with pytest.raises(errors.LockLost):
                _land(project, *changes, guard=lost)
            assert landings.tree(project) == before

    def test_a_file_changed_while_the_journal_was_written_is_not_overwritten(self, project: Project) -> None:
        before = landings.tree(project)
        place = Path(project.absolute("state/current-state.json"))
        create = journal.atomic.create

        def meddling(*args: object, **more: object) -> None:
            place.write_bytes(b"the author's own")
            create(*args, **more)  # type: ignore[arg-type]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(journal.atomic, "create", meddling)
            with pytest.raises(errors.FileChangedMeanwhile) as caught:
                landings.land_all(project)
        assert caught.value.path == "state/current-state.json"
        mode = before["state/current-state.json"][0]
        assert landings.tree(project) == {**before, "state/current-state.json": (mode, b"the author's own")}

    def test_a_project_without_novel_folder_has_none_after_a_refusal(self, project: Project) -> None:
        assert killpoints.refused_from(4, 28, lambda: landings.land_all(project)) == "WRITE_FAILED"
        assert project.kind(".novel") == "absent"

    def test_no_second_landing_while_one_is_pending(self, project: Project) -> None:
        landings.commit_only(project)
        with pytest.raises(errors.JournalPending, match=landings.LABEL):
            _land(project, journal.put("chapters/chapter-003.md", b"x"))
        assert not project.has("chapters/chapter-003.md")

    @pytest.mark.parametrize(
        ("path", "times"), [(".checkpoint.json", 1), (".novel/x.json", 1), ("a/x.json", 2)]
    )
    def test_one_file_beside_the_checkpoint_lands_without_a_journal(
        self, project: Project, path: str, times: int
    ) -> None:
        asked: list[bool] = []

        def guard() -> None:
            asked.append(project.kind(layout.JOURNAL) == "folder")

        _land(project, journal.put(path, b"{}\n"), guard=guard)
        assert project.read(path) == b"{}\n"
        assert asked == [False, True][:times]

    @pytest.mark.parametrize(
        "change", [journal.append(".checkpoint.json", b"x"), journal.remove(".checkpoint.json")]
    )
    def test_any_other_single_change_has_a_journal(self, project: Project, change: Change) -> None:
        landings.commit_only(project, [change])
        assert journal.pending(project) is not None
        journal.recover(project)
        assert project.read(".checkpoint.json") in (None, b'{"last_completed_chapter": 1}\nx')

    @pytest.mark.parametrize("published", range(len(landings.CHANGES) - 1))
    def test_what_was_killed_between_two_files_is_finished(
        self, project: Project, tmp_path: Path, published: int
    ) -> None:
        after = landings.after(project, tmp_path / "through")
        landings.commit_only(project, published=published)
        assert landings.tree(project) != after
        assert journal.recover(project) == f"上次中断的「{landings.LABEL}」已经补完。"
        assert landings.tree(project) == after

    @pytest.mark.parametrize("call", ["make_folders", "create", "sync_folder", "rename"])
    def test_a_disk_that_refuses_the_journal_changes_nothing(
        self, project: Project, monkeypatch: pytest.MonkeyPatch, call: str
    ) -> None:
        def refuse(*_: object) -> None:
            raise errors.WriteFailed("x", reason="磁盘空间不够")

        before = landings.tree(project)
        monkeypatch.setattr(journal.atomic, call, refuse)
        with pytest.raises(errors.WriteFailed):
            landings.land_all(project)
        monkeypatch.undo()
        assert landings.tree(project) == before
        assert project.kind(layout.OWN) == "absent"

    def test_a_folder_of_ours_that_was_there_stays(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        os.mkdir(project.absolute(layout.OWN))
        real = os.rename

        def refuse(old: str, new: str) -> None:
            if new.endswith("journal"):
                raise OSError(errno.ENOSPC, "refused")
            real(old, new)

        monkeypatch.setattr(os, "rename", refuse)
        with pytest.raises(errors.WriteFailed, match="磁盘空间不够"):
            landings.land_all(project)
        assert project.names(layout.OWN) == []

    def test_a_commit_point_that_cannot_be_synced_waits_for_the_next_command(
        self, project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        after = landings.after(project, tmp_path / "through")
        real = journal.atomic.sync_folder

        def refuse(project: Project, rel: str) -> None:
            if project.kind(layout.JOURNAL) == "folder":
                raise errors.WriteNotSynced(rel, reason="磁盘读写出错")
            real(project, rel)

        monkeypatch.setattr(journal.atomic, "sync_folder", refuse)
        with pytest.raises(errors.JournalPending) as caught:
            landings.land_all(project)
        assert caught.value.path == layout.JOURNAL
        assert caught.value.values["label"] == landings.LABEL
        assert "磁盘读写出错" in str(caught.value.values["detail"])
        monkeypatch.undo()
        assert journal.recover(project)
        assert landings.tree(project) == after

    def test_the_commit_point_is_synced_before_anything_is_published(self, project: Project) -> None:
        points = killpoints.trace(lambda: landings.land_all(project))
        committed = next(
            n
            for n, (kind, place) in enumerate(points)
            if place.endswith(" > " + project.absolute(layout.JOURNAL))
        )
        assert points[committed + 1] == ("fsync", project.absolute(layout.OWN))


class TestPending:
    def test_pending_tells_whose_it_is_and_touches_nothing(self, project: Project) -> None:
        before = landings.tree(landings.commit_only(project))
        plan = journal.pending(project)
        assert plan is not None
        assert (plan.label, len(plan.entries)) == (landings.LABEL, len(landings.CHANGES) - 1)
        assert landings.tree(project) == before

    def test_a_landing_of_another_computer_is_not_judged(self, project: Project) -> None:
        plan = journal.pending(landings.commit_only(project))
        assert plan is not None
        assert (plan.pid, plan.pid_started, plan.host) == (
            os.getpid(),
            process.start_mark(os.getpid()),
            process.host_name(),
        )
        assert journal.is_owner_alive(plan) is True
        assert journal.is_owner_alive(plan._replace(pid_started="linux/x/y/1")) is False
        assert journal.is_owner_alive(plan._replace(host="elsewhere")) is None

    def test_a_landing_that_waits_is_named(self, project: Project) -> None:
        assert journal.unfinished_label(project) is None
        landings.commit_only(project)
        assert journal.unfinished_label(project) == landings.LABEL

    def test_a_finished_landing_whose_journal_is_left_over_is_named_too(self, project: Project) -> None:
        landings.commit_only(project)
        left = f"{manifest.DONE}{'a' * 16}"
        os.rename(project.absolute(layout.JOURNAL), project.absolute(left))
        assert journal.pending(project) is None
        assert journal.unfinished_label(project) == landings.LABEL
        journal.recover(project)
        assert journal.unfinished_label(project) is None
