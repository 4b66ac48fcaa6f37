"""One piece of foreshadowing: its range, an op on it, fact and plan together."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.foreshadowing import item as one

BARE = {"id": "jade", "description": "玉佩裂了", "scope": "short", "status": "planted"}


def op(name: Any = "jade", action: Any = "advanced", **more: Any) -> dict[str, Any]:
    return {"op": "foreshadow", "path": name, "value": action, **more}


def merged(items: list[dict[str, Any]], change: dict[str, Any], **plan: Any) -> list[dict[str, Any]]:
    """The items after the op of chapter 7 of the line `side`; `plan` is what is planned of jade."""
    one.merge_op(items, {"jade": plan} if plan else {}, change, 7, "side")
    return items


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ([2, 3], (2, 3)),
        ([3, 3], (3, 3)),
        ([0, 0], (0, 0)),
        ([3, 2], None),
        ([2], None),
        ([1, 2, 3], None),
        ((2, 3), None),
        ([1.0, 2], None),
        ([1, "2"], None),
        ([True, 2], None),
        ([1, False], None),
        ("23", None),
        (None, None),
    ],
)
def test_a_range_is_two_whole_numbers_in_order(value: object, found: object) -> None:
    assert one.span(value) == found


@pytest.mark.parametrize(
    ("window", "inside"),
    [([5, 9], [5, 6, 7, 8, 9]), ([7, 7], [7]), ([9, 5], []), (None, []), ([5], [])],
)
def test_a_range_holds_both_its_ends(window: object, inside: list[int]) -> None:
    item = {"target_resolve_range": window}
    assert [chapter for chapter in range(4, 11) if one.in_window(item, chapter)] == inside
    assert one.in_window({}, 7) is False


@pytest.mark.parametrize(
    ("planted", "found"), [(7, True), (6, False), (True, False), ("7", False), (None, False)]
)
def test_the_chapter_that_plants_an_item(planted: object, found: bool) -> None:
    assert one.is_planted_in({"planted_chapter": planted}, 7) is found
    assert one.is_planted_in({"planted_chapter": planted}, 1) is False
    assert one.is_planted_in({}, 7) is False


@pytest.mark.parametrize(
    ("changes", "late"),
    [
        ({}, True),
        ({"status": "advanced"}, True),
        ({"status": None}, True),
        ({"status": "resolved"}, False),
        ({"scope": "medium"}, False),
        ({"scope": None}, False),
        ({"target_resolve_range": [1, 7]}, False),
        ({"target_resolve_range": [7, 6]}, False),
        ({"target_resolve_range": None}, False),
    ],
)
def test_a_short_open_item_past_its_range_is_overdue(changes: dict[str, Any], late: bool) -> None:
    assert one.is_overdue({**BARE, "target_resolve_range": [1, 6], **changes}, 7) is late


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (op(""), "没有写伏笔编号"),
        (op(" "), "没有写伏笔编号"),
        (op(4), "没有写伏笔编号"),
        ({"value": "planted"}, "没有写伏笔编号"),
        (op(action="done"), "只能是 planted、advanced、resolved"),
        (op(action=None), "只能是 planted、advanced、resolved"),
        (op(action=["planted"]), "只能是 planted、advanced、resolved"),
    ],
)
def test_an_op_that_is_none_is_dropped_and_changes_nothing(change: dict[str, Any], reason: str) -> None:
    items = [dict(BARE)]
    with pytest.raises(one.Dropped) as dropped:
        merged(items, change)
    assert str(dropped.value) == reason
    assert items == [BARE]


@pytest.mark.parametrize("history", ["x", {}, 0, False])
def test_an_item_whose_history_is_no_list_stays_as_it_is(history: object) -> None:
    items = [{**BARE, "history": history}]
    with pytest.raises(one.Dropped) as dropped:
        merged(items, op(), description="别的")
    assert str(dropped.value) == "这条伏笔的 history 不是列表，请改正后再试"
    assert items == [{**BARE, "history": history}]


@pytest.mark.parametrize("item", [BARE, {**BARE, "history": None}, {**BARE, "history": []}])
def test_an_op_is_noted_in_a_history_that_is_not_there_yet(item: dict[str, Any]) -> None:
    (found,) = merged([dict(item)], op(detail="裂纹"))
    assert found == {
        **BARE,
        "status": "advanced",
        "planted_storyline": "side",
        "last_updated_chapter": 7,
        "history": [{"chapter": 7, "action": "advanced", "detail": "裂纹"}],
    }


@pytest.mark.parametrize("action", one.ACTIONS)
def test_a_new_item_is_a_placeholder_at_the_end(action: str) -> None:
    assert merged([dict(BARE)], op("well", action, detail=7)) == [
        BARE,
        {
            "id": "well",
            "description": "well",
            "scope": "medium",
            "status": action,
            "planted_chapter": 7 if action == "planted" else None,
            "planted_storyline": "side",
            "target_resolve_range": None,
            "last_updated_chapter": 7,
            "history": [{"chapter": 7, "action": action, "detail": ""}],
        },
    ]


def test_only_the_first_item_of_the_id_is_changed() -> None:
    first, second = merged([dict(BARE), dict(BARE)], op())
    assert first["status"] == "advanced"
    assert second == BARE


@pytest.mark.parametrize(
    ("planned", "filled"),
    [
        ({"description": "计划", "scope": "long", "target_resolve_range": [1, 9]}, ("计划", "long", [1, 9])),
        ({"description": " ", "scope": "wide", "target_resolve_range": [9, 1]}, ("jade", "medium", None)),
        ({"description": 7, "scope": None, "target_resolve_range": "1-9"}, ("jade", "medium", None)),
        ({"status": "resolved", "planted_chapter": 3, "scope": "short"}, ("jade", "short", None)),
    ],
)
def test_a_new_item_takes_the_planned_fields_that_are_usable(planned: dict[str, Any], filled: Any) -> None:
    (found,) = merged([], op(action="planted"), **planned)
    assert (found["description"], found["scope"], found["target_resolve_range"]) == filled
    assert (found["status"], found["planted_chapter"]) == ("planted", 7)


def test_the_plan_is_copied_and_not_shared() -> None:
    window = [1, 9]
    (found,) = merged([], op(), target_resolve_range=window)
    found["target_resolve_range"].append(0)
    assert window == [1, 9]


@pytest.mark.parametrize(
    ("last", "after"), [(None, 7), (3, 7), (7, 7), (20, 20), ("9", 7), (True, 7), (0, 7)]
)
def test_the_last_update_is_the_latest_chapter(last: object, after: int) -> None:
    (found,) = merged([{**BARE, "last_updated_chapter": last}], op())
    assert found["last_updated_chapter"] == after


@pytest.mark.parametrize(
    ("changes", "action", "planted"),
    [
        ({}, "planted", (7, "side")),
        ({}, "advanced", (None, "side")),
        ({}, "resolved", (None, "side")),
        ({"planted_chapter": 3, "planted_storyline": "main"}, "planted", (3, "main")),
        ({"planted_chapter": "", "planted_storyline": ""}, "planted", (7, "side")),
    ],
)
def test_an_item_is_planted_once(changes: dict[str, Any], action: str, planted: Any) -> None:
    (found,) = merged([{**BARE, **changes}], op(action=action))
    assert (found.get("planted_chapter"), found["planted_storyline"]) == planted


@pytest.mark.parametrize("line", [None, ""])
def test_without_a_storyline_none_is_noted(line: str | None) -> None:
    items = [dict(BARE)]
    one.merge_op(items, {}, op(), 7, line)
    assert "planted_storyline" not in items[0]


@pytest.mark.parametrize(
    ("status", "action", "after"),
    [
        *((before, "resolved", "resolved") for before in (None, "", "planted", "advanced", "resolved", "x")),
        *((before, "advanced", "advanced") for before in (None, "", "planted", "advanced", "x")),
        *((before, "planted", "planted") for before in (None, "", "planted")),
        ("resolved", "advanced", "resolved"),
        ("resolved", "planted", "resolved"),
        ("advanced", "planted", "advanced"),
        ("x", "planted", "x"),
    ],
)
def test_the_status_moves_one_way(status: object, action: str, after: str) -> None:
    (found,) = merged([{**BARE, "status": status}], op(action=action))
    assert found["status"] == after


@pytest.mark.parametrize(
    ("old", "noted"),
    [
        ({"chapter": 7, "action": "advanced", "detail": "旧"}, False),
        ({"chapter": 7, "action": "advanced"}, False),
        ({"chapter": 7, "action": "planted"}, True),
        ({"chapter": 6, "action": "advanced"}, True),
        ({"chapter": "7", "action": "advanced"}, True),
        ("第七章", True),
    ],
)
def test_one_entry_a_chapter_and_action(old: object, noted: bool) -> None:
    (found,) = merged([{**BARE, "history": [old]}], op(detail="新"))
    entry = {"chapter": 7, "action": "advanced", "detail": "新"}
    assert found["history"] == ([old, entry] if noted else [old])


@pytest.mark.parametrize("first", [{"chapter": 7, "action": "advanced"}, {"chapter": 1, "action": "planted"}])
def test_an_entry_is_looked_for_in_the_whole_history(first: dict[str, Any]) -> None:
    history = [first, {"chapter": 7, "action": "advanced"}, {"chapter": 9, "action": "planted"}]
    (found,) = merged([{**BARE, "history": history}], op())
    assert found["history"] == history


@pytest.mark.parametrize(
    ("plan", "item"),
    [
        ({"id": "jade", "status": "planted"}, {"id": "jade", "status": "planned"}),
        ({"id": "jade"}, {"id": "jade", "status": "planned"}),
        ({"id": "jade", "status": "resolved"}, {"id": "jade", "status": "resolved"}),
        (None, {"status": "planned"}),
    ],
)
def test_what_is_planned_alone_has_the_status_planned(plan: Any, item: dict[str, Any]) -> None:
    assert one.merge_plan(None, plan) == item
    assert plan is None or one.merge_plan(None, plan) is not plan


@pytest.mark.parametrize(
    ("plan", "changes"),
    [
        (None, {}),
        ({}, {}),
        ({"status": "planned", "description": "计划", "scope": "long"}, {}),
        ({"planted_chapter": 3, "note": "旁注"}, {"planted_chapter": 3, "note": "旁注"}),
        ({"target_resolve_range": [1, 9]}, {"target_resolve_range": [1, 9]}),
    ],
)
def test_a_fact_wins_over_the_plan(plan: Any, changes: dict[str, Any]) -> None:
    assert one.merge_plan(BARE, plan) == {**BARE, **changes}


def test_a_placeholder_takes_all_planned_fields() -> None:
    fact = {**BARE, "description": "jade", "target_resolve_range": [1, 2], "note": ""}
    plan = {
        "description": "计划",
        "scope": "long",
        "target_resolve_range": [3, 4],
        "note": "旁注",
        "status": "x",
    }
    assert one.merge_plan(fact, plan) == {
        "id": "jade",
        "description": "计划",
        "scope": "long",
        "status": "planted",
        "target_resolve_range": [3, 4],
        "note": "旁注",
    }


CLOSED = [{"chapter": 3, "action": "planted"}, {"chapter": 9, "action": "resolved"}]


@pytest.mark.parametrize(
    ("thread", "words"),
    [
        ({"status": "planted", "planted_chapter": 2}, ["第 2 章已埋", "计划第 5 章收"]),
        ({"status": "planted"}, ["已埋", "计划第 5 章收"]),
        ({"status": "planned", "planted_chapter": 2}, ["计划第 2 章埋", "计划第 5 章收"]),
        ({"planted_chapter": 2}, ["计划第 2 章埋", "计划第 5 章收"]),
        ({"status": "planned"}, ["计划中", "计划第 5 章收"]),
        ({"status": "advanced", "planted_chapter": 2}, ["第 2 章已埋", "推进中", "计划第 5 章收"]),
        ({"status": "resolved", "planted_chapter": 3, "history": CLOSED}, ["第 3 章已埋", "第 9 章已收"]),
        ({"status": "resolved", "planted_chapter": 3}, ["第 3 章已埋", "已收"]),
        ({"status": "dropped", "planted_chapter": 3}, ["第 3 章已埋", "已放下"]),
    ],
)
def test_what_has_happened_and_what_is_planned(thread: dict[str, Any], words: list[str]) -> None:
    assert one.course({"id": "jade", "target_resolve_range": [5, 5], **thread}) == words


def test_the_plan_alone() -> None:
    thread = {"id": "jade", "status": "resolved", "planted_chapter": 2, "target_resolve_range": [5, 7]}
    assert one.course(thread, done=False) == ["计划第 2 章埋", "计划第 5–7 章收"]


def test_an_unplanned_thread_is_called_by_what_was_told_of_it() -> None:
    history = [{"chapter": 3, "action": "planted"}, {"chapter": 4, "detail": "账本不见了。没人说话"}]
    thread = {"id": "ledger", "description": "ledger", "history": history}
    assert one.described(thread) == "账本不见了。没人说话"
    assert one.title(thread) == "账本不见了"
    assert one.title({**thread, "description": "账本去了哪里"}) == "账本去了哪里"
    assert one.title({**thread, "signal": "空抽屉"}) == "空抽屉"
    assert one.title({"id": "ledger", "description": "ledger", "history": None}) == "ledger"
