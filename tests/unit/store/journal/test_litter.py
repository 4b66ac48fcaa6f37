"""Litter of killed commands: what is swept, and what is left alone."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest
from crash import landings

from novel_hooks import errors
from novel_hooks.store.files import atomic
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import process
from novel_hooks.store.journal import journal, litter


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return landings.build_project(tmp_path / "book")


def test_uncommitted_and_done_journals_are_cleared_away(project: Project) -> None:
    before = landings.tree(project)
    for name in ("journal.new-" + "a" * 16, "journal.done-" + "b" * 16, "lock.old-" + "c" * 16):
        folder = Path(project.absolute(f".novel/{name}/inner"))
        folder.mkdir(parents=True)
        (folder / "0000").write_bytes(b"x")
        os.symlink(project.absolute("chapters"), folder / "link")
    Path(project.absolute(f".novel-tmp-{os.getpid()}-{'d' * 12}")).write_bytes(b"x")
    assert journal.recover(project) is None
    assert landings.tree(project) == before


def test_what_is_not_ours_is_not_cleared_away(project: Project) -> None:
    for name in ("journal.new-mine", "journal.old", ".novel-tmp-notes"):
        Path(project.absolute(f".novel/{name}")).mkdir(parents=True)
    other = Path(project.absolute(f".novel-tmp-{os.getppid()}-{'d' * 12}"))
    other.write_bytes(b"a living process writes here")
    journal.recover(project)
    assert len(project.names(".novel")) == 3 and other.exists()
    os.utime(other, (0, 0))
    journal.recover(project)
    assert not other.exists()


TOKEN = "0123456789abcdef"
TAIL = "0123456789ab"


def test_a_token_is_16_hex_digits_and_new_each_time() -> None:
    tokens = {litter.token() for _ in range(5)}
    assert len(tokens) == 5
    assert all(litter.is_litter(f"journal.new-{token}") for token in tokens)


@pytest.mark.parametrize(
    ("name", "is_litter"),
    [
        *(
            (f"{what}.{state}-{TOKEN}", True)
            for what in ("journal", "lock")
            for state in ("new", "old", "done")
        ),
        (f".novel-tmp-7-{TAIL}", True),
        (f".novel-tmp-{'9' * 19}-{TAIL}", True),
        (f".novel-tmp-{'9' * 20}-{TAIL}", False),
        (f".novel-tmp--{TAIL}", False),
        (f".novel-tmp-7-{TAIL}c", False),
        (f".novel-tmp-7-{TAIL[1:]}", False),
        (f"journal.new-{TOKEN}0", False),
        (f"journal.new-{TOKEN[1:]}", False),
        (f"journal.new-{TOKEN.upper()}", False),
        (f"journal.tmp-{TOKEN}", False),
        (f"x-journal.new-{TOKEN}", False),
        ("journal", False),
        ("", False),
    ],
)
def test_litter_is_known_by_its_name(name: str, is_litter: bool) -> None:
    assert litter.is_litter(name) is is_litter


class TestTemporaryFiles:
    def _left(self, project: Project, pid: int, age: float) -> Path:
        place = Path(project.absolute(f"chapters/.novel-tmp-{pid}-{TAIL}"))
        place.write_bytes(b"half a chapter")
        os.utime(place, (time.time() - age, time.time() - age))
        return place

    @pytest.mark.parametrize(
        ("alive", "age", "swept"),
        [(False, 0, True), (None, 0, False), (True, 0, False), (None, 3500, False), (None, 3700, True)],
    )
    def test_one_goes_when_its_process_has_ended_or_after_an_hour(
        self, project: Project, monkeypatch: pytest.MonkeyPatch, alive: bool | None, age: float, swept: bool
    ) -> None:
        asked: list[tuple[int, object]] = []

        def is_alive(pid: int, mark: object) -> bool | None:
            asked.append((pid, mark))
            return alive

        monkeypatch.setattr(process, "is_alive", is_alive)
        place = self._left(project, 4_000_000, age)
        litter.sweep_folder(project, "chapters")
        assert place.exists() is not swept
        assert asked == [(4_000_000, None)]
        assert project.names("chapters")[-1] == "chapter-001.md"

    def test_this_process_writes_no_second_file(self, project: Project) -> None:
        place = self._left(project, os.getpid(), 0)
        litter.sweep_folder(project, "chapters")
        assert not place.exists()

    @pytest.mark.parametrize("what", ["folder", "link"])
    def test_only_regular_files_go(self, project: Project, what: str) -> None:
        place = Path(project.absolute(f"chapters/.novel-tmp-{os.getpid()}-{TAIL}"))
        place.mkdir() if what == "folder" else place.symlink_to("chapter-001.md")
        litter.sweep_folder(project, "chapters")
        assert os.path.lexists(place)

    def test_one_that_goes_by_itself_meanwhile_is_no_fault(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        place = self._left(project, os.getppid(), 0)

        def is_alive(_pid: int, _mark: object) -> None:
            place.unlink()

        monkeypatch.setattr(process, "is_alive", is_alive)
        litter.sweep_folder(project, "chapters")
        assert project.names("chapters") == ["chapter-001.md"]

    def test_the_root_and_the_own_folder_are_swept_and_no_other(self, project: Project) -> None:
        name = f".novel-tmp-{os.getpid()}-{TAIL}"
        for folder in ("", ".novel", "chapters"):
            os.makedirs(project.absolute(folder), exist_ok=True)
            Path(project.absolute(f"{folder}/{name}" if folder else name)).write_bytes(b"x")
        litter.sweep(project)
        assert [name in project.names(folder) for folder in ("", ".novel", "chapters")] == [
            False,
            False,
            True,
        ]


class TestTrees:
    def test_one_is_removed_without_following_links(self, project: Project, tmp_path: Path) -> None:
        (tmp_path / "outside").mkdir()
        (tmp_path / "outside/x").write_bytes(b"outside")
        atomic.write(project, ".novel/t/deep/er/file", b"")
        os.symlink(tmp_path / "outside", project.absolute(".novel/t/link"))
        os.symlink(tmp_path / "outside/x", project.absolute(".novel/t/deep/link"))
        litter.remove_tree(project, ".novel/t")
        litter.remove_tree(project, ".novel/t")
        assert project.names(".novel") == []
        assert (tmp_path / "outside/x").read_bytes() == b"outside"

    @pytest.mark.parametrize("what", ["file", "link"])
    def test_what_is_no_folder_stays(self, project: Project, what: str) -> None:
        place = Path(project.absolute("t"))
        place.write_bytes(b"x") if what == "file" else place.symlink_to("chapters")
        with pytest.raises(errors.NotAFolder):
            litter.remove_tree(project, "t")
        assert os.path.lexists(place) and project.has("chapters/chapter-001.md")

    def test_the_manifest_goes_last(self, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("manifest.json", "0000", "0001"):
            atomic.write(project, f".novel/t/{name}", b"")
        gone: list[str] = []
        real = os.unlink
        monkeypatch.setattr(os, "unlink", lambda place: (gone.append(os.path.basename(place)), real(place)))
        litter.remove_tree(project, ".novel/t")
        assert gone == ["0000", "0001", "manifest.json"]

    @pytest.mark.parametrize("call", ["unlink", "rmdir"])
    def test_what_the_system_refuses_is_told(
        self, project: Project, monkeypatch: pytest.MonkeyPatch, call: str
    ) -> None:
        atomic.write(project, ".novel/t/a", b"")

        def refuse(_place: str) -> None:
            raise OSError(errno.EACCES, "refused")

        monkeypatch.setattr(os, call, refuse)
        with pytest.raises(errors.WriteFailed, match="没有权限") as caught:
            litter.remove_tree(project, ".novel/t")
        assert caught.value.path == ".novel/t"
