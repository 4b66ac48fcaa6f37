"""A volume's schedule, normalised."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.outline import schedule as schedules
from novel_hooks.rules.outline.schedule import NO_SCHEDULE, Schedule

SCHEDULE: dict[str, Any] = {
    "active_storylines": ["river-line", {"storyline_id": "tower-line", "volume_role": "secondary"}],
    "dormant_storylines": [{"storyline_id": "old-line"}, "lost-line"],
    "convergence_events": [
        {"chapter_range": [4, 6], "involved_storylines": ["river-line", "tower-line", "old-line"]},
        {"chapter_range": [9, 9], "involved_storylines": ["river-line", "third-line"]},
    ],
}


def test_a_schedule_takes_bare_ids_and_objects() -> None:
    plan = schedules.parse(SCHEDULE)
    assert plan.active == ("river-line", "tower-line")
    assert plan.dormant == ("old-line", "lost-line")
    assert plan.convergences[0] == ((4, 6), ("river-line", "tower-line", "old-line"))
    assert schedules.parse(None) == NO_SCHEDULE


def test_what_is_newly_activated_is_at_work_and_named_once() -> None:
    plan = schedules.parse(
        {"active_storylines": ["a", {"storyline_id": "b"}], "newly_activated": ["b", {"storyline_id": "c"}]}
    )
    assert plan.active == ("a", "b", "c")


@pytest.mark.parametrize("document", [{}, dict.fromkeys(SCHEDULE), {"newly_activated": None}])
def test_a_schedule_without_anything(document: Any) -> None:
    assert schedules.parse(document) == NO_SCHEDULE == Schedule((), (), ())


def test_entries_without_an_id_are_left_out() -> None:
    plan = schedules.parse(
        {
            "active_storylines": [{"storyline_id": 7}, {}, None, "a"],
            "dormant_storylines": [7, {"storyline_id": "b"}],
            "convergence_events": [{"chapter_range": [3, 4], "involved_storylines": None}],
        }
    )
    assert (plan.active, plan.dormant, plan.convergences) == (("a",), ("b",), (((3, 4), ()),))
