"""What a landing would lose or leave out is told to the agent who can mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from unit.flows.checks.noted_names import note, noted, op, staged, validated

if TYPE_CHECKING:
    from pathlib import Path

# --- the second chance -------------------------------------------------------------------------------

LOST = [
    op("characters.shen-du.location", kind="explode"),
    op("old-knot", "埋", "foreshadow"),
    op("characters.somebody.location"),
]


def test_what_would_be_lost_gives_its_agent_a_second_chance_and_no_third(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("drafting")
    step = made.step("summarize")
    made.ok("instructions", step)
    made.records(ops=[LOST[0], op("items.sword.owner")])
    data = made.ok("validate", step)
    assert data["ok"] and len(data["again"]) == 1 and "ops[" not in data["again"][0]
    assert made.ok("fail", step, "--reason", data["again"][0])["answer"] == "retry"
    made.ok("instructions", step)
    assert made.ok("validate", step)["again"] == []
    made.advance("summarize")
    assert made.next()["step"] == made.step("refine")


@pytest.mark.parametrize("bad", LOST)
def test_what_is_worth_a_second_chance(tmp_path: Path, bad: dict[str, Any]) -> None:
    made = staged(tmp_path, ops=[bad])
    data = made.ok("validate", made.step("summarize"))
    assert data["again"] and set(data["again"]) <= {d.message for d in validated(made).diagnostics}


def test_an_error_is_told_as_that(tmp_path: Path) -> None:
    made = staged(tmp_path, ops=LOST)
    made.write(made.staged("memory"), "渡" * 501)
    found = validated(made)
    assert found.exit == 1 and found.data["again"] == []


def test_at_validate_things_places_and_threads_are_told_too(tmp_path: Path) -> None:
    made = staged(
        tmp_path,
        ops=[
            op("items.sword.owner"),
            op("locations.tower.keeper"),
            op("factions.guild.chief"),
            op("never", "resolved", "foreshadow"),
            op("items.缆绳.owner", "shen-du"),
        ],
    )
    found = validated(made)
    told = [d for d in found.diagnostics if d.code in ("ENTITY_NOWHERE", "FORESHADOW_NOWHERE")]
    assert found.exit == 0 and len(told) == 4
    for at, name in enumerate(("sword", "tower", "guild", "never")):
        assert f"第 {at + 1} 条变更" in told[at].fix and name in told[at].message


# --- things by their names, odd kinds, and all faults at once -----------------------------------------


def test_a_thing_that_the_state_has_by_name_is_known(tmp_path: Path) -> None:
    made = staged(tmp_path, ops=[op("items.旧灯.owner"), op("items.夜明.owner", kind="remove")])
    state = made.json(layout.STATE)
    lamp = {"display_name": "船头灯", "aliases": ["旧灯", "夜明"]}
    made.write(layout.STATE, {**state, "items": {"lamp": lamp}})
    assert "ENTITY_NOWHERE" not in [d.code for d in validated(made).diagnostics]


def test_names_that_are_alike_are_asked_about_in_one_question_and_not_once_they_landed(
    tmp_path: Path,
) -> None:
    noted(book(tmp_path / "x"), note(1, "x"))
    made = staged(
        tmp_path,
        ops=[op("locations.沉船石埠.keeper"), op("items.缆绳.owner")],
        unknown_entities=[{"mention": "夜渡口", "context": "", "suggested_type": "location"}],
    )
    noted(made, note(1, "石埠", suggested_type="location"), note(1, "夜渡", suggested_type="location"))
    found = validated(made)
    (told,) = [d for d in found.diagnostics if d.code == "ENTITY_ALIKE"]
    assert (
        all(name in told.message for name in ("沉船石埠", "石埠", "夜渡口", "夜渡"))
        and "缆绳" not in told.message
    )
    assert told.message in found.data["again"]
    noted(made, *(note(1, name, suggested_type="location") for name in ("石埠", "夜渡口", "沉船石埠")))
    assert "ENTITY_ALIKE" not in [d.code for d in validated(made).diagnostics]


def test_names_that_only_begin_alike_are_told_and_cost_no_run(tmp_path: Path) -> None:
    made = staged(tmp_path, ops=[op("locations.渡口西街.keeper")])
    noted(made, note(1, "渡口东街", suggested_type="location"), note(1, "渡口", suggested_type=["location"]))
    found = validated(made)
    assert "ENTITY_ALIKE" in [d.code for d in found.diagnostics] and found.data["again"] == []


def test_an_odd_kind_refuses_nothing_and_hides_nothing(tmp_path: Path) -> None:
    made = staged(
        tmp_path,
        ops=LOST,
        unknown_entities=[{"mention": "缆绳", "context": "系船", "suggested_type": "place"}],
    )
    found = validated(made)
    codes = [d.code for d in found.diagnostics]
    assert found.exit == 0 and codes.count("ENTITY_KIND_UNKNOWN") == 1
    assert len(found.data["again"]) >= len(LOST), "the real faults are asked about in the first run"


def test_faults_of_form_and_of_content_are_told_together(tmp_path: Path) -> None:
    made = staged(tmp_path, ops=LOST, chapter="二")
    found = validated(made)
    codes = {d.code for d in found.diagnostics}
    assert found.exit == 1 and {"OUTPUT_BROKEN", "DELTA_OP_USELESS"} <= codes
    made = staged(tmp_path / "other", ops=LOST)
    made.write(made.staged("memory"), "渡" * 501)
    assert {"DELTA_OP_USELESS", "OUTPUT_BROKEN"} <= {d.code for d in validated(made).diagnostics}


# --- threads that the chapter's own plan moves -----------------------------------------------


def moves(made: Book, *updates: tuple[str, str]) -> None:
    """Threads of the plan, of a later range, that the contract of the chapter in work moves."""
    items = [
        {"id": name, "description": f"{name}的来历", "scope": "long", "planted_chapter": 1}
        for name, _ in updates
    ]
    made.write(layout.foreshadowing_plan(1), {"foreshadowing": items})
    contract = made.json(layout.contract(1, made.chapter))
    listed = [{"id": name, "action": action} for name, action in updates]
    contract["postconditions"]["foreshadowing_updates"] = listed
    made.write(layout.contract(1, made.chapter), contract)


def test_a_thread_that_the_delta_leaves_out_is_told_once_to_who_can_mend_it(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.stage("drafting")
    moves(made, ("lamp", "advanced"), ("rope", "planted"))
    made.draft()
    packet = made.ok("instructions", made.step("summarize"))
    (tasks,) = [one["value"] for one in packet["inputs"] if one["key"] == "foreshadowing_tasks"]
    doing = [(one["id"], one["todo"]) for one in tasks if "todo" in one]
    assert doing == [("lamp", "advanced"), ("rope", "planted")]
    op = {"op": "foreshadow", "path": "rope", "value": "planted"}
    made.records(ops=[op])
    found = made.novel("validate", made.step("summarize"))
    (told,) = [d for d in found.diagnostics if d.code == "FORESHADOWING_UNRECORDED"]
    assert found.exit == 0 and "lamp" in told.fix and told.message in found.data["again"]
    made.ok("fail", made.step("summarize"), "--reason", told.message)
    assert made.ok("validate", made.step("summarize"))["again"] == [], "once"
    made.records(ops=[op, {"op": "foreshadow", "path": "lamp", "value": "advanced"}])
    assert not made.novel("validate", made.step("summarize")).diagnostics


def test_it_is_not_told_again_at_the_landing(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.stage("judged")
    moves(made, ("lamp", "advanced"))
    made.draft()
    made.records()
    made.evaluation(gate={"decision": "pass"})
    found = made.novel("commit", "--chapter", str(made.chapter))
    assert found.exit == 0 and not [d for d in found.diagnostics if "lamp" in d.fix]


def test_a_lost_change_is_told_by_the_names_of_people_and_things(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("drafting")
    state = made.json(layout.STATE)
    state["items"] = {"rope": {"display_name": "断头绳"}}
    made.write(layout.STATE, state)
    wrong = {"op": "set", "path": "characters.shen-du.owes", "value": "断头绳"}
    made.records(ops=[wrong, {"op": "inc", "path": "items.rope.owner", "value": "x"}])
    told = [d.message for d in validated(made).diagnostics if d.code == "DELTA_OP_USELESS"]
    assert ["「沈渡」的所欠改为「断头绳」" in told[0], "「断头绳」的归属加「x」" in told[1]] == [True, True]
    assert not any(name in "".join(told) for name in ("shen-du", "rope", "characters"))
