"""Reading a project's files: regular files only, no links, nothing outside, no guessing."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from novel_hooks import errors
from novel_hooks.store.files.project import Project, decode

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
        with pytest.raises(errors.PathOutside):
            look(rel)


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
    with pytest.raises(errors.NotARegularFile):
        project.read("pipe")
    (_root(project) / "link").symlink_to("chapters/chapter-001.md")
    with pytest.raises(errors.NotARegularFile, match="链接"):
        project.read("link")


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
    with pytest.raises(errors.NotAFolder):
        project.folder_destination("chapters/chapter-001.md")


def test_decode_strips_one_bom_and_tells_the_byte() -> None:
    assert decode("\ufeff\ufeff文".encode(), "a") == "\ufeff文"
    with pytest.raises(errors.TextNotUtf8) as caught:
        decode("文".encode("utf-16"), "brief.md")
    assert caught.value.values["offset"] == 0
    with pytest.raises(errors.TextNotUtf8) as caught:
        decode("文".encode() + "文".encode("gbk"), "brief.md")
    assert caught.value.values["offset"] == 3
