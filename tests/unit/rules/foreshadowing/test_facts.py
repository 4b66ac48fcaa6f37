"""Foreshadowing: merged as seed 002 §3 says, chosen for a chapter, overdue or not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from novel_hooks.errors import ForeshadowingBroken
from novel_hooks.rules.foreshadowing import facts as foreshadowing_facts


def op(name: Any, action: Any, **more: Any) -> dict[str, Any]:
    return {"op": "foreshadow", "path": name, "value": action, **more}


def item(name: str = "jade", **changes: Any) -> dict[str, Any]:
    return {
        "id": name,
        "description": "玉佩裂了",
        "scope": "short",
        "status": "planted",
        "planted_chapter": 3,
        "planted_storyline": "main-line",
        "target_resolve_range": [5, 9],
        "last_updated_chapter": 3,
        "history": [{"chapter": 3, "action": "planted", "detail": ""}],
        **changes,
    }


def merged(document: Any, *ops: Any, plan: Any = None, chapter: int = 7, line: str | None = "side") -> Any:
    return foreshadowing_facts.merge(document, plan, ops, chapter, line)


def only(result: Any) -> dict[str, Any]:
    assert result.warnings == []
    assert len(result.document["foreshadowing"]) == 1
    return result.document["foreshadowing"][0]


def test_a_new_item_without_a_plan_is_a_placeholder() -> None:
    assert only(merged(None, op("jade", "planted", detail="在袖里"))) == {
        "id": "jade",
        "description": "jade",
        "scope": "medium",
        "status": "planted",
        "planted_chapter": 7,
        "planted_storyline": "side",
        "target_resolve_range": None,
        "last_updated_chapter": 7,
        "history": [{"chapter": 7, "action": "planted", "detail": "在袖里"}],
    }


def test_an_item_first_seen_advanced_has_no_planted_chapter() -> None:
    found = only(merged({"foreshadowing": []}, op("jade", "advanced"), line=None))
    assert (found["planted_chapter"], found["planted_storyline"], found["status"]) == (None, None, "advanced")


PLAN = {
    "volume": 1,
    "foreshadowing": [item(description="计划里的话", scope="long", target_resolve_range=[40, 55])],
}


@pytest.mark.parametrize("plan", [PLAN, PLAN["foreshadowing"], {"items": PLAN["foreshadowing"]}])
def test_a_new_item_takes_its_planned_fields_and_no_others(plan: Any) -> None:
    found = only(merged(None, op("jade", "planted"), plan=plan))
    assert (found["description"], found["scope"], found["target_resolve_range"]) == (
        "计划里的话",
        "long",
        [40, 55],
    )
    assert (found["planted_chapter"], found["planted_storyline"]) == (7, "side")


@pytest.mark.parametrize("empty", [None, ""])
@pytest.mark.parametrize("key", ["scope", "target_resolve_range"])
def test_only_what_is_missing_is_filled_from_the_plan(key: str, empty: object) -> None:
    found = only(merged({"foreshadowing": [item(**{key: empty})]}, op("jade", "advanced"), plan=PLAN))
    assert found["description"] == "玉佩裂了"
    assert found[key] == PLAN["foreshadowing"][0][key]  # type: ignore[index]
    other = "scope" if key != "scope" else "target_resolve_range"
    assert found[other] == item()[other]


@pytest.mark.parametrize("description", ["jade", None, ""])
def test_a_placeholder_gives_way_whole(description: object) -> None:
    held = item(description=description, scope="medium", target_resolve_range=[1, 2])
    found = only(merged([held], op("jade", "advanced"), plan=PLAN))
    assert (found["description"], found["scope"], found["target_resolve_range"]) == (
        "计划里的话",
        "long",
        [40, 55],
    )


def test_an_absent_field_counts_as_missing() -> None:
    held = item()
    del held["scope"]
    assert only(merged([held], op("jade", "advanced"), plan=PLAN))["scope"] == "long"


@pytest.mark.parametrize("planned", [[9, 5], [1], "1-2", [True, 2], [1.0, 2.0], None])
def test_a_range_that_is_none_is_not_taken_from_the_plan(planned: object) -> None:
    found = only(merged(None, op("jade", "planted"), plan=[item(target_resolve_range=planned)]))
    assert found["target_resolve_range"] is None


def test_items_that_no_op_names_are_left_as_they_are() -> None:
    other = item("well", scope=None, note="作者的话")
    result = merged({"foreshadowing": [other, item()]}, op("jade", "advanced"), plan=[item("well")])
    assert result.document["foreshadowing"][0] == other


@pytest.mark.parametrize(
    ("status", "action", "after"),
    [
        ("planted", "planted", "planted"),
        ("planted", "advanced", "advanced"),
        ("planted", "resolved", "resolved"),
        ("advanced", "planted", "advanced"),
        ("advanced", "advanced", "advanced"),
        ("advanced", "resolved", "resolved"),
        ("resolved", "planted", "resolved"),
        ("resolved", "advanced", "resolved"),
        ("resolved", "resolved", "resolved"),
        (None, "planted", "planted"),
        ("", "planted", "planted"),
        (None, "advanced", "advanced"),
    ],
)
def test_status_moves_one_way_only(status: object, action: str, after: str) -> None:
    found = only(merged([item(status=status)], op("jade", action)))
    assert found["status"] == after
    assert found["history"][-1] == {"chapter": 7, "action": action, "detail": ""}


def test_planting_again_does_not_move_where_it_was_planted() -> None:
    found = only(merged([item()], op("jade", "planted")))
    assert (found["planted_chapter"], found["planted_storyline"], found["last_updated_chapter"]) == (
        3,
        "main-line",
        7,
    )


def test_an_empty_planting_is_filled() -> None:
    held = item(planted_chapter=None, planted_storyline=None)
    found = only(merged([held], op("jade", "planted")))
    assert (found["planted_chapter"], found["planted_storyline"]) == (7, "side")
    assert only(merged([held], op("jade", "advanced")))["planted_chapter"] is None


def test_an_older_chapter_does_not_turn_the_last_update_back() -> None:
    assert only(merged([item(last_updated_chapter=20)], op("jade", "advanced")))["last_updated_chapter"] == 20


def test_the_same_ops_again_change_nothing() -> None:
    ops = (
        op("jade", "advanced", detail="一"),
        op("jade", "resolved"),
        op("well", "planted"),
        op("jade", "bad"),
    )
    once = merged({"foreshadowing": [item()], "note": "x"}, *ops, plan=PLAN)
    twice = merged(once.document, *ops, plan=PLAN)
    assert json.dumps(twice.document) == json.dumps(once.document)
    assert once.document["note"] == "x"


def test_the_same_action_in_one_chapter_is_one_entry_in_another_a_second() -> None:
    once = merged([item()], op("jade", "advanced", detail="一"), op("jade", "advanced", detail="二"))
    assert [entry["detail"] for entry in only(once)["history"]] == ["", "一"]
    again = merged(once.document, op("jade", "advanced", detail="三"), chapter=8)
    assert [entry["chapter"] for entry in only(again)["history"]] == [3, 7, 8]


@pytest.mark.parametrize(
    "bad",
    [
        op("jade", "done"),
        op("jade", None),
        op("jade", []),
        op("", "planted"),
        op(None, "planted"),
        op(4, "planted"),
    ],
)
def test_an_illegal_op_is_dropped_alone(bad: dict[str, Any]) -> None:
    result = merged([item()], bad, op("well", "planted"))
    assert [one["id"] for one in result.document["foreshadowing"]] == ["jade", "well"]
    assert result.document["foreshadowing"][0] == item()
    assert [(note.code, note.severity) for note in result.warnings] == [
        ("FORESHADOWING_OP_DROPPED", "warning")
    ]
    assert result.warnings[0].diagnostic().path == "foreshadowing/global.json"


def test_an_item_with_a_broken_history_is_left_alone() -> None:
    held = item(history={"3": "planted"}, scope=None)
    result = merged([held], op("jade", "advanced"), plan=PLAN)
    assert result.document["foreshadowing"] == [held]
    assert "history" in str(result.warnings[0])


def test_a_history_with_strange_entries_keeps_them() -> None:
    found = only(
        merged(
            [item(history=["第三章", {"chapter": True, "action": "advanced"}])],
            op("jade", "advanced"),
            chapter=1,
        )
    )
    assert len(found["history"]) == 3


def test_other_ops_are_passed_over() -> None:
    result = merged([item()], {"op": "set", "path": "items.a", "value": 1}, "text", None)
    assert (result.document, result.warnings) == ({"foreshadowing": [item()]}, [])


@pytest.mark.parametrize("document", [[item()], {"items": [item()]}, {"foreshadowing": [item()]}])
def test_every_shape_is_read_and_comes_back_as_one(document: Any) -> None:
    assert foreshadowing_facts.parse(document) == [item()]
    before = json.dumps(document)
    assert list(merged(document, op("jade", "advanced")).document) == ["foreshadowing"]
    assert json.dumps(document) == before


@pytest.mark.parametrize(
    "document",
    [
        "x",
        4,
        {},
        {"foreshadowing": None},
        {"foreshadowing": {}},
        {"items": "x"},
        ["x"],
        [{}],
        [{"id": ""}],
        [{"id": 4}],
    ],
)
def test_any_other_shape_is_refused_with_file_fault_and_fix(document: Any) -> None:
    with pytest.raises(ForeshadowingBroken) as refused:
        merged(document, op("jade", "planted"))
    told = refused.value.diagnostic()
    assert told.path == "foreshadowing/global.json"
    assert "foreshadowing/global.json" in told.message and '{"foreshadowing": [' in told.fix


def test_a_broken_plan_does_not_stop_the_merge() -> None:
    result = merged(None, op("jade", "planted"), plan={"volume": 1})
    assert result.document["foreshadowing"][0]["description"] == "jade"
    assert [note.code for note in result.warnings] == ["FORESHADOWING_PLAN_UNREAD"]


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


@pytest.mark.parametrize(
    ("document", "detail"),
    [
        ({}, "里面没有伏笔列表"),
        ({"foreshadowing": None, "items": []}, "里面没有伏笔列表"),
        ("x", "里面没有伏笔列表"),
        ([item(), {"id": " "}], "第 2 条没有 id"),
        ({"items": [[]]}, "第 1 条没有 id"),
    ],
)
def test_a_refusal_names_the_entry(document: Any, detail: str) -> None:
    with pytest.raises(ForeshadowingBroken) as refused:
        foreshadowing_facts.parse(document, "x.json")
    assert refused.value.values["detail"] == detail
    assert refused.value.diagnostic().path == "x.json"
    assert foreshadowing_facts.parse(None) == []


def test_other_keys_of_the_document_stay() -> None:
    result = merged({"foreshadowing": [], "items": "作者的", "note": 1}, op("jade", "planted"))
    assert {key: result.document[key] for key in ("items", "note")} == {"items": "作者的", "note": 1}
    result = merged({"items": [], "note": 1}, op("jade", "planted"))
    assert set(result.document) == {"note", "foreshadowing"}


def test_a_dropped_op_is_named_with_its_reason() -> None:
    (warning,) = merged(None, op("jade", "done")).warnings
    assert {key: warning.values[key] for key in ("name", "action", "reason")} == {
        "name": "jade",
        "action": "done",
        "reason": "只能是 planted、advanced、resolved",
    }
    (warning,) = merged(None, op("jade", "planted"), plan=[{}]).warnings
    assert warning.values["reason"] == "第 1 条没有 id"


def test_of_two_plans_and_two_facts_of_one_id_the_first_counts() -> None:
    plan = [item(description="一", scope="long"), item(description="二", scope="short")]
    assert only(merged(None, op("jade", "planted"), plan=plan))["description"] == "一"
    (task,) = foreshadowing_facts.tasks([], [item(description="一", target_resolve_range=[7, 7]), item()], 7)
    assert task["description"] == "一"
    facts = [item(status="resolved", target_resolve_range=[7, 7]), item(target_resolve_range=[7, 7])]
    assert foreshadowing_facts.tasks(facts, [item(planted_chapter=7)], 7) == []
    assert [one["status"] for one in foreshadowing_facts.all_threads(facts, [])] == ["resolved"]


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


TOLD = {"id": "lamp", "description": "灯是他灭的", "status": "planted"}


@pytest.mark.parametrize(
    ("more", "left"),
    [
        ({}, {"description"}),
        ({"signal": "灯一盏盏灭了"}, {"signal"}),
        ({"payoff": "灯是他灭的"}, set()),
        ({"signal": "灯一盏盏灭了", "payoff": "灯是他灭的"}, {"signal"}),
        (
            {"signal": "灯一盏盏灭了", "payoff": "灯是他灭的", "todo": "resolved"},
            {"signal", "payoff", "todo"},
        ),
        ({"signal": "", "payoff": " "}, {"signal", "description"}),
    ],
)
def test_who_writes_the_chapter_sees_the_signal(more: dict[str, str], left: set[str]) -> None:
    found = foreshadowing_facts.as_reader_sees({**TOLD, **more})
    assert set(found) == {"id", "status", *left}


def test_payoffs_are_secret_until_they_are_there() -> None:
    listed = [
        {"id": "a", "payoff": "甲"},
        {"id": "b", "payoff": "乙", "status": "planned"},
        {"id": "c", "payoff": "丙", "status": "resolved"},
        {"id": "d", "payoff": " "},
    ]
    assert foreshadowing_facts.payoffs(listed) == ["甲", "乙"]
    assert foreshadowing_facts.payoffs(listed, ["a"]) == ["乙"]


def test_threads_are_dropped_unless_they_are_resolved() -> None:
    listed = [{"id": "a", "status": "planted"}, {"id": "b", "status": "resolved"}, {"id": "c"}]
    assert foreshadowing_facts.with_dropped(listed, {"a", "b"}) == [
        {"id": "a", "status": "dropped"},
        *listed[1:],
    ]


def test_the_thread_that_words_mean() -> None:
    listed = [{"id": "lamp", "description": "灯灭了"}, {"id": "debt", "signal": "欠三十两", "payoff": "还清"}]
    assert foreshadowing_facts.likest(listed, "灯 灭") == "lamp"
    assert foreshadowing_facts.likest(listed, "欠的两") == "debt"
    assert foreshadowing_facts.likest(listed, "还清了吗债务呢") is None
    assert foreshadowing_facts.likest(listed, " ") is foreshadowing_facts.likest([], "灯") is None
