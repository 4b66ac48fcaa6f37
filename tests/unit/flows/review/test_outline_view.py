"""`novel outline`: what is written of a volume, and a chapter's plan with names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Eight chapters landed, two in the second volume."""
    return book(tmp_path, chapters=8)


def test_the_list_says_what_is_written_how_long_and_how_good(made: Book) -> None:
    data = made.ok("outline")
    rows = {row["chapter"]: row for row in data["chapters"]}
    assert [n for n, row in rows.items() if row["written"]] == [7, 8]
    assert rows[8]["chars"] == made.ok("log", "8")["chars"] and rows[8]["overall"] == 4.2
    assert (rows[9]["chars"], rows[9]["overall"]) == (None, None)
    lines = made.novel("outline").text.splitlines()
    assert lines[0] == f"第 2 卷：第 7-12 章，已写 2 章 {rows[7]['chars'] + rows[8]['chars']:,} 字"
    assert lines[2] == f"  第 8 章　{rows[8]['title']}　已写 {rows[8]['chars']:,} 字　4.20 分"
    assert lines[3] == f"  第 9 章　{rows[9]['title']}"
    assert len([row for row in made.ok("outline", "--volume", "1")["chapters"] if row["written"]]) == 6


def test_a_broken_verdict_costs_its_score(made: Book) -> None:
    made.write(layout.evaluation(8), b"{")
    found = made.novel("outline")
    assert found.exit == 0 and found.data["chapters"][1]["overall"] is None
    assert [d.path for d in found.diagnostics] == [layout.evaluation(8)]


def test_a_chapters_plan_has_names_for_ids(made: Book) -> None:
    text = made.at(layout.outline(2)).read_text("utf-8")
    made.write(layout.outline(2), text.replace("**POV**: 沈渡", "**POV**: shen-du", 1))
    lines = made.json(layout.STORYLINES)
    line = made.ok("outline", "--chapter", "7")["keys"]["Storyline"]
    for one in lines["storylines"]:
        one["name"] = "河上" if one["id"] == line else "塔里"
    made.write(layout.STORYLINES, lines)
    found = made.novel("outline", "--chapter", "7")
    assert found.exit == 0 and found.data["keys"]["POV"] == "shen-du"
    shown = found.text.splitlines()
    assert shown[0].startswith("第 7 章　") and "已写" in shown[0]
    assert "  故事线：河上" in shown and "  视角：沈渡" in shown and "  伏笔：「灯的数目」" in shown
    assert "**" not in found.text and "#" not in found.text


@pytest.mark.parametrize("path", [layout.STATE, layout.STORYLINES, layout.FORESHADOWING])
def test_names_that_cannot_be_read_leave_the_ids(made: Book, path: str) -> None:
    made.write(path, b"{")
    assert made.novel("outline", "--chapter", "9").exit == 0
