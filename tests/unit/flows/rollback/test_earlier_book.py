"""Rollback of a book of a hundred chapters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from copying import copied
from rewriting import files, one_moment, plant, unlike, write_chapter

from novel_hooks import layout
from novel_hooks.rules.state import changelog

if TYPE_CHECKING:
    from pathlib import Path

LAST = 101
SIZE = 110


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """One volume."""
    return book(tmp_path_factory.mktemp("long"), LAST, volume_size=SIZE)


@pytest.fixture
def made(long: Book, tmp_path: Path) -> Book:
    return copied(long, tmp_path / "book")


def check(made: Book, to: int) -> None:
    """State, log and doctor of a book that was taken back to `to`."""
    lines = made.lines(layout.CHANGELOG) if to else []
    assert [line["chapter"] for line in lines] == list(range(1, to + 1))
    if to:
        assert made.json(layout.STATE) == changelog.replay(lines)
    else:
        assert not made.at(layout.STATE).exists() and not made.at(layout.CHANGELOG).exists()
    found = {d.code for d in made.novel("doctor").diagnostics if d.severity != "info"}
    assert found <= {"FORESHADOWING_ODD"}  # told by the rollback: no landed record


@pytest.mark.parametrize("to", [100, 50, 1, 0])
def test_back_and_forth_again(made: Book, to: int) -> None:
    before = files(made)
    made.ok("rollback", str(to), "--yes")
    check(made, to)
    made.ok("restore", "1", "--yes")
    assert [path for path in unlike(before, files(made)) if path != layout.CHECKPOINT] == []


def test_down_in_steps_and_written_again(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    one_moment(monkeypatch)
    made.ok("rollback", "99", "--yes")
    made.chapter = 100
    write_chapter(made, plant("third-rope"))
    first = made.at(layout.STATE).read_bytes()
    write_chapter(made)
    made.ok("rollback", "99", "--yes")
    made.chapter = 100
    write_chapter(made, plant("third-rope"))
    assert made.at(layout.STATE).read_bytes() == first
    check(made, 100)
    made.ok("rollback", "60", "--yes")
    made.ok("rollback", "50", "--yes")
    check(made, 50)
