"""Where a run began."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from builders import OWNER, Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.book import book as reading
from novel_hooks.flows.chapter import writing_run
from novel_hooks.store.files.project import Project


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path, chapters=2)


def run_of(made: Book) -> writing_run.Run | None:
    return writing_run.read(reading.Book(Project(str(made.root))))


def test_a_run_begins_where_the_book_stands(made: Book) -> None:
    made.ok("lock", "acquire", "--run", "二十")
    run = run_of(made)
    assert run is not None and run.owner == OWNER and run.started_at.endswith("Z")
    assert (run.chapter, run.stages, run.wanted) == (3, 0, 20)


def test_the_same_session_goes_on_and_says_when_another_begins(made: Book) -> None:
    made.ok("lock", "acquire", "--run", "5")
    first = run_of(made)
    made.write(layout.work_log(3), {"chapter": 3, "stages": [{"name": "draft"}]})
    made.ok("lock", "acquire")
    assert run_of(made) == first
    made.ok("lock", "acquire", "--run", "1")
    second = run_of(made)
    assert second is not None and (second.stages, second.wanted) == (1, 1)


def test_another_session_begins_one_of_its_own(made: Book) -> None:
    made.ok("lock", "acquire", "--run", "5")
    made.ok("lock", "release")
    assert made.novel("lock", "acquire", owner=f"{OWNER}-2").exit == 0
    run = run_of(made)
    assert run is not None and (run.owner, run.wanted) == (f"{OWNER}-2", None)


@pytest.mark.parametrize(
    "content", [b"{", [], {"started_at": "x"}, {"started_at": "x", "owner": "y", "chapter": "3"}]
)
def test_a_file_that_is_not_ours_is_none(made: Book, content: Any) -> None:
    made.write(layout.RUN, content)
    assert run_of(made) is None
    made.ok("lock", "acquire")
    assert run_of(made) is not None


def test_only_acquire_begins_a_run(made: Book) -> None:
    made.refused(2, "CLI_USAGE", "lock", "status", "--run", "3")
    made.refused(2, "CLI_USAGE", "lock", "acquire", "--run", "0")
