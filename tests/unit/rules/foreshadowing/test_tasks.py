"""A chapter's tasks and all threads, from facts and plans."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.foreshadowing import facts as foreshadowing_facts
from unit.rules.foreshadowing.merged_facts import item


def ids(found: list[dict[str, Any]]) -> list[str]:
    return [one["id"] for one in found]


@pytest.mark.parametrize(
    ("plan", "due"),
    [
        (item(planted_chapter=7, target_resolve_range=None), True),
        (item(planted_chapter=8, target_resolve_range=None), False),
        (item(target_resolve_range=[7, 9]), True),
        (item(target_resolve_range=[5, 7]), True),
        (item(target_resolve_range=[8, 9]), False),
        (item(target_resolve_range=[1, 6]), False),
        (item(target_resolve_range=[9, 1]), False),
        (item(target_resolve_range=[7, 9], status="resolved"), False),
        (item(planted_chapter=True, target_resolve_range=None), False),
    ],
)
def test_what_the_plan_has_for_a_chapter(plan: dict[str, Any], due: bool) -> None:
    assert bool(foreshadowing_facts.tasks([], [plan], 7)) is due


@pytest.mark.parametrize(
    ("fact", "due"),
    [
        (item(target_resolve_range=[7, 9], planted_chapter=1), True),
        (item(target_resolve_range=[1, 6]), True),
        (item(target_resolve_range=[1, 6], scope="medium"), False),
        (item(target_resolve_range=[1, 6], scope="long"), False),
        (item(target_resolve_range=[1, 7], status="resolved"), False),
        (item(target_resolve_range=None, planted_chapter=7), False),
    ],
)
def test_what_the_facts_have_for_a_chapter(fact: dict[str, Any], due: bool) -> None:
    assert bool(foreshadowing_facts.tasks([fact], [], 7)) is due


def test_tasks_are_sorted_and_facts_win_over_the_plan() -> None:
    facts = [item("b", status="advanced", target_resolve_range=[6, 8]), item("c", status="resolved")]
    plan = [
        item("d", planted_chapter=7),
        item("b", description="计划", status="planted", planted_chapter=7, extra="旁注"),
        item("c", planted_chapter=7, status="planted"),
        item("a", target_resolve_range=[7, 7]),
    ]
    found = foreshadowing_facts.tasks(facts, plan, 7)
    assert ids(found) == ["a", "b", "d"]
    assert (found[1]["status"], found[1]["description"], found[1]["extra"]) == (
        "advanced",
        "玉佩裂了",
        "旁注",
    )
    assert found[1]["target_resolve_range"] == [6, 8]


def test_a_placeholder_fact_is_told_with_the_plans_words() -> None:
    fact = item(description="jade", scope="medium", target_resolve_range=None)
    found = foreshadowing_facts.tasks([fact], [item(description="计划", target_resolve_range=[7, 8])], 7)
    assert (found[0]["description"], found[0]["scope"], found[0]["target_resolve_range"]) == (
        "计划",
        "short",
        [7, 8],
    )


@pytest.mark.parametrize(
    ("changes", "last", "late"),
    [
        ({}, 9, False),
        ({}, 10, True),
        ({"scope": "medium"}, 10, False),
        ({"scope": "long"}, 100, False),
        ({"status": "resolved"}, 10, False),
        ({"target_resolve_range": None}, 10, False),
        ({"target_resolve_range": ["5", "9"]}, 10, False),
        ({"status": "advanced"}, 10, True),
    ],
)
def test_overdue_counts_from_the_last_completed_chapter(
    changes: dict[str, Any], last: int, late: bool
) -> None:
    assert bool(foreshadowing_facts.overdue_items([item(**changes)], last)) is late


def test_all_threads_are_facts_and_plans_by_id() -> None:
    facts = [item("c", status="resolved"), item("a", scope=None)]
    plan = [
        item("b", planted_chapter=99),
        item("a", scope="long", description="计划"),
        item("c", note="旁注"),
    ]
    found = foreshadowing_facts.all_threads(facts, plan)
    assert [(one["id"], one["status"], one["scope"]) for one in found] == [
        ("a", "planted", "long"),
        ("b", "planned", "short"),
        ("c", "resolved", "short"),
    ]
    assert (found[0]["description"], found[2]["note"]) == ("玉佩裂了", "旁注")


def test_overdue_items_are_copies_in_their_order() -> None:
    facts = [item("b"), item("a", status="resolved"), item("a")]
    found = foreshadowing_facts.overdue_items(facts, 10)
    assert found == [facts[0], facts[2]]
    assert found[0] is not facts[0]


@pytest.mark.parametrize(
    ("changes", "chapter", "late"),
    [
        ({}, 9, 0),
        ({}, 10, 1),
        ({}, 14, 5),
        ({"scope": "long"}, 14, 0),
        ({"target_resolve_range": None}, 14, 0),
    ],
)
def test_lateness_is_the_number_of_chapters_past_the_range(
    changes: dict[str, Any], chapter: int, late: int
) -> None:
    assert foreshadowing_facts.lateness(item(**changes), chapter) == late


def test_a_task_of_the_plan_alone_is_planned_and_never_resolved() -> None:
    plan = [item("a", planted_chapter=7, status="resolved"), item("b", planted_chapter=7, status="planted")]
    (task,) = foreshadowing_facts.tasks([], plan, 7)
    assert (task["id"], task["status"]) == ("b", "planned")


def test_a_fact_without_a_status_that_the_plan_calls_resolved_is_no_task() -> None:
    fact = item(status=None, target_resolve_range=[7, 7])
    assert foreshadowing_facts.tasks([fact], [item(status="resolved")], 7) == []
    assert len(foreshadowing_facts.tasks([fact], [], 7)) == 1


# signal and payoff, and the threads that a chapter's own plan names


def test_signal_and_payoff_come_from_the_plan_and_the_facts_own_stay() -> None:
    plan = {"foreshadowing": [{"id": "lamp", "description": "灯", "signal": "铜底新", "payoff": "换过"}]}
    ops = [{"op": "foreshadow", "path": "lamp", "value": "planted"}]
    (made,) = foreshadowing_facts.merge(None, plan, ops, 3, None).document["foreshadowing"]
    assert (made["signal"], made["payoff"]) == ("铜底新", "换过")
    own = {"foreshadowing": [{"id": "lamp", "description": "lamp", "signal": "我改的"}]}
    (kept,) = foreshadowing_facts.merge(own, plan, ops, 3, None).document["foreshadowing"]
    assert (kept["description"], kept["signal"], kept["payoff"]) == ("灯", "我改的", "换过")


def test_tasks_hold_what_contract_and_outline_name_with_duty_and_lateness() -> None:
    known = [
        {"id": "a", "scope": "long", "status": "planted", "target_resolve_range": [40, 50]},
        {"id": "b", "scope": "short", "status": "planted", "target_resolve_range": [1, 3]},
        {"id": "c", "scope": "long", "status": "resolved"},
    ]
    plan = [{"id": "d", "planted_chapter": 9}]
    named = {"a": "advanced", "c": "advanced", "d": "planted", "nobody": "planted", "b": None}
    found = {one["id"]: one for one in foreshadowing_facts.tasks(known, plan, 5, named)}
    assert list(found) == ["a", "b", "d"], "a resolved one never, nor one that nobody defined"
    assert [found[name].get("todo") for name in "abd"] == ["advanced", None, "planted"]
    assert [found[name].get("overdue_by") for name in "abd"] == [None, 2, None]
    assert [one["id"] for one in foreshadowing_facts.tasks(known, plan, 5)] == ["b"]


@pytest.mark.parametrize(
    ("todo", "done", "left"),
    [
        ("planted", [], True),
        ("planted", ["planted"], False),
        ("planted", ["advanced"], False),
        ("advanced", ["planted"], True),
        ("advanced", ["resolved"], False),
        ("resolved", ["advanced"], True),
        ("resolved", ["advanced", "resolved"], False),
        (None, [], False),
    ],
)
def test_a_duty_that_no_op_does_is_unrecorded(todo: str | None, done: list[str], left: bool) -> None:
    thread = {"id": "lamp", **({"todo": todo} if todo else {})}
    ops = [{"op": "foreshadow", "path": "lamp", "value": one} for one in done]
    other: list[Any] = [{"op": "foreshadow", "path": "rope", "value": "resolved"}, {"op": "set"}, None]
    assert bool(foreshadowing_facts.unrecorded([thread], [*other, *ops])) is left
