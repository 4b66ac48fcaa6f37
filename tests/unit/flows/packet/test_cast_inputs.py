"""The people of a packet: what a writer sees of everybody in the chapter, and never a secret."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from unit.flows.packet.test_chapter_inputs import AGENTS, at_phase, packet, value

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "灯是他亲手灭的，船牌也是他换的"
HE = {
    "aliases": ["打铁的"],
    "called_by": {"乔九": "何师傅"},
    "age": 52,
    "looks": "右耳后一块烫疤",
    "voice": "慢，一句一停",
    "level": "塔下头等铁匠",
    "wants": "把铺子传下去",
    "fears": "塔上问起旧船牌",
    "secret": SECRET,
}


def card(made: Book, slug: str, **fields: Any) -> None:
    path = layout.character_card(slug)
    made.write(path, {**made.json(path), **fields})


def contract(made: Book, **changes: Any) -> None:
    path = layout.contract(1, 5)
    made.write(path, {**made.json(path), **changes})


def objective(**parts: str) -> list[dict[str, Any]]:
    return [{"id": "O-1", "type": "plot", "required": True, "description": "沈渡过河", **parts}]


@pytest.mark.parametrize(
    "parts",
    [
        {"target": "何铁"},
        {"actor": "打铁的"},
        {"description": "沈渡去找打铁的换船牌"},
        {"target": "he-tie"},
        {"description": "沈渡去问何师傅"},
        {"description": "沈渡去问丁一"},
    ],
)
@pytest.mark.parametrize("phase", ["draft", "revise"])
def test_whoever_an_objective_names_is_shown(tmp_path: Path, phase: str, parts: dict[str, str]) -> None:
    made = at_phase(tmp_path, phase)
    card(made, "he-tie", **HE)
    state = made.json(layout.STATE)
    state["characters"]["he-tie"] = {"display_name": "何铁", "goes_as": "丁一"}
    made.write(layout.STATE, state)
    contract(made, objectives=objective(**parts))
    found = packet(made, phase)
    seen = {key: part for key, part in HE.items() if key != "secret"}
    assert value(found, "people")["he-tie"] == {"display_name": "何铁", **seen}
    assert set(value(found, "people")) == {"he-tie", "qiao-jiu", "shen-du"}
    assert set(value(found, "character_contracts")) == {"qiao-jiu", "shen-du"}


@pytest.mark.parametrize("key", ["POV", "Conflict", "StateChanges", "TransitionHint", "Foreshadowing"])
def test_whoever_the_outline_names_is_shown_but_not_who_comes_next(tmp_path: Path, key: str) -> None:
    made = at_phase(tmp_path, "draft")
    text = made.at(layout.outline(1)).read_text("utf-8")
    head, mark, rest = text.partition("### 第 5 章")
    before, line, behind = rest.partition(f"- **{key}**: ")
    made.write(layout.outline(1), head + mark + before + line + "莫岚，" + behind)
    assert ("mo-lan" in value(packet(made, "draft"), "people")) is (key != "TransitionHint")


def test_who_has_left_and_is_named_is_told_as_such(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    path = layout.character_card("he-tie")
    gone = {**made.json(path), **HE}
    made.drop(path)
    made.write(layout.retired(path), gone)
    contract(made, objectives=objective(description="沈渡想起打铁的说过的话"))
    told = value(packet(made, "draft"), "people")["he-tie"]
    assert told["aliases"] == ["打铁的"] and "退场" in told["retired"]
    assert not {"wants", "fears", "level", "secret"} & set(told)
    contract(made, objectives=objective())
    assert "he-tie" not in value(packet(made, "draft"), "people")
    contract(made, objectives=objective(description="沈渡想起打铁的说过的话"))
    card(made, "mo-lan", aliases=["打铁的"])
    assert set(value(packet(made, "draft"), "people")) == {"mo-lan", "qiao-jiu", "shen-du"}
    made.write(layout.retired(path), "{")
    packet(made, "draft")


def test_who_is_only_on_another_line_is_not(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    context = made.json(layout.contract(1, 5))["storyline_context"]
    contract(made, storyline_context={**context, "concurrent_state": {"tower-line": "白穗在塔上数灯"}})
    assert set(value(packet(made, "draft"), "people")) == {"qiao-jiu", "shen-du"}


def test_whose_contracts_are_given_is_shown_too(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    contract(made, preconditions={}, objectives=objective())
    found = packet(made, "draft")
    assert set(value(found, "people")) == set(value(found, "character_contracts")) >= {"shen-du", "bai-sui"}


@pytest.mark.parametrize("phase", AGENTS)
def test_a_secret_reaches_the_judge_alone(tmp_path: Path, phase: str) -> None:
    made = at_phase(tmp_path, phase)
    card(made, "shen-du", **HE)
    card(made, "he-tie", secret="何" + SECRET)
    contract(made, objectives=objective(target="何铁"))
    found = packet(made, phase, "--embed")
    assert (SECRET in str(found)) is (phase == "judge")
    if phase == "judge":
        assert value(found, "character_contracts")["shen-du"]["secret"] == SECRET
    assert "何" + SECRET not in str(found), "not even of somebody whose contracts are not given"


def test_the_judge_has_who_calls_whom_what_and_what_they_want(tmp_path: Path) -> None:
    """Of those whom only the text names he has the names alone."""
    made = at_phase(tmp_path, "judge")
    seen = {"called_by": {"乔九": "渡哥"}, "wants": "找到船", "fears": "水", "aliases": ["渡子"]}
    card(made, "shen-du", **seen)
    card(made, "he-tie", called_by={"乔九": "何师傅"}, wants="一炉好火")
    path = layout.staged(layout.chapter(5))
    made.write(path, made.at(path).read_text("utf-8") + "\n\n何师傅在门外咳了一声。\n")
    found = value(packet(made, "judge"), "character_contracts")
    assert {key: found["shen-du"][key] for key in seen} == seen
    assert "contracts" in found["shen-du"]
    assert found["he-tie"] == {"display_name": "何铁", "called_by": {"乔九": "何师傅"}}


def test_the_record_knows_people_by_all_their_names(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "summarize")
    card(made, "he-tie", **HE)
    found = value(packet(made, "summarize"), "entity_id_map")
    assert found["he-tie"] == {"display_name": "何铁", "aliases": ["打铁的"], "called_by": {"乔九": "何师傅"}}
    assert found["mo-lan"] == {"display_name": "莫岚"}


def test_an_end_of_no_contract_is_told_before_the_chapter_is_written(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    given = made.json(layout.contract(1, 5))
    contract(made, postconditions={**given["postconditions"], "closes": ["C-NOBODY-01"]})
    (told,) = [one for one in made.ok("instructions", made.step("draft"))["warnings"] if "C-NOBODY-01" in one]
    assert layout.contract(1, 5) in told and "没有谁的档案里有它" in told
