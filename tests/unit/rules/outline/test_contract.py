"""A chapter's contract: normalised, held against the outline (Step 2.5)."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline import schedule as schedules
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


def test_memories_beside_the_own_one_never_a_dormant_ones_never_twice() -> None:
    plan = schedules.parse(SCHEDULE)
    assert contracts.neighbour_storylines(contract(5), plan) == ("tower-line",)
    assert contracts.neighbour_storylines(contract(7), plan) == ("tower-line",)
    asleep = contract(7, transition_hint={"next_storyline": "lost-line"})
    assert contracts.neighbour_storylines(asleep, plan) == ()
    meeting = contract(9, transition_hint={"next_storyline": "third-line"})
    assert contracts.neighbour_storylines(meeting, plan) == ("third-line",)
    own = contract(7, transition_hint={"next_storyline": "river-line"})
    assert contracts.neighbour_storylines(own, plan) == ()


@pytest.mark.parametrize("value", [None, {}, [], "x"])
def test_parts_of_another_shape_are_empty(value: Any) -> None:
    found = contract(objectives=value, preconditions=value, postconditions=value)
    assert contracts.objectives(found) == [] and contracts.required_objective_ids(found) == ()
    assert contracts.preconditions(found) == contracts.postconditions(found) == {}
    assert contracts.world_rules(found) == [] and not contracts.has_required_objective(found)


def test_the_parts_of_a_contract() -> None:
    wanted = {"id": "A", "required": True}
    listed = [wanted, "x", {"id": "B", "required": False}, {"required": True}, {"id": 7, "required": True}]
    before = {"character_states": {}, "required_world_rules": ["W-2", 7, "W-1", "W-2"]}
    found = contract(objectives=listed, preconditions=before, postconditions={"a": 1})
    assert contracts.objectives(found) == [wanted, *listed[2:]]
    assert contracts.required_objective_ids(found) == ("A", "7")
    assert contracts.has_required_objective(found)
    assert contracts.preconditions(found) == before and contracts.postconditions(found) == {"a": 1}
    assert contracts.world_rules(found) == ["W-2", "W-1"]
    assert contracts.world_rules(contract(preconditions={"required_world_rules": "W-1"})) == []
    assert (found.path, found.document["postconditions"]) == (PATH, {"a": 1})


@pytest.mark.parametrize(
    "listed", [[{"id": "A"}], [{"id": "A", "required": 1}], [{"id": "A", "required": "true"}]]
)
def test_only_true_makes_an_objective_required(listed: Any) -> None:
    found = contract(objectives=listed)
    assert contracts.required_objective_ids(found) == () and not contracts.has_required_objective(found)


@pytest.mark.parametrize("value", [7, ["a-line"], True])
def test_a_concurrent_state_or_hint_of_another_shape_is_none(value: Any) -> None:
    found = contract(
        storyline_context={"concurrent_state": value},
        transition_hint={"next_storyline": value},
        concurrent_state="外",
    )
    assert found.concurrent_state == {} and found.next_storyline is None
    assert contract(storyline_context=value, concurrent_state="外").concurrent_state == {"*": "外"}


def test_each_disagreement_has_its_own_problem() -> None:
    found = contract()
    (chapter,) = contracts.problems(found, 6, "river-line")
    assert str(chapter) == f"{PATH} 与大纲对不上：契约写的是第 5 章，应是第 6 章"
    (storyline,) = contracts.problems(found, 5, "tower-line")
    assert str(storyline) == f"{PATH} 与大纲对不上：契约的故事线是「river-line」，大纲写的是「tower-line」"
    (objective,) = contracts.problems(contract(objectives=[]), 5, "river-line")
    assert objective.code == chapter.code == storyline.code == "CONTRACT_MISMATCH"


def test_memories_of_the_next_line_come_first_then_of_those_that_meet() -> None:
    plan = schedules.Schedule(
        (),
        ("dormant",),
        (((5, 5), ("x", "river-line", "dormant", "next")), ((1, 9), ("y", "x")), ((6, 9), ("z",))),
    )
    hint = {"next_storyline": "next"}
    assert contracts.neighbour_storylines(contract(5, transition_hint=hint), plan) == ("next", "x", "y")
    assert contracts.neighbour_storylines(contract(5, transition_hint=None), plan) == ("x", "next", "y")
    assert contracts.neighbour_storylines(contract(5, transition_hint=hint), schedules.NO_SCHEDULE) == (
        "next",
    )


def test_contracts_that_close_and_secrets_that_stay_or_come_out() -> None:
    found = contract(
        preconditions={"character_states": {"岑四": {"secret": "他是账房"}, "乔九": {"location": "渡口"}}},
        postconditions={
            "closes": ["C-1", 7, "C-1", "C-2"],
            "state_changes": [{"甲": {"secret": "说破"}}, {"组": {"乙": {"secret": "说破"}}}, "x"],
        },
    )
    assert contracts.closes(found) == ["C-1", "C-2"]
    assert contracts.secrets_kept(found) == ["岑四"]
    assert contracts.disclosures(found) == ["甲", "乙"]
    assert contracts.closes(contract(postconditions={"closes": "C-1"})) == []
