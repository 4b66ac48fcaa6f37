"""What an author can look at before he nods, and the archives without a number."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import Book
from planbook import plan_volume, ready_for, sample_book

from novel_hooks import layout


@pytest.fixture
def planned(tmp_path: Path) -> Book:
    made = ready_for(sample_book(tmp_path / "book"), "volume:01:outline")
    plan_volume(made, 2)
    return made


def test_a_plan_that_waits_for_the_nod_can_be_read(planned: Book) -> None:
    staged = layout.staged(layout.outline(2))
    told = planned.novel("outline", "--volume", "2").text
    assert told.startswith(f"（还没定下来的规划：{staged}）\n第 2 卷：第 7-12 章\n")
    assert planned.ok("outline", "--volume", "2")["start"] == 7
    block = planned.novel("outline", "--volume", "2", "--chapter", "8").text
    assert block.startswith(f"（还没定下来的规划：{staged}）\n第 8 章　")


def test_a_landed_outline_is_shown_as_before(planned: Book) -> None:
    assert planned.novel("outline", "--volume", "1").text.startswith("第 1 卷：第 1-")


def test_restore_without_an_archive_lists_them(planned: Book) -> None:
    assert planned.ok("restore") == planned.ok("rollback", "--list") == {"archives": []}
    assert planned.novel("restore").text == "还没有能取回的存档。"
