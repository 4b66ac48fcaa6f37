"""The tally of words as lines."""

from __future__ import annotations

import pytest

from novel_hooks.rules.report import tally
from novel_hooks.rules.report.tally import Written


def test_what_is_written_is_read_back_in_order_of_the_chapters() -> None:
    found = {12: Written(3012, "2026-03-01T12:00:00Z"), 2: Written(0, "")}
    assert tally.tally_lines(found) == ["2\t0\t", "12\t3012\t2026-03-01T12:00:00Z"]
    assert tally.parse(tally.tally_lines(found)) == found


@pytest.mark.parametrize("line", ["", "1\t2", "1\t2\t3\t4", "一\t2\t", "1\t-2\t", "1\t２\t"])
def test_a_line_of_another_kind_is_no_tally(line: str) -> None:
    assert tally.parse(["1\t2\t", line]) is None


def test_lines_that_make_up_for_each_other_are_no_tally() -> None:
    assert tally.parse(["1\t2", "2\t3\t\t"]) is None
    assert tally.parse(["\t2\t", "12\t3\t"]) is None
    assert tally.parse([]) == {}


def test_a_chapter_is_of_the_day_on_which_it_landed_first() -> None:
    assert tally.moment_of({"ts": "b"}) == "b"
    assert tally.moment_of({"ts": "b", "first_ts": "a"}) == "a"
    assert tally.moment_of({"ts": "b", "first_ts": ""}) == ""
    assert tally.moment_of({"ts": "b", "first_ts": None}) == ""
    assert tally.moment_of({"ts": "b\t"}) == ""


def test_length_leaves_out_heading_and_blanks_whatever_the_bytes() -> None:
    assert tally.chars_of("\ufeff# 第 1 章 夜渡\r\n\r\n　灯 灭了。\r\n".encode()) == 4
    assert tally.chars_of(None) == 0
    assert tally.chars_of("# 第 1 章\n灯".encode() + b"\xff") == 2


def test_whole_and_total() -> None:
    found = {1: Written(10, ""), 2: Written(5, "")}
    assert tally.is_whole(found, 2) and not tally.is_whole(found, 3) and tally.is_whole({}, 0)
    assert tally.total(found, [2, 3]) == 5
