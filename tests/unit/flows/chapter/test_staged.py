"""A text that the author changes by hand between the steps: its records and verdict are of another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builders import book
from builders import fast_disk as fast_disk

if TYPE_CHECKING:
    from pathlib import Path

    from builders import Book


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


def _add(made: Book, words: str = "他又添了一句。") -> None:
    place = made.at(made.staged("chapter"))
    made.write(made.staged("chapter"), f"{place.read_text('utf-8')}\n{words}\n")


def _recorded(place: Path) -> Book:
    """The records are taken; the refiner has not got the text yet."""
    made = book(place)
    made.until("drafting")
    made.ok("instructions", made.step("summarize"))
    made.records()
    made.advance("summarize")
    assert made.next()["phase"] == "refine"
    return made


def test_a_text_that_changes_after_its_records_is_recorded_anew(tmp_path: Path) -> None:
    made = _recorded(tmp_path)
    _add(made)
    due = made.next()
    assert (due["phase"], due["reason"]) == ("summarize", "正文在记摘要与状态之后改过，要重新记录")
    made.ok("instructions", made.step("summarize"))
    made.advance("summarize")
    assert made.next()["phase"] == "refine"


def test_a_text_that_changes_while_it_is_recorded_is_recorded_anew(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("drafting")
    made.ok("instructions", made.step("summarize"))
    made.records()
    _add(made)
    made.advance("summarize")
    assert made.next()["phase"] == "summarize"
    made.advance("summarize")  # his word that they hold
    assert made.next()["phase"] == "refine"


def test_what_the_refiner_changes_is_no_change_of_somebody_else(tmp_path: Path) -> None:
    made = _recorded(tmp_path)
    made.ok("instructions", made.step("refine"))
    _add(made)
    assert made.next()["phase"] == "refine"
    made.advance("refine")
    assert made.next()["phase"] == "judge"


def test_who_refines_by_hand_advances_all_the_same(tmp_path: Path) -> None:
    made = _recorded(tmp_path)
    _add(made)
    made.advance("refine")
    assert made.next()["phase"] == "judge"
