"""A text that the author changes by hand between the refiner and the judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builders import book
from builders import fast_disk as fast_disk

if TYPE_CHECKING:
    from pathlib import Path


def test_it_is_recorded_refined_and_judged_as_it_is_now(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("refined")
    assert made.next()["phase"] == "judge"
    place = made.at(made.staged("chapter"))
    made.write(made.staged("chapter"), place.read_text("utf-8") + "\n他又添了一句。\n")
    due = made.next()
    assert (due["phase"], due["reason"]) == ("summarize", "正文在润色之后改过，要重新记录")
    made.records()
    made.advance("summarize")
    assert made.next()["phase"] == "refine"
    made.advance("refine")
    assert made.next()["phase"] == "judge"


def test_one_that_is_left_alone_is_judged(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("refined")
    assert made.next()["phase"] == "judge"
    made.point(refined_sha256=None)  # a chapter in work of an earlier version
    assert made.next()["phase"] == "judge"
