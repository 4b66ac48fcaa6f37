"""The tally of words as lines."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from novel_hooks.rules.report import pace, tally

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_what_is_written_is_read_back_in_order_of_the_chapters() -> None:
    found = {12: (3012, "2026-03-01T12:00:00Z"), 2: (0, ""), 3: (5, "")}
    assert tally.tally_lines(found) == ["2\t0\t\t0", "3\t5\t\t5", "12\t3012\t2026-03-01T12:00:00Z\t3017"]
    assert tally.parse(tally.tally_lines(found)) == found
    assert tally.parse([]) == {}


def test_a_chapter_is_of_the_day_on_which_it_landed_first() -> None:
    assert tally.moment_of({"ts": "b"}) == "b"
    assert tally.moment_of({"ts": "b", "first_ts": "a"}) == "a"
    assert tally.moment_of({"ts": "b", "first_ts": ""}) == ""
    assert tally.moment_of({"ts": "b", "first_ts": None}) == ""
    assert tally.moment_of({"ts": "b\t"}) == ""


def test_a_chapter_and_the_total_of_several_are_read_from_their_lines() -> None:
    written = {chapter: (chapter * 10, f"am {chapter}.") for chapter in range(1, 13)}
    found = tally.whole(tally.tally_lines(written), 11)
    assert found is not None and found.last == 11
    assert {chapter: found[chapter] for chapter in range(1, 12)} == {n: written[n] for n in range(1, 12)}
    assert (found.total(1, 11), found.total(3, 4), found.total(11, 11)) == (660, 70, 110)


@pytest.mark.parametrize(
    ("chapters", "last", "is_whole"),
    [
        *[((), 0, True), ((1, 2), 0, True), ((1, 2), 2, True), ((1, 2), 3, False), ((), 1, False)],
        *[((1, 3), 2, False), ((1, 3), 1, True), ((2, 3), 1, False)],
        *[((1, 2, 12), 3, False), ((2, 3), 3, False)],
    ],
)
def test_a_tally_is_whole_when_no_chapter_up_to_the_last_lacks(
    chapters: tuple[int, ...], last: int, is_whole: bool
) -> None:
    lines = tally.tally_lines(dict.fromkeys(chapters, (1, "")))
    found = tally.whole(lines, last)
    assert (found is not None) == is_whole
    assert found is None or (found.last, found.total(1, last)) == (last, last)


def test_only_the_lines_that_are_asked_for_are_parsed() -> None:
    found = tally.Tally(["?", "2\t4\t\t9", "?", "4\t6\tb\t20"])
    assert (found[4], found.total(3, 4)) == ((6, "b"), 11)


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
