"""Deltas: which of them belong to a chapter, and the state after one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from novel_hooks.errors import StateBroken
from novel_hooks.rules.state import delta


def op(kind: str, path: Any, value: Any, **more: Any) -> dict[str, Any]:
    return {"op": kind, "path": path, "value": value, **more}


def given(*ops: Any, **changes: Any) -> dict[str, Any]:
    return {"chapter": 7, "base_state_version": 3, "storyline_id": "main-line", "ops": list(ops), **changes}


def state(**sections: Any) -> dict[str, Any]:
    return {**delta.empty_state(), "state_version": 3, "last_updated_chapter": 6, **sections}


def places(found: Any, line: str | None = "main-line") -> list[str]:
    return [problem.values["where"] for problem in delta.problems(found, 7, 3, line)]


SOME = op("set", "items.sword.owner", "lin-feng")


@pytest.mark.parametrize(
    ("found", "where"),
    [
        (given(SOME), []),
        (given(SOME, chapter=8), ["chapter"]),
        (given(SOME, chapter="7"), ["chapter"]),
        (given(SOME, chapter=7.0), ["chapter"]),
        (given(SOME, base_state_version=2), ["base_state_version"]),
        (given(SOME, base_state_version=None), ["base_state_version"]),
        (given(SOME, storyline_id="other"), ["storyline_id"]),
        (given(no_change=True), []),
        (given(), ["no_change"]),
        (given(no_change=False), ["no_change"]),
        (given(SOME, no_change=True), ["no_change"]),
        (given(SOME, no_change="yes"), ["no_change"]),
        (given(ops=None), ["ops"]),
        (given(ops={}), ["ops"]),
        ([], ["整份内容"]),
        (None, ["整份内容"]),
        ({"chapter": 7, "skipped": True, "reason": "读不懂"}, []),
        ({"chapter": 8, "skipped": True, "reason": "读不懂"}, ["chapter"]),
        ({"chapter": 7, "skipped": True}, ["reason"]),
        ({"chapter": 7, "skipped": 1, "reason": "x"}, ["base_state_version", "ops"]),
        (given("nonsense", 4), []),
    ],
    ids=str,
)
def test_does_the_delta_belong_here(found: Any, where: list[str]) -> None:
    assert places(found) == where


def test_true_is_no_chapter_and_no_version() -> None:
    found = {"chapter": True, "base_state_version": True, "ops": [SOME]}
    assert [p.values["where"] for p in delta.problems(found, 1, 1, None)] == ["chapter", "base_state_version"]


def test_any_storyline_will_do_when_none_is_asked_for() -> None:
    assert places(given(SOME, storyline_id="other"), None) == []


def test_the_problem_names_the_staged_file() -> None:
    for found in (None, given(SOME, chapter=8)):
        assert delta.problems(found, 7, 3, None)[0].path == "staging/state/chapter-007-delta.json"
        assert delta.problems(found, 7, 3, None, "x.json")[0].path == "x.json"


@pytest.mark.parametrize(
    ("found", "detail"),
    [
        (None, "应是一个对象"),
        (given(SOME, chapter=8), "应是 7，写成了 8"),
        (given(SOME, base_state_version=2), "应是当前状态的版本 3，写成了 2"),
        (given(SOME, storyline_id="other"), "应是本章所属的 main-line，写成了 other"),
        (given(ops=None), "应是一个列表"),
        (given(), "没有写：ops 是空的；本章确实没有变化时，写 true"),
        ({"chapter": 7, "skipped": True}, "没有写明跳过的原因"),
    ],
)
def test_the_problem_says_what_should_be_there(found: Any, detail: str) -> None:
    assert [p.values["detail"] for p in delta.problems(found, 7, 3, "main-line")] == [detail]


def applied(before: dict[str, Any], *ops: Any, **more: Any) -> delta.Applied:
    return delta.apply(before, given(*ops), **more)


HELD = {
    "characters": {"lin-feng": {"location": "渡口", "level": 3, "inventory": ["剑"], "vigor": None}},
    "items": {"box": {"inside": {"n": 1}}},
    "world_state": {"ongoing_events": ["大旱"]},
}


def test_the_given_state_and_delta_are_never_touched() -> None:
    before, found = state(**HELD), given(op("set", "items.a.l", ["一"]), op("add", "items.a.l", "二"))
    was = json.dumps([before, found])
    result = delta.apply(before, found)
    assert result.state["items"]["a"]["l"] == ["一", "二"]
    assert json.dumps([before, found]) == was
    assert result.ops[0]["value"] == ["一"]


def test_a_state_that_lacks_sections_gets_them_when_they_are_needed() -> None:
    result = delta.apply({"schema_version": 1, "state_version": 3}, given(SOME))
    assert result.state == {
        "schema_version": 1,
        "state_version": 4,
        "last_updated_chapter": 7,
        "items": {"sword": {"owner": "lin-feng"}},
    }


def test_no_state_yet_is_the_skeleton() -> None:
    result = delta.apply(None, given(no_change=True))
    assert result.state == {**delta.empty_state(), "state_version": 1, "last_updated_chapter": 7}


@pytest.mark.parametrize("version", [None, "3", True, -1, 3.5])
def test_a_state_without_a_version_is_refused(version: object) -> None:
    with pytest.raises(StateBroken) as refused:
        applied(state(state_version=version), SOME)
    assert (refused.value.path, refused.value.values["where"]) == (
        "state/current-state.json",
        "state_version",
    )


def test_the_empty_state_is_version_0_with_every_section() -> None:
    assert delta.empty_state() == {
        "schema_version": 1,
        "state_version": 0,
        "last_updated_chapter": 0,
        "characters": {},
        "items": {},
        "locations": {},
        "factions": {},
        "world_state": {},
        "active_foreshadowing": [],
    }


def test_a_state_without_its_last_chapter_has_none_yet() -> None:
    found = delta.apply({"state_version": 0}, {"chapter": 0, "ops": []})
    assert found.state == {"state_version": 1, "last_updated_chapter": 0}
    with pytest.raises(StateBroken) as refused:
        delta.apply({"state_version": 0, "last_updated_chapter": -1}, given(SOME))
    assert refused.value.values["where"] == "last_updated_chapter"


def test_ops_that_are_no_list_are_none() -> None:
    assert delta.apply(state(), {"chapter": 7, "ops": "odd"}).ops == []


def test_nothing_applied_still_moves_the_version() -> None:
    result = applied(state(), "nonsense")
    assert (result.state["state_version"], result.changed, result.ops) == (4, False, [])


def test_an_op_that_makes_no_difference_is_applied_but_changes_nothing() -> None:
    held = state(items={"a": {"l": ["x"]}})
    result = applied(held, op("add", "items.a.l", "x"))
    assert len(result.ops) == 1 and not result.changed


def test_a_skipped_stub_moves_nothing() -> None:
    result = delta.apply(state(), {"chapter": 7, "skipped": True, "reason": "x"})
    assert result == delta.Applied(state(), [], [], False)


def test_an_older_chapter_does_not_turn_the_last_one_back() -> None:
    assert delta.apply(state(last_updated_chapter=9), given(SOME)).state["last_updated_chapter"] == 9


def test_somebody_whom_the_state_did_not_know_is_applied() -> None:
    ops = [
        op("set", "characters.wu-ming.location", "城外"),
        op("inc", "characters.lin-feng.relationships.hei-ying", 1),
        op("set", "characters.ghost.location.x.y", "dropped"),
    ]
    result = applied(state(**HELD), *ops)
    assert len(result.dropped) == 1
    assert result.state["characters"]["wu-ming"] == {"location": "城外"}


def test_a_resolved_foreshadowing_never_comes_back() -> None:
    same_delta = applied(state(), op("foreshadow", "jade", "resolved"), op("foreshadow", "jade", "advanced"))
    assert same_delta.state["active_foreshadowing"] == []
    later = applied(state(), op("foreshadow", "jade", "planted"), resolved=["jade"])
    assert later.state["active_foreshadowing"] == []
