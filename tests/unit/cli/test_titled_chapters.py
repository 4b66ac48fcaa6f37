"""A book whose files carry the chapters' titles, through the commands; and a name that the author gave."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from copying import once
from crash import titled
from rewriting import write_chapter

from novel_hooks import layout
from novel_hooks.cli.call import call

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ["chapter-001.md", "第002章 夜渡.md", "第003章 夜渡.md"]


@once
def _landed(place: Path) -> Book:
    """Chapters 2 and 3 landed with their titles, the fourth next."""
    made = book(place, 1)
    write_chapter(made)
    write_chapter(made)
    assert made.names("chapters") == NAMES
    return made


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Book:
    titled.begin(monkeypatch)
    return _landed(tmp_path)


def codes(made: Book, *argv: str) -> list[str]:
    return [one.code for one in made.novel(*argv).diagnostics]


def test_every_command_reads_the_text_and_names_the_file_as_it_lies_there(made: Book) -> None:
    assert made.ok("doctor")["sound"]
    assert "夜渡" in made.novel("read", "2-3").text
    assert made.ok("find", "水声")["chapters"] == [1, 2, 3]
    text = made.at(layout.chapter(2))
    assert text.name == NAMES[1]
    text.write_text(text.read_text("utf-8") + "\n他回了头。\n", "utf-8")
    found = made.novel("sync")
    assert "chapters/第002章 夜渡.md" in found.text and layout.chapter(2) not in found.text
    assert [one["path"] for one in found.data["edits"]] == [layout.chapter(2)]
    assert "他回了头" in made.novel("diff", "2").text
    text.write_bytes(b"\xff")
    (told,) = (one for one in made.novel("doctor").diagnostics if one.path == layout.chapter(2))
    assert "chapters/第002章 夜渡.md" in told.message and layout.chapter(2) not in told.message


def test_a_packet_names_the_file_that_the_agent_will_find(made: Book) -> None:
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"), "--write-manifest")
    packet = json.loads(made.at(layout.manifest("chapter-004-draft")).read_text("utf-8"))
    paths = [one["path"] for one in packet["inputs"] if one.get("path", "").startswith("chapters/")]
    assert sorted(paths) == [f"chapters/{name}" for name in NAMES]
    assert all((made.root / one["path"]).is_file() for one in packet["inputs"] if "path" in one)
    assert made.ok("instructions", "--replay", layout.manifest("chapter-004-draft"))["same"]


def test_the_setting_taken_back_and_a_title_changed_by_hand(made: Book) -> None:
    text = made.at(layout.chapter(2))
    text.write_text(text.read_text("utf-8").replace("夜渡", "A/B:C?"), "utf-8")
    assert made.ok("sync", "2", "--accept")["changed"]
    assert made.names("chapters") == [NAMES[0], "第002章 A／B：C？.md", NAMES[2]]
    found = made.novel("sync")
    assert found.data["renamed"] == 1 and "有 1 章的文件改了名" in found.text
    assert made.names("chapters") == ["第001章 第1趟船.md", "第002章 A／B：C？.md", NAMES[2]]
    made.ok("config", "文件名", "章号")
    assert made.ok("sync")["renamed"] == 3 and made.ok("sync")["renamed"] == 0
    assert made.names("chapters") == ["chapter-001.md", "chapter-002.md", "chapter-003.md"]
    assert made.ok("doctor")["sound"]


def test_while_a_step_is_out_the_names_wait(made: Book) -> None:
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"), "--write-manifest")
    found = made.novel("sync")
    assert found.data["renamed"] == 0 and made.names("chapters") == NAMES
    assert any("手头这一章入库以后" in one.message for one in found.diagnostics)
    write_chapter(made)
    assert made.ok("sync")["renamed"] == 1 and made.names("chapters")[-1] == "第004章 夜渡.md"


def test_a_name_given_by_hand_is_understood_when_the_setting_is_gone(made: Book) -> None:
    """And it is no breach of the second fence: no text has changed."""
    made.ok("config", "--unset", "chapter_names")
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"), "--write-manifest")
    made.at(layout.chapter(1)).rename(made.root / "chapters/第001章 我起的名.md")
    made.draft()
    made.advance("draft")
    assert made.ok("sync")["edits"] == [] and made.ok("doctor")["sound"]
    assert made.ok("read", "1")["chapters"][0]["chapter"] == 1
    made.ok("sync", "2", "--accept")
    assert made.names("chapters") == ["第001章 我起的名.md", *NAMES[1:]]


def test_a_book_without_the_setting_is_as_ever(tmp_path: Path) -> None:
    """The author's own files of such names are no chapters: none is in the way, and none is written over."""
    made = book(tmp_path, 1)
    own = {"第001章 旧稿.md": "旧稿。\n", "第002章 想法.md": "只有这里有的想法。\n"}
    for name, text in own.items():
        (made.root / "chapters" / name).write_text(text, "utf-8")
    for argv in (("next",), ("status",), ("sync",), ("read", "1")):
        assert not [one for one in made.novel(*argv).diagnostics if "CHAPTER_TWICE" in one.code], argv
    write_chapter(made)
    assert made.names("chapters") == ["chapter-001.md", "chapter-002.md", *sorted(own)]
    assert {name: (made.root / "chapters" / name).read_text("utf-8") for name in own} == own


