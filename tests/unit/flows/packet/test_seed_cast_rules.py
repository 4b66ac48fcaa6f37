"""The seed's rules on who is in a packet and which storylines (Steps 2.3 to 2.5)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from tools import bookparts
from unit.flows.packet.seed_inputs import CONTRACT, contract, draft, inputs, paths, stopped
from unit.flows.packet.test_chapter_inputs import at_phase, packet, value

if TYPE_CHECKING:
    from pathlib import Path


def schedule(made: Book, **changes: Any) -> None:
    made.write(layout.schedule(1), {**made.json(layout.schedule(1)), **changes})


# Step 2.3: the entity map ---------------------------------------------------------------------------------


def test_step_2_3_every_active_character_by_its_files_name(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "summarize")
    made.write(layout.character_card("an-lan"), {"id": "an-lan", "display_name": "安澜"})
    made.write(f"{layout.CHARACTERS}/notes.md", "不是档案")
    found = value(packet(made, "summarize"), "entity_id_map")
    everybody = {"an-lan": "安澜", **bookparts.CAST}
    assert found == {slug: {"display_name": name} for slug, name in everybody.items()}
    assert list(found) == sorted(found)


@pytest.mark.parametrize("phase", ["draft", "summarize", "judge"])
def test_step_2_3_two_characters_of_one_display_name_stop_it(tmp_path: Path, phase: str) -> None:
    made = at_phase(tmp_path, phase)
    made.write(layout.character_card("shen-er"), {"display_name": "沈渡"})
    assert [code for code, _ in stopped(made, phase)] == ["CHARACTER_DUPLICATE_NAME"]


# Step 2.4: whose contracts --------------------------------------------------------------------------------


def test_step_2_4_without_a_contract_the_author_is_led_to_planning(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    made.drop(CONTRACT)
    (told,) = made.novel("instructions", made.step("draft")).diagnostics
    assert (told.code, told.path) == ("FILE_MISSING", CONTRACT) and "规划本卷" in told.fix


def people(made: Book, count: int) -> None:
    for number in range(count):
        made.write(layout.character_card(f"p-{number:02d}"), {"display_name": f"人{number:02d}"})


@pytest.mark.parametrize("phase", ["draft", "judge"])
def test_step_2_4_those_whom_the_contract_names_without_an_upper_limit(tmp_path: Path, phase: str) -> None:
    made = at_phase(tmp_path, phase)
    people(made, 30)
    states = {f"人{number:02d}": {} for number in reversed(range(30))}
    contract(made, preconditions={"character_states": states})
    assert list(value(packet(made, phase), "character_contracts")) == [f"p-{n:02d}" for n in range(30)]


def test_step_2_4_else_the_15_seen_last_then_by_slug(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    people(made, 20)
    contract(made, preconditions={})
    made.write(layout.summary(4), "人19在船上。\n")
    made.write(layout.summary(3), "人18在，人19也在。\n")
    given = value(draft(made), "character_contracts")
    assert len(given) == 15 and list(given)[:2] == ["p-19", "p-18"]
    assert list(given)[4:] == [*["bai-sui", "he-tie", "mo-lan"], *(f"p-{n:02d}" for n in range(8))]


def test_step_2_4_only_the_last_ten_summaries_count(tmp_path: Path) -> None:
    made = book(tmp_path, 14, volume_size=60)
    made.stage("drafting")
    people(made, 20)
    made.write(layout.contract(1, 15), {**made.json(layout.contract(1, 15)), "preconditions": {}})
    made.write(layout.summary(5), "人19在船上。\n")
    made.write(layout.summary(4), "人18在船上。\n")
    given = list(value(packet(made, "draft"), "character_contracts"))
    assert "p-19" in given and "p-18" not in given


def test_step_2_4_a_contract_binds_only_while_it_is_valid(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "judge")
    spans = [(1, None), (5, 5), (1, 4), (6, None), (None, None), (1, "过河之后")]
    listed = [
        {"id": f"C-{n}", "rule": "守", "valid_from_chapter": first, "valid_until": last}
        for n, (first, last) in enumerate(spans)
    ]
    made.write(layout.character_card("shen-du"), {"display_name": "沈渡", "contracts": listed})
    given = value(packet(made, "judge"), "character_contracts")["shen-du"]["contracts"]
    assert [one["id"] for one in given] == ["C-0", "C-1", "C-4", "C-5"]


@pytest.mark.parametrize(("phase", "key"), [("draft", "people"), ("judge", "character_contracts")])
def test_how_somebody_speaks_is_told_once(tmp_path: Path, phase: str, key: str) -> None:
    """The profiles are the judge's; the card's own line on it is for the writer too."""
    made = at_phase(tmp_path, phase)
    card = layout.character_card("shen-du")
    made.write(card, {**made.json(card), "voice": "半句话：“开船。”"})
    found = packet(made, phase)
    assert value(found, key)["shen-du"]["voice"] == "半句话：“开船。”"
    assert json.dumps(found["inputs"], ensure_ascii=False).count("半句话") == 1
    assert set(value(found, "character_contracts")["qiao-jiu"]) == {"display_name", "contracts"}


def test_step_2_4_profiles_go_to_the_judge_where_there_are_any(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "judge")
    made.drop(layout.character_profile("shen-du"))
    assert paths(packet(made, "judge"), "character_profiles") == [layout.character_profile("qiao-jiu")]


# Step 2.5: storylines -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [{"chapter": 4}, {"storyline_id": "tower-line"}, {"objectives": [{"id": "O", "required": False}]}],
)
def test_step_2_5_contract_and_outline_must_agree(tmp_path: Path, changes: dict[str, Any]) -> None:
    made = at_phase(tmp_path, "draft")
    if "objectives" in changes:
        changes["objectives"][0].update(type="plot", description="x")
    contract(made, **changes)
    assert stopped(made) == [("CONTRACT_MISMATCH", CONTRACT)]


def test_step_2_5_the_contract_of_another_chapter_is_told_in_all_it_differs(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "judge")
    made.write(CONTRACT, bookparts.contract(4))
    found = made.novel("instructions", made.step("judge"))
    told = " ".join(d.message for d in found.diagnostics)
    assert found.exit != 0 and "第 4 章" in told and "tower-line" in told


def test_step_2_5_the_current_lines_memory_always_goes_in(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    assert paths(draft(made), "storyline_memory") == [layout.memory("river-line")]


def test_step_2_5_the_next_lines_memory_goes_in_and_a_convergences(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    made.write(layout.memory("third-line"), "三线\n")
    event = {"chapter_range": [5, 6], "involved_storylines": ["river-line", "third-line", "tower-line"]}
    schedule(made, active_storylines=["river-line", "tower-line", "third-line"], convergence_events=[event])
    found = draft(made)
    assert paths(found, "adjacent_storyline_memories") == [
        layout.memory("tower-line"),
        layout.memory("third-line"),
    ]
    event["chapter_range"] = [6, 7]
    schedule(made, convergence_events=[event])
    assert paths(draft(made), "adjacent_storyline_memories") == [layout.memory("tower-line")]


def test_step_2_5_a_dormant_lines_memory_never_but_its_one_sentence(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    event = {"chapter_range": [5, 5], "involved_storylines": ["river-line", "tower-line"]}
    schedule(
        made,
        active_storylines=["river-line"],
        dormant_storylines=["tower-line"],
        convergence_events=[event],
    )
    found = draft(made)
    assert inputs(found, "adjacent_storyline_memories") == []
    assert value(found, "concurrent_state") == {"tower-line": "塔上的人在数灯"}


def test_step_2_5_a_schedule_of_bare_strings_is_read(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "summarize")
    schedule(made, active_storylines=["river-line", "tower-line"], dormant_storylines=["old-line"])
    assert value(packet(made, "summarize"), "storyline_ids") == ["river-line", "tower-line", "old-line"]


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("塔上在数灯", {"*": "塔上在数灯"}),
        ({"b-line": "乙", "a-line": "甲"}, {"a-line": "甲", "b-line": "乙"}),
    ],
)
@pytest.mark.parametrize("nested", [True, False])
def test_step_2_5_the_concurrent_state_is_a_map_or_a_string(
    tmp_path: Path, given: Any, wanted: dict[str, str], nested: bool
) -> None:
    made = at_phase(tmp_path, "draft")
    context = made.json(CONTRACT)["storyline_context"]
    context.pop("concurrent_state")
    if nested:
        contract(made, storyline_context={**context, "concurrent_state": given})
    else:
        contract(made, storyline_context=context, concurrent_state=given)
    assert value(draft(made), "concurrent_state") == wanted
