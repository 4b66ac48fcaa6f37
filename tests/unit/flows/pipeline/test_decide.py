"""`novel decide`: the answers of an author who was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import OTHER, RECORDS, Book, book
from builders import fast_disk as fast_disk
from copying import copied

from novel_hooks import errors, layout
from novel_hooks.store.journal import recovery
from novel_hooks.store.schema import schema
from unit.flows.pipeline.paused_chapter import paused

if TYPE_CHECKING:
    from pathlib import Path

ANSWERS = ("accept", "revise", "rewrite")


def test_a_yes_to_the_place_of_an_answer_is_that_answer(tmp_path: Path) -> None:
    made = paused(tmp_path)
    places = [one["key"] for one in made.next()["choices"]]
    made.refused(3, "DECISION_UNCLEAR", "decide", "9", "好的")
    told = made.refused(3, "DECISION_UNCLEAR", "decide", "2", "好的")
    assert all(f"`{one['command']}`" in told.fix for one in made.next()["choices"])
    assert made.ok("decide", "1", "好的。")["answer"] == places[0]
    assert made.refused(3, "DECISION_UNCLEAR", "decide", "1", "是").message == "现在没有要你决定的事"


def test_accept_goes_to_commit_and_says_over_what(tmp_path: Path) -> None:
    made = paused(tmp_path)
    moved = made.ok("decide", "2", "accept")
    assert (moved["pipeline_stage"], moved["revision_count"]) == ("judged", 0)
    document = made.json(made.staged("evaluation"))
    accepted = document["metadata"]["gate"]["accepted"]
    assert (accepted["by"], accepted["over"]) == ("author", "pause_for_user")
    assert schema.problems("chapter-eval", document, "e") == []
    assert made.next()["phase"] == "commit"
    landed = made.ok("commit", "--chapter", "2")
    assert (landed["accepted"], landed["gate_decision"]) == (True, "pause_for_user")


def test_an_accepted_text_that_changes_is_judged_again(tmp_path: Path) -> None:
    made = paused(tmp_path)
    made.ok("decide", "2", "accept")
    made.draft(version=2)
    made.refused(3, "GATE_NOT_PASSED", "commit", "--chapter", "2")
    assert made.next()["phase"] == "summarize"


def test_revise_puts_the_note_first_and_counts(tmp_path: Path) -> None:
    made = paused(tmp_path)
    text = made.at(made.staged("chapter")).read_bytes()
    moved = made.ok("decide", "2", "revise", "--note", "灯要", "先灭")
    assert (moved["pipeline_stage"], moved["orchestrator_state"]) == ("revising", "CHAPTER_REWRITE")
    assert moved["revision_count"] == 1
    assert (made.next()["phase"], made.next()["reason"]) == ("revise", "作者要求再修订一轮")
    packet = made.ok("instructions", made.step("revise"))
    (fixes,) = [i["value"] for i in packet["inputs"] if i["key"] == "required_fixes"]
    assert fixes[0]["instruction"] == "灯要 先灭"
    assert text in made.attempts().values()


@pytest.mark.parametrize("overall", [3.7, 4.5])
def test_what_the_author_sends_back_is_revised_whatever_the_score(tmp_path: Path, overall: float) -> None:
    """A violation that revisions did not cure pauses a good score too."""
    made = book(tmp_path)
    made.stage("judged", revisions=2)
    made.draft()
    made.records()
    made.evaluation(overall, "l1")
    made.ok("decide", "2", "revise")
    assert made.next()["phase"] == "revise"
    assert made.point()["revision_count"] == 3


def test_rewrite_starts_anew_and_keeps_everything(tmp_path: Path) -> None:
    made = paused(tmp_path, 1.5)
    made.stage("judged", revisions=2)
    made.write(made.staged("hints"), ["灯灭了"])
    keys = ("chapter", "hints", *RECORDS, "evaluation")
    before = {made.staged(k).rsplit("/", 1)[-1]: made.at(made.staged(k)).read_bytes() for k in keys}
    moved = made.ok("decide", "2", "rewrite")
    assert (moved["pipeline_stage"], moved["orchestrator_state"]) == ("drafting", "WRITING")
    assert moved["revision_count"] == 0
    assert not any(made.at(made.staged(key)).exists() for key in keys)
    kept = {name.rsplit("/", 1)[-1]: data for name, data in made.attempts().items() if "rewrite" in name}
    assert kept == before
    assert made.next()["phase"] == "draft"


@pytest.mark.parametrize("answer", ANSWERS)
def test_what_was_not_asked_is_not_answered(tmp_path: Path, answer: str) -> None:
    made = book(tmp_path)
    made.refused(3, "DECISION_NOT_DUE", "decide", "2", answer)
    made.until("refined")
    made.refused(3, "DECISION_NOT_DUE", "decide", "2", answer)
    made.judge(2.5)
    made.advance("judge")
    told = made.refused(3, "DECISION_LANDED", "decide", "1", answer)
    assert "novel rollback 0" in told.fix and "novel sync 1" in told.fix
    made.refused(3, "DECISION_NOT_DUE", "decide", "3", answer)
    made.point(orchestrator_state="ERROR_RETRY", error={"step": "chapter:002:commit", "reason": "磁盘满"})
    told = made.refused(3, "DECISION_NOT_DUE", "decide", "2", answer)
    assert "None" not in told.message and "磁盘满" in told.message


def test_a_rewrite_takes_the_authors_wish_to_the_writer(tmp_path: Path) -> None:
    made = paused(tmp_path, 1.5)
    made.ok("decide", "2", "rewrite", "--note", "从船家的眼里写")
    step = made.next()["step"]
    assert step == made.step("draft")
    for _ in ("first", "again"):
        assert any("从船家的眼里写" in rule for rule in made.ok("instructions", step)["rules"])
    made.draft()
    made.advance("draft")
    assert "从船家的眼里写" not in str(made.ok("instructions", made.next()["step"])["rules"])


@pytest.mark.parametrize("answer", ["accept", "rewrite"])
def test_twice_is_refused_not_done_again(tmp_path: Path, answer: str) -> None:
    made = paused(tmp_path)
    made.ok("decide", "2", answer)
    made.refused(3, "DECISION_NOT_DUE", "decide", "2", answer)


def test_deciding_takes_the_lock(tmp_path: Path) -> None:
    made = paused(tmp_path)
    made.novel("lock", "acquire", owner=OTHER)
    assert made.novel("decide", "2", "accept").exit == 4
    assert made.next()["phase"] == "review"
    assert made.novel("lock", "release", owner=OTHER).exit == 0
    made.ok("decide", "2", "accept")
    assert made.ok("lock", "status")["kind"] == "free"


def test_deciding_over_another_tools_evaluation(tmp_path: Path) -> None:
    """Without metadata: what the gate decides is written down before the author's answer."""
    made = book(tmp_path)
    made.stage("judged")
    made.draft()
    made.records()
    document = made.evaluation(2.5)
    for own in ("metadata", "overall_final"):
        document.pop(own)
    made.write(made.staged("evaluation"), document)
    made.ok("decide", "2", "accept")
    landed = made.ok("commit", "--chapter", "2")
    assert (landed["overall_final"], landed["gate_decision"]) == (2.5, "pause_for_user")
    gate = made.json(layout.evaluation(2))["metadata"]["gate"]
    assert gate["bands"]["pass"] == 4.0 and gate["accepted"]["over"] == "pause_for_user"


