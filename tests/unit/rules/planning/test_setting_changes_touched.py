"""The planned chapters that a change of the setting touches, and what waits for the author."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.planning import setting_changes
from novel_hooks.rules.planning.planned_chapters import PlannedChapter
from novel_hooks.rules.planning.setting_changes import SettingChange


def chapter(number: int, keys: dict[str, str] | None = None, **fields: Any) -> PlannedChapter:
    document = {"chapter": number, "storyline_id": "river-line", **fields}
    return PlannedChapter(1, number, contracts.parse(document, f"c{number}.json"), keys or {})


PLANNED = [
    chapter(7, preconditions={"required_world_rules": ["W-001"], "character_states": {"九娘": {}}}),
    chapter(8, {"Location": "第 5 个渡口"}, storyline_id="tower-line"),
    chapter(9, {"POV": "乔九"}, transition_hint={"next_storyline": "tower-line"}),
]


@pytest.mark.parametrize(
    ("kind", "names", "touched"),
    [
        ("rule", ("W-001",), [7]),
        ("rule", ("W-002",), []),
        ("character", ("乔九", "九娘"), [7, 9]),
        ("storyline", ("tower-line",), [8, 9]),
        ("storyline", ("hill-line", "river-line"), [7, 9]),
        ("place", ("第 5 个渡口",), [8]),
        ("place", (), []),
        ("outline", ("8",), [8]),
        ("outline", ("W-001",), []),
        ("brief", ("7", "乔九", "W-001"), []),
    ],
)
def test_the_planned_chapters_that_need_it(kind: str, names: tuple[str, ...], touched: list[int]) -> None:
    change = SettingChange(kind, "x", "x.json", "changed", names)
    assert [one.chapter for one in setting_changes.touched_chapters(change, PLANNED)] == touched


@pytest.mark.parametrize(
    ("kind", "name", "change", "id", "what"),
    [
        ("rule", "W-001", "changed", "rule:W-001", "世界规则 W-001 改了"),
        ("character", "乔九", "removed", "character:乔九", "角色「乔九」去掉了"),
        ("storyline", "river-line", "added", "storyline:river-line", "故事线 river-line 是新加的"),
        ("place", "渡口", "changed", "place:渡口", "世界设定「渡口」改了"),
        ("outline", "5", "changed", "outline:5", "第 5 章的大纲改了"),
        ("storyline", "x→河", "changed", "storyline:x→河", "故事线 x→河改了"),
        ("storyline", "河→x", "removed", "storyline:河→x", "故事线 河→x 去掉了"),
        ("brief", "", "changed", "brief:x.md", "立意改了"),
    ],
)
def test_a_change_that_waits_for_the_author(kind: str, name: str, change: str, id: str, what: str) -> None:
    touched = [PLANNED[2], PLANNED[0]]
    assert setting_changes.pending_action(SettingChange(kind, name, "x.md", change, ()), touched) == {
        "id": id,
        "what": what,
        "path": "x.md",
        "chapters": [7, 9],
        "contracts": ["c9.json", "c7.json"],
    }


def action(name: str, *chapters: int, **more: Any) -> dict[str, Any]:
    return {"id": name, "chapters": list(chapters), "contracts": [f"c{n}.json" for n in chapters], **more}


def test_fresh_actions_join_those_that_wait() -> None:
    waiting = ["一句话", {"what": "别的"}, action("rule:W-001", 8, 5, what="旧的"), action("rule:W-002", 4)]
    fresh = [action("rule:W-003", 6), action("rule:W-001", 7, 5, what="新的")]
    found = setting_changes.with_actions(waiting, fresh)
    assert found == [
        "一句话",
        {"what": "别的"},
        action("rule:W-001", 5, 7, 8, what="新的"),
        action("rule:W-002", 4),
        action("rule:W-003", 6),
    ]
    assert len(waiting) == 4 and waiting[2] == action("rule:W-001", 8, 5, what="旧的")
    assert found[4] is not fresh[0]


def test_a_waiting_action_whose_chapters_are_no_list_adds_none() -> None:
    old = {"id": "rule:W-001", "chapters": "567"}
    assert setting_changes.with_actions([old], [action("rule:W-001", 7)]) == [action("rule:W-001", 7)]


def test_the_actions_of_a_chapter() -> None:
    pending = [
        "7",
        action("a", 6, 7),
        {"id": "b"},
        {"id": "c", "chapters": "7"},
        action("d", 8),
        action("e", 7),
    ]
    assert [one["id"] for one in setting_changes.actions_for(pending, 7)] == ["a", "e"]
    assert setting_changes.actions_for(pending, 9) == []
