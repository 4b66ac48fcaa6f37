"""No advice of `novel doctor` leads back to `novel doctor --fix` where that does not help."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path

UNMENDED = (
    *(layout.DECISIONS, layout.DROPPED_THREADS, layout.FORESHADOW_BACKLOG),
    *(layout.crossref(1), layout.chapter_log(1)),
)


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path, 1, 6)


@pytest.mark.parametrize("path", UNMENDED)
@pytest.mark.parametrize("content", ["{", '["a"]'])
def test_what_the_repair_never_mends(made: Book, path: str, content: str) -> None:
    made.write(path, content)
    for call in (("doctor",), ("doctor", "--fix")):
        for told in made.novel(*call).diagnostics:
            assert "doctor --fix" not in told.fix, (call, told)
            assert told.path != path or "从备份取回" in told.fix


def test_moved_away_the_book_goes_on(made: Book) -> None:
    made.write(layout.DROPPED_THREADS, "{")
    told = made.novel("doctor").diagnostics
    assert [one.path for one in told] == [layout.DROPPED_THREADS] and "移到书外" in told[0].fix
    made.drop(layout.DROPPED_THREADS)
    assert made.novel("doctor").exit == 0


def test_what_the_repair_did_not_mend(made: Book) -> None:
    """A line of a shape that nobody gives it stays: before the repair it is named, after it no more."""
    made.write(layout.CHANGELOG, '{"a": 7}\n')
    found = [one for one in made.novel("doctor").diagnostics if one.path == layout.CHANGELOG]
    assert any("doctor --fix" in one.fix for one in found)
    assert not any("doctor --fix" in one.fix for one in made.novel("doctor", "--fix").diagnostics)
