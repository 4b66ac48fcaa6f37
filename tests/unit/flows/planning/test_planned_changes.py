"""What the next plan and the author's decisions make of changes of the setting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book
from builders import fast_disk as fast_disk
from planbook import plan_volume, staged_book

from novel_hooks import layout
from unit.flows.planning.changed_setting import _rule, change, touched
from unit.flows.planning.changed_setting import made as made

if TYPE_CHECKING:
    from pathlib import Path

# who takes it up -------------------------------------------------------------------------------------


@pytest.fixture
def planning(made: Book) -> Book:
    """The second volume is to be planned, and a rule was changed."""
    made.point(orchestrator_state="VOL_PLANNING", current_volume=2, last_completed_chapter=6)
    return made


def plan(made: Book, volume: int = 2) -> None:
    plan_volume(made, volume)
    for phase in ("outline", "validate"):
        made.ok("advance", f"volume:{volume:02d}:{phase}")
    made.ok("commit", "--volume", str(volume))


def test_the_next_plan_takes_it_up(planning: Book) -> None:
    _rule(planning)
    planning.ok("changed", "--note")
    packet = planning.ok("instructions", "volume:02:outline")
    (given,) = [one["value"] for one in packet["inputs"] if one["key"] == "pending_actions"]
    assert [one["id"] for one in given] == ["rule:W-001"]
    plan(planning)
    assert planning.point()["pending_actions"] == []
    assert planning.ok("changed") == {"known": True, "changes": [], "pending": []}


def test_what_was_changed_before_the_packet_needs_no_note(planning: Book) -> None:
    _rule(planning)
    planning.ok("instructions", "volume:02:outline")
    plan(planning)
    assert touched(planning) == {}


def test_what_was_noted_after_the_packet_stays(planning: Book) -> None:
    planning.ok("instructions", "volume:02:outline")
    _rule(planning)
    planning.ok("changed", "--note")
    plan_volume(planning, 2)
    planning.ok("accept-changes")
    planning.ok("advance", "volume:02:outline")
    planning.ok("advance", "volume:02:validate")
    planning.ok("commit", "--volume", "2")
    assert [one["id"] for one in planning.point()["pending_actions"]] == ["rule:W-001"]


def test_what_was_changed_after_the_packet_is_still_found(planning: Book) -> None:
    planning.ok("instructions", "volume:02:outline")
    _rule(planning)
    plan_volume(planning, 2)
    planning.ok("accept-changes")
    planning.ok("advance", "volume:02:outline")
    planning.ok("advance", "volume:02:validate")
    planning.ok("commit", "--volume", "2")
    assert touched(planning) == {"rule:W-001": [7, 8, 9, 10, 11, 12]}


def test_setting_up_is_where_it_begins(tmp_path: Path) -> None:
    made = staged_book(tmp_path / "book", "volumes", layout.STORYLINES)
    made.ok("commit", "--setup")
    made.ok("advance", "volume:01:outline")
    made.ok("advance", "volume:01:validate")
    made.ok("commit", "--volume", "1")
    assert made.ok("changed") == {"known": True, "changes": [], "pending": []}
    change(made, layout.character_card("deng-hua"), lambda d: d.update(aliases=["花儿"]))
    found = touched(made)
    assert found["character:灯花"] and 1 not in found["character:灯花"]


def decision(note: str, **more: Any) -> dict[str, Any]:
    return {
        "step": "volume:01:outline",
        "kind": "question",
        "id": "turn-back",
        "header": "回头",
        "question": "沈渡第五章要不要回头？",
        "why": "",
        "choices": [],
        "answer": {"choice": None, "note": note},
        "told": None,
        "done": {"choice": None, "note": note},
        "at": "2030-01-02T03:04:05Z",
        **more,
    }


def test_a_decision_whose_ground_a_change_took_is_marked_for_good(made: Book) -> None:
    """It was made under the old rule: the next plan reads both, and which is which."""
    listed = [decision("灯灭之后不得回头，就让他一路走到底"), decision("乔九留着竹筹", id="tally")]
    made.write(layout.DECISIONS, {"schema_version": 1, "decisions": listed})
    _rule(made)
    made.ok("changed", "--note")
    made.ok("replan", "--yes")
    packet = made.ok("instructions", "volume:01:outline")
    (told,) = [one["value"] for one in packet["inputs"] if one["key"] == "author_decisions"]
    assert [one.get("overturned_by") for one in told] == ["世界规则「灯灭之后可以回头」改了", None]
    assert any("overturned_by" in rule for rule in packet["rules"])
    (actions,) = [one["value"] for one in packet["inputs"] if one["key"] == "pending_actions"]
    assert (actions[0]["old"], actions[0]["new"]) == ("灯灭之后不得回头", "灯灭之后可以回头")
    made.ok("changed", "--done", "all")
    kept = made.json(layout.DECISIONS)["decisions"]
    assert [bool(one.get("overturned_by")) for one in kept] == [True, False], "no landing forgets it"


def test_a_new_answer_is_made_under_the_new_setting(made: Book) -> None:
    from novel_hooks.rules.steps import questions

    asked = questions.volume_wishes("volume:01:outline")
    before = [decision("不得回头", id="wishes", kind="wish", overturned_by="世界规则改了")]
    (now,) = questions.with_answer(before, asked, None, "可以回头", "2031-01-01T00:00:00Z")
    assert "overturned_by" not in now
