"""Foreshadowing: merged as seed 002 §3 says, chosen for a chapter, overdue or not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from novel_hooks.errors import ForeshadowingBroken
from novel_hooks.rules.foreshadowing import facts as foreshadowing_facts
from unit.rules.foreshadowing.merged_facts import item


def op(name: Any, action: Any, **more: Any) -> dict[str, Any]:
    return {"op": "foreshadow", "path": name, "value": action, **more}


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
