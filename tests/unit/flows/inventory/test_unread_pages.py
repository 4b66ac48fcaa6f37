"""What the author put among his notes and nobody reads: told before the notes are read, and by doctor."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout


def told(made: Book, command: str) -> dict[str | None, tuple[str, str]]:
    found = made.novel(command).diagnostics
    return {d.path: (d.severity, d.message + d.fix) for d in found if d.code == "PAGE_NOT_READ"}


def planning(tmp_path: Path) -> Book:
    """A book whose second volume is to be planned."""
    made = book(tmp_path)
    made.point(orchestrator_state="VOL_PLANNING", current_volume=2, last_step="volume:01:review")
    return made


DOCUMENTS = ("docx", "doc", "wps", "rtf", "odt", "pages", "pdf", "epub", "xlsx", "xls", "html", "DOCX", "Pdf")


@pytest.mark.parametrize(
    "folder", [layout.RESEARCH, "research/旧稿/第一批", layout.STYLE_SAMPLES, layout.WORLD]
)
def test_documents_are_named_in_every_folder_of_notes(tmp_path: Path, folder: str) -> None:
    made = planning(tmp_path)
    paths = {f"{folder}/人物小传.{ending}" for ending in DOCUMENTS[:8]}
    for path in paths:
        made.write(path, b"PK\x03\x04")
    before = made.tree()
    for command in ("next", "status", "doctor"):
        found = told(made, command)
        assert set(found) == paths, command
        assert all(severity == "warning" and "另存为纯文本" in said for severity, said in found.values())
    assert made.changed(before) == {}


@pytest.mark.parametrize("ending", DOCUMENTS)
def test_each_kind_of_document_is_one(tmp_path: Path, ending: str) -> None:
    made = planning(tmp_path)
    made.write(f"research/设定.{ending}", b"PK\x03\x04")
    ((_, said),) = told(made, "next").values()
    assert "文档" in said


@pytest.mark.parametrize(
    "path",
    [
        "research/盐路.txt",
        "research/地理/盐路.md",
        "research/盐路.MD",
        "research/samples/旧/一.md",
        "world/a/b.md",
    ],
)
def test_a_text_that_is_not_read_where_it_lies_says_where_it_would_be(tmp_path: Path, path: str) -> None:
    made = planning(tmp_path)
    made.write(path, "盐从海里来。\n")
    ((severity, said),) = told(made, "next").values()
    assert severity == "warning" and "移到书的文件夹外面" in said
    assert ("--sample" in said) == path.startswith(layout.STYLE_SAMPLES)


@pytest.mark.parametrize("name", ["地图.png", "扫描.jpeg", "录音.m4a", "资料.zip", "没有后缀"])
def test_what_holds_no_words_is_noted_by_doctor_alone(tmp_path: Path, name: str) -> None:
    made = planning(tmp_path)
    before = made.novel("doctor").exit
    made.write(f"research/{name}", b"\x89PNG")
    assert told(made, "next") == {} == told(made, "status")
    ((severity, _),) = told(made, "doctor").values()
    assert severity == "info" and made.novel("doctor").exit == before


def test_what_is_read_and_what_other_checks_name_is_not_told(tmp_path: Path) -> None:
    made = planning(tmp_path)
    for path in ("research/盐路.md", "research/samples/一.txt", "world/河.md"):
        made.write(path, "字。\n")
    for path in ("research/盐路 (1).md", "research/.DS_Store", "research/盐路.md~"):
        made.write(path, "字。\n")
    assert told(made, "doctor") == {}


def test_of_very_many_the_first_are_named_with_the_rest_counted(tmp_path: Path) -> None:
    made = planning(tmp_path)
    for number in range(1, 12):
        made.write(f"research/{number:02d}.docx", b"PK")
    found = told(made, "next")
    assert len(found) == 8 and "另有 3 个" in found["research/08.docx"][1]


def test_before_a_chapter_the_notes_are_not_read_and_nothing_is_told(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.write("research/设定.docx", b"PK")
    assert told(made, "next") == {}
    assert set(told(made, "doctor")) == {"research/设定.docx"}


def test_they_are_listed_by_their_numbers(tmp_path: Path) -> None:
    made = planning(tmp_path)
    paths = [f"research/资料{number}.docx" for number in (1, 2, 10, 11)]
    copies = [f"research/笔记{number} (1).md" for number in (2, 10)]
    for path in (*paths, *copies, *(one.replace(" (1)", "") for one in copies)):
        made.write(path, b"PK\x03\x04")
    found = [d.path for d in made.novel("doctor").diagnostics]
    assert [path for path in found if path in paths] == paths
    assert [path for path in found if path in copies] == copies
