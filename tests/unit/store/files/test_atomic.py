"""Single-file writes: the whole file or the old one, modes kept, links refused, no leftovers."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from novel_hooks import errors
from novel_hooks.store.files import atomic
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import litter


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "book").mkdir()
    return Project(str(tmp_path / "book"))


def test_write_makes_folders_and_keeps_the_mode(project: Project) -> None:
    atomic.write(project, "a/b/c.md", b"one")
    os.chmod(project.absolute("a/b/c.md"), 0o604)
    atomic.write(project, "a/b/c.md", b"two")
    assert project.read("a/b/c.md") == b"two"
    assert os.stat(project.absolute("a/b/c.md")).st_mode & 0o777 == 0o604
    assert project.names("a/b") == ["c.md"]


def test_a_new_file_obeys_the_umask(project: Project) -> None:
    before = os.umask(0o027)
    try:
        atomic.write(project, "new.md", b"")
    finally:
        os.umask(before)
    assert os.stat(project.absolute("new.md")).st_mode & 0o777 == 0o640


def test_short_writes_are_carried_on(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, bytes(data[:3])))
    atomic.write(project, "x", b"0123456789" * 10)
    atomic.append(project, "x", 100, b"abcdefgh")
    assert project.read("x") == b"0123456789" * 10 + b"abcdefgh"


@pytest.mark.parametrize("call", ["open", "write", "fsync", "replace"])
@pytest.mark.parametrize(
    ("number", "words"), [(errno.ENOSPC, "磁盘空间不够"), (errno.EROFS, "只读"), (errno.EACCES, "没有权限")]
)
def test_a_refused_write_is_told_and_leaves_nothing(
    project: Project, monkeypatch: pytest.MonkeyPatch, call: str, number: int, words: str
) -> None:
    atomic.write(project, "x", b"old")

    def refuse(*_: object, **__: object) -> int:
        raise OSError(number, "refused")

    with monkeypatch.context() as patch:
        patch.setattr(os, call, refuse)
        for rel in ("x", "new"):
            with pytest.raises(errors.WriteFailed, match=words) as caught:
                atomic.write(project, rel, b"new")
            assert caught.value.path == rel
        with pytest.raises(errors.WriteFailed):
            atomic.write(project, "deep/er/new", b"new")
    assert project.names("") == ["x"]
    assert project.read("x") == b"old"


def test_nothing_is_written_through_a_link(project: Project, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/x").write_bytes(b"outside")
    os.symlink(tmp_path / "outside/x", project.absolute("link"))
    os.symlink(tmp_path / "outside", project.absolute("folder"))
    for rel in ("link", "folder/x", "folder/new"):
        for write in (
            lambda rel: atomic.write(project, rel, b"!"),
            lambda rel: atomic.append(project, rel, 0, b"!"),
            lambda rel: atomic.remove(project, rel),
        ):
            with pytest.raises((errors.NotARegularFile, errors.NotAFolder)):
                write(rel)
    assert sorted(os.listdir(tmp_path / "outside")) == ["x"]
    assert (tmp_path / "outside/x").read_bytes() == b"outside"


def test_append_at_an_offset_may_be_repeated(project: Project) -> None:
    atomic.write(project, "log", b"12345")
    for data in (b"abcdef", b"abc", b"abc"):
        atomic.append(project, "log", 5, data)
    assert project.read("log") == b"12345abc"
    with pytest.raises(errors.JournalTargetShort) as caught:
        atomic.append(project, "log", 9, b"x")
    assert caught.value.path == "log"
    assert project.read("log") == b"12345abc"
    atomic.append(project, "new/log", 0, b"x")
    assert project.read("new/log") == b"x"


def test_remove_is_done_once_and_never_takes_a_folder(project: Project) -> None:
    atomic.write(project, "a/x", b"")
    atomic.remove(project, "a/x")
    atomic.remove(project, "a/x")
    with pytest.raises(errors.NotARegularFile):
        atomic.remove(project, "a")
    assert project.names("") == ["a"]


def test_a_folder_that_cannot_be_synced_is_told_unless_the_disk_knows_no_such_thing(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync

    def refusing(number: int) -> None:
        def fsync(handle: int) -> None:
            if os.path.isdir(f"/proc/self/fd/{handle}"):
                raise OSError(number, "refused")
            real(handle)

        monkeypatch.setattr(os, "fsync", fsync)

    refusing(errno.EINVAL)
    atomic.write(project, "x", b"1")
    refusing(errno.EIO)
    with pytest.raises(errors.WriteNotSynced):
        atomic.write(project, "x", b"2")
    assert project.read("x") == b"2"


def test_a_new_file_is_created_once(project: Project) -> None:
    atomic.create(project, "a", b"one")
    with pytest.raises(errors.WriteFailed) as caught:
        atomic.create(project, "a", b"two")
    assert caught.value.path == "a"
    assert project.read("a") == b"one"
    with pytest.raises(errors.WriteFailed):
        atomic.create(project, "none/a", b"")
    assert project.names("") == ["a"]


def test_what_is_written_is_synced_and_no_handle_stays_open(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[int] = []
    synced: list[int] = []
    real = os.open

    def opening(*args: Any) -> int:
        opened.append(real(*args))
        return opened[-1]

    monkeypatch.setattr(os, "open", opening)
    monkeypatch.setattr(os, "fsync", synced.append)
    atomic.create(project, "a", b"one")
    atomic.append(project, "a", 3, b"two")
    atomic.sync_file(project, "a")
    assert len(opened) == 3 and synced == opened
    for handle in set(opened):
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(handle)


def test_a_private_file_is_private_from_its_first_byte(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    atomic.write(project, "x", b"one")
    os.chmod(project.absolute("x"), 0o640)
    modes: list[int] = []
    real = os.write

    def writing(handle: int, data: bytes) -> int:
        modes.append(os.fstat(handle).st_mode & 0o777)
        return real(handle, data)

    monkeypatch.setattr(os, "write", writing)
    before = os.umask(0)
    try:
        atomic.write(project, "x", b"two")
        atomic.write(project, "new", b"two")
        atomic.append(project, "log", 0, b"two")
    finally:
        os.umask(before)
    assert modes == [0o600, 0o666, 0o666]
    assert os.stat(project.absolute("x")).st_mode & 0o777 == 0o640


def test_the_folder_is_synced_at_once_or_by_the_caller(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    monkeypatch.setattr(atomic, "sync_folder", lambda _project, rel: synced.append(rel))
    atomic.write(project, "x", b"")
    atomic.write(project, "x", b"", sync=False)
    assert synced == [""]


def test_an_interrupted_write_leaves_nothing(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_old: str, _new: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        atomic.write(project, "a/b/x", b"new")
    assert project.names("") == []


def test_the_temporary_file_lies_beside_its_place_and_is_known_as_litter(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved: list[tuple[str, str]] = []
    real = os.replace

    def replace(old: str, new: str) -> None:
        moved.append((old, new))
        real(old, new)

    monkeypatch.setattr(os, "replace", replace)
    atomic.write(project, "a/x", b"")
    atomic.write(project, "a/x", b"")
    for old, new in moved:
        assert (os.path.dirname(old), new) == (project.absolute("a"), project.absolute("a/x"))
        name = os.path.basename(old)
        assert litter.is_litter(name) and name.startswith(f".novel-tmp-{os.getpid()}-")
    assert moved[0][0] != moved[1][0]


@pytest.mark.parametrize("call", ["open", "write", "ftruncate", "fsync"])
def test_an_append_that_is_refused_is_told(
    project: Project, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    atomic.write(project, "log", b"12345")

    def refuse(*_: object) -> int:
        raise OSError(errno.ENOSPC, "refused")

    with monkeypatch.context() as patch:
        patch.setattr(os, call, refuse)
        with pytest.raises(errors.WriteFailed, match="磁盘空间不够") as caught:
            atomic.append(project, "log", 5, b"x")
    assert caught.value.path == "log"
    atomic.append(project, "log", 5, b"x")
    assert project.read("log") == b"12345x"


def test_nothing_is_appended_to_a_pipe_that_came_into_its_place(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(project.absolute("pipe"))
    keep = os.open(project.absolute("pipe"), os.O_RDONLY | os.O_NONBLOCK)
    monkeypatch.setattr(Project, "destination", Project.absolute)
    with pytest.raises(errors.NotARegularFile) as caught:
        atomic.append(project, "pipe", 0, b"x")
    assert (caught.value.path, caught.value.values["kind"]) == ("pipe", "特殊文件")
    os.close(keep)


def test_a_link_that_came_into_its_place_is_not_followed(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    atomic.write(project, "x", b"old")
    os.symlink("x", project.absolute("link"))
    monkeypatch.setattr(Project, "destination", Project.absolute)
    with pytest.raises(errors.WriteFailed, match="链接"):
        atomic.append(project, "link", 0, b"new")
    with pytest.raises(errors.WriteNotSynced, match="链接"):
        atomic.sync_file(project, "link")
    assert project.read("x") == b"old"


def test_what_cannot_be_removed_is_told(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_place: str) -> None:
        raise OSError(errno.EACCES, "refused")

    atomic.write(project, "x", b"")
    monkeypatch.setattr(os, "unlink", refuse)
    with pytest.raises(errors.WriteFailed, match="没有权限") as caught:
        atomic.remove(project, "x")
    assert caught.value.path == "x"


def test_a_file_that_cannot_be_synced_is_told(project: Project) -> None:
    with pytest.raises(errors.WriteNotSynced, match="移走了") as caught:
        atomic.sync_file(project, "none")
    assert caught.value.path == "none"
