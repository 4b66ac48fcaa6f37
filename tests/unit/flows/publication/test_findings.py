"""What is told before an export."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from rewriting import write_chapter

from novel_hooks import layout
from novel_hooks.store.formats import jsonio


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """A book whose chapters have the length that the author wants."""
    made = book(tmp_path, 3, 3)
    made.write(layout.CONFIG, "title: 十三渡\nchapter_chars: [10, 9000]\n")
    return made


def codes(made: Book, *options: str) -> list[str]:
    found = made.novel("export", "--check", *options)
    assert found.exit == (1 if found.diagnostics else 0)
    assert "exports" not in made.names("")
    return [one.code for one in found.diagnostics]


def test_nothing_to_be_said(made: Book) -> None:
    assert codes(made) == []


def test_words_of_the_authors_list(made: Book) -> None:
    made.write(layout.SENSITIVE_WORDS, "# 平台不收\n竹筹\n没有这个词\n")
    found = made.novel("export", "--check", "--chapters", "2-3")
    assert [one.code for one in found.diagnostics] == ["EXPORT_WORD"]
    assert "第 2、3 章" in found.diagnostics[0].message
    assert {hit["chapter"] for hit in found.data["words"]} == {2, 3}


def test_a_list_that_is_no_text_is_refused(made: Book) -> None:
    made.write(layout.SENSITIVE_WORDS, "竹筹".encode("gb18030"))
    made.refused(3, "FILE_NOT_UTF8", "export", "--check")


def test_lengths(made: Book) -> None:
    made.write(layout.chapter(2), "# 第 2 章\n\n短。\n")
    assert codes(made) == ["EXPORT_LENGTH"]
    assert codes(made, "--chapters", "3") == []


def test_lines_that_end_as_an_old_mac_writes_them(made: Book) -> None:
    """A comment on a line of its own leaves nothing behind, and the words are found in their lines."""
    made.write(layout.SENSITIVE_WORDS, "竹筹\n")
    made.write(layout.chapter(2), "# 第 2 章\r\r水声。\r<!-- 竹筹 -->\r\r他数竹筹。" + "水" * 20 + "\r")
    found = made.novel("export", "--check", "--chapters", "2")
    assert [(hit["chapter"], hit["line"]) for hit in found.data["words"]] == [(2, 5)]


def test_threads_open_at_a_volumes_end(made: Book) -> None:
    threads = [
        {"id": "lamp", "description": "第三盏灯", "status": "planted", "target_resolve_range": [1, 3]},
        {"id": "oar", "description": "船桨", "status": "resolved", "target_resolve_range": [1, 3]},
        {"id": "rope", "description": "铃绳", "status": "planted", "target_resolve_range": [4, 6]},
    ]
    made.write(layout.FORESHADOWING, jsonio.dump({"foreshadowing": threads}))
    found = made.novel("export", "--check")
    assert [one.code for one in found.diagnostics] == ["EXPORT_THREADS"]
    assert "第三盏灯" in found.diagnostics[0].message
    assert codes(made, "--chapters", "1-2") == []


def test_edited_and_not_recorded(tmp_path: Path) -> None:
    made = book(tmp_path, 0)
    write_chapter(made)
    text = made.at(layout.chapter(1)).read_text("utf-8")
    made.write(layout.chapter(1), f"{text}\n又一句。\n")
    assert "EXPORT_EDITED" in codes(made)
