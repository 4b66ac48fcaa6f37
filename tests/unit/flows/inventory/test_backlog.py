"""The last chapters that moved in are asked to be recorded, up to a number that stands in one place."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import Book

from novel_hooks import layout
from novel_hooks.flows.book import book as books
from novel_hooks.flows.inventory import backlog
from novel_hooks.store.files.project import Project
from unit.flows.resync.test_record_backlog import _moved


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return _moved(tmp_path, 4)


def reading(made: Book) -> books.Book:
    return books.Book(Project(str(made.root)))


def test_the_newest_of_the_backlog_come_first(made: Book) -> None:
    made.write(layout.summary(3), "摘要")
    assert list(backlog.waiting(reading(made))) == [4, 2, 1]
    assert backlog.is_waiting(reading(made), 4) and not backlog.is_waiting(reading(made), 3)
    assert not backlog.is_waiting(reading(made), 5)


def test_of_many_chapters_the_last_ones_are_needed(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    assert backlog.NEEDED == 30
    assert backlog.needed(reading(made)) == range(1, 5)
    monkeypatch.setattr(backlog, "NEEDED", 2)
    assert backlog.needed(reading(made)) == range(3, 5)
    made.write(layout.summary(4), "摘要")
    assert [str(one) for one in backlog.problems(reading(made))] == [
        "搬进来的最后 2 章里还有 1 章没有补记，往下排、往下写的代理不知道里面的事。"
    ]
    made.write(layout.summary(3), "摘要")
    assert backlog.problems(reading(made)) == []


def test_nothing_is_asked_while_the_setting_is_made(made: Book) -> None:
    made.point(orchestrator_state="QUICK_START", current_volume=0)
    assert backlog.problems(reading(made)) == []
