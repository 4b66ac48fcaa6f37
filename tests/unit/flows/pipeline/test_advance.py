"""`novel advance`: what each phase moves, takes away and keeps; what it refuses (protocol §2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import OTHER, RECORDS, Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout, roles
from novel_hooks.cli.conduct import Conductor
from novel_hooks.rules.evaluation.gate_entry import FORCED
from novel_hooks.store.schema import schema
from unit.flows.pipeline.advanced_chapter import full

if TYPE_CHECKING:
    from pathlib import Path

PHASES = ("draft", "summarize", "refine", "judge", "revise", "polish", "review", "commit")
ACTIVE = ("drafting", "drafted", "refined", "judged", "revising")


def staged(made: Book) -> dict[str, bytes]:
    """Key → bytes of what is staged for the chapter."""
    keys = ("chapter", *RECORDS, "evaluation")
    return {key: made.at(made.staged(key)).read_bytes() for key in keys if made.at(made.staged(key)).exists()}


def kept_as(made: Book, before: dict[str, bytes], gone: set[str], label: str) -> None:
    """What went is in one attempt of that name, to the byte; nothing else went."""
    assert set(before) - set(staged(made)) == gone
    names = {key: made.staged(key).rsplit("/", 1)[-1] for key in gone}
    assert made.attempts() == {f"0001-{label}/{names[key]}": before[key] for key in gone}


def test_draft_takes_away_what_describes_another_text(tmp_path: Path) -> None:
    made = full(tmp_path, "drafting")
    made.drop(made.staged("memory"))
    before = staged(made)
    moved = made.advance("draft")
    assert (moved["changed"], moved["pipeline_stage"], moved["revision_count"]) == (True, "drafting", 0)
    kept_as(made, before, {"summary", "delta", "crossref", "evaluation"}, "r0-before-draft")


@pytest.mark.parametrize(
    ("stage", "phase", "after"), [("drafting", "summarize", "drafted"), ("drafted", "refine", "refined")]
)
@pytest.mark.parametrize("revisions", [0, 1])
def test_summarize_and_refine_take_the_verdict_away(
    tmp_path: Path, stage: str, phase: str, after: str, revisions: int
) -> None:
    made = full(tmp_path, stage, revisions)
    before = staged(made)
    moved = made.advance(phase)
    assert (moved["pipeline_stage"], moved["revision_count"]) == (after, revisions)
    assert moved["orchestrator_state"] == ("CHAPTER_REWRITE" if revisions else "WRITING")
    kept_as(made, before, {"evaluation"}, f"r{revisions}-before-{phase}")


def test_revise_at_revising_does_not_count_again(tmp_path: Path) -> None:
    made = full(tmp_path, "revising", revisions=1, overall=3.2, decision="revise")
    made.draft(version=2)
    before = staged(made)
    moved = made.advance("revise")
    assert (moved["pipeline_stage"], moved["orchestrator_state"]) == ("drafting", "CHAPTER_REWRITE")
    assert moved["revision_count"] == 1
    kept_as(made, before, {*RECORDS, "evaluation"}, "r1-before-revise")


def test_revise_found_at_judged_counts_in_its_own_write(tmp_path: Path) -> None:
    made = full(tmp_path, "judged", overall=3.2)
    moved = made.advance("revise")
    assert (moved["pipeline_stage"], moved["orchestrator_state"]) == ("drafting", "CHAPTER_REWRITE")
    assert moved["revision_count"] == 1
    assert set(staged(made)) == {"chapter"}


@pytest.mark.parametrize("stage", ["revising", "judged"])
def test_polish_is_not_judged_again(tmp_path: Path, stage: str) -> None:
    made = full(tmp_path, stage, overall=3.7)
    if stage == "revising":
        made.draft(version=2)
    moved = made.advance("polish")
    assert (moved["pipeline_stage"], moved["revision_count"]) == ("judged", 0)
    document = made.json(made.staged("evaluation"))
    assert document["metadata"]["gate"]["polished"] is True
    assert document["metadata"]["gate"]["decision"] == "polish"
    assert document["metadata"]["text_sha256"] == made.sha("chapter")
    assert schema.problems("chapter-eval", document, "e") == []
    assert set(staged(made)) == {"chapter", *RECORDS, "evaluation"}
    assert made.next()["phase"] == "commit"
    made.draft(version=3)
    assert made.next()["phase"] == "summarize"


OUTCOMES = [
    (4.5, None, 0, "pass", "judged", "WRITING", 0),
    (3.7, None, 0, "polish", "revising", "WRITING", 0),
    (3.2, None, 0, "revise", "revising", "CHAPTER_REWRITE", 1),
    (4.5, "l2", 1, "revise", "revising", "CHAPTER_REWRITE", 2),
    (3.2, None, 2, "pass", "judged", "CHAPTER_REWRITE", 2),
    (4.5, "l1", 2, "pause_for_user", "judged", "CHAPTER_REWRITE", 2),
    (2.5, None, 0, "pause_for_user", "judged", "WRITING", 0),
    (1.5, None, 0, "pause_for_user_force_rewrite", "judged", "WRITING", 0),
]


@pytest.mark.parametrize(
    ("overall", "violation", "revisions", "decision", "stage", "state", "count"), OUTCOMES
)
def test_judge_moves_by_the_gate(
    tmp_path: Path,
    overall: float,
    violation: str | None,
    revisions: int,
    decision: str,
    stage: str,
    state: str,
    count: int,
) -> None:
    made = full(tmp_path, "refined", revisions)
    made.drop(made.staged("evaluation"))
    made.ok("lock", "acquire")
    made.judge(overall, violation)
    text = made.at(made.staged("chapter")).read_bytes()
    moved = made.advance("judge")
    assert moved["gate"]["decision"] == decision
    assert (moved["pipeline_stage"], moved["orchestrator_state"]) == (stage, state)
    assert moved["revision_count"] == count
    document = made.json(made.staged("evaluation"))
    gate = document["metadata"]["gate"]
    assert (gate["decision"], gate["revisions"]) == (decision, revisions)
    assert gate["force_passed"] is (decision == "pass" and overall < 3.5)
    assert gate["bands"] == {"pass": 4.0, "polish": 3.5, "revise": 3.0, "pause": 2.0, "max_revisions": 2}
    assert document["metadata"]["text_sha256"] == made.sha("chapter")
    assert document["overall_final"] == overall
    assert schema.problems("chapter-eval", document, "e") == []
    paused = decision.startswith("pause")
    assert made.ok("lock", "status")["kind"] == ("free" if paused else "own")
    rewritten = decision in ("revise", "polish")
    assert list(made.attempts().values()) == ([text] if rewritten else [])
    phase = {"pass": "commit", "polish": "polish", "revise": "revise"}.get(decision, "review")
    assert made.next()["phase"] == phase


def test_a_chapter_let_through_is_told_in_one_word(tmp_path: Path) -> None:
    made = full(tmp_path, "refined", revisions=2, overall=3.2)
    assert f"门控：{FORCED}\n" in made.novel("advance", made.step("judge")).text
    said: list[str] = []
    gate = {
        "decision": "pass",
        "force_passed": True,
        "overall_final": 3.2,
        "reasons": [],
        "required_fixes": [],
    }
    Conductor(str(tmp_path), {}, said.append)._gate({**gate, "reasons": [], "required_fixes": []})
    assert said == [f"  　　　　→ {FORCED}（3.20 分）"]
    assert f"章：{FORCED}（3.20 分" in made.novel("gate", str(made.chapter)).text


def test_fixes_come_back_with_the_verdict(tmp_path: Path) -> None:
    made = full(tmp_path, "refined", overall=3.2)
    fixes = made.advance("judge")["gate"]["required_fixes"]
    assert fixes and all(set(fix) == {"target", "instruction", "kind"} for fix in fixes)


def test_what_the_author_wrote_in_novel_yaml_is_used_and_stored(tmp_path: Path) -> None:
    made = full(tmp_path, "refined", overall=4.1)
    made.write(layout.CONFIG, "gate:\n  pass: 4.2\nmax_revisions: 1\n")
    assert made.advance("judge")["gate"]["decision"] == "polish"
    bands = made.json(made.staged("evaluation"))["metadata"]["gate"]["bands"]
    assert (bands["pass"], bands["max_revisions"]) == (4.2, 1)


def states_due() -> list[tuple[str, str, dict[str, Any]]]:
    return [
        ("drafting", "summarize", {}),
        ("drafted", "refine", {}),
        ("refined", "judge", {}),
        ("revising", "revise", {"overall": 3.2}),
        ("revising", "polish", {"overall": 3.7}),
        ("judged", "revise", {"overall": 3.2}),
        ("judged", "polish", {"overall": 3.7}),
    ]


@pytest.mark.parametrize(("stage", "phase", "more"), states_due())
def test_said_twice_is_said_once(tmp_path: Path, stage: str, phase: str, more: dict[str, Any]) -> None:
    made = full(tmp_path, stage, **more)
    assert made.advance(phase)["changed"] is True
    before = made.tree()
    again = made.advance(phase)
    assert again["changed"] is False
    assert made.changed(before) == {}


def test_a_draft_said_twice_is_said_once_and_takes_no_summary_with_it(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.ok("lock", "acquire")
    made.draft()
    assert made.advance("draft")["changed"] is True
    made.records(["summary", "delta"])
    before = made.tree()
    assert made.advance("draft")["changed"] is False
    assert made.changed(before) == {}


ALSO_TAKEN = {("drafting", "summarize"), ("drafting", "refine")}


@pytest.mark.parametrize("stage", ACTIVE)
@pytest.mark.parametrize("phase", PHASES)
def test_a_step_that_is_not_the_next_one_is_refused(tmp_path: Path, stage: str, phase: str) -> None:
    made = full(tmp_path, stage)
    due = made.next()["phase"]
    if phase == due or (stage, phase) in ALSO_TAKEN:
        return
    told = made.refused(3, "STEP_NOT_NEXT", "advance", made.step(phase))
    assert f"「第 {made.chapter} 章 · {roles.PHASE_TITLES[due]}」。" in told.message


@pytest.mark.parametrize("stage", ["drafted", "refined", "judged", "revising"])
def test_a_draft_begins_a_chapter_it_does_not_undo_one(tmp_path: Path, stage: str) -> None:
    made = full(tmp_path, stage)
    made.drop(made.staged("memory"))
    made.refused(3, "STEP_NOT_NEXT", "advance", made.step("draft"))


def test_records_of_a_text_that_is_gone_are_not_advanced(tmp_path: Path) -> None:
    made = full(tmp_path, "drafting")
    made.drop(made.staged("chapter"))
    made.refused(3, "STEP_NOT_NEXT", "advance", made.step("summarize"))


@pytest.mark.parametrize("step", ["chapter:001:draft", "chapter:003:draft", "chapter:003:refine"])
def test_another_chapter_is_refused(tmp_path: Path, step: str) -> None:
    made = full(tmp_path, "drafted")
    made.refused(3, "STEP_NOT_NEXT", "advance", step)


def test_commit_and_review_have_commands_of_their_own(tmp_path: Path) -> None:
    made = full(tmp_path, "judged")
    assert "novel commit" in made.refused(3, "CHAPTER_NOT_DUE", "advance", made.step("commit")).message
    made.evaluation(2.5)
    assert "novel decide" in made.refused(3, "CHAPTER_NOT_DUE", "advance", made.step("review")).message


def test_a_chapter_written_by_hand_starts_without_a_lock(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.draft()
    made.records()
    moved = made.advance("draft")
    assert (moved["pipeline_stage"], moved["orchestrator_state"]) == ("drafting", "WRITING")
    assert made.point()["inflight_chapter"] == 2
    assert set(staged(made)) == {"chapter"}


@pytest.mark.parametrize(
    ("state", "volume", "last"),
    [("INIT", 0, 0), ("VOL_PLANNING", 1, 1), ("VOL_REVIEW", 1, 6), ("WRITING", 1, 6), ("ERROR_RETRY", 1, 1)],
)
def test_where_no_draft_is_due_none_begins(tmp_path: Path, state: str, volume: int, last: int) -> None:
    made = book(tmp_path)
    made.point(orchestrator_state=state, current_volume=volume, last_completed_chapter=last)
    made.chapter = last + 1
    made.draft()
    made.refused(3, "STEP_NOT_NEXT", "advance", made.step("draft"))


def test_a_verdict_on_another_text_is_not_advanced(tmp_path: Path) -> None:
    made = full(tmp_path, "refined")
    made.draft(version=2)
    told = made.refused(1, "EVALUATION_UNUSABLE", "advance", made.step("judge"))
    assert "不是现在这份正文" in told.message
    assert made.novel("validate", made.step("judge")).exit == 1
    made.ok("instructions", made.step("judge"))
    made.refused(1, "EVALUATION_UNUSABLE", "advance", made.step("judge"))


def test_a_key_chapter_is_not_advanced_with_one_verdict(tmp_path: Path) -> None:
    made = full(tmp_path, "refined")
    made.key_chapter()
    told = made.refused(1, "EVALUATION_UNUSABLE", "advance", made.step("judge"))
    assert "第二评审" in told.message


def test_a_step_without_its_output_is_a_finding(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.ok("lock", "acquire")
    told = made.refused(1, "OUTPUT_MISSING", "advance", made.step("draft"))
    assert told.path == made.staged("chapter") and "写手" in told.fix
    made.stage("refined")
    made.draft()
    made.records()
    made.refused(1, "EVALUATION_MISSING", "advance", made.step("judge"))


def test_every_finding_at_once(tmp_path: Path) -> None:
    made = full(tmp_path, "drafting")
    made.write(made.staged("summary"), "")
    made.write(made.staged("delta"), b"{")
    made.write(made.staged("crossref"), b"\xff\xfe")
    made.write(made.staged("memory"), "字" * 501)
    found = made.novel("advance", made.step("summarize"))
    assert found.exit == 1
    assert [d.path for d in found.diagnostics] == [made.staged(key) for key in RECORDS]
    assert all("记录员" in d.fix for d in found.diagnostics)


def test_what_only_warns_does_not_stop(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.draft("没有标题的正文。\n")
    codes = [
        [d.code for d in made.novel(one, made.step("draft")).diagnostics] for one in ("validate", "advance")
    ]
    assert codes == [["CHAPTER_HEADING_MISSING", "CHAPTER_LENGTH"], []], "told once"
    assert made.next()["phase"] == "summarize"


# the rest ----------------------------------------------------------------------------------------


def test_another_sessions_lock_stops_it(tmp_path: Path) -> None:
    made = full(tmp_path, "drafted")
    made.ok("lock", "acquire")
    found = made.novel("advance", made.step("refine"), owner=OTHER)
    assert found.exit == 4 and "第 2 章" in found.diagnostics[0].message
    assert made.point()["pipeline_stage"] == "drafted"


def test_unknown_keys_of_the_checkpoint_survive_and_its_bytes_are_canonical(tmp_path: Path) -> None:
    made = full(tmp_path, "drafted")
    made.point(my_note={"b": 1, "a": 2})
    made.advance("refine")
    assert made.point()["my_note"] == {"b": 1, "a": 2}
    text = made.at(layout.CHECKPOINT).read_text("utf-8")
    assert text.startswith('{\n  "current_volume"') and text.endswith("}\n")
    assert schema.problems("checkpoint", made.point(), "c") == []


def test_the_work_log_knows_who_and_how_long(tmp_path: Path) -> None:
    made = full(tmp_path, "drafted")
    made.ok("instructions", made.step("refine"))
    made.advance("refine")
    made.judge(4.5)
    log = made.json(layout.work_log(2))
    refine, judge = log["stages"]
    assert (refine["name"], refine["model"], refine["input_tokens"]) == ("refine", "sonnet", None)
    assert 0 <= refine["duration_ms"] < 60000
    assert (judge["name"], judge["model"], judge["duration_ms"]) == ("judge", "sonnet", None)