# skip-delta --------------------------------------------------------------------------------------


def undeltaed(tmp_path: Path) -> Book:
    """The summarizer's delta is no JSON."""
    made = book(tmp_path)
    made.ok("lock", "acquire")
    made.draft()
    made.advance("draft")
    made.records()
    made.write(made.staged("delta"), b'{"chapter": 2, "ops": [')
    return made


def test_a_skipped_delta_counts_as_one_and_moves_no_version(tmp_path: Path) -> None:
    made = undeltaed(tmp_path)
    broken = made.at(made.staged("delta")).read_bytes()
    state = made.at(layout.STATE).read_bytes()
    made.ok("decide", "2", "skip-delta", "--note", "记录员两次写坏")
    assert list(made.attempts().values()) == [broken]
    made.advance("summarize")
    made.advance("refine")
    made.judge(4.5)
    made.advance("judge")
    made.ok("commit", "--chapter", "2")
    assert made.at(layout.STATE).read_bytes() == state
    line = made.lines(layout.CHANGELOG)[-1]
    assert (line["chapter"], line["state_version"], line["ops"]) == (2, 1, [])
    assert "记录员两次写坏" in str(line)
    assert schema.problems("changelog-line", line, "c") == []


def test_after_three_failures_of_form_skipping_leads_out_of_the_error(tmp_path: Path) -> None:
    made = undeltaed(tmp_path)
    for _ in range(3):
        made.ok("fail", made.step("summarize"), "--reason", "读不懂")
    assert [c["key"] for c in made.next()["choices"]] == ["retry", "skip-delta"]
    moved = made.ok("decide", "2", "skip-delta")
    assert (moved["orchestrator_state"], moved["pipeline_stage"]) == ("WRITING", "drafting")
    assert "error" not in made.point()
    assert made.next()["phase"] == "refine"
    assert made.advance("summarize")["changed"] is True


