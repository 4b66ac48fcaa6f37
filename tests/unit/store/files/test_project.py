"""Reading a project's files: regular files only, no links, nothing outside, no guessing."""

from __future__ import annotations

import errno
import os
import socket
import types
from pathlib import Path
from typing import Any

import pytest

from novel_hooks import errors
from novel_hooks.store.files.project import Project, is_inside

ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path / "book"
    (root / "chapters").mkdir(parents=True)
    (root / "chapters/chapter-001.md").write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n")
    (tmp_path / "secret.md").write_text("secret")
    return Project(str(root))


def _root(project: Project) -> Path:
    return Path(project.root)


def test_a_file_is_read_whole_and_text_is_made_plain(project: Project) -> None:
    assert project.read("chapters/chapter-001.md") == b"\xef\xbb\xbfa\r\nb\rc\n"
    assert project.text("chapters/chapter-001.md") == "a\nb\nc\n"
    assert project.kind("chapters/chapter-001.md") == "file" and project.has("chapters/chapter-001.md")


def test_absent_is_none_and_no_names(project: Project) -> None:
    for rel in ("brief.md", "no/such/brief.md"):
        assert project.kind(rel) == "absent"
        assert project.read(rel) is None and project.text(rel) is None and project.json(rel) is None
        assert project.names(rel) == []


def test_names_are_sorted_by_code_point(project: Project) -> None:
    for name in ("b", "a", "Z", "十", "é"):
        (_root(project) / "world" / name).mkdir(parents=True)
    assert project.names("world") == ["Z", "a", "b", "é", "十"]
    assert project.names("") == ["chapters", "world"]


@pytest.mark.parametrize(
    "rel", ["..", "../secret.md", "chapters/../../secret.md", "/etc/passwd", "a//b", "./a", "a/", "a\0b"]
)
def test_a_path_out_of_the_project_is_refused(project: Project, rel: str) -> None:
    for look in (project.absolute, project.kind, project.read, project.names, project.destination):
        with pytest.raises(errors.PathOutside) as caught:
            look(rel)
        assert caught.value.path == rel


def test_a_link_is_no_file_wherever_it_stands(project: Project, tmp_path: Path) -> None:
    root = _root(project)
    (root / "chapters/chapter-002.md").symlink_to(tmp_path / "secret.md")
    (root / "chapters/chapter-003.md").symlink_to("nowhere")
    (root / "world").symlink_to(tmp_path)
    for rel in ("chapters/chapter-002.md", "chapters/chapter-003.md"):
        assert project.kind(rel) == "link" and not project.has(rel)
        with pytest.raises(errors.NotARegularFile, match="链接"):
            project.read(rel)
    assert project.kind("world/secret.md") == "link"
    for look in (project.read, project.names, project.destination):
        with pytest.raises(errors.NotAFolder, match="world 应当是文件夹，现在却是链接"):
            look("world/secret.md")
    with pytest.raises(errors.NotAFolder):
        project.names("world")


def test_the_root_itself_may_be_a_link(project: Project, tmp_path: Path) -> None:
    (tmp_path / "short").symlink_to(project.root)
    assert Project(str(tmp_path / "short")).text("chapters/chapter-001.md") == "a\nb\nc\n"


def test_a_folder_pipe_or_socket_is_no_file_and_nothing_hangs(project: Project) -> None:
    root = _root(project)
    os.mkfifo(root / "pipe")
    bound = socket.socket(socket.AF_UNIX)
    os.chdir(root)
    bound.bind("plug")
    bound.close()
    for rel, kind in (("chapters", "folder"), ("pipe", "other"), ("plug", "other")):
        assert project.kind(rel) == kind
        with pytest.raises(errors.NotARegularFile):
            project.read(rel)


