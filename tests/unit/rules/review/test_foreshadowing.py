"""A volume's threads: resolved, overdue, due, missing, unplanned."""

from __future__ import annotations

from typing import Any

import pytest
from reviewing import material

from novel_hooks.rules.review import foreshadowing

GROUPS = ("resolved", "overdue", "due", "missing", "unplanned")


def summary(
    facts: list[dict[str, Any]], plan: list[dict[str, Any]] | None = None, **changes: Any
) -> dict[str, Any]:
    found = foreshadowing.thread_summary(material(facts=facts, plan=plan or [], **changes))
    assert found is not None
    return found


def groups(fact: dict[str, Any] | None, plan: dict[str, Any] | None = None, **changes: Any) -> set[str]:
    """The groups that hold the one thread."""
    found = summary([fact] if fact else [], [plan] if plan else [], **changes)
    return {name for name in GROUPS if found[name]}


def fact(status: str = "planted", scope: str = "medium", window: Any = None, **more: Any) -> dict[str, Any]:
    return {
        "id": "lamp",
        "description": "灯",
        "scope": scope,
        "status": status,
        "target_resolve_range": window,
        **more,
    }


def test_without_plan_or_facts_nothing_can_be_said() -> None:
    assert foreshadowing.thread_summary(material(plan=None)) is None
    assert foreshadowing.thread_summary(material(facts=None)) is None
    assert summary([]) == {"planned": 0, **{name: [] for name in GROUPS}}


def test_an_entry_has_id_description_scope_and_window() -> None:
    (entry,) = summary([fact(scope="short", window=[7, 9], planted_chapter=2)])["overdue"]
    assert entry == {"id": "lamp", "description": "灯", "scope": "short", "window": [7, 9]}
    (bare,) = summary([{"id": "lamp", "planted_chapter": 8, "target_resolve_range": "7-9"}])["unplanned"]
    assert bare == {"id": "lamp", "description": "lamp", "scope": None, "window": None}


@pytest.mark.parametrize(
    ("scope", "window", "group"),
    [
        ("short", [7, 9], {"overdue"}),
        ("short", [7, 10], {"due"}),
        ("short", [7, 11], set()),
        ("medium", [7, 10], {"due"}),
        ("long", [1, 3], {"due"}),
        ("medium", [7, 11], set()),
        ("medium", None, set()),
    ],
)
def test_an_open_thread_by_scope_and_window(scope: str, window: Any, group: set[str]) -> None:
    """Chapter 10 is the newest."""
    assert groups(fact("planted", scope, window, planted_chapter=2)) == group
    assert groups(fact("advanced", scope, window, planted_chapter=2)) == group


def test_before_the_first_chapter_only_what_was_due_before_the_volume() -> None:
    assert groups(fact("planted", "medium", [1, 6], planted_chapter=2), written=()) == {"due"}
    assert groups(fact("planted", "medium", [1, 7], planted_chapter=2), written=()) == set()


@pytest.mark.parametrize(
    ("more", "resolved"),
    [
        ({"history": [{"chapter": 7, "action": "resolved"}]}, True),
        ({"history": [{"chapter": 12, "action": "resolved"}]}, True),
        ({"history": [{"chapter": 6, "action": "resolved"}]}, False),
        ({"history": [{"chapter": 13, "action": "resolved"}]}, False),
        ({"history": [{"chapter": 3, "action": "resolved"}, 7, {"chapter": 9, "action": "resolved"}]}, True),
        ({"history": [{"chapter": 3, "action": "resolved"}], "last_updated_chapter": 9}, False),
        ({"history": [{"chapter": 9, "action": "advanced"}], "last_updated_chapter": 3}, False),
        ({"history": [{"chapter": 3, "action": "advanced"}], "last_updated_chapter": 9}, True),
        ({"history": "x", "last_updated_chapter": 9}, True),
        ({"last_updated_chapter": 6}, False),
        ({"last_updated_chapter": None}, False),
        ({"history": [{"chapter": "8", "action": "resolved"}]}, False),
    ],
)
def test_a_thread_resolved_in_this_volume(more: dict[str, Any], resolved: bool) -> None:
    assert groups(fact("resolved", "short", [1, 2], planted_chapter=2, **more)) == (
        {"resolved"} if resolved else set()
    )
    assert "resolved" not in groups(fact("advanced", "long", None, planted_chapter=2, **more))


@pytest.mark.parametrize(
    ("planted", "written", "missing"),
    [
        (9, (7, 8, 9), True),
        (10, (7, 8, 9), False),
        (3, (7,), True),
        (None, (7, 8, 9, 10, 11), False),
        (None, (7, 8, 9, 10, 11, 12), True),
        ("9", (7, 8, 9), False),
        (6, (), True),
        (7, (), False),
    ],
)
def test_a_planned_thread_that_was_not_planted(planted: Any, written: tuple[int, ...], missing: bool) -> None:
    plan = {"id": "lamp", "scope": "short", "planted_chapter": planted, "target_resolve_range": [1, 3]}
    assert groups(None, plan, written=written) == ({"missing"} if missing else set())
    assert "missing" not in groups(fact(planted_chapter=planted), plan, written=written)


@pytest.mark.parametrize(
    ("planted", "unplanned"), [(6, False), (7, True), (12, True), (13, False), (None, False)]
)
def test_a_thread_planted_without_a_plan(planted: Any, unplanned: bool) -> None:
    assert groups(fact(planted_chapter=planted)) == ({"unplanned"} if unplanned else set())
    assert groups(fact(planted_chapter=planted), {"id": "lamp"}) == set()
    assert groups(fact(planted_chapter=planted), {"id": "other", "planted_chapter": 12}) == (
        {"unplanned"} if unplanned else set()
    )


def test_the_plan_is_counted_by_id_and_its_window_fills_what_the_fact_lacks() -> None:
    plan = [{"id": "lamp", "scope": "short", "target_resolve_range": [7, 9]}, {"id": "boat"}, {"id": "boat"}]
    found = summary([{"id": "lamp", "description": "灯", "status": "planted", "scope": ""}], plan)
    assert found["planned"] == 2
    assert [one["id"] for one in found["overdue"]] == ["lamp"]


def test_threads_stand_in_the_order_of_their_ids() -> None:
    facts = [
        {**fact("planted", "short", [7, 8]), "id": name, "planted_chapter": 8} for name in ("c", "a", "b")
    ]
    found = summary(facts)
    assert (
        [one["id"] for one in found["overdue"]]
        == [one["id"] for one in found["unplanned"]]
        == ["a", "b", "c"]
    )
