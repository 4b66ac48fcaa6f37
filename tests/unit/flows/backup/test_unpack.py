"""`novel restore FILE`: a book made of a backup, elsewhere, or nothing at all."""

from __future__ import annotations

import json
import os
import zipfile
from typing import TYPE_CHECKING, Any, Callable

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.cli.call import call
from novel_hooks.flows.backup import unpack
from novel_hooks.store.formats.backup_file import MANIFEST

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path / "书架")


def restore(*argv: str) -> Any:
    return call("restore", list(argv), {"NOVEL_OWNER": "another-computer"})


def refused(code: str, *argv: str) -> str:
    found = restore(*argv)
    assert (found.exit, found.diagnostics[0].code) == (3, code), found
    return f"{found.diagnostics[0].message}{found.diagnostics[0].fix}"


def test_the_book_is_there_and_goes_on(made: Book, tmp_path: Path) -> None:
    made.at("空的/里面").mkdir(parents=True)
    made.ok("lock", "acquire")
    made.ok("instructions", "chapter:002:draft", "--write-manifest")
    made.draft()
    place = made.ok("backup", str(tmp_path))["place"]
    found = restore(place, str(tmp_path / "另一台" / "书"))
    assert found.exit == 0 and found.data["chapter"] == 1
    there = Book(tmp_path / "另一台" / "书", 2)
    assert there.tree() == made.tree()
    assert there.ok("next") == made.ok("next")
    there.ok("advance", "chapter:002:draft")


