"""`novel fail` and `novel retry`: failures are counted, and contradictions healed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import pytest
from builders import OTHER, RECORDS, book, killed_landing
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.store.formats import jsonio
from unit.flows.pipeline.paused_chapter import paused

if TYPE_CHECKING:
    from pathlib import Path

# fail --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("revisions", [0, 1])
def test_once_is_tried_again_twice_asks_the_author(tmp_path: Path, revisions: int) -> None:
    made = book(tmp_path)
    made.ok("lock", "acquire")
    made.stage("drafted", revisions)
    made.draft()
    made.records()
    staged = {key: made.sha(key) for key in ("chapter", *RECORDS)}
    assert made.ok("fail", made.step("refine"), "--reason", "超时")["answer"] == "retry"
    assert made.next()["phase"] == "refine"
    assert made.ok("lock", "status")["kind"] == "own"
    second = made.ok("fail", made.step("refine"), "--reason", "又", "超时")
    assert (second["answer"], second["orchestrator_state"]) == ("stop", "ERROR_RETRY")
    point = made.point()
    assert (point["pipeline_stage"], point["inflight_chapter"], point["revision_count"]) == (
        "drafted",
        2,
        revisions,
    )
    from_state = "CHAPTER_REWRITE" if revisions else "WRITING"
    assert point["error"] == {"step": made.step("refine"), "reason": "又 超时", "from_state": from_state}
    assert made.ok("lock", "status")["kind"] == "free"
    assert {key: made.sha(key) for key in staged} == staged
    before = made.tree()
    assert made.ok("fail", made.step("refine"), "--reason", "再说一遍")["answer"] == "stop"
    assert made.changed(before) == {}
    assert made.ok("retry")["orchestrator_state"] == from_state
    assert made.next()["phase"] == "refine"
    assert made.ok("fail", made.step("refine"), "--reason", "重新数")["answer"] == "retry"


def test_a_step_that_succeeded_in_between_is_counted_anew(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.ok("lock", "acquire")
    made.ok("fail", made.step("draft"), "--reason", "x")
    made.draft()
    made.advance("draft")
    assert made.ok("fail", made.step("summarize"), "--reason", "x")["answer"] == "retry"
    assert made.ok("fail", made.step("summarize"), "--reason", "x")["answer"] == "stop"


def test_failures_of_two_steps_in_turn_do_not_go_on_for_ever(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.ok("lock", "acquire")
    assert made.ok("fail", made.step("draft"), "--reason", "x")["answer"] == "retry"
    made.draft()
    assert made.ok("fail", made.step("summarize"), "--reason", "x")["answer"] == "retry"
    made.drop(made.staged("chapter"))
    assert made.ok("fail", made.step("draft"), "--reason", "x")["answer"] == "stop"


def test_before_a_chapter_begins_its_draft_may_fail(tmp_path: Path) -> None:
    made = book(tmp_path)
    for answer in ("retry", "stop"):
        assert made.ok("fail", made.step("draft"), "--reason", "x")["answer"] == answer
    assert made.ok("retry")["orchestrator_state"] == "WRITING"
    assert made.next()["step"] == made.step("draft")


@pytest.mark.parametrize(
    "step", ["chapter:001:draft", "chapter:003:draft", "volume:01:review", "chapter:002:commit"]
)
def test_only_a_step_in_work_can_fail(tmp_path: Path, step: str) -> None:
    made = book(tmp_path)
    made.until("drafting")
    made.refused(3, "STEP_NOT_NEXT", "fail", step, "--reason", "x")


@pytest.mark.parametrize("state", ["INIT", "VOL_PLANNING", "VOL_REVIEW"])
def test_no_chapter_can_fail_where_none_is_written(tmp_path: Path, state: str) -> None:
    made = book(tmp_path)
    made.point(orchestrator_state=state, current_volume=0 if state == "INIT" else 1)
    made.refused(3, "STEP_NOT_NEXT", "fail", made.step("draft"), "--reason", "x")


@pytest.mark.parametrize("stage", ["drafting", "drafted", "refined", "judged"])
def test_only_the_step_that_is_due_or_out_can_fail(tmp_path: Path, stage: str) -> None:
    made = book(tmp_path)
    made.until(stage)
    due = made.next()["phase"]
    for phase in ("draft", "summarize", "refine", "judge", "revise", "polish"):
        if phase != due:
            told = made.refused(3, "STEP_NOT_NEXT", "fail", made.step(phase), "--reason", "x")
            assert "轮不到" in told.message and "novel next" in told.fix
    if due != "commit":
        assert made.ok("fail", made.step(due), "--reason", "x")["answer"] == "retry"


def test_a_step_that_is_out_can_fail_although_its_output_is_found(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"))
    made.draft()
    assert made.next()["phase"] == "summarize"
    made.refused(3, "STEP_NOT_NEXT", "fail", made.step("refine"), "--reason", "x")
    assert made.ok("fail", made.step("draft"), "--reason", "代理中途断了")["answer"] == "retry"
    made.advance("draft")
    made.refused(3, "STEP_NOT_NEXT", "fail", made.step("draft"), "--reason", "x")


@pytest.mark.parametrize("reason", [[""], ["  "], ["\n", "\t"], ["\u3000"], ["\u200b"]])
def test_a_failure_without_a_reason_is_refused(tmp_path: Path, reason: list[str]) -> None:
    made = book(tmp_path)
    made.until("drafting")
    told = made.refused(2, "CLI_USAGE", "fail", made.step("summarize"), "--reason", *reason)
    assert "原因" in told.message and "--reason" in told.fix


def test_being_busy_is_no_failure(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("drafting")
    before = made.point()
    assert made.novel("fail", made.step("summarize"), "--reason", "x", owner=OTHER).exit == 4
    assert made.point() == before


def test_form_alone_is_tried_three_times(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("drafting")
    made.records()
    made.write(made.staged("crossref"), "[不是")
    for answer in ("retry", "retry", "stop"):
        assert made.ok("fail", made.step("summarize"), "--reason", "读不懂")["answer"] == answer


def test_form_and_content_are_counted_apart(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("drafting")
    made.records()
    made.write(made.staged("delta"), {**made.record("delta"), "ops": "无"})
    assert made.ok("fail", made.step("summarize"), "--reason", "形式")["answer"] == "retry"
    made.drop(made.staged("memory"))
    assert made.ok("fail", made.step("summarize"), "--reason", "没交记忆")["answer"] == "retry"
    assert made.ok("fail", made.step("summarize"), "--reason", "还没交")["answer"] == "stop"


def test_a_judges_unreadable_words_are_form(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("refined")
    for answer in ("retry", "retry", "stop"):
        made.ok("instructions", made.step("judge"), "--write-manifest")
        made.novel("judge", "record", "--role", "primary", "--file", made.words("没有对象"))
        assert made.ok("fail", made.step("judge"), "--reason", "读不懂")["answer"] == answer


def test_after_a_failed_draft_the_draft_is_next(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"), "--write-manifest")
    made.draft("# 第 2 章 夜渡\n\n太短。\n")
    made.ok("fail", made.step("draft"), "--reason", "太短")
    assert made.next()["step"] == made.step("draft")
    made.ok("fail", made.step("draft"), "--reason", "又太短")
    made.ok("retry")
    found = made.next()
    assert (found["step"], found["agent"]) == (made.step("draft"), "chapter-writer")
    made.ok("instructions", made.step("draft"), "--write-manifest")
    made.draft()
    made.advance("draft")
    assert made.next()["step"] == made.step("summarize")


# retry -------------------------------------------------------------------------------------------


def test_retry_takes_the_lock_again(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.ok("lock", "acquire")
    for _ in range(2):
        made.ok("fail", made.step("draft"), "--reason", "x")
    assert made.ok("lock", "status")["kind"] == "free"
    assert "写作锁" in made.novel("retry").text
    held = made.ok("lock", "status")
    assert (held["kind"], held["info"]["chapter"]) == ("own", 2)
    assert made.novel("advance", made.step("draft"), owner=OTHER).exit == 4


@pytest.mark.parametrize(
    ("changes", "inflight", "state"),
    [
        ({"pipeline_stage": None, "inflight_chapter": 2}, None, "WRITING"),
        ({"pipeline_stage": "committed", "inflight_chapter": 1}, None, "WRITING"),
        ({"pipeline_stage": "drafted", "inflight_chapter": None}, 2, "WRITING"),
        ({"pipeline_stage": "revising", "inflight_chapter": None, "revision_count": 1}, 2, "CHAPTER_REWRITE"),
        ({"pipeline_stage": "judged", "inflight_chapter": 7}, 2, "WRITING"),
        (
            {"pipeline_stage": "judged", "inflight_chapter": 2, "orchestrator_state": "VOL_REVIEW"},
            2,
            "WRITING",
        ),
    ],
)
def test_retry_heals_what_everything_else_refuses(
    tmp_path: Path, changes: dict[str, Any], inflight: int | None, state: str
) -> None:
    made = book(tmp_path)
    made.draft()
    made.point(**changes)
    told = made.refused(5, "CHECKPOINT_INCONSISTENT", "next")
    assert "novel retry" in told.fix
    for argv in (
        ("advance", made.step("draft")),
        ("validate", made.step("draft")),
        ("instructions", made.step("draft")),
        ("commit", "--chapter", "2"),
        ("lock", "acquire"),
        ("fail", made.step("draft"), "--reason", "x"),
        ("decide", "2", "accept"),
    ):
        made.refused(5, "CHECKPOINT_INCONSISTENT", *argv)
    text = hashlib.sha256(made.at(made.staged("chapter")).read_bytes()).hexdigest()
    healed = made.ok("retry")
    assert (healed["inflight_chapter"], healed["orchestrator_state"]) == (inflight, state)
    assert made.sha("chapter") == text
    made.next()


def test_nothing_to_retry(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.refused(3, "RETRY_NOTHING", "retry")
    made.until("drafted")
    made.refused(3, "RETRY_NOTHING", "retry")


def test_status_shows_what_it_can_of_a_contradiction(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.point(pipeline_stage="drafted")
    found = made.novel("status")
    assert found.exit == 5
    assert found.data["progress"]["last_completed_chapter"] == 1
    assert found.data["next"] is None
    assert [d.code for d in found.diagnostics] == ["CHECKPOINT_INCONSISTENT"]


def test_an_accepted_chapter_reads_so_everywhere(tmp_path: Path) -> None:
    """Before it lands and after."""
    made = paused(tmp_path)
    assert "等作者决定" in made.novel("gate", "2").text
    made.ok("decide", "2", "accept")
    assert made.novel("gate", "2").text.startswith("第 2 章：作者接受（")
    assert "，门控作者接受，修订 0 次 △" in made.novel("commit", "--chapter", "2").text
    assert made.ok("gate", "2")["accepted"] is made.ok("log", "2")["accepted"] is True
    assert [one["accepted"] for one in made.ok("status")["recent"]] == [False, True]
    for page in (("status",), ("log",), ("log", "2"), ("gate", "2")):
        told = made.novel(*page).text
        assert "作者接受" in told and "等作者决定" not in told, page


def test_retry_that_only_finished_a_landing_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = book(tmp_path)
    killed_landing(made, monkeypatch, {layout.BRIEF: b"1\n", layout.BLACKLIST: b"{}\n"})
    found = made.novel("retry")
    assert found.exit == 0 and "没有别的要重试的步骤" in found.text
    assert [d.code for d in found.diagnostics] == ["SESSION_NOTE"]
    made.refused(3, "RETRY_NOTHING", "retry")


@pytest.mark.parametrize("command", ["next", "status"])
def test_a_landing_whose_command_lives_is_no_interrupted_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    made = book(tmp_path)
    killed_landing(made, monkeypatch, {f"research/{n}.md": b"1\n" for n in (1, 2)})
    (told,) = made.novel(command).diagnostics
    assert (told.code, told.severity) == ("COMMAND_WRITING", "info") and "retry" not in told.fix
    place = f"{layout.JOURNAL}/manifest.json"
    made.write(place, jsonio.dump({**made.json(place), "pid": 2**30}))
    (told,) = made.novel(command).diagnostics
    assert told.code == "JOURNAL_WAITS"
