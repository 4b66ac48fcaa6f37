"""Seed 002, rule by rule: each test is named after the section that it holds the product to."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from conftest import CHECKOUT

from novel_hooks import layout
from novel_hooks.rules.foreshadowing import facts as foreshadowing_facts
from novel_hooks.store.schema import schema

if TYPE_CHECKING:
    from pathlib import Path

FACTS, PLAN = layout.FORESHADOWING, layout.foreshadowing_plan(1)


def item(name: str = "jade", **changes: Any) -> dict[str, Any]:
    return {
        "id": name,
        "description": "玉佩裂了",
        "scope": "short",
        "status": "planted",
        "planted_chapter": 1,
        "planted_storyline": "river-line",
        "target_resolve_range": [2, 3],
        "last_updated_chapter": 1,
        "history": [{"chapter": 1, "action": "planted", "detail": "在袖里"}],
        **changes,
    }


def op(name: str, action: Any, **more: Any) -> dict[str, Any]:
    return {"op": "foreshadow", "path": name, "value": action, **more}


def after(facts: Any, *ops: Any, plan: Any = None, chapter: int = 7, line: str | None = "side") -> Any:
    """The facts after the ops, by id."""
    merged = foreshadowing_facts.merge(facts, plan, ops, chapter, line)
    return {one["id"]: one for one in merged.document["foreshadowing"]}


def landed(made: Book, *ops: Any) -> Any:
    """Chapter 2 landed with these ops; what `commit` said."""
    made.stage("refined")
    made.draft()
    made.records(ops=list(ops))
    made.judge(4.5)
    made.advance("judge")
    return made.novel("commit", "--chapter", "2")


# --- §1 the facts ----------------------------------------------------------------------------


def test_s1_the_least_file_is_an_object_with_an_empty_list() -> None:
    assert schema.problems("foreshadowing", {"foreshadowing": []}, FACTS) == []
    assert foreshadowing_facts.parse({"foreshadowing": []}) == []


@pytest.mark.parametrize("key", ["status", "scope"])
def test_s1_status_and_scope_are_one_of_three(key: str) -> None:
    for good in {"status": ("planted", "advanced", "resolved"), "scope": ("short", "medium", "long")}[key]:
        assert schema.problems("foreshadowing", {"foreshadowing": [item(**{key: good})]}, FACTS) == []
    assert schema.problems("foreshadowing", {"foreshadowing": [item(**{key: "gone"})]}, FACTS)


@pytest.mark.parametrize(
    ("window", "good"),
    [([2, 3], True), ([3, 3], True), (None, True), ([3, 2], False), ([2], False), (["2", "3"], False)],
)
def test_s1_a_range_is_start_and_end_in_order_or_not_there(window: Any, good: bool) -> None:
    document = {"foreshadowing": [item(target_resolve_range=window)]}
    assert (foreshadowing_facts.span(window) is not None) is (good and window is not None)
    assert (schema.problems("foreshadowing", document, FACTS) == []) is good
    absent = {key: value for key, value in item().items() if key != "target_resolve_range"}
    assert schema.problems("foreshadowing", {"foreshadowing": [absent]}, FACTS) == []


def test_s1_status_goes_from_planted_over_any_number_of_advanced_to_resolved() -> None:
    facts: Any = None
    for chapter, action in ((3, "planted"), (5, "advanced"), (6, "advanced"), (9, "resolved")):
        facts = list(after(facts, op("jade", action), chapter=chapter).values())
        assert facts[0]["status"] == action
    assert [(h["chapter"], h["action"]) for h in facts[0]["history"]] == [
        (3, "planted"),
        (5, "advanced"),
        (6, "advanced"),
        (9, "resolved"),
    ]


def test_s1_history_is_appended_to_and_never_put_in_order() -> None:
    held = item(history=[{"chapter": 48, "action": "advanced", "detail": ""}])
    assert [h["chapter"] for h in after([held], op("jade", "advanced"))["jade"]["history"]] == [48, 7]


@pytest.mark.parametrize(("scope", "late"), [("short", True), ("medium", False), ("long", False)])
def test_s1_scope_gives_a_hint_and_is_no_gate(tmp_path: Path, scope: str, late: bool) -> None:
    made = book(tmp_path)
    made.write(FACTS, {"foreshadowing": [item(scope=scope, target_resolve_range=[1, 1])]})
    due = [one["id"] for one in made.ok("foreshadow", "query", "2")["items"]]
    assert ("jade" in due) is late
    made.ok("instructions", made.step("draft"))


# --- §2 the plan -----------------------------------------------------------------------------


def test_s2_the_volume_is_optional_and_a_plan_may_be_absent(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.write(FACTS, {"foreshadowing": []})
    made.drop(PLAN)
    assert made.ok("foreshadow", "list")["items"] == []
    made.write(PLAN, {"foreshadowing": [item(planted_chapter=2)]})
    assert [one["id"] for one in made.ok("foreshadow", "query", "2")["items"]] == ["jade"]


def test_s2_a_plan_is_no_fact(tmp_path: Path) -> None:
    """What is only planned is told as planned, whatever status the plan gives it."""
    made = book(tmp_path)
    made.write(FACTS, {"foreshadowing": []})
    made.write(PLAN, {"volume": 1, "foreshadowing": [item(status="advanced")]})
    (found,) = made.ok("foreshadow", "list")["items"]
    assert found["status"] == "planned"
    data = made.ok("foreshadow", "show", "jade")
    assert data["item"] is None and data["plans"][0]["item"]["id"] == "jade"


def test_s2_a_new_thread_is_a_task_where_it_is_to_be_planted_and_in_its_planned_range() -> None:
    plan = [item(planted_chapter=4, target_resolve_range=[8, 9])]
    assert [bool(foreshadowing_facts.tasks([], plan, n)) for n in (3, 4, 5, 8, 9, 10)] == [
        False,
        True,
        False,
        True,
        True,
        False,
    ]


def test_s2_of_a_thread_that_goes_on_the_fact_wins_and_the_planned_range_makes_it_a_task() -> None:
    fact = item(scope="long", status="advanced", target_resolve_range=[40, 55])
    plan = item(status="planted", description="计划里的话", target_resolve_range=[7, 9])
    (found,) = foreshadowing_facts.tasks([fact], [plan], 8)
    assert (found["status"], found["description"]) == ("advanced", "玉佩裂了")


# --- §3 the merge at commit ------------------------------------------------------------------


def test_s3_1_without_a_file_the_facts_begin_empty(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.drop(FACTS)
    made.drop(layout.CHANGELOG)  # what it tells of earlier threads would be told again
    assert landed(made, op("jade", "planted", detail="在袖里")).exit == 0
    (found,) = made.json(FACTS)["foreshadowing"]
    assert found["history"] == [{"chapter": 2, "action": "planted", "detail": "在袖里"}]


def test_s3_2_the_plan_fills_what_is_missing_and_overwrites_no_fact() -> None:
    plan = [item(description="计划", scope="long", target_resolve_range=[8, 9])]
    kept = after([item()], op("jade", "advanced"), plan=plan)["jade"]
    assert (kept["description"], kept["scope"], kept["target_resolve_range"]) == ("玉佩裂了", "short", [2, 3])
    filled = after([item(scope=None)], op("jade", "advanced"), plan=plan)["jade"]
    assert (filled["description"], filled["scope"]) == ("玉佩裂了", "long")


def test_s3_3_ops_are_merged_in_their_order() -> None:
    one = after(None, op("jade", "planted"), op("jade", "resolved"))["jade"]
    other = after(None, op("jade", "resolved"), op("jade", "planted"))["jade"]
    assert [h["action"] for h in one["history"]] == ["planted", "resolved"]
    assert [h["action"] for h in other["history"]] == ["resolved", "planted"]
    assert one["status"] == other["status"] == "resolved"


def test_s3_3_an_id_fits_exactly_or_not() -> None:
    assert set(after([item("jade")], op("Jade", "planted"), op("jade ", "planted"))) == {
        "jade",
        "Jade",
        "jade ",
    }


def test_s3_3_without_detail_it_is_empty() -> None:
    assert after(None, op("jade", "planted"))["jade"]["history"][0]["detail"] == ""


def test_s3_3_a_new_thread_takes_its_planned_fields_else_placeholders() -> None:
    planned = after(None, op("jade", "planted"), plan=[item(description="计划", scope="long")])["jade"]
    assert (planned["description"], planned["scope"], planned["target_resolve_range"]) == (
        "计划",
        "long",
        [2, 3],
    )
    bare = after(None, op("jade", "planted"))["jade"]
    assert (bare["description"], bare["scope"], bare["target_resolve_range"]) == ("jade", "medium", None)


def test_s3_3_a_new_thread_has_a_planted_chapter_only_when_it_is_planted() -> None:
    assert after(None, op("jade", "planted"))["jade"]["planted_chapter"] == 7
    assert after(None, op("jade", "advanced"))["jade"]["planted_chapter"] is None


def test_s3_3_the_storyline_comes_from_the_delta_where_it_is_empty() -> None:
    assert after(None, op("jade", "planted"))["jade"]["planted_storyline"] == "side"
    assert after(None, op("jade", "planted"), line=None)["jade"]["planted_storyline"] is None
    assert after([item()], op("jade", "advanced"))["jade"]["planted_storyline"] == "river-line"
    assert (
        after([item(planted_storyline=None)], op("jade", "advanced"))["jade"]["planted_storyline"] == "side"
    )


def test_s3_3_the_same_chapter_and_action_is_noted_once() -> None:
    facts = after([item()], op("jade", "advanced", detail="一"), op("jade", "advanced", detail="二"))
    again = after(list(facts.values()), op("jade", "advanced", detail="三"))
    assert [h["detail"] for h in again["jade"]["history"]] == ["在袖里", "一"]
    assert json.dumps(again) == json.dumps(facts)


def test_s3_3_the_last_update_never_goes_back() -> None:
    assert (
        after([item(last_updated_chapter=20)], op("jade", "advanced"))["jade"]["last_updated_chapter"] == 20
    )
    assert after([item()], op("jade", "advanced"))["jade"]["last_updated_chapter"] == 7


def test_s3_3_planted_again_does_not_move_the_planted_chapter() -> None:
    assert after([item()], op("jade", "planted"))["jade"]["planted_chapter"] == 1
    assert after([item(planted_chapter=None)], op("jade", "planted"))["jade"]["planted_chapter"] == 7


def test_s3_3_status_never_goes_back() -> None:
    rank = ("planted", "advanced", "resolved")
    for before in rank:
        for action in rank:
            found = after([item(status=before)], op("jade", action))["jade"]["status"]
            assert found == max(before, action, key=rank.index)


def test_s3_4_what_is_written_is_utf8_json(tmp_path: Path) -> None:
    made = book(tmp_path)
    landed(made, op("jade", "planted", detail="袖里有块玉"))
    assert "袖里有块玉" in made.at(FACTS).read_bytes().decode("utf-8")


def test_s3_5_an_illegal_action_is_told_and_the_others_stand() -> None:
    merged = foreshadowing_facts.merge([item()], None, [op("jade", "done"), op("well", "planted")], 7, None)
    assert [one["id"] for one in merged.document["foreshadowing"]] == ["jade", "well"]
    (told,) = [note.diagnostic() for note in merged.warnings]
    assert "done" in told.message and told.fix


@pytest.mark.parametrize("broken", ["{", "[1]", '{"foreshadowing": {}}', '"x"'])
def test_s3_5_a_broken_file_is_told_left_alone_and_the_chapter_lands(tmp_path: Path, broken: str) -> None:
    made = book(tmp_path)
    made.stage("refined")
    made.draft()
    made.records(ops=[op("jade", "planted")])
    made.judge(4.5)
    made.advance("judge")
    made.write(FACTS, broken)
    found = made.novel("commit", "--chapter", "2")
    assert found.exit == 0 and made.point()["last_completed_chapter"] == 2
    (told,) = [d for d in found.diagnostics if d.code == "FORESHADOWING_SKIPPED"]
    assert FACTS in told.message and FACTS in told.fix
    assert made.at(FACTS).read_text("utf-8") == broken


# --- §4 overdue ------------------------------------------------------------------------------


def test_s4_only_short_threads_that_are_open_and_past_their_range_are_overdue() -> None:
    held = [
        item("a"),
        item("b", status="advanced"),
        item("c", status="resolved"),
        item("d", scope="medium"),
        item("e", scope="long"),
        item("f", target_resolve_range=None),
    ]
    assert [one["id"] for one in foreshadowing_facts.overdue_items(held, 4)] == ["a", "b"]


def test_s4_the_last_chapter_of_the_range_is_not_overdue_yet() -> None:
    assert [bool(foreshadowing_facts.overdue_items([item()], last)) for last in (2, 3, 4)] == [
        False,
        False,
        True,
    ]


def test_s4_status_and_command_count_from_the_landed_chapter_tasks_from_their_own(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.write(FACTS, {"foreshadowing": [item(target_resolve_range=[1, 1])]})
    assert made.ok("status")["foreshadowing"]["overdue"] == []
    assert made.ok("foreshadow", "overdue") == {"chapter": 1, "items": []}
    assert "jade" in [one["id"] for one in made.ok("foreshadow", "query", "2")["items"]]
    made.point(last_completed_chapter=2)
    data = made.ok("foreshadow", "overdue")
    assert (data["chapter"], [one["id"] for one in data["items"]]) == (2, ["jade"])
    assert made.ok("status")["foreshadowing"]["overdue"] == ["jade"]


# --- §5 the query ----------------------------------------------------------------------------


def test_s5_the_script_prints_one_document_with_items(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.write(FACTS, {"foreshadowing": [item(), item("well", status="resolved")]})
    script = os.path.join(CHECKOUT, "scripts", "query-foreshadow.sh")
    done = subprocess.run([script, "2"], cwd=made.root, capture_output=True, check=True)
    items = json.loads(done.stdout)["items"]  # the plan's own, that the outline names, and the fact
    assert [one["id"] for one in items] == ["clue-001", "jade"]
    assert items[1] == item()


def test_s5_a_failure_is_told_by_the_exit_code(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.write(FACTS, "{")
    script = os.path.join(CHECKOUT, "scripts", "query-foreshadow.sh")
    assert subprocess.run([script, "2"], cwd=made.root, capture_output=True, check=False).returncode == 2
    assert subprocess.run([script], cwd=made.root, capture_output=True, check=False).returncode == 2