def test_into_a_new_folder_of_its_title_or_the_empty_one_here(
    made: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = made.ok("backup", str(tmp_path))["place"]
    here = tmp_path / "这里"
    here.mkdir()
    monkeypatch.chdir(here)
    found = restore(place)
    assert os.path.dirname(found.data["place"]) == str(here) and found.data["title"] in found.data["place"]
    (tmp_path / "空").mkdir()
    (tmp_path / "空" / ".DS_Store").write_bytes(b"x")
    monkeypatch.chdir(tmp_path / "空")
    assert restore(os.path.relpath(place), ".").exit == 0
    assert (tmp_path / "空" / layout.CHECKPOINT).is_file()


def test_over_nothing(made: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = made.ok("backup", str(tmp_path))["place"]
    before = made.tree()
    (tmp_path / "有东西").mkdir()
    (tmp_path / "有东西" / "a.txt").write_text("我的", "utf-8")
    assert "a.txt" in refused("BACKUP_TARGET", place, str(tmp_path / "有东西"))
    assert "不是文件夹" in refused("BACKUP_TARGET", place, place)
    made.at("空").mkdir()
    os.symlink(made.at("空"), tmp_path / "门")
    before = made.tree()
    for inside in (made.root, made.at("新的"), tmp_path / "门"):
        assert "已经有一本书" in refused("BACKUP_TARGET", place, str(inside))
    monkeypatch.chdir(made.root)
    refused("BACKUP_TARGET", place)
    assert made.changed(before) == {} and os.listdir(tmp_path / "有东西") == ["a.txt"]
    os.symlink("/etc/passwd", tmp_path / "有东西" / "brief.md")
    os.unlink(tmp_path / "有东西" / "a.txt")
    refused("BACKUP_TARGET", place, str(tmp_path / "有东西"))


Change = Callable[["dict[str, bytes]", Any], None]


def _entry(path: str) -> Change:
    def change(files: dict[str, bytes], manifest: Any) -> None:
        files[f"book/{path}"] = files["book/brief.md"]
        entry = next(one for one in manifest["files"] if one["path"] == "brief.md")
        manifest["files"].append({**entry, "path": path})

    return change


def _set(**values: Any) -> Change:
    return lambda _files, manifest: manifest.update(values)


SPOILT: dict[str, tuple[Change, str]] = {
    "up": (_entry("../brief.md"), "文件夹外面"),
    "deep up": (_entry("chapters/../../x.md"), "文件夹外面"),
    "absolute": (_entry("/etc/x.md"), "文件夹外面"),
    "windows": (_entry("..\\x.md"), "文件夹外面"),
    "case": (_entry("BRIEF.md"), "同一个地方"),
    "folder case": (_entry("Chapters/x.md"), "同一个地方"),
    "file and folder": (_entry("brief.md/x.md"), "同一个地方"),
    "unlisted": (lambda files, _: files.update({"book/more.md": b"x"}), "对不上"),
    "beside": (lambda files, _: files.update({"../more.md": b"x"}), "对不上"),
    "missing": (lambda files, _: files.pop("book/brief.md") and None, "对不上"),
    "changed": (lambda files, _: files.update({"book/brief.md": files["book/brief.md"][::-1]}), "brief.md"),
    "later": (_set(format=2), "另一个版本"),
    "other kind": (_set(kind="epub"), "不是 `novel backup`"),
    "odd files": (_set(files=[1]), "坏了"),
    "odd names": (_set(folders=[1]), "坏了"),
    "no book": (_set(files=[], folders=[]), "对不上"),
}


def spoil(place: str, target: Path, change: Change, attributes: int = 0) -> str:
    with zipfile.ZipFile(place) as found:
        files = {name: found.read(name) for name in found.namelist()}
    manifest = json.loads(files[MANIFEST])
    change(files, manifest)
    files[MANIFEST] = json.dumps(manifest).encode("utf-8")
    with zipfile.ZipFile(target, "w") as made:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = attributes if name == "book/brief.md" else 0
            made.writestr(entry, data)
    return str(target)


@pytest.mark.parametrize("name", SPOILT)
def test_a_spoilt_backup_is_refused_and_nothing_written(made: Book, tmp_path: Path, name: str) -> None:
    change, told = SPOILT[name]
    place = spoil(made.ok("backup", str(tmp_path))["place"], tmp_path / "坏.zip", change)
    before = sorted(os.listdir(tmp_path))
    assert told in refused("BACKUP_UNUSABLE", place, str(tmp_path / "新"))
    assert sorted(os.listdir(tmp_path)) == before


def test_links_half_a_file_and_other_files(made: Book, tmp_path: Path) -> None:
    place = made.ok("backup", str(tmp_path))["place"]
    linked = spoil(place, tmp_path / "链.zip", lambda *_: None, 0o120777 << 16)
    assert "链接" in refused("BACKUP_UNUSABLE", linked, str(tmp_path / "新"))
    whole = (tmp_path / os.path.basename(place)).read_bytes()
    (tmp_path / "半.zip").write_bytes(whole[: len(whole) // 2])
    assert "没有拷完" in refused("BACKUP_UNUSABLE", str(tmp_path / "半.zip"), str(tmp_path / "新"))
    (tmp_path / "翻.zip").write_bytes(whole[:400] + bytes(b ^ 255 for b in whole[400:420]) + whole[420:])
    refused("BACKUP_UNUSABLE", str(tmp_path / "翻.zip"), str(tmp_path / "新"))
    with zipfile.ZipFile(tmp_path / "别的.zip", "w") as other:
        other.writestr("a.txt", "x")
    assert "不是 `novel backup`" in refused(
        "BACKUP_UNUSABLE", str(tmp_path / "别的.zip"), str(tmp_path / "新")
    )
    assert "没有这个文件" in refused("BACKUP_UNUSABLE", str(tmp_path / "没有.zip"), str(tmp_path / "新"))
    assert not (tmp_path / "新").exists()


def test_a_refusal_midway_leaves_nothing(made: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = made.ok("backup", str(tmp_path))["place"]
    read, seen = unpack.Reader.read, list[str]()

    def full(self: Any, entry: Any) -> bytes:
        seen.append(entry.path)
        if seen.count(layout.CHECKPOINT) == 2:
            raise OSError(28, "full", "x")
        return read(self, entry)

    monkeypatch.setattr(unpack.Reader, "read", full)
    assert restore(place, str(tmp_path / "新")).exit == 3
    assert not (tmp_path / "新").exists()


def test_an_archive_number_is_no_file(made: Book) -> None:
    made.refused(2, "CLI_USAGE", "restore", "1", "某处")
    made.refused(3, "ARCHIVE_UNKNOWN", "restore", "1")


def test_who_had_codex_is_told_to_connect_it_again(made: Book, tmp_path: Path) -> None:
    made.ok("host", "codex")
    place = made.ok("backup", str(tmp_path))["place"]
    found = restore(place, str(tmp_path / "新"))
    assert "novel host codex" in found.text and not (tmp_path / "新" / ".codex").exists()
