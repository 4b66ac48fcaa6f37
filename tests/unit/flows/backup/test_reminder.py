"""After ten landed chapters without a backup `status` says so; the author's number counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path


def reminded(made: Book) -> list[str]:
    return [d.message for d in made.novel("status").diagnostics if d.code == "BACKUP_DUE"]


def test_from_the_tenth_chapter_on_until_it_is_done(tmp_path: Path) -> None:
    assert reminded(book(tmp_path, 9, 20, "a")) == []
    made = book(tmp_path, 10, 20, "b")
    assert reminded(made) == ["已经写了 10 章，还没有备份过。"]
    made.ok("backup")
    assert reminded(made) == []
    made.write(layout.BACKED_UP, {"made_at": "2026-01-01T00:00:00Z", "chapter": 0})
    assert reminded(made) == ["上次备份到第 0 章，又写了 10 章。"]


def test_the_author_says_how_many(tmp_path: Path) -> None:
    made = book(tmp_path, 3, 6)
    made.ok("config", "备份提醒", "3")
    assert len(reminded(made)) == 1
    made.ok("config", "备份提醒", "0")
    assert reminded(made) == []
