"""Folders: made and synced one by one, removed again when a write fails, moved in one step."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from novel_hooks import errors
from novel_hooks.store.files import folders
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "book").mkdir()
    return Project(str(tmp_path / "book"))


def _refusing(number: int, only: Callable[[str], bool]) -> Callable[..., None]:
    real = os.mkdir

    def refuse(place: str, *rest: int) -> None:
        if only(place):
            raise OSError(number, "refused")
        real(place, *rest)

    return refuse


@pytest.mark.parametrize(("rel", "above"), [("a/b/c.md", "a/b"), ("a.md", ""), ("", "")])
def test_the_folder_of_a_path(rel: str, above: str) -> None:
    assert folders.parent(rel) == above


class TestMaking:
    def test_the_new_ones_are_returned_and_taken_back(self, project: Project) -> None:
        assert folders.make_folders(project, "a") == ["a"]
        made = folders.make_folders(project, "a/b/c")
        assert made == ["a/b", "a/b/c"]
        assert folders.make_folders(project, "a/b/c") == []
        assert folders.make_folders(project, "") == []
        folders.remove_folders(project, made)
        assert project.names("a") == []

    def test_a_folder_with_something_in_it_stays_and_so_do_those_above(self, project: Project) -> None:
        made = folders.make_folders(project, "a/b/c")
        Path(project.absolute("a/b/x")).write_bytes(b"")
        folders.remove_folders(project, made)
        assert project.names("a/b") == ["x"]

    def test_each_new_one_is_synced_into_its_parent(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        os.mkdir(project.absolute("a"))
        synced: list[str] = []
        monkeypatch.setattr(folders, "sync_folder", lambda _project, rel: synced.append(rel))
        assert folders.make_folders(project, "a/b/c") == ["a/b", "a/b/c"]
        assert synced == ["a", "a/b"]

    @pytest.mark.parametrize("way", ["file", "link"])
    def test_nothing_is_made_below_what_is_no_folder(
        self, project: Project, tmp_path: Path, way: str
    ) -> None:
        (tmp_path / "outside").mkdir()
        place = Path(project.absolute("a"))
        place.write_bytes(b"") if way == "file" else place.symlink_to(tmp_path / "outside")
        for rel in ("a", "a/b"):
            with pytest.raises(errors.NotAFolder) as caught:
                folders.make_folders(project, rel)
            assert caught.value.path == "a"
        assert os.listdir(tmp_path / "outside") == []

    @pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES])
    def test_a_refusal_half_way_leaves_none(
        self, project: Project, monkeypatch: pytest.MonkeyPatch, number: int
    ) -> None:
        os.mkdir(project.absolute("a"))
        monkeypatch.setattr(os, "mkdir", _refusing(number, lambda place: place.endswith("d")))
        with pytest.raises(errors.WriteFailed) as caught:
            folders.make_folders(project, "a/b/c/d")
        assert caught.value.path == "a/b/c/d"
        assert project.names("a") == []

    def test_one_that_another_command_made_meanwhile_is_not_ours(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = os.mkdir

        def first(place: str, *rest: int) -> None:
            if place.endswith("b"):
                real(place)
            real(place, *rest)

        monkeypatch.setattr(os, "mkdir", first)
        assert folders.make_folders(project, "a/b/c") == ["a", "a/b/c"]


class TestPlaces:
    """Folders outside a project, by absolute path."""

    def test_the_new_ones_are_returned_outermost_first_and_taken_back(self, tmp_path: Path) -> None:
        deep = tmp_path / "a" / "b" / "c"
        made = folders.make_place(str(deep))
        assert made == [str(tmp_path / "a"), str(tmp_path / "a" / "b"), str(deep)]
        assert deep.is_dir()
        assert folders.make_place(str(deep)) == []
        folders.forget_places(made)
        assert os.listdir(tmp_path) == []

    def test_one_that_is_gone_already_is_passed_over_and_a_full_one_stays(self, tmp_path: Path) -> None:
        made = folders.make_place(str(tmp_path / "a" / "b" / "c"))
        (tmp_path / "a/b/c").rmdir()
        (tmp_path / "a/x").write_bytes(b"")
        folders.forget_places(made)
        assert os.listdir(tmp_path / "a") == ["x"]

    def test_above_a_full_one_nothing_is_tried(self, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        (tmp_path / "full/x").mkdir(parents=True)
        folders.forget_places([str(tmp_path / "empty"), str(tmp_path / "full")])
        assert sorted(os.listdir(tmp_path)) == ["empty", "full"]

    def test_a_refusal_leaves_none(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(os, "mkdir", _refusing(errno.ENOSPC, lambda place: place.endswith("c")))
        deep = str(tmp_path / "a" / "b" / "c")
        with pytest.raises(errors.WriteFailed, match="磁盘空间不够") as caught:
            folders.make_place(deep)
        assert caught.value.path == deep
        assert os.listdir(tmp_path) == []

    @pytest.mark.parametrize("what", ["file", "dangling link"])
    def test_what_is_no_folder_is_refused(self, tmp_path: Path, what: str) -> None:
        place = tmp_path / "a"
        place.write_bytes(b"") if what == "file" else place.symlink_to("nowhere")
        for wanted in (place, place / "b"):
            with pytest.raises(errors.WriteFailed):
                folders.make_place(str(wanted))
        assert os.listdir(tmp_path) == ["a"]


class TestMoving:
    def test_a_folder_moves_with_what_it_holds(self, project: Project) -> None:
        folders.make_folders(project, "a/b")
        folders.rename(project, "a", "c")
        assert (project.names(""), project.names("c")) == (["c"], ["b"])

    def test_a_refusal_names_the_new_place(self, project: Project) -> None:
        with pytest.raises(errors.WriteFailed, match="移走了") as caught:
            folders.rename(project, "none", "c")
        assert caught.value.path == "c"

    @pytest.mark.parametrize("pair", [("../a", "b"), ("b", "../a")])
    def test_nothing_moves_out_of_the_project(self, project: Project, pair: tuple[str, str]) -> None:
        folders.make_folders(project, "b")
        with pytest.raises(errors.PathOutside):
            folders.rename(project, *pair)
        assert project.names("") == ["b"]


class TestSyncing:
    def test_it_is_that_folder(self, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        folders.make_folders(project, "a")
        synced: list[int] = []
        monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_ino))
        for rel in ("a", ""):
            folders.sync_folder(project, rel)
        assert synced == [os.stat(project.absolute(rel)).st_ino for rel in ("a", "")]

    def test_no_handle_stays_open(self, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        opened: list[int] = []
        real = os.open

        def opening(*args: Any) -> int:
            opened.append(real(*args))
            return opened[-1]

        monkeypatch.setattr(os, "open", opening)
        folders.sync_folder(project, "")
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(opened[0])

    @pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP, errno.EBADF])
    def test_a_disk_that_knows_no_such_thing_is_no_fault(
        self, project: Project, monkeypatch: pytest.MonkeyPatch, number: int
    ) -> None:
        def refuse(_handle: int) -> None:
            raise OSError(number, "refused")

        monkeypatch.setattr(os, "fsync", refuse)
        folders.sync_folder(project, "")

    @pytest.mark.parametrize(("rel", "named"), [("", "."), ("a", "a")])
    def test_any_other_refusal_is_told(
        self, project: Project, monkeypatch: pytest.MonkeyPatch, rel: str, named: str
    ) -> None:
        folders.make_folders(project, "a")

        def refuse(_handle: int) -> None:
            raise OSError(errno.EIO, "refused")

        monkeypatch.setattr(os, "fsync", refuse)
        with pytest.raises(errors.WriteNotSynced, match="磁盘读写出错") as caught:
            folders.sync_folder(project, rel)
        assert caught.value.path == named

    def test_what_is_no_folder_is_told(self, project: Project) -> None:
        Path(project.absolute("a")).write_bytes(b"")
        for rel in ("a", "none"):
            with pytest.raises(errors.WriteNotSynced):
                folders.sync_folder(project, rel)