@pytest.mark.parametrize("retried", [False, True])
def test_after_a_skip_the_summarizer_is_not_called_again(tmp_path: Path, retried: bool) -> None:
    """His hand-out was marked as failed: what failed of it is what the author lets go."""
    made = undeltaed(tmp_path)
    for _ in range(3):
        made.ok("instructions", made.step("summarize"), "--write-manifest")
        made.records()
        made.write(made.staged("delta"), b'{"chapter": 2, "ops": [')
        made.ok("fail", made.step("summarize"), "--reason", "读不懂")
    if retried:
        made.ok("retry")
    made.ok("decide", "2", "skip-delta")
    assert made.next()["phase"] == "refine"
    made.ok("instructions", made.step("refine"), "--write-manifest")
    made.advance("refine")


def test_a_good_delta_is_not_skipped(tmp_path: Path) -> None:
    made = undeltaed(tmp_path)
    made.records()
    made.drop(made.staged("memory"))
    told = made.refused(3, "DECISION_NOT_DUE", "decide", "2", "skip-delta")
    assert "不用跳过" in told.message
    made.refused(3, "DECISION_LANDED", "decide", "1", "skip-delta")


def test_a_skipped_delta_is_not_asked_for_again(tmp_path: Path) -> None:
    made = undeltaed(tmp_path)
    made.drop(made.staged("memory"))
    made.ok("decide", "2", "skip-delta")
    packet = made.ok("instructions", made.step("summarize"))
    assert [o["key"] for o in packet["outputs"]] == ["summary", "crossref", "memory"]


def test_from_the_third_skip_on_status_advises_a_rebuild(tmp_path: Path) -> None:
    made = undeltaed(tmp_path)
    made.point(skipped_deltas=2)
    made.ok("decide", "2", "skip-delta")
    assert "STATE_REBUILD_ADVISED" not in [d.code for d in made.novel("status").diagnostics]
    made.stage("judged")
    made.evaluation()
    made.ok("commit", "--chapter", "2")
    assert "STATE_REBUILD_ADVISED" in [d.code for d in made.novel("status").diagnostics]


def test_a_cut_off_decision_is_repeated_in_the_same_words_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other words would be lost behind it."""

    def die(*_: object) -> None:
        raise errors.JournalPending(layout.JOURNAL, label="试", detail="断电")

    made = paused(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(recovery, "finish", die)
        found = made.novel("decide", "2", "revise", "--note", "把桩数清楚")
    assert found.diagnostics[0].code == "JOURNAL_PENDING"
    cut_off = copied(made, tmp_path / "again")
    assert cut_off.ok("decide", "2", "revise", "--note", "把桩数清楚")["pipeline_stage"] == "revising"
    found = made.novel("decide", "2", "revise", "--note", "让他先开口")
    assert (found.exit, found.diagnostics[0].code) == (3, "DECISION_NOT_DUE")
    for one in (made, cut_off):
        assert one.json(one.staged("evaluation"))["metadata"]["gate"]["note"] == "把桩数清楚"
