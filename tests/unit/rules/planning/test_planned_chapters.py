"""A planned chapter needs the people, rules, storylines and places that its plan names."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.planning import planned_chapters
from novel_hooks.rules.planning.planned_chapters import PlannedChapter

NAMES = ("沈渡", "渡哥", "shen-du")


def chapter(keys: dict[str, str] | None = None, **fields: Any) -> PlannedChapter:
    document = {"chapter": 7, "storyline_id": "river-line", **fields}
    return PlannedChapter(1, 7, contracts.parse(document, "c.json"), keys or {})


def states(**people: Any) -> dict[str, Any]:
    return {"character_states": people}


@pytest.mark.parametrize("name", NAMES)
def test_a_character_is_needed_by_any_of_his_words(name: str) -> None:
    assert planned_chapters.needs_person(chapter(preconditions=states(**{name: {}})), NAMES) == (
        "character_states"
    )
    assert planned_chapters.needs_person(chapter({"POV": name}), NAMES) == "大纲的 POV"


@pytest.mark.parametrize(
    ("place", "keys", "fields"),
    [
        ("character_states", {"POV": "沈渡"}, {"preconditions": states(沈渡={})}),
        ("大纲的 POV", {"POV": "沈渡", "Conflict": "沈渡落水"}, {}),
        (
            "目标 OBJ-1 的 target",
            {"Conflict": "沈渡落水"},
            {"objectives": [{"id": "OBJ-1", "target": "沈渡"}]},
        ),
        ("state_changes", {"Conflict": "沈渡落水"}, {"postconditions": {"state_changes": {"沈渡": "落水"}}}),
        ("大纲的 Conflict", {"Conflict": "沈渡落水", "StateChanges": "沈渡走了"}, {}),
        ("大纲的 StateChanges", {"StateChanges": "沈渡走了"}, {}),
    ],
)
def test_the_first_place_that_names_him(place: str, keys: dict[str, str], fields: dict[str, Any]) -> None:
    assert planned_chapters.needs_person(chapter(keys, **fields), NAMES) == place


def test_a_chapter_with_others_does_not_need_him() -> None:
    one = chapter(
        {"POV": "乔九", "Location": "沈渡的旧屋"}, preconditions=states(乔九={"location": "沈渡家"})
    )
    assert planned_chapters.needs_person(one, NAMES) is None
    assert planned_chapters.needs_person(chapter(), NAMES) is None


def test_a_rule_is_needed_by_its_id() -> None:
    one = chapter(preconditions={"required_world_rules": ["W-001", "W-003"]})
    assert [
        name for name in ("W-001", "W-002", "W-003", "W-00") if planned_chapters.needs_rule(one, name)
    ] == [
        "W-001",
        "W-003",
    ]
    assert not planned_chapters.needs_rule(chapter(), "W-001")


def test_a_storyline_is_needed_by_its_own_chapter_the_one_before_and_one_beside_it() -> None:
    one = chapter(
        transition_hint={"next_storyline": "tower-line"},
        storyline_context={"concurrent_state": {"sea-line": "船还没到"}},
    )
    wanted = ("river-line", "tower-line", "sea-line", "river", "hill-line")
    assert [name for name in wanted if planned_chapters.needs_storyline(one, name)] == [
        "river-line",
        "tower-line",
        "sea-line",
    ]


def test_a_place_is_needed_where_the_outline_or_a_character_stands() -> None:
    one = chapter(
        {"Location": "第 5 个渡口，夜里", "Conflict": "盐仓失火"},
        preconditions=states(沈渡={"location": "塔顶的钟下"}, 乔九="在路上", 何铁={"location": 5}),
    )
    found = [
        name for name in ("第 5 个渡口", "塔顶", "盐仓", "在路上") if planned_chapters.needs_place(one, name)
    ]
    assert found == ["第 5 个渡口", "塔顶"]


@pytest.mark.parametrize(
    "preconditions", [None, {}, {"character_states": None}, states(沈渡={"location": None})]
)
def test_a_chapter_without_any_place_needs_none(preconditions: Any) -> None:
    assert not planned_chapters.needs_place(chapter(preconditions=preconditions), "渡口")
    assert not planned_chapters.needs_place(chapter(preconditions=preconditions), "X")
