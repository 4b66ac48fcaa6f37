"""What stands before every command that moves the checkpoint: the fence, break points, a killed twin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import OWNER, Book, book
from builders import fast_disk as fast_disk
from planbook import plan_volume

from novel_hooks import layout
from novel_hooks.flows.pipeline import decide, fail_retry
from novel_hooks.flows.session.caller import Caller
from novel_hooks.flows.session.session import Session, writing
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.text import typed_words
from novel_hooks.store.files.project import Project
from novel_hooks.store.host.owner import owner

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OUTSIDE = "WRITE_OUTSIDE_STAGING"


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """The draft of chapter 2 is handed out and written."""
    made = book(tmp_path)
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"), "--write-manifest")
    made.draft()
    return made


def landed(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The paths of each landing from now on, in order."""
    seen: list[list[str]] = []
    real = Session.land

    def land(self: Session, changes: Any, label: str) -> None:
        seen.append([change.path for change in changes])
        real(self, changes, label)

    monkeypatch.setattr(Session, "land", land)
    return seen


# the fence -------------------------------------------------------------------------------------------


def test_nothing_advances_over_a_write_outside_staging(made: Book) -> None:
    made.write(layout.BRIEF, "别人改的\n")
    assert made.refused(3, OUTSIDE, "advance", made.step("draft")).path == layout.BRIEF


def test_settings_that_somebody_broke_are_his_write_first(made: Book) -> None:
    """The author may not know the file: what is to be mended is that somebody wrote it."""
    made.advance("draft")
    made.records()
    for phase in ("summarize", "refine"):
        made.advance(phase)
    made.ok("instructions", made.step("judge"), "--write-manifest")
    made.judge(4.5)
    made.write(layout.CONFIG, "gate: [\n")
    assert made.refused(3, OUTSIDE, "advance", made.step("judge")).path == layout.CONFIG
    made.ok("accept-changes")
    assert made.novel("advance", made.step("judge")).diagnostics[0].code == "YAML_BROKEN"


def test_nothing_lands_over_a_write_outside_staging(made: Book) -> None:
    made.advance("draft")
    made.records()
    for phase in ("summarize", "refine"):
        made.advance(phase)
    made.ok("instructions", made.step("judge"), "--write-manifest")
    made.judge(4.5)
    made.advance("judge")
    before = made.at(layout.BRIEF).read_bytes()
    made.write(layout.BRIEF, "别人改的\n")
    assert made.refused(3, OUTSIDE, "commit", "--chapter", "2").path == layout.BRIEF
    made.write(layout.BRIEF, before)
    assert made.at(layout.FENCE_ARMED).is_file()
    made.ok("commit", "--chapter", "2")
    assert not made.at(layout.FENCE_ARMED).exists(), "behind a landing the book is the author's"


# order -----------------------------------------------------------------------------------------------


