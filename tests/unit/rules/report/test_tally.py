"""The tally of words as lines."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from novel_hooks.rules.report import pace, tally

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_what_is_written_is_read_back_in_order_of_the_chapters() -> None:
    found = {12: (3012, "2026-03-01T12:00:00Z"), 2: (0, "")}
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


def test_whole_and_total() -> None:
    found = {1: (10, ""), 2: (5, "")}
    assert tally.is_whole(found, 2) and not tally.is_whole(found, 3) and tally.is_whole({}, 0)
    assert not tally.is_whole({2: (5, "")}, 2), "the first one counts"
    assert tally.total(found, [2, 3]) == 5


def numbered(day: str) -> int:
    return date.fromisoformat(day).toordinal()


def test_recent_days_agrees_with_the_pace_of_the_whole_book() -> None:
    days = ["2026-02-26", "2026-02-28", "2026-02-28", "2026-03-01", None, "2026-03-02"]
    rows = [{"day": day, "chars": 100 + at} for at, day in enumerate(days)]
    written = [(day and numbered(day), 100 + at) for at, day in enumerate(days)][::-1]
    for today in ("2026-03-02", "2026-03-03", "2026-03-04"):
        whole = pace.pace(pace.day_rows(rows), today, None)
        assert tally.recent_days(written, numbered(today))["streak"] == whole["streak"]
    monday, tuesday = numbered("2026-03-02"), numbered("2026-03-03")
    assert tally.recent_days(written, monday) == {"chars": 105, "chapters": 1, "streak": 3}
    assert tally.recent_days(written, tuesday) == {"chars": 0, "chapters": 0, "streak": 3}
    assert tally.recent_days((), tuesday) == {"chars": 0, "chapters": 0, "streak": 0}


def test_recent_days_asks_for_no_chapter_behind_the_streak() -> None:
    def written() -> Iterator[tuple[int | None, int]]:
        yield from [(9, 9), (9, 8), (6, 7)]
        raise AssertionError("asked on")

    assert tally.recent_days(written(), 9) == {"chars": 17, "chapters": 2, "streak": 1}