def test_a_pipe_put_in_place_after_the_look_does_not_hang(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(_root(project) / "pipe")
    monkeypatch.setattr(Project, "_locate", lambda self, rel: (rel, "file"))
    with pytest.raises(errors.NotARegularFile, match="特殊文件") as caught:
        project.read("pipe")
    assert caught.value.path == "pipe"
    (_root(project) / "link").symlink_to("chapters/chapter-001.md")
    with pytest.raises(errors.NotARegularFile, match="链接") as linked:
        project.read("link")
    assert linked.value.path == "link"


def test_a_file_on_the_way_is_in_the_way(project: Project) -> None:
    rel = "chapters/chapter-001.md/x"
    assert project.kind(rel) == "other"
    for look in (project.read, project.names, project.destination, project.folder_destination):
        with pytest.raises(errors.NotAFolder, match="却是普通文件"):
            look(rel)


@pytest.mark.skipif(ROOT, reason="nothing is unreadable for root")
def test_no_permission_is_told(project: Project) -> None:
    (_root(project) / "chapters/chapter-001.md").chmod(0)
    with pytest.raises(errors.FileUnreadable, match="没有权限"):
        project.read("chapters/chapter-001.md")


def test_what_the_system_refuses_is_told_in_chinese(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(errors.FileUnreadable, match=r"读不了 chapters/chapter-001.md：没有权限"):
        project.read("chapters/chapter-001.md")


def test_a_destination_is_free_or_a_file(project: Project) -> None:
    assert project.destination("chapters/chapter-001.md").endswith("chapter-001.md")
    assert project.destination("new/folder/file.md").startswith(project.root)
    with pytest.raises(errors.NotARegularFile):
        project.destination("chapters")
    assert project.folder_destination("chapters") == os.path.join(project.root, "chapters")
    assert project.folder_destination("new/folder") == os.path.join(project.root, "new", "folder")
    with pytest.raises(errors.NotAFolder):
        project.folder_destination("chapters/chapter-001.md")


@pytest.mark.parametrize("size", [0, 1, 9, 10, 11, 100])
def test_the_end_of_a_file(project: Project, size: int) -> None:
    whole = b"\xef\xbb\xbfa\r\nb\rc\n"
    assert len(whole) == 10
    end = project.tail("chapters/chapter-001.md", size)
    assert end == (whole[10 - min(size, 10) :], size >= 10)
    assert project.tail("none.md", size) == (b"", True)
    with pytest.raises(errors.NotARegularFile):
        project.tail("chapters", size)


def test_a_long_file_is_read_whole(project: Project) -> None:
    whole = bytes(range(256)) * 9000
    (_root(project) / "long").write_bytes(whole)
    assert project.read("long") == whole
    assert project.tail("long", 300_000) == (whole[-300_000:], False)


def test_json_is_parsed_and_its_faults_are_ours_or_the_authors(project: Project) -> None:
    (_root(project) / "a.json").write_bytes(b'{"a": [1]}')
    (_root(project) / "null.json").write_bytes(b"null")
    (_root(project) / "b.json").write_bytes(b"{")
    assert project.json("a.json") == {"a": [1]}
    assert project.json("null.json") is None
    with pytest.raises(errors.JsonBroken) as caught:
        project.json("b.json")
    assert type(caught.value) is errors.JsonBroken and caught.value.path == "b.json"
    with pytest.raises(errors.OwnJsonBroken):
        project.json("b.json", own=True)


def test_a_text_that_is_none_is_told_with_its_file(project: Project) -> None:
    (_root(project) / "a.md").write_bytes(b"\xff")
    with pytest.raises(errors.TextNotUtf8) as caught:
        project.text("a.md")
    assert caught.value.path == "a.md"


def test_what_goes_away_after_the_look_is_absent(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Project, "_locate", lambda self, rel: (rel, "file"))
    assert project.read("none.md") is None
    monkeypatch.setattr(Project, "_locate", lambda self, rel: (rel, "folder"))
    assert project.names("none") == []


def test_a_folder_that_cannot_be_listed_is_told(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_place: str) -> list[str]:
        raise OSError(errno.EACCES, "refused")

    monkeypatch.setattr(os, "listdir", refuse)
    with pytest.raises(errors.FileUnreadable, match="没有权限") as caught:
        project.names("chapters")
    assert caught.value.path == "chapters"


@pytest.mark.parametrize("call", ["read", "fstat"])
def test_a_disk_that_fails_while_reading_is_told(
    project: Project, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def refuse(*_: int) -> bytes:
        raise OSError(errno.EIO, "refused")

    opened: list[int] = []
    real = os.open

    def opening(*args: Any) -> int:
        opened.append(real(*args))
        return opened[-1]

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", opening)
        patch.setattr(os, call, refuse)
        with pytest.raises(errors.FileUnreadable, match="磁盘读写出错") as caught:
            project.read("chapters/chapter-001.md")
    assert caught.value.path == "chapters/chapter-001.md"
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(opened[0])


def test_a_name_that_cannot_be_looked_up_is_told(project: Project) -> None:
    for rel in ("x" * 300, f"chapters/{'x' * 300}"):
        with pytest.raises(errors.FileUnreadable, match="文件名太长") as caught:
            project.kind(rel)
        assert caught.value.path == rel


def test_the_first_thing_in_the_way_is_named(project: Project) -> None:
    for look in (project.read, project.names, project.destination, project.folder_destination):
        with pytest.raises(errors.NotAFolder, match="普通文件") as caught:
            look("chapters/chapter-001.md/x/y")
        assert caught.value.path == "chapters/chapter-001.md"
    assert (project.kind("chapters/none/x"), project.kind("")) == ("absent", "folder")
    with pytest.raises(errors.NotARegularFile, match="文件夹") as taken:
        project.destination("chapters")
    assert taken.value.path == "chapters"


def test_a_windows_junction_is_a_link(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = types.SimpleNamespace(st_mode=0o040755, st_reparse_tag=0xA0000003)
    with monkeypatch.context() as patch:
        patch.setattr(os, "lstat", lambda _place: folder)
        assert project.kind("chapters") == "link"
        folder.st_reparse_tag = 0
        assert project.kind("chapters") == "folder"


@pytest.mark.parametrize("rel", ["a\\b", "C:", "a:b"])
def test_on_windows_other_marks_lead_out_too(rel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_inside(rel)
    with monkeypatch.context() as patch:
        patch.setattr(os, "sep", "\\")
        assert not is_inside(rel) and not is_inside("a\0b") and is_inside("X/b")
    assert is_inside("X/b")