def test_the_checkpoint_moves_behind_all_else(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = landed(monkeypatch)
    made.advance("draft")
    assert seen[-1][-1] == layout.CHECKPOINT and len(seen[-1]) > 1


# break points ----------------------------------------------------------------------------------------


def test_a_step_that_the_author_wants_to_see_is_not_taken(made: Book) -> None:
    made.write(layout.CONFIG, "stop_after: draft\n")
    made.ok("accept-changes")
    made.refused(3, "BREAK_POINT", "advance", made.step("draft"))
    made.ok("decide", "2", "go-on")
    assert made.advance("draft")["changed"]


def test_a_rewrite_that_nobody_saw_done_waits_for_the_author(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.write(layout.CONFIG, "stop_after: refine\n")
    made.until("drafted")
    made.ok("instructions", made.step("refine"), "--write-manifest")
    made.refused(3, "BREAK_POINT", "advance", made.step("refine"))
    made.ok("decide", "2", "go-on")
    assert made.advance("refine")["changed"]


def test_again_gives_the_refiner_what_he_was_given_before(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.write(layout.CONFIG, "stop_after: refine\n")
    made.ok("lock", "acquire")
    made.stage("drafted")
    first = made.draft()
    made.records()
    made.ok("instructions", made.step("refine"), "--write-manifest")
    second = made.draft(version=2)
    made.ok("decide", "2", "again", "--note", "别动结尾")
    assert made.at(made.staged("chapter")).read_text("utf-8") == first
    assert second.encode() in made.attempts().values()
    assert made.json(layout.HANDOUT)["note"] == "别动结尾"


def test_a_stop_gives_the_lock_back(made: Book) -> None:
    made.write(layout.CONFIG, "stop_after: draft\n")
    made.ok("accept-changes")
    assert made.ok("lock", "status")["kind"] == "own"
    made.ok("decide", "2", "stop")
    assert made.ok("lock", "status")["kind"] == "free"


# said twice ------------------------------------------------------------------------------------------


def test_a_step_that_is_out_again_is_no_repeat(tmp_path: Path) -> None:
    """It advanced last, and its output is found: only the hand-out tells that it was done once more."""
    made = book(tmp_path)
    made.stage("drafting", last_step=made.step("draft"))
    made.draft()
    assert made.next()["step"] == made.step("summarize")
    assert made.advance("draft")["changed"] is False
    made.write(layout.HANDOUT, {"step": made.step("draft"), "revisions": 0, "given": True})
    assert made.advance("draft")["changed"] is True


def test_a_step_that_is_due_again_is_no_repeat(made: Book) -> None:
    """The same step took the last round's text; now it has no output: that is a finding, and no success."""
    made.drop(layout.HANDOUT)
    made.drop(made.staged("chapter"))
    made.point(last_step=made.step("draft"))
    assert made.next()["step"] == made.step("draft")
    assert made.novel("advance", made.step("draft")).exit == 1


def test_a_step_that_succeeded_forgets_its_failures(made: Book) -> None:
    made.point(failures=[{"step": made.step("draft"), "revision_count": 0, "reason": "x"}])
    made.ok("accept-changes")
    made.advance("draft")
    assert "failures" not in made.point()


# a twin that was killed behind its commit point --------------------------------------------------------


def finished(made: Book, label: str) -> Iterator[Session]:
    with writing(Project(str(made.root)), Caller(owner({}, OWNER), 0.0)) as session:
        session.finished = label
        yield session


@pytest.mark.parametrize(("answer", "kept"), [("accept", True), ("stop", False)])
def test_a_decision_that_was_killed_and_is_said_again_has_been_taken(
    made: Book, answer: str, kept: bool
) -> None:
    label = f"第 2 章的决定：{typed_words.word_of(typed_words.DECISIONS, answer)}"
    before = made.tree()
    for session in finished(made, label):
        found = decide.run(session, 2, answer, None, None)
        assert (found.chapter, found.answer) == (2, answer)
        assert session.keep is kept
    assert made.changed(before) == {}


def test_a_failure_that_was_killed_and_is_said_again_has_been_counted(made: Book) -> None:
    step = steps.parse(made.step("draft"))
    failure = {"step": str(step), "revision_count": 0, "reason": "x"}
    made.point(failures=[failure])
    before = made.tree()
    for session in finished(made, f"记下「{step.label}」的失败"):
        assert fail_retry.run(session, step, "x").again is True
    assert made.changed(before) == {}
    for session in finished(made, "别的"):
        assert fail_retry.run(session, step, "x").again is False


def test_a_failure_of_another_round_is_none_of_this_one(made: Book) -> None:
    made.stage("revising", 1)
    made.point(failures=[{"step": made.step("revise"), "revision_count": 0, "reason": "x"}])
    made.records()
    made.evaluation(3.2, gate={"decision": "revise", "revisions": 0})
    assert made.ok("fail", made.step("revise"), "--reason", "y")["answer"] == "retry"


def test_in_the_error_state_only_the_step_that_failed_fails_again(made: Book) -> None:
    for _ in range(2):
        made.ok("fail", made.step("draft"), "--reason", "x")
    before = made.tree()
    assert made.ok("fail", made.step("draft"), "--reason", "x")["answer"] == "stop"
    assert made.changed(before) == {}
    made.refused(3, "STEP_NOT_NEXT", "fail", made.step("refine"), "--reason", "x")


# states ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["ERROR_RETRY", "VOL_REVIEW", "VOL_PLANNING"])
def test_no_chapter_lands_in_another_state(made: Book, state: str) -> None:
    made.stage("judged")
    made.records()
    made.evaluation()
    made.point(orchestrator_state=state, error={"step": made.step("draft"), "from_state": "WRITING"})
    before = made.tree()
    found = made.novel("commit", "--chapter", "2")
    assert found.exit != 0 and made.changed(before) == {}


@pytest.mark.parametrize(
    ("state", "last"), [("VOL_PLANNING", 1), ("VOL_REVIEW", 6), ("QUICK_START", 0), ("INIT", 0)]
)
def test_the_lock_begins_no_chapter_in_another_state(tmp_path: Path, state: str, last: int) -> None:
    made = book(tmp_path, last)
    volume = 0 if last == 0 else 1
    made.point(orchestrator_state=state, current_volume=volume, pipeline_stage=None)
    if state == "VOL_PLANNING":
        plan_volume(made, 1)
    before = made.point()
    assert made.ok("lock", "acquire")["begun"] is False
    assert made.point() == before


@pytest.mark.parametrize("stage", ["drafting", "drafted", "refined"])
def test_only_a_missing_delta_is_skipped(tmp_path: Path, stage: str) -> None:
    """Begun and not written, recorded, refined: at none of them the delta is what is waited for."""
    made = book(tmp_path)
    made.stage(stage)
    if stage != "drafting":
        made.draft()
        made.records()
    told = made.refused(3, "DECISION_NOT_DUE", "decide", "2", "skip-delta")
    assert "只有状态增量写不成时" in told.message


def test_why_a_chapter_of_a_volume_that_is_over_does_not_land_is_said(tmp_path: Path) -> None:
    made = book(tmp_path, 6)
    made.point(orchestrator_state="VOL_REVIEW", current_volume=1)
    reason = made.next()["reason"]
    assert reason in made.refused(3, "CHAPTER_NOT_DUE", "commit", "--chapter", "7").message
