"""`novel backup`: all of the book in one file, checked, beside the book, over nothing."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from builders import OTHER, Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.backup import write
from novel_hooks.store.files import handover
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats.backup_file import MANIFEST, Reader
from novel_hooks.store.lock import oslock
from tools import kill_points

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path / "书架")


def held(place: str) -> set[str]:
    with open(place, "rb") as file:
        reader = Reader(file, place)
        reader.check()
        return {entry.path for entry in reader.contents.files}


def zips(made: Book) -> list[str]:
    return sorted(name for name in os.listdir(made.root.parent) if name != made.root.name)


def test_all_of_the_book_is_in_one_dated_file_beside_it(made: Book) -> None:
    made.write("我的笔记/想法.txt", "他其实没死。")
    made.at("空的").mkdir()
    before = made.tree()
    found = made.ok("backup")
    assert [os.path.basename(found["place"])] == zips(made)
    assert write.included_files.BACKUP_NAME.match(os.path.basename(found["place"]))
    files = {path for path, mark in before.items() if mark != "folder"}
    assert held(found["place"]) == files | {layout.BACKED_UP} and found["files"] == len(files) + 1
    assert set(made.changed(before)) == {layout.BACKED_UP}, "the book is as it was"
    assert found["chapter"] == 1 and found["left"] == []


def test_what_belongs_to_this_computer_stays_here(made: Book) -> None:
    for path in (
        ".git/HEAD",
        "node_modules/x.js",
        "__pycache__/x.pyc",
        ".DS_Store",
        ".novel/journal.new-0123456789abcdef/x",
    ):
        made.write(path, "x")
    made.ok("host", "codex")
    made.write(".codex/my.toml", "mine = 1")
    made.novel("lock", "acquire")
    first = made.ok("backup", str(made.root.parent))["place"]
    shutil.move(first, made.at(os.path.basename(first)))
    found = held(made.ok("backup")["place"])
    assert ".codex/my.toml" in found and ".codex/config.toml" not in found and layout.CODEX not in found
    assert not [
        p for p in found if p.startswith((".git", ".novel.lock", "node", "__py", ".DS", ".novel/lock"))
    ]
    assert layout.OS_LOCK not in found and not [p for p in found if p.endswith(".zip")], (
        "nor an earlier backup"
    )


def test_a_link_is_told_and_not_followed(made: Book) -> None:
    os.symlink("/etc", made.at("research"))
    told = made.novel("backup")
    assert [d.code for d in told.diagnostics] == ["BACKUP_LEFT"] and "research" in told.diagnostics[0].message
    assert not [path for path in held(told.data["place"]) if path.startswith("research")]


def test_while_a_chapter_is_in_work_by_another_session(made: Book) -> None:
    made.novel("lock", "acquire", owner=OTHER)
    made.draft()
    assert layout.staged(layout.chapter(2)) in held(made.ok("backup")["place"])
    assert made.novel("lock", "status", owner=OTHER).data["kind"] == "own"


def test_not_while_a_command_writes(made: Book) -> None:
    with oslock.running(Project(str(made.root))):
        made.refused(4, "LOCK_COMMAND_RUNNING", "backup")
    assert zips(made) == []


def test_a_landing_of_a_killed_command_is_finished_first(made: Book) -> None:
    for number in range(60, 400, 5):
        kill_points.killed_at(number, lambda: made.ok("rollback", "0", "--yes"))
        if made.at(layout.JOURNAL).exists():
            break
    assert made.at(layout.JOURNAL).exists()
    found = made.ok("backup")
    assert found["chapter"] == 0 and not made.at(layout.JOURNAL).exists()
    assert layout.chapter(1) not in held(found["place"])


def test_a_book_that_is_damaged_is_kept_all_the_same(made: Book) -> None:
    made.write(layout.CHECKPOINT, b"{")
    made.write(layout.CONFIG, b"gate: [")
    found = made.ok("backup")
    assert found["chapter"] == 1 and layout.CHECKPOINT in held(found["place"])


def test_never_over_a_file_and_never_into_the_book(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write.time, "strftime", lambda *_: "20260101-120000")
    names = [os.path.basename(made.ok("backup")["place"]) for _ in "123"]
    assert [name.rpartition("-备份-")[2] for name in names] == [
        "20260101-120000.zip",
        "20260101-120000-2.zip",
        "20260101-120000-3.zip",
    ]
    taken = str(made.root.parent / names[0])
    made.refused(3, "PLACE_TAKEN", "backup", taken)
    for inside in (made.root, made.at("chapters"), made.at("a.zip")):
        made.refused(3, "BACKUP_PLACE", "backup", str(inside))
    os.symlink(made.root, made.root.parent / "door")
    made.refused(3, "BACKUP_PLACE", "backup", str(made.root.parent / "door"))
    assert (
        "没有这个文件夹" in made.refused(3, "BACKUP_PLACE", "backup", str(made.root.parent / "U盘")).message
    )
    named = made.root.parent / "那一份.ZIP"
    assert made.ok("backup", str(named))["place"] == str(named) and named.is_file()


def test_names_that_are_one_on_another_disk(made: Book) -> None:
    made.write("world/A.md", "1")
    made.write("world/a.md", "2")
    told = made.refused(3, "BACKUP_NAMES", "backup")
    assert "world/A.md" in told.message and "world/a.md" in told.message
    assert zips(made) == []


def test_a_full_disk_leaves_nothing(made: Book, tmp_path: Path) -> None:
    made.write("research/长.txt", os.urandom(300_000))

    def work() -> None:
        os.dup2(os.open(tmp_path / "err", os.O_WRONLY | os.O_CREAT), 2)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        found = made.novel("backup")
        raise SystemExit(found.diagnostics[0].code)

    assert "WRITE_FAILED" in kill_points.in_child(work)
    assert zips(made) == [] and (tmp_path / "err").read_bytes() == b""


def test_what_was_written_badly_is_found_before_it_has_its_name(
    made: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    close = write.Writer.close

    def spoilt(self: Any, contents: Any) -> None:
        close(self, contents)
        file = spoilt.file  # type: ignore[attr-defined]
        file.seek(200)
        file.write(b"XXXX")

    def fill(file: Any, *rest: Any) -> None:
        spoilt.file = file  # type: ignore[attr-defined]
        real(file, *rest)

    real = write._fill
    monkeypatch.setattr(write.Writer, "close", spoilt)
    monkeypatch.setattr(write, "_fill", fill)
    assert made.novel("backup").exit == 3 and zips(made) == []


def test_a_disk_without_hard_links(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_link(*_: Any) -> None:
        raise PermissionError(1, "no links here")

    monkeypatch.setattr(handover.os, "link", no_link)
    place = made.ok("backup", str(made.root.parent / "a.zip"))["place"]
    assert zips(made) == ["a.zip"] and layout.CHECKPOINT in held(place)


def test_a_file_that_is_written_all_the_time(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    read = Project.read

    def busy(self: Project, rel: str) -> bytes | None:
        data = read(self, rel)
        if rel == layout.BRIEF:
            made.write(rel, (data or b"") + b".")
        return data

    monkeypatch.setattr(Project, "read", busy)
    found = made.novel("backup")
    assert (found.exit, found.diagnostics[0].code) == (3, "BACKUP_UNSETTLED")
    assert zips(made) == []


def test_every_unzip_program_can_open_it(made: Book) -> None:
    place = made.ok("backup")["place"]
    with zipfile.ZipFile(place) as found:
        assert found.testzip() is None and MANIFEST in found.namelist()
        assert found.read(f"book/{layout.chapter(1)}") == made.at(layout.chapter(1)).read_bytes()
    if shutil.which("unzip"):
        subprocess.run(["unzip", "-tq", place], check=True, stdout=subprocess.DEVNULL)


def test_a_file_that_appears_in_the_meantime_stays(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    place, close = made.root.parent / "a.zip", write.Writer.close

    def slow(self: Any, contents: Any) -> None:
        close(self, contents)
        place.write_text("别人的", "utf-8")

    monkeypatch.setattr(write.Writer, "close", slow)
    made.refused(3, "PLACE_TAKEN", "backup", str(place))
    assert place.read_text("utf-8") == "别人的" and zips(made) == ["a.zip"]
