"""Days, streak and pace."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.report import pace


def days(*numbers: int) -> list[dict[str, Any]]:
    return [{"day": f"2026-03-{n:02d}", "chars": 1000, "chapters": 2} for n in numbers]


def test_days_are_summed_and_sorted_and_unknown_ones_left_out() -> None:
    rows = [
        {"day": "2026-03-02", "chars": 10},
        {"day": None, "chars": 5},
        {"day": "2026-03-01", "chars": None},
        {"day": "2026-03-02", "chars": 20},
    ]
    assert pace.day_rows(rows) == [
        {"day": "2026-03-01", "chars": 0, "chapters": 1},
        {"day": "2026-03-02", "chars": 30, "chapters": 2},
    ]


@pytest.mark.parametrize(
    ("written", "streak", "longest"),
    [((), 0, 0), ((8, 9, 10), 3, 3), ((8, 9), 2, 2), ((7, 8), 0, 2), ((1, 2, 3, 5, 10), 1, 3)],
)
def test_the_streak_goes_on_until_a_whole_day_is_missed(
    written: tuple[int, ...], streak: int, longest: int
) -> None:
    found = pace.pace(days(*written), "2026-03-10", None)
    assert (found["streak"], found["longest"], found["days"]) == (streak, longest, len(written))
    assert (found["left_days"], found["today"]) == (None, "2026-03-10")


def test_the_rest_of_the_volume_at_the_pace_of_seven_days() -> None:
    found = pace.pace(days(3, 4, 10), "2026-03-10", 10)
    assert (found["week_chars"], found["week_chapters"], found["per_day"]) == (2000, 4, 1000)
    assert found["left_days"] == 18  # ten chapters, four in seven days
    assert pace.pace(days(1), "2026-03-10", 10)["left_days"] is None
