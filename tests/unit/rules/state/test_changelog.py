"""The change log: its lines, and the state rebuilt from them."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.errors import ChangelogBroken
from novel_hooks.rules.state import changelog, delta

TS = "2030-01-02T03:04:05Z"


def op(kind: str, path: str, value: Any) -> dict[str, Any]:
    return {"op": kind, "path": path, "value": value}


def line(chapter: int, base: int, *ops: dict[str, Any]) -> dict[str, Any]:
    return changelog.log_line(TS, chapter, "main-line", base, base + 1, ops, [])


def test_a_line_says_what_protocol_asks_for() -> None:
    dropped = [{"op": 4, "reason": "不是一条变更"}]
    assert changelog.log_line(TS, 7, "main-line", 3, 4, [op("set", "items.a", 1)], dropped) == {
        "ts": TS,
        "chapter": 7,
        "storyline_id": "main-line",
        "base_state_version": 3,
        "state_version": 4,
        "ops": [op("set", "items.a", 1)],
        "dropped": dropped,
    }


def test_a_skip_leaves_the_version_and_says_why() -> None:
    skip = changelog.skipped_line(TS, 7, "main-line", 3, "读不懂")
    assert (skip["ts"], skip["chapter"], skip["storyline_id"], skip["dropped"]) == (TS, 7, "main-line", [])
    assert (skip["base_state_version"], skip["state_version"], skip["ops"]) == (3, 3, [])
    assert (skip["skipped"], skip["reason"]) == (True, "读不懂")


def test_rebuilding_passes_over_skips() -> None:
    lines = [
        line(1, 0, op("set", "items.a.n", 1)),
        changelog.skipped_line(TS, 2, "main-line", 1, "x"),
        line(3, 1, op("inc", "items.a.n", 1)),
    ]
    state = changelog.replay(lines)
    assert (state["state_version"], state["last_updated_chapter"], state["items"]) == (2, 3, {"a": {"n": 2}})
    assert changelog.skipped_chapters(lines) == [2]


def test_the_state_of_each_line_stays_as_it_was() -> None:
    lines = [line(1, 0, op("add", "items.a.held", "灯")), line(2, 1, op("add", "items.a.held", "桨"))]
    found = list(changelog.states(lines))
    assert [one["items"] for one in found] == [{}, {"a": {"held": ["灯"]}}, {"a": {"held": ["灯", "桨"]}}]
    assert [(one["state_version"], one["last_updated_chapter"]) for one in found] == [(0, 0), (1, 1), (2, 2)]
    assert lines[0]["ops"][0]["value"] == "灯"


def test_nothing_logged_is_the_skeleton() -> None:
    assert changelog.replay([]) == delta.empty_state()


def test_what_was_resolved_stays_so_over_chapters() -> None:
    lines = [
        line(1, 0, op("foreshadow", "jade", "resolved")),
        line(2, 1, op("foreshadow", "jade", "advanced"), op("foreshadow", "sword", "planted")),
    ]
    assert changelog.replay(lines)["active_foreshadowing"] == ["sword"]
    assert changelog.resolved_ids(lines) == {"jade"}


@pytest.mark.parametrize(
    ("lines", "number"),
    [
        ([line(1, 1)], 1),
        ([line(1, 0), line(2, 0)], 2),
        ([line(1, 0), line(3, 2)], 2),
        ([{**line(1, 0), "state_version": 5}], 1),
        ([line(1, 0), changelog.skipped_line(TS, 2, None, 4, "x")], 2),
        ([line(1, 0), line(2, 1, op("inc", "items.a", "x"))], 2),
        ([{**line(1, 0), "ops": None}], 1),
        ([{**line(1, 0), "chapter": "1"}], 1),
        ([{}], 1),
    ],
    ids=str,
)
def test_a_gap_or_a_contradiction_is_named_by_its_line(lines: list[dict[str, Any]], number: int) -> None:
    with pytest.raises(ChangelogBroken) as refused:
        changelog.replay(lines)
    assert refused.value.values["line"] == number
    assert refused.value.path == "state/changelog.jsonl"


def test_foreshadowing_is_told_in_chapter_order() -> None:
    plant, advance = op("foreshadow", "jade", "planted"), op("foreshadow", "jade", "advanced")
    lines = [
        line(5, 0, advance),
        line(3, 1, plant, op("set", "items.a", 1)),
        line(6, 2, op("set", "items.a", 2)),
    ]
    assert changelog.foreshadow_ops(lines) == [
        changelog.ForeshadowOps(3, "main-line", [plant]),
        changelog.ForeshadowOps(5, "main-line", [advance]),
    ]


def test_lines_of_one_chapter_stay_in_the_order_of_the_log() -> None:
    first, second = op("foreshadow", "b", "planted"), op("foreshadow", "a", "planted")
    lines = [line(3, 0, first), line(3, 1, second), line(2, 2, first)]
    assert [entry.ops for entry in changelog.foreshadow_ops(lines)] == [[first], [first], [second]]


def sync(chapter: int) -> str:
    return (
        f"没有备份时，运行 `novel sync {chapter}` 照正文重新记一遍，正文不动；"
        f"或者 `novel rollback {chapter - 1}`，退回这一章之前。"
    )


@pytest.mark.parametrize(
    ("lines", "detail", "how"),
    [
        ([{**line(5, 0), "base_state_version": 7}], "版本应是 0 → 1，写的是 7 → 1", sync(5)),
        ([{**line(5, 0), "state_version": None}], "版本应是 0 → 1，写的是 0 → None", sync(5)),
        ([changelog.skipped_line(TS, 5, None, 4, "x")], "版本应是 0 → 0，写的是 4 → 4", sync(5)),
        ([{**line(5, 0), "ops": None}], "缺少章号或变更列表", sync(5)),
        ([{**line(5, 0), "chapter": None}], "缺少章号或变更列表", ""),
        (
            [line(5, 0, op("inc", "items.a", "x"))],
            "记为已生效的变更无法生效：inc 的 value 应是一个数",
            sync(5),
        ),
    ],
)
def test_what_is_wrong_with_a_line_and_how_to_mend_it(
    lines: list[dict[str, Any]], detail: str, how: str
) -> None:
    with pytest.raises(ChangelogBroken) as refused:
        changelog.replay(lines)
    assert (refused.value.values["detail"], refused.value.values["anew"]) == (detail, how)


def test_ids_that_lines_resolve() -> None:
    lines: list[dict[str, Any]] = [{}, {"ops": None}, {"ops": "resolved"}]
    lines.append({"ops": [op("foreshadow", "a", "advanced"), op("set", "b", "resolved")]})
    lines.append({"ops": [op("foreshadow", "c", "resolved"), op("foreshadow", "d", "resolved")]})
    assert changelog.resolved_ids(lines) == {"c", "d"}
