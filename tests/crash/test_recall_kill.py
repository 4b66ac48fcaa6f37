"""A commit killed anywhere, in a book with an index of names: what is recalled is what a reading finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from crash import killpoints
from rewriting import write_chapter

from novel_hooks import layout
from novel_hooks.flows.book import book as books
from novel_hooks.flows.recall import chapter_part
from novel_hooks.flows.session import pending_landing
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from pathlib import Path

PLAN = "沈渡与乔九，第4稿"


def _due(place: Path) -> Book:
    """Chapter 3, handed out and judged; the index holds the chapters before it."""
    made = book(place, 2)
    made.ok("instructions", made.step("draft"))
    assert made.at(layout.RECALL).is_file()
    write_chapter(made, until="judged")
    made.write(layout.staged(layout.chapter(4)), "还没有写到的。\n")
    return made


def _recall(made: Book) -> list[dict[str, object]]:
    """What a writer two chapters on would be given, as the pending landing will leave the book."""
    seen = pending_landing.after_landing(Project(str(made.root)))
    return chapter_part.for_chapter(books.Book(seen), 5, PLAN, [], 3)


@killpoints.shares(3)
def test_a_commit_killed_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: int | None) -> None:
    killpoints.still(monkeypatch)
    run = killpoints.Run(_due(tmp_path), tmp_path, lambda made: made.novel("commit", "--chapter", "3"))
    rows = run.through.at(layout.RECALL).read_text("utf-8").splitlines()
    assert [row.split("\t")[0] for row in rows[2:]] == ["1", "2", "3"]
    for number in killpoints.spread(run.points, share):
        made = run.killed(number)
        for _ in range(2):
            told = _recall(made)
            bare = killpoints.copied(made, tmp_path / f"bare-{number}-{_}")
            bare.at(layout.RECALL).unlink()
            assert told == _recall(bare), run.where(number)
            made.novel("commit", "--chapter", "3")
        assert made.point()["last_completed_chapter"] == 3
