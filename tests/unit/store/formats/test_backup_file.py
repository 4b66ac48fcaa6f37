"""The names that a backup may hold: below a folder, and each another place on every disk."""

from __future__ import annotations

import io

import pytest

from novel_hooks import errors
from novel_hooks.store.formats import backup_file
from novel_hooks.store.formats.backup_file import Contents, Reader, Writer


def packed(*paths: str) -> io.BytesIO:
    file = io.BytesIO()
    writer = Writer(file)
    for path in paths:
        writer.add(path, path.encode("utf-8"))
    writer.close(Contents("2026-01-01T00:00:00Z", "书", 3, False, tuple(writer.entries), ("空",)))
    return file


def test_what_is_written_is_read() -> None:
    reader = Reader(packed("brief.md", "章/一.md"), "x.zip")
    reader.check()
    assert reader.contents.title == "书" and reader.contents.folders == ("空",)
    assert [reader.read(entry) for entry in reader.contents.files] == [b"brief.md", "章/一.md".encode()]


@pytest.mark.parametrize("path", ["", "/a", "a/", "a//b", ".", "..", "a/../b", "a\\b", "a\0b", "\udc80"])
def test_a_path_that_leads_elsewhere(path: str) -> None:
    assert not backup_file.is_safe(path)


@pytest.mark.parametrize("path", ["a", "a/b.md", "第 1 章：雨.md", ".novel/landed/x", "a..b", " a"])
def test_a_path_below_a_folder(path: str) -> None:
    assert backup_file.is_safe(path)


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        (["a", "b", "c/a", "c/b"], None),
        (["a", "A"], ("a", "A")),
        (["x/a", "X/b"], ("x", "X")),
        (["a", "a/b"], ("a", "a")),
        (["a/b", "a"], ("a", "a")),
        (["a", "a"], ("a", "a")),
        (["\u00e9", "e\u0301"], ("\u00e9", "e\u0301")),
    ],
)
def test_two_paths_that_are_one_place(paths: list[str], found: tuple[str, str] | None) -> None:
    assert backup_file.twins(paths) == found


def test_bytes_that_are_no_zip() -> None:
    for data in (b"", b"PK", b"x" * 999):
        with pytest.raises(errors.BackupUnusable):
            Reader(io.BytesIO(data), "x.zip")
