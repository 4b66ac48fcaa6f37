"""Single-file writes: the whole file or the old one, modes kept, links refused, no leftovers."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from novel_hooks import errors
from novel_hooks.store.files import atomic
from novel_hooks.store.files.project import Project


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
            with pytest.raises(errors.WriteFailed, match=words):
                atomic.write(project, rel, b"new")
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
    with pytest.raises(errors.JournalTargetShort):
        atomic.append(project, "log", 9, b"x")
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


def test_folders_that_were_made_are_told_and_taken_back(project: Project) -> None:
    assert atomic.make_folders(project, "a") == ["a"]
    made = atomic.make_folders(project, "a/b/c")
    assert made == ["a/b", "a/b/c"]
    assert atomic.make_folders(project, "a/b/c") == []
    atomic.remove_folders(project, made)
    assert project.names("a") == []
    atomic.write(project, "a/b/x", b"")
    atomic.remove_folders(project, ["a", "a/b"])
    assert project.has("a/b/x")
    with pytest.raises(errors.NotAFolder):
        atomic.make_folders(project, "a/b/x/y")


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
