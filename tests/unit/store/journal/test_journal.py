"""Landings: what is refused before anything changes, and what a recovery will not do."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from crash import killpoints, landings

from novel_hooks import errors
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import process
from novel_hooks.store.journal import journal, manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from novel_hooks.store.journal.journal import Change


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return landings.build_project(tmp_path / "book")


def _land(project: Project, *changes: Change, guard: Callable[[], None] = lambda: None) -> None:
    journal.land(project, changes, label=landings.LABEL, guard=guard)


def _refused(project: Project, kind: type[Exception], *changes: Change) -> Exception:
    """Lands with a first change that would work, and asserts that nothing at all happened."""
    before = landings.tree(project)
    with pytest.raises(kind) as caught:
        _land(project, journal.put("chapters/chapter-009.md", b"x"), *changes)
    assert landings.tree(project) == before
    assert journal.pending(project) is None
    return caught.value


def _committed(project: Project, changes: Sequence[Change] = landings.CHANGES) -> Project:
    """Killed right after the commit point."""
    traced = landings.copy(project, Path(project.root + "-traced"))
    points = killpoints.trace(lambda: landings.land_all(traced))
    number = 1 + next(
        n for n, (kind, place) in enumerate(points, 1) if kind == "os.rename" and ".new-" in place
    )
    outcome = killpoints.killed_at(
        number, lambda: journal.land(project, changes, label=landings.LABEL, guard=lambda: None)
    )
    assert outcome == killpoints.KILLED
    assert journal.pending(project) is not None
    return project


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

    def test_changes_that_change_nothing_need_no_journal(self, project: Project) -> None:
        before = landings.tree(project)
        _land(project)
        _land(project, journal.remove("no/such.md"), journal.append("logs/none.jsonl", b""))
        assert landings.tree(project) == before

    def test_a_folder_in_the_way_is_refused(self, project: Project) -> None:
        os.makedirs(project.absolute("chapters/chapter-002.md"))
        _refused(project, errors.NotARegularFile, *landings.CHANGES)

    @pytest.mark.parametrize("change", [journal.put, journal.append, lambda path, _: journal.remove(path)])
    def test_a_link_in_the_way_is_refused(
        self, project: Project, tmp_path: Path, change: Callable[[str, bytes], Change]
    ) -> None:
        (tmp_path / "outside.md").write_text("outside")
        os.symlink(tmp_path / "outside.md", project.absolute("brief.md"))
        os.symlink(tmp_path, project.absolute("world"))
        _refused(project, errors.NotARegularFile, change("brief.md", b"x"))
        _refused(project, errors.NotAFolder, change("world/outside.md", b"x"))
        assert (tmp_path / "outside.md").read_text() == "outside"

    def test_a_path_outside_or_in_the_journal_is_refused(self, project: Project) -> None:
        for path in ("../x.md", "/tmp/x.md", "a/../../x", ".novel/journal", ".novel/journal/0000", ".novel"):
            _refused(project, errors.PathOutside, journal.put(path, b"x"))

    def test_a_path_named_twice_is_a_bug_of_the_caller(self, project: Project) -> None:
        _refused(project, ValueError, journal.put("a", b"x"), journal.remove("a"))
        _refused(project, ValueError, journal.put("a", b"x"), journal.put("a/b", b"x"))

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
        _committed(project)
        with pytest.raises(errors.JournalPending, match=landings.LABEL):
            _land(project, journal.put("chapters/chapter-003.md", b"x"))
        assert not project.has("chapters/chapter-003.md")


class TestLastLine:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            (b"", b"{}\n"),
            (b'{"a":1}\n', b'{"a":1}\n{}\n'),
            (b'{"a":1}', b'{"a":1}\n{}\n'),
            (b'{"a":1}\r\n{"b":2}', b'{"a":1}\r\n{"b":2}\n{}\n'),
            (b'\xef\xbb\xbf{"a":1}', b'\xef\xbb\xbf{"a":1}\n{}\n'),
            (b'{"a":1}\n  ', b'{"a":1}\n  \n{}\n'),
        ],
    )
    def test_a_line_starts_on_a_line_of_its_own(self, project: Project, before: bytes, after: bytes) -> None:
        Path(project.absolute("state/changelog.jsonl")).write_bytes(before)
        _land(project, journal.append("state/changelog.jsonl", b"{}\n"))
        assert project.read("state/changelog.jsonl") == after

    @pytest.mark.parametrize("tail", [b'{"chapter":2', b"\xff", b'{"a":1}{"b":2}', b"\xe4\xb9"])
    def test_half_a_line_is_damage(self, project: Project, tail: bytes) -> None:
        Path(project.absolute("state/changelog.jsonl")).write_bytes(b'{"a":1}\n' + tail)
        told = _refused(project, errors.LogTailBroken, journal.append("state/changelog.jsonl", b"{}\n"))
        assert isinstance(told, errors.Problem) and told.exit == errors.DAMAGED

    def test_only_line_files_have_lines(self, project: Project) -> None:
        Path(project.absolute("notes.md")).write_bytes(b"half")
        _land(project, journal.append("notes.md", b" whole"))
        assert project.read("notes.md") == b"half whole"


class TestRecovery:
    def test_nothing_pending_is_nothing_to_do(self, project: Project) -> None:
        assert journal.pending(project) is None
        assert journal.recover(project) is None

    def test_pending_tells_whose_it_is_and_touches_nothing(self, project: Project) -> None:
        before = landings.tree(_committed(project))
        plan = journal.pending(project)
        assert plan is not None
        assert (plan.label, len(plan.entries)) == (landings.LABEL, len(landings.CHANGES) - 1)
        assert journal.is_owner_alive(plan) is False
        mine = plan._replace(pid=os.getpid(), pid_started=process.start_mark(os.getpid()))
        assert journal.is_owner_alive(mine) is True
        assert journal.is_owner_alive(mine._replace(host="elsewhere")) is None
        assert landings.tree(project) == before

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
    def test_what_was_changed_since_is_never_overwritten(self, project: Project, path: str) -> None:
        place = Path(_committed(project).absolute(path))
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

    def test_a_log_whose_earlier_lines_were_changed_is_a_conflict(self, project: Project) -> None:
        place = Path(_committed(project).absolute("state/changelog.jsonl"))
        place.write_bytes(place.read_bytes().replace(b"1", b"7"))
        before = landings.tree(project)
        with pytest.raises(errors.JournalConflict):
            journal.recover(project)
        assert landings.tree(project) == before

    @pytest.mark.parametrize("make", [os.mkdir, lambda place: os.symlink("nowhere", place)])
    def test_a_folder_or_link_that_came_since_is_a_conflict(
        self, project: Project, make: Callable[[str], None]
    ) -> None:
        make(_committed(project).absolute("chapters/chapter-002.md"))
        with pytest.raises(errors.JournalConflict):
            journal.recover(project)

    def test_a_log_that_lost_lines_is_damage(self, project: Project) -> None:
        Path(_committed(project).absolute("state/changelog.jsonl")).write_bytes(b"{")
        before = landings.tree(project)
        with pytest.raises(errors.JournalTargetShort) as caught:
            journal.recover(project)
        assert caught.value.exit == errors.DAMAGED
        assert landings.tree(project) == before

    @pytest.mark.parametrize("torn", [b"\n", b'\n{"chap', b"\n\0\0\0", b"\0" * 10, b'\n{"chapter":2}\n'])
    def test_an_append_cut_short_is_made_whole(self, project: Project, torn: bytes) -> None:
        with open(_committed(project).absolute("state/changelog.jsonl"), "ab") as handle:
            handle.write(torn)
        assert journal.recover(project)
        assert project.text("state/changelog.jsonl") == '{"chapter":1}\n{"chapter":2}\n'

    def test_an_append_that_a_killed_process_left_whole_is_synced_before_the_journal_goes(
        self, project: Project
    ) -> None:
        with open(_committed(project).absolute("state/changelog.jsonl"), "ab") as handle:
            handle.write(b'\n{"chapter":2}\n')
        points = killpoints.trace(lambda: journal.recover(project))
        synced = points.index(("fsync", project.absolute("state/changelog.jsonl")))
        dropped = next(
            n for n, (kind, place) in enumerate(points) if kind == "os.rename" and ".done-" in place
        )
        assert synced < dropped

    def test_a_line_that_came_after_ours_stays(self, project: Project) -> None:
        with open(_committed(project).absolute("state/changelog.jsonl"), "ab") as handle:
            handle.write(b'\n{"chapter":2}\n{"later":1}\n')
        assert journal.recover(project)
        assert project.text("state/changelog.jsonl") == '{"chapter":1}\n{"chapter":2}\n{"later":1}\n'

    def test_uncommitted_and_done_journals_are_cleared_away(self, project: Project) -> None:
        before = landings.tree(project)
        for name in ("journal.new-" + "a" * 16, "journal.done-" + "b" * 16, "lock.old-" + "c" * 16):
            folder = Path(project.absolute(f".novel/{name}/inner"))
            folder.mkdir(parents=True)
            (folder / "0000").write_bytes(b"x")
            os.symlink(project.absolute("chapters"), folder / "link")
        Path(project.absolute(f".novel-tmp-{os.getpid()}-{'d' * 12}")).write_bytes(b"x")
        assert journal.recover(project) is None
        assert landings.tree(project) == before

    def test_what_is_not_ours_is_not_cleared_away(self, project: Project) -> None:
        for name in ("journal.new-mine", "journal.old", ".novel-tmp-notes"):
            Path(project.absolute(f".novel/{name}")).mkdir(parents=True)
        other = Path(project.absolute(f".novel-tmp-{os.getppid()}-{'d' * 12}"))
        other.write_bytes(b"a living process writes here")
        journal.recover(project)
        assert len(project.names(".novel")) == 3 and other.exists()
        os.utime(other, (0, 0))
        journal.recover(project)
        assert not other.exists()


class TestTamperedJournal:
    @staticmethod
    def _change(project: Project, key: str, value: object, entry: int | None = None) -> None:
        place = Path(project.absolute(".novel/journal/manifest.json"))
        whole = json.loads(place.read_text(encoding="utf-8"))
        (whole if entry is None else whole["entries"][entry])[key] = value
        place.write_text(json.dumps(whole), encoding="utf-8")

    def _broken(self, project: Project) -> None:
        before = landings.tree(project)
        with pytest.raises(errors.JournalBroken) as caught:
            journal.recover(project)
        assert caught.value.exit == errors.DAMAGED
        assert landings.tree(project) == before

    @pytest.mark.parametrize(
        "path", ["../outside.md", "/etc/x", "a/../../b", "", ".", ".novel/journal/x", 7, None, "a\0b", ["a"]]
    )
    def test_a_path_that_leads_out_is_not_followed(self, project: Project, path: object) -> None:
        self._change(_committed(project), "path", path, 0)
        self._broken(project)
        assert not Path(project.root).parent.joinpath("outside.md").exists()

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("blob", "../../chapters/chapter-001.md"),
            ("blob", "manifest.json"),
            ("blob", None),
            ("blob", "0009"),
            ("new", "0" * 64),
            ("new", "x"),
            ("size", -1),
            ("size", 1),
            ("old", 5),
            ("offset", 5),
            ("offset", True),
            ("kind", "remove"),
            ("kind", "chmod"),
            ("extra", 1),
        ],
    )
    def test_an_entry_that_makes_no_sense_stops_all(self, project: Project, key: str, value: object) -> None:
        self._change(_committed(project), key, value, 0)
        self._broken(project)

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("format", 2),
            ("format", None),
            ("token", "../x"),
            ("label", None),
            ("pid", "1"),
            ("entries", []),
            ("entries", {}),
            ("entries", [1]),
        ],
    )
    def test_a_manifest_that_makes_no_sense_stops_all(
        self, project: Project, key: str, value: object
    ) -> None:
        self._change(_committed(project), key, value)
        self._broken(project)
        with pytest.raises(errors.JournalBroken):
            journal.pending(project)

    def test_bytes_that_rotted_are_not_written(self, project: Project) -> None:
        blob = Path(_committed(project).absolute(".novel/journal/0000"))
        blob.write_bytes(blob.read_bytes()[:-1] + b"?")
        self._broken(project)
        blob.unlink()
        self._broken(project)
        os.symlink(project.absolute("chapters/chapter-001.md"), blob)
        self._broken(project)

    def test_no_manifest_half_a_manifest_or_no_folder_stops_all(self, project: Project) -> None:
        place = Path(_committed(project).absolute(".novel/journal/manifest.json"))
        place.write_bytes(place.read_bytes()[:40])
        self._broken(project)
        place.unlink()
        self._broken(project)
        shutil.rmtree(place.parent)
        place.parent.write_bytes(b"")
        self._broken(project)
        place.parent.unlink()
        os.symlink("nowhere", place.parent)
        self._broken(project)

    def test_the_manifest_written_is_the_manifest_read(self, project: Project) -> None:
        plan = journal.pending(_committed(project))
        assert plan is not None
        assert manifest.dump(plan) == project.read(".novel/journal/manifest.json")
