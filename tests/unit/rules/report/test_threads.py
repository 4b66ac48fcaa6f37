"""Threads as lines in time."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.report import threads


def item(**fields: Any) -> dict[str, Any]:
    return {
        "id": "clue",
        "status": "planted",
        "scope": "short",
        "planted_chapter": 2,
        "history": [],
        **fields,
    }


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({"target_resolve_range": [3, 9]}, "overdue"),
        ({"target_resolve_range": [3, 9], "scope": "long"}, "due"),
        ({"target_resolve_range": [3, 10], "scope": "long"}, "due"),
        ({"target_resolve_range": [3, 11]}, "open"),
        ({"target_resolve_range": None}, "open"),
        ({"target_resolve_range": [3, 9], "status": "resolved"}, "resolved"),
        ({"target_resolve_range": [3, 9], "status": "planned"}, "planned"),
        ({"target_resolve_range": [3, 9], "status": "dropped"}, "dropped"),
    ],
)
def test_the_state_of_a_thread(fields: dict[str, Any], state: str) -> None:
    (row,) = threads.thread_rows([item(**fields)], 10)
    assert (row["state"], row["scope"]) == (state, fields.get("scope", "short"))


def test_a_row_has_events_in_order_and_no_payoff() -> None:
    history = [
        {"chapter": 7, "action": "resolved", "detail": "灯亮了"},
        {"chapter": 2, "action": "planted"},
        {"chapter": None, "action": "advanced"},
    ]
    (row,) = threads.thread_rows([item(status="resolved", history=history, payoff="灯是他点的")], 10)
    assert row["events"] == [
        {"chapter": 2, "action": "planted", "detail": ""},
        {"chapter": 7, "action": "resolved", "detail": "灯亮了"},
    ]
    assert (row["resolved"], row["description"]) == (7, "灯亮了")
    assert "灯是他点的" not in str(row)


def test_the_late_ones_come_first_then_the_earlier() -> None:
    late = item(id="late", target_resolve_range=[3, 4], planted_chapter=3)
    first, second = item(id="b", planted_chapter=1), item(id="a", planted_chapter=5)
    rows = threads.thread_rows([second, item(id="done", status="resolved"), first, late], 10)
    assert [row["id"] for row in rows] == ["late", "b", "a", "done"]
