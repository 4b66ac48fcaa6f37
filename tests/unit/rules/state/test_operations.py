"""Single ops: what each does to the state, or the reason why it is dropped without a trace."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from novel_hooks.rules.state import entry_names, operations

HELD: dict[str, Any] = {
    "characters": {"lin-feng": {"location": "渡口", "level": 3, "inventory": ["剑"], "vigor": None}},
    "items": {"box": {"inside": {"n": 1}}},
    "world_state": {"ongoing_events": ["大旱"]},
}


def op(kind: Any, path: Any, value: Any, **more: Any) -> dict[str, Any]:
    return {"op": kind, "path": path, "value": value, **more}


def run(state: dict[str, Any], *ops: Any, resolved: tuple[str, ...] = ()) -> operations.Run:
    made = operations.Run(state, set(resolved))
    for one in ops:
        made.take(one)
    return made


@pytest.mark.parametrize(
    ("before", "change", "after"),
    [
        ({}, op("set", "items.sword.owner", "lin-feng"), {"items": {"sword": {"owner": "lin-feng"}}}),
        ({}, op("set", "items.sword", "断了"), {"items": {"sword": "断了"}}),
        ({}, op("set", "items.青铜剑.持有", None), {"items": {"青铜剑": {"持有": None}}}),
        ({}, op("set", "world_state.time_marker", "三日后"), {"world_state": {"time_marker": "三日后"}}),
        ({}, op("set", "locations.12.3", 1), {"locations": {"12": {"3": 1}}}),
        ({"items": {"a": {"b": 1}}}, op("set", "items.a", {"c": 2}), {"items": {"a": {"c": 2}}}),
        ({"items": {"a": 1}}, op("set", "items.a", {"c": 2}), {"items": {"a": {"c": 2}}}),
        (
            {},
            op("inc", "characters.a.relationships.b", 2),
            {"characters": {"a": {"relationships": {"b": 2}}}},
        ),
        ({"items": {"a": {"n": 1}}}, op("inc", "items.a.n", -3), {"items": {"a": {"n": -2}}}),
        ({"items": {"a": {"n": 1}}}, op("inc", "items.a.n", 0.5), {"items": {"a": {"n": 1.5}}}),
        ({}, op("add", "characters.a.inventory", "剑"), {"characters": {"a": {"inventory": ["剑"]}}}),
        ({"items": {"a": {"l": [1]}}}, op("add", "items.a.l", True), {"items": {"a": {"l": [1, True]}}}),
        ({"items": {"a": {"l": [1]}}}, op("add", "items.a.l", 1.0), {"items": {"a": {"l": [1]}}}),
        (
            {"items": {"a": {"l": [{"x": 1}]}}},
            op("add", "items.a.l", {"x": 1}),
            {"items": {"a": {"l": [{"x": 1}]}}},
        ),
        ({"items": {"a": {"l": [True, 1]}}}, op("remove", "items.a.l", 1), {"items": {"a": {"l": [True]}}}),
        (
            {"items": {"a": {"l": ["药", "药"]}}},
            op("remove", "items.a.l", "药"),
            {"items": {"a": {"l": ["药"]}}},
        ),
        ({"items": {"a": {"l": ["药"]}}}, op("remove", "items.a.l", "药"), {"items": {"a": {"l": []}}}),
    ],
    ids=str,
)
def test_an_op_does_what_it_says(
    before: dict[str, Any], change: dict[str, Any], after: dict[str, Any]
) -> None:
    done = run(copy.deepcopy(before), change)
    assert (done.applied, done.dropped) == ([change], [])
    assert json.dumps(done.state) == json.dumps({**before, **after})


DEEP: Any = 1
for _ in range(101):
    DEEP = [DEEP]
PATH, SEGMENT, NAME = "路径应有 2 到 4 段", "路径里有空的一段或多余的空格", "路径里有不允许的名字"
SECTION = "路径应以 characters、items、locations、factions、world_state 开头"
SLUG = "角色应写编号（小写字母、数字和连字符），不写名字"
KIND, NO_PATH, NO_VALUE, NO_JSON = "不认识的变更方式", "没有写路径", "没有写 value", "含有不能保存的值"
CARD, WIPES = "一个角色应是一组资料，不能只是一个值", "这样会抹掉整组资料；请写到具体的一项"
NO_STEP, NO_COUNT, TOO_LARGE = "inc 的 value 应是一个数", "原来的值不是数，不能增减", "数太大"
NO_LIST, NOTHING, ABSENT = "原来的值不是列表，不能添加", "这里没有可以去掉东西的列表", "列表里没有这一项"
ACTION = "伏笔只能是 planted、advanced、resolved"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("set items.a 1", "不是一条变更"),
        (None, "不是一条变更"),
        ([], "不是一条变更"),
        ({}, KIND),
        ({"op": "set", "path": "items.a.b"}, NO_VALUE),
        ({"op": "remove", "path": "characters.lin-feng.inventory"}, NO_VALUE),
        ({"op": "set", "value": 1}, NO_PATH),
        ({"path": "items.a.b", "value": 1}, KIND),
        (op("delete", "items.a.b", 1), KIND),
        (op("SET", "items.a.b", 1), KIND),
        (op(None, "items.a.b", 1), KIND),
        (op(["set"], "items.a.b", 1), KIND),
        (op("set", None, 1), NO_PATH),
        (op("set", 7, 1), NO_PATH),
        (op("set", ["items", "a"], 1), NO_PATH),
        (op("set", "", 1), NO_PATH),
        (op("set", " ", 1), NO_PATH),
        (op("set", "items", {}), PATH),
        (op("set", "items.a.b.c.d", 1), PATH),
        (op("set", "items.", 1), SEGMENT),
        (op("set", ".items.a", 1), SEGMENT),
        (op("set", "items..b", 1), SEGMENT),
        (op("set", "items. .b", 1), SEGMENT),
        (op("set", "items.a .b", 1), SEGMENT),
        (op("set", "secrets.a.b", 1), SECTION),
        (op("set", "state_version.a", 1), SECTION),
        (op("set", "active_foreshadowing.a", 1), SECTION),
        (op("set", "items.__proto__.x", 1), NAME),
        (op("set", "items.constructor.x", 1), NAME),
        (op("set", "items.a.prototype", 1), NAME),
        (op("set", "items.a.__class__", 1), NAME),
        (op("set", "characters.林风.location", "x"), SLUG),
        (op("set", "characters.Lin-Feng.location", "x"), SLUG),
        (op("set", "characters.lin_feng.location", "x"), SLUG),
        (op("set", "characters.lin-feng", "死了"), WIPES),
        (op("set", "characters.lin-feng", None), WIPES),
        (op("set", "characters.su-yan", "走了"), CARD),
        (op("set", "items.box.inside", "空"), WIPES),
        (op("set", "items.box", None), WIPES),
        (op("inc", "characters.su-yan", 1), CARD),
        (op("add", "characters.su-yan", "x"), CARD),
        (op("set", "characters.lin-feng.location.x", 1), "「location」已经是一个值，不能再往下写"),
        (op("set", "world_state.ongoing_events.0", "x"), "「ongoing_events」已经是一个值，不能再往下写"),
        (op("set", "items.a.b", float("nan")), NO_JSON),
        (op("set", "items.a.b", {"c": [float("inf")]}), NO_JSON),
        (op("set", "items.a.b", {1: 2}), NO_JSON),
        (op("set", "items.a.b", DEEP), NO_JSON),
        (op("inc", "characters.lin-feng.level", True), NO_STEP),
        (op("inc", "characters.lin-feng.level", "1"), NO_STEP),
        (op("inc", "characters.lin-feng.level", None), NO_STEP),
        (op("inc", "characters.lin-feng.level", float("nan")), NO_JSON),
        (op("inc", "characters.lin-feng.level", float("inf")), NO_JSON),
        (op("inc", "characters.lin-feng.level", 10**400), NO_JSON),
        (op("inc", "characters.lin-feng.level", 1e300), TOO_LARGE),
        (op("inc", "characters.lin-feng.level", 10**15 + 1), TOO_LARGE),
        (op("inc", "characters.lin-feng.level", -(10**15) - 1), TOO_LARGE),
        (op("inc", "characters.lin-feng.location", 1), NO_COUNT),
        (op("inc", "characters.lin-feng.vigor", 1), NO_COUNT),
        (op("inc", "characters.lin-feng", 1), NO_COUNT),
        (op("inc", "items.new.n", "1"), NO_STEP),
        (op("add", "characters.lin-feng.location", "x"), NO_LIST),
        (op("add", "characters.lin-feng.vigor", "x"), NO_LIST),
        (op("remove", "characters.lin-feng.inventory", "盾"), ABSENT),
        (op("remove", "characters.lin-feng.location", "渡口"), NOTHING),
        (op("remove", "items.new.list", "x"), NOTHING),
        (op("foreshadow", "", "planted"), NO_PATH),
        (op("foreshadow", "jade", "done"), ACTION),
        (op("foreshadow", "jade", None), ACTION),
        (op("foreshadow", "jade", ["planted"]), ACTION),
    ],
    ids=str,
)
def test_a_bad_op_is_dropped_with_a_reason_and_leaves_no_trace(change: Any, reason: str) -> None:
    good = op("set", "items.kept.x", 1)
    done = run(copy.deepcopy(HELD), change, good)
    assert [entry["reason"] for entry in done.dropped] == [reason]
    assert done.dropped[0]["op"] is change and set(done.dropped[0]) == {"op", "reason"}
    assert done.applied == [good]
    assert done.state == {**HELD, "items": {**HELD["items"], "kept": {"x": 1}}}
    assert done.resolved == set()


@pytest.mark.parametrize(("old", "step"), [(0, 10**15), (10**15, 1), (-(10**15), -(10**15))])
def test_the_largest_count(old: int, step: int) -> None:
    done = run({"items": {"a": {"n": old}}}, op("inc", "items.a.n", step))
    assert done.state["items"]["a"]["n"] == old + step
    again = run({"items": {"a": {"n": 10**15 + 1}}}, op("inc", "items.a.n", -1))
    assert again.dropped[0]["reason"] == TOO_LARGE


def test_a_stored_value_is_a_copy() -> None:
    first, second = op("set", "items.a", {"l": [1]}), op("add", "items.a.l", {"x": []})
    done = run({}, first, second)
    done.state["items"]["a"]["l"][1]["x"].append(2)
    assert (first["value"], second["value"]) == ({"l": [1]}, {"x": []})
    listed = op("add", "items.b.l", {"x": []})
    again = run({}, listed)
    again.state["items"]["b"]["l"][0]["x"].append(2)
    assert listed["value"] == {"x": []}


def test_of_several_ops_the_one_that_goes_too_deep_is_dropped() -> None:
    done = run(
        {},
        op("set", "characters.a.location", "渡口"),
        op("inc", "characters.b.relationships.c", 1),
        op("set", "characters.d.clothes.e", "旧"),
        op("set", "characters.f.relationships", {}),
        op("set", "items.g.relationships.h", 1),
        op("set", "characters.i.level.j.k", 1),
        op("foreshadow", "characters.l", "planted"),
    )
    assert len(done.applied) == 6 and len(done.dropped) == 1


@pytest.mark.parametrize(
    ("before", "ops", "active", "resolved"),
    [
        (None, [("b", "planted"), ("a", "advanced")], ["a", "b"], set()),
        (["old", 4, None], [("jade", "planted")], ["jade", "old"], set()),
        ("odd", [("jade", "planted")], ["jade"], set()),
        (["old"], [("old", "resolved")], [], {"old"}),
        (["old"], [("old", "resolved"), ("old", "advanced")], [], {"old"}),
        (["old"], [("new", "resolved")], ["old"], {"new"}),
        (["old"], [("old", "planted")], ["old"], set()),
    ],
)
def test_active_foreshadowing(
    before: Any, ops: list[tuple[str, str]], active: list[str], resolved: set[str]
) -> None:
    state = {} if before is None else {"active_foreshadowing": before}
    done = run(state, *(op("foreshadow", name, action) for name, action in ops))
    assert (done.state, done.resolved) == ({"active_foreshadowing": active}, resolved)


def test_foreshadowing_that_was_resolved_before_is_not_active_again() -> None:
    done = run({}, op("foreshadow", "jade", "planted"), resolved=("jade",))
    assert done.state == {"active_foreshadowing": []}


def test_the_segments_of_a_path() -> None:
    assert operations.split_path("items.青铜剑") == ("items", "青铜剑")
    assert operations.split_path("characters.lin-feng.relationships.su-yan") == (
        "characters",
        "lin-feng",
        "relationships",
        "su-yan",
    )


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (op("set", "items.sword.owner", "林风"), "set items.sword.owner"),
        ({"op": "set"}, "set None"),
        ("set items.a 1", "set items.a 1"),
        (None, "None"),
        ("夜" * 61, "夜" * 60),
        (op("set", "a" * 80, 1), "set " + "a" * 56),
    ],
)
def test_an_op_for_the_author(shown: object, text: str) -> None:
    assert operations.describe(shown) == text


@pytest.mark.parametrize(
    ("told", "line"),
    [
        (op("remove", "characters.shen-du.inventory", "旧绳"), "「沈渡」的随身之物去掉「旧绳」"),
        (op("inc", "characters.shen-du.relationships.qiao-jiu", 2), "「沈渡」的关系的乔九加「2」"),
        (op("set", "items.lamp.owner", "乔九"), "「船头灯」的归属改为「乔九」"),
        (op("set", "items.lamp.status", "灭了"), "「船头灯」的现状改为「灭了」"),
        (op("set", "items.lamp.address", "河口"), "「船头灯」的address改为「河口」"),
        (op("set", "characters.shen-du.status", "失踪"), "「沈渡」的生死去向改为「失踪」"),
        (op("set", "world_state.time_marker", "九月初九"), "书里的时日改为「九月初九」"),
        (op("foreshadow", "old-lamp", "planted"), "「old-lamp」这条伏笔记为「planted」"),
        (op("set", "items.lamp", {"a": 1}), "「船头灯」改为"),
        ("set items.a 1", "set items.a 1"),
        ({"op": "burn", "path": "items.a"}, "「a」（burn）"),
    ],
)
def test_an_op_in_the_authors_words(told: object, line: str) -> None:
    state = {"items": {"lamp": {"display_name": "船头灯"}, "odd": 1}}
    names = entry_names.shown_names(state, {"shen-du": "沈渡", "qiao-jiu": "乔九"})
    assert operations.author_line(told, names) == line
