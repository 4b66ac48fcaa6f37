"""The chapters that a second judge reads too."""

from __future__ import annotations

import pytest

from novel_hooks.rules.outline import schedule as schedules
from novel_hooks.rules.outline.key_chapter import is_key_chapter
from novel_hooks.rules.outline.schedule import NO_SCHEDULE

SCHEDULE = {"convergence_events": [{"chapter_range": [4, 6]}, {"chapter_range": [9, 9]}]}


@pytest.mark.parametrize(
    ("chapter", "key"),
    [(1, True), (2, False), (3, False), (4, True), (5, True), (6, True), (7, False), (9, True), (12, True)],
)
def test_key_chapters_are_first_last_and_the_convergence_ends_included(chapter: int, key: bool) -> None:
    assert is_key_chapter(chapter, 1, 12, schedules.parse(SCHEDULE)) is key


def test_a_volume_of_one_chapter_and_no_meeting() -> None:
    assert is_key_chapter(7, 7, 7, NO_SCHEDULE)
    assert not is_key_chapter(8, 7, 9, NO_SCHEDULE)
