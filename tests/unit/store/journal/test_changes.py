"""The plan of a landing: what it holds, and what is refused before anything is written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from crash import landings

from novel_hooks import __version__, errors
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import process
from novel_hooks.store.journal import changes, journal, manifest

if TYPE_CHECKING:
    from collections.abc import Callable

    from novel_hooks.store.journal.changes import Change


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


def test_a_change_is_put_append_or_remove() -> None:
    assert changes.put("a", b"x") == ("put", "a", b"x")
    assert changes.append("a", b"x") == ("append", "a", b"x")
    assert changes.remove("a") == ("remove", "a", b"")


class TestPlan:
    def test_an_entry_says_what_was_and_what_comes(self, project: Project) -> None:
        plan, blobs = changes.plan_changes(
            project,
            [
                changes.remove("no/such.md"),
                changes.put("chapters/chapter-002.md", b"two"),
                changes.append("state/changelog.jsonl", b"{}\n"),
                changes.remove("staging/chapters/chapter-002.md"),
                changes.append("logs/new.jsonl", b"{}\n"),
                changes.put("state/current-state.json", b""),
            ],
            "标签",
        )
        of = manifest.digest
        assert plan.entries == (
            ("put", "chapters/chapter-002.md", None, 0, "0000", of(b"two"), 3),
            ("append", "state/changelog.jsonl", of(b'{"chapter":1}'), 13, "0001", of(b"\n{}\n"), 4),
            ("remove", "staging/chapters/chapter-002.md", of(landings.NEW_CHAPTER), 0, None, None, 0),
            ("append", "logs/new.jsonl", None, 0, "0003", of(b"{}\n"), 3),
            ("put", "state/current-state.json", of(b'{"state_version": 1}\n'), 0, "0004", of(b""), 0),
        )
        assert blobs == {"0000": b"two", "0001": b"\n{}\n", "0003": b"{}\n", "0004": b""}
        assert (plan.label, plan.created_by, plan.host) == ("标签", __version__, process.host_name())
        assert (plan.pid, plan.pid_started) == (os.getpid(), process.start_mark(os.getpid()))

    def test_every_plan_has_a_token_of_its_own(self, project: Project) -> None:
        tokens = {changes.plan_changes(project, [changes.put("a", b"")], "x")[0].token for _ in range(3)}
        assert len(tokens) == 3 and {len(token) for token in tokens} == {16}

    def test_what_is_planned_is_what_the_journal_holds(self, project: Project) -> None:
        plan = manifest.read(landings.commit_only(project))
        assert plan is not None
        assert manifest.dump(plan) == project.read(".novel/journal/manifest.json")
        for entry in plan.entries:
            if entry.blob is not None:
                assert manifest.digest(manifest.read_blob(project, entry)) == entry.new


class TestRefused:
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
        for path in ("../x.md", "/x.md", "a/../../x", ".novel/journal", ".novel/journal/0000", ".novel"):
            _refused(project, errors.PathOutside, journal.put(path, b"x"))

    def test_a_path_named_twice_is_a_bug_of_the_caller(self, project: Project) -> None:
        _refused(project, ValueError, journal.put("a", b"x"), journal.remove("a"))
        _refused(project, ValueError, journal.put("a", b"x"), journal.put("a/b", b"x"))

    @pytest.mark.parametrize("pair", [("a/b", "a"), ("a/b/c", "a"), ("a/b/c", "a/b")])
    def test_a_path_is_not_file_and_folder(self, project: Project, pair: tuple[str, str]) -> None:
        _refused(project, ValueError, *(journal.put(path, b"x") for path in pair))
        _refused(project, ValueError, *(journal.put(path, b"x") for path in reversed(pair)))

    def test_paths_that_only_begin_alike_are_two(self, project: Project) -> None:
        _land(project, journal.put("a/b", b"1"), journal.put("a/bc/d", b"2"))
        assert (project.read("a/b"), project.read("a/bc/d")) == (b"1", b"2")

    @pytest.mark.parametrize(
        ("change", "asked"),
        [
            (journal.put("chapters/chapter-001.md", b"x"), "chapters"),
            (journal.put("new/folder/a.md", b"x"), ""),
            (journal.remove("chapters/chapter-001.md"), "chapters"),
            (journal.append("state/changelog.jsonl", b"{}\n"), "state/changelog.jsonl"),
            (journal.append("state/new.jsonl", b"{}\n"), "state"),
        ],
    )
    def test_what_the_system_would_refuse_later_is_refused_now(
        self, project: Project, monkeypatch: pytest.MonkeyPatch, change: Change, asked: str
    ) -> None:
        def access(place: str, mode: int) -> bool:
            assert mode == os.W_OK
            return os.path.normpath(place) != os.path.normpath(project.absolute(asked))

        monkeypatch.setattr(os, "access", access)
        with pytest.raises(errors.WriteFailed, match="没有权限") as caught:
            changes.plan_changes(project, [change], "x")
        assert caught.value.path == change.path


class TestLastLine:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            (b"", b"{}\n"),
            (b'{"a":1}\n', b'{"a":1}\n{}\n'),
            (b'{"a":1}', b'{"a":1}\n{}\n'),
            (b'{"a":1}\n{"b":2}\n{"c":3}', b'{"a":1}\n{"b":2}\n{"c":3}\n{}\n'),
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
        assert told.path == "state/changelog.jsonl"

    def test_only_line_files_have_lines(self, project: Project) -> None:
        Path(project.absolute("notes.md")).write_bytes(b"half")
        _land(project, journal.append("notes.md", b" whole"))
        assert project.read("notes.md") == b"half whole"
