"""A storyline rests or has ended by its status, in whatever letters that is written."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.outline import storyline


@pytest.mark.parametrize(
    ("status", "finished", "asleep"),
    [
        ("active", False, False),
        ("dormant", False, True),
        (" 休眠 ", False, True),
        ("Completed", True, True),
        ("已完结", True, True),
        (None, False, False),
        (["closed"], False, False),
    ],
)
def test_the_status_tells(status: Any, finished: bool, asleep: bool) -> None:
    line = {"id": "river-line", "status": status}
    assert (storyline.is_finished(line), storyline.is_asleep(line)) == (finished, asleep)


def test_a_storyline_without_a_status_is_written() -> None:
    assert not storyline.is_asleep({})
