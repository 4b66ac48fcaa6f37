"""A chapter's contract and the volume's schedule: normalised, held against the outline (Step 2.5)."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.outline import contract as contracts
from tools import bookparts

PATH = "volumes/vol-01/chapter-contracts/chapter-005.json"
SCHEDULE: dict[str, Any] = {
    "active_storylines": ["river-line", {"storyline_id": "tower-line", "volume_role": "secondary"}],
    "dormant_storylines": [{"storyline_id": "old-line"}, "lost-line"],
    "convergence_events": [
        {"chapter_range": [4, 6], "involved_storylines": ["river-line", "tower-line", "old-line"]},
        {"chapter_range": [9, 9], "involved_storylines": ["river-line", "third-line"]},
    ],
}


def contract(chapter: int = 5, **changes: Any) -> contracts.Contract:
    return contracts.parse({**bookparts.contract(chapter), **changes}, PATH)


def test_reads_what_a_packet_needs() -> None:
    found = contract()
    assert (found.chapter, found.storyline_id, found.next_storyline) == (5, "river-line", "tower-line")
    assert found.cast == ("沈渡", "乔九")
    assert found.concurrent_state == {"tower-line": "塔上的人在数灯"}
    assert contracts.required_objective_ids(found) == ("OBJ-5-1",)


@pytest.mark.parametrize(
    ("nested", "top", "expected"),
    [
        ({"b-line": "二", "a-line": "一"}, None, {"a-line": "一", "b-line": "二"}),
        ("一句话", None, {"*": "一句话"}),
        (None, {"a-line": "一"}, {"a-line": "一"}),
        (None, "一句话", {"*": "一句话"}),
        ("", {"a-line": "一"}, {"a-line": "一"}),
        ({}, "一句话", {"*": "一句话"}),
        ({"a-line": "里"}, {"a-line": "外"}, {"a-line": "里"}),
        (None, None, {}),
        (None, "", {}),
        ("  ", "一句话", {"*": "一句话"}),
        (None, "\n", {}),
    ],
)
def test_the_concurrent_state_becomes_one_map(nested: Any, top: Any, expected: dict[str, str]) -> None:
    found = contract(storyline_context={"concurrent_state": nested}, concurrent_state=top)
    assert dict(found.concurrent_state) == expected
    assert list(found.concurrent_state) == sorted(found.concurrent_state)


@pytest.mark.parametrize("empty", [None, {}, {"character_states": {}}, {"required_world_rules": []}])
def test_without_states_nobody_is_named(empty: Any) -> None:
    assert contract(preconditions=empty).cast is None


@pytest.mark.parametrize("hint", [None, {}, {"next_storyline": None}, {"next_storyline": ""}])
def test_without_a_hint_no_line_follows(hint: Any) -> None:
    assert contract(transition_hint=hint).next_storyline is None


def test_agreeing_contract_has_no_problem() -> None:
    assert contracts.problems(contract(), 5, "river-line") == []


def test_each_disagreement_is_told() -> None:
    bad = contract(chapter=6, objectives=[{"id": "O", "required": False, "description": "听水声"}])
    told = "；".join(map(str, contracts.problems(bad, 5, "river-line")))
    assert "第 6 章" in told and "第 5 章" in told
    assert "tower-line" in told and "river-line" in told
    assert "required: true" in told
    assert PATH in told


@pytest.mark.parametrize("objectives", [[], [{"id": "O", "required": "true", "description": "x"}], None])
def test_a_required_objective_is_one_whose_required_is_true(objectives: Any) -> None:
    assert len(contracts.problems(contract(objectives=objectives), 5, "river-line")) == 1


def test_a_schedule_takes_bare_ids_and_objects() -> None:
    plan = contracts.parse_schedule(SCHEDULE)
    assert plan.active == ("river-line", "tower-line")
    assert plan.dormant == ("old-line", "lost-line")
    assert plan.convergences[0] == ((4, 6), ("river-line", "tower-line", "old-line"))
    assert contracts.parse_schedule(None) == contracts.NO_SCHEDULE


def test_what_is_newly_activated_is_at_work_and_named_once() -> None:
    plan = contracts.parse_schedule(
        {"active_storylines": ["a", {"storyline_id": "b"}], "newly_activated": ["b", {"storyline_id": "c"}]}
    )
    assert plan.active == ("a", "b", "c")


@pytest.mark.parametrize(
    ("chapter", "key"),
    [(1, True), (2, False), (3, False), (4, True), (5, True), (6, True), (7, False), (9, True), (12, True)],
)
def test_key_chapters_are_first_last_and_the_convergence_ends_included(chapter: int, key: bool) -> None:
    assert contracts.is_key_chapter(chapter, 1, 12, contracts.parse_schedule(SCHEDULE)) is key


def test_memories_beside_the_own_one_never_a_dormant_ones_never_twice() -> None:
    plan = contracts.parse_schedule(SCHEDULE)
    assert contracts.neighbour_storylines(contract(5), plan) == ("tower-line",)
    assert contracts.neighbour_storylines(contract(7), plan) == ("tower-line",)
    asleep = contract(7, transition_hint={"next_storyline": "lost-line"})
    assert contracts.neighbour_storylines(asleep, plan) == ()
    meeting = contract(9, transition_hint={"next_storyline": "third-line"})
    assert contracts.neighbour_storylines(meeting, plan) == ("third-line",)
    own = contract(7, transition_hint={"next_storyline": "river-line"})
    assert contracts.neighbour_storylines(own, plan) == ()