def test_a_text_under_a_name_that_says_only_its_number_is_pointed_at(made: Book) -> None:
    """The author renamed it: nothing has to come from a backup, and nothing has to be written again."""
    made.at(f"chapters/{NAMES[1]}").rename(made.at("chapters/2 我起的名.md"))
    made.write("chapters/3 别的一章.md", "# 笔记\n")
    for command in ("status", "sync", "doctor"):
        (told,) = [one for one in made.novel(command).diagnostics if "正文" in one.message]
        assert "chapters/2 我起的名.md 像是它" in told.fix and "别的一章" not in told.fix
    made.write("chapters/第二稿 2.md", "# 又一份\n")
    assert "像是它" not in made.novel("status").diagnostics[0].fix


@pytest.mark.parametrize("copy", ["chapter-003.md", "第003章 夜渡 (1).md"])
def test_two_files_of_a_chapter_are_told_and_nothing_is_guessed(made: Book, copy: str) -> None:
    (made.root / "chapters" / copy).write_text("# 第 3 章 夜渡\n\n旧稿。\n", "utf-8")
    before = made.tree()
    for argv in (("read", "3"), ("sync",), ("rollback", "2", "--yes"), ("diff", "3"), ("export",)):
        found = made.novel(*argv)
        assert found.exit and "CHAPTER_TWICE" in [one.code for one in found.diagnostics], argv
        assert any(copy in one.message and NAMES[2] in one.message for one in found.diagnostics)
    assert "CHAPTER_TWICE" in codes(made, "next") and "CHAPTER_TWICE" in codes(made, "status")
    assert "CHAPTER_TWICE" in codes(made, "instructions", made.step("draft"))
    told = made.novel("doctor")
    assert [one.code for one in told.diagnostics if one.severity == "error"] == ["CHAPTER_TWICE"]
    assert made.ok("status") and made.ok("read", "2")
    assert {path for path in made.changed(before) if not path.startswith(layout.OWN)} == set()
    (made.root / "chapters" / copy).unlink()
    assert made.ok("doctor")["sound"] and made.ok("next")["step"] == "chapter:004:draft"


def test_a_backup_holds_the_names_and_brings_them_back(made: Book, tmp_path: Path) -> None:
    place = made.ok("backup", str(tmp_path))["place"]
    found = call("restore", [place, str(tmp_path / "新")], {"NOVEL_OWNER": "another"})
    assert found.exit == 0, found
    assert Book(tmp_path / "新", 4).tree() == made.tree()


def test_a_titled_text_that_is_still_in_the_cloud_is_found_there(made: Book) -> None:
    (made.root / "chapters" / NAMES[2]).rename(made.root / "chapters" / f".{NAMES[2]}.icloud")
    (told,) = (one for one in made.novel("doctor").diagnostics if one.code == "LANDED_FILE_MISSING")
    assert f"chapters/.{NAMES[2]}.icloud" in told.fix and "下载" in told.fix
