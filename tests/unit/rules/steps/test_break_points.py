"""Break points: which step stops for the author, and what his answer makes of the next step."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from novel_hooks.rules.steps import break_points
from novel_hooks.rules.steps import checkpoint as checkpoints
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.break_points import EVERY, NONE, PHASES, REWRITING, OpenStep
from novel_hooks.rules.steps.next_step import Next, Staged, StagedVerdict

WRITING = tuple(phase for phase in PHASES if phase not in REWRITING)
DUE = Next(steps.chapter_step(5, "judge"), "该评审", role="secondary")


@pytest.mark.parametrize(
    ("value", "phases"),
    [
        ("every", PHASES),
        (["every"], PHASES),
        ("none", ()),
        (["none"], ()),
        ([], ()),
        ("judge", ("judge",)),
        (["polish", "draft", "judge"], ("draft", "judge", "polish")),
        (["draft", "draft"], ("draft",)),
        (list(PHASES), PHASES),
        (["every", "draft"], None),
        (["none", "draft"], None),
        (["every", "none"], None),
        (["none", "none"], None),
        ("commit", None),
        ("", None),
        (["draft", 7], None),
        (None, None),
        (True, None),
        (("draft",), None),
        ({"draft": True}, None),
    ],
)
def test_the_phases_that_stop(value: object, phases: tuple[str, ...] | None) -> None:
    assert break_points.parse_phases(value) == phases


def test_the_words_for_all_and_none() -> None:
    assert (EVERY, NONE) == ("every", "none")
    assert break_points.ANSWERS == ("go-on", "again", "stop")


@pytest.mark.parametrize("phase", WRITING)
def test_a_step_that_makes_a_new_output_has_worked_when_it_is_there(phase: str) -> None:
    assert OpenStep(phase).worked and not OpenStep(phase, done=True, changed=True).taken


@pytest.mark.parametrize(("done", "changed"), list(itertools.product((False, True), repeat=2)))
@pytest.mark.parametrize("phase", REWRITING)
def test_a_step_that_writes_over_a_text_has_worked_when_something_shows_it(
    phase: str, done: bool, changed: bool
) -> None:
    out = OpenStep(phase, done=done, changed=changed)
    assert out.worked is (done or changed)
    assert out.taken is (done and (changed or phase != "revise"))


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("said", [None, "go-on", "again", "stop"])
def test_an_answer_holds_for_the_outputs_it_was_given_about(phase: str, said: str | None) -> None:
    assert OpenStep(phase, said, done=True).answer == said
    assert OpenStep(phase, said, holds=False, done=True).answer is None
    unseen = said if said != "stop" or phase not in REWRITING else None
    assert OpenStep(phase, said).answer == unseen


def point(stage: str, revisions: int = 0) -> checkpoints.Checkpoint:
    return checkpoints.parse(
        {
            "last_completed_chapter": 4,
            "current_volume": 1,
            "orchestrator_state": "WRITING",
            "pipeline_stage": stage,
            "inflight_chapter": 5,
            "revision_count": revisions,
        }
    )


def verdict(**changes: Any) -> StagedVerdict:
    return StagedVerdict((), True, None, "pass")._replace(**changes)


REFINED = Staged(True, True, None)


@pytest.mark.parametrize(
    ("stage", "staged", "out", "phase"),
    [
        ("drafting", Staged(True, False, None), "draft", "draft"),
        ("drafting", Staged(False, False, None), "draft", None),
        ("drafting", REFINED, "summarize", "summarize"),
        ("drafting", Staged(True, False, None), "summarize", None),
        ("drafting", Staged(False, True, None), "summarize", None),
        ("drafted", REFINED, "refine", "refine"),
        ("refined", REFINED, "refine", None),
        ("refined", REFINED, "judge", None),
        ("revising", Staged(True, True, verdict(outcome="revise")), "revise", "revise"),
        ("revising", Staged(True, True, verdict(outcome="polish")), "revise", None),
        ("revising", Staged(True, True, verdict(outcome="polish", fresh=False)), "polish", "polish"),
        ("judged", Staged(True, True, verdict(outcome="polish", fresh=False)), "polish", "polish"),
        ("judged", Staged(True, True, verdict()), "polish", None),
        ("drafting", Staged(True, False, None), None, None),
    ],
)
def test_a_writing_step_is_made_when_its_outputs_are_there_and_it_was_due(
    stage: str, staged: Staged, out: str | None, phase: str | None
) -> None:
    found = OpenStep(out) if out else None
    due = Next(steps.chapter_step(5, "commit"), "")
    assert break_points.staged_phase(point(stage), 5, staged, due, found) == phase


def test_a_judge_is_made_when_the_verdict_is_recorded() -> None:
    staged = Staged(True, True, verdict())
    for out in (None, OpenStep("judge"), OpenStep("refine")):
        for recorded in (False, True):
            due = Next(steps.chapter_step(5, "judge"), "", recorded=recorded)
            found = break_points.staged_phase(point("refined"), 5, staged, due, out)
            assert found == ("judge" if recorded else None)
    other = Next(steps.chapter_step(5, "draft"), "", recorded=True)
    assert break_points.staged_phase(point("refined"), 5, staged, other, None) is None
    assert break_points.staged_phase(point("refined"), 5, staged, Next(None, "", recorded=True), None) is None


def after(phase: str, out: OpenStep | None, *stops: str) -> Next:
    return break_points.next_after(DUE, 5, phase, out, stops, "初稿写好了")


@pytest.mark.parametrize("phase", PHASES)
def test_without_a_break_point_a_made_step_is_advanced(phase: str) -> None:
    made = OpenStep(phase, done=True, changed=True)
    going = phase in REWRITING
    found = after(phase, made)
    assert (found == DUE) is not going
    found = after(phase, OpenStep(phase, "go-on"))
    assert found.step == steps.chapter_step(5, phase)
    assert (found.recorded, found.stop, found.choices) == (True, False, ())
    assert found.role == ("secondary" if phase == "judge" else None)
    assert found.reason == "初稿写好了。接着往下走"
    assert after(phase, None) == DUE, "not handed out: it is still due"
    assert after(phase, OpenStep("draft" if phase != "draft" else "judge", "go-on")) == DUE


@pytest.mark.parametrize("phase", PHASES)
def test_at_a_break_point_a_made_step_stops_for_the_author(phase: str) -> None:
    for out in (
        None,
        OpenStep(phase, done=True),
        OpenStep(phase, changed=True),
        OpenStep(phase, "stop", done=True),
    ):
        found = after(phase, out, phase, "other")
        assert (found.step, found.role) == (steps.chapter_step(5, phase), None)
        assert (found.recorded, found.stop) == (True, True)
        assert found.reason == "初稿写好了。看过再往下走"
        assert found.choices == break_points.break_choices(5, phase)
    gone = after(phase, OpenStep(phase, "go-on", done=True), phase)
    assert (gone.stop, gone.recorded, gone.reason) == (False, True, "初稿写好了。接着往下走")
    assert after(phase, OpenStep(phase, "again", done=True), phase) == DUE
    assert after(phase, OpenStep(phase, "again")) == DUE


@pytest.mark.parametrize("phase", REWRITING)
def test_a_rewriting_step_that_shows_no_work_is_still_due_at_its_break_point(phase: str) -> None:
    assert after(phase, OpenStep(phase), phase) == DUE
    assert after(phase, OpenStep(phase, "stop"), phase) == DUE
    assert after(phase, OpenStep(phase, "go-on", holds=False), phase) == DUE


@pytest.mark.parametrize("phase", PHASES)
def test_only_the_author_can_say_that_a_text_stays_as_it_is(phase: str) -> None:
    due = Next(steps.chapter_step(5, phase), "")
    waits = phase in REWRITING
    assert break_points.awaits_author(due, OpenStep(phase), (phase,)) is waits
    assert break_points.awaits_author(due, OpenStep(phase, "stop"), ("draft", phase)) is waits
    for out in (None, OpenStep(phase, "again"), OpenStep("judge" if waits else "refine")):
        assert not break_points.awaits_author(due, out, PHASES)
    assert not break_points.awaits_author(due, OpenStep(phase), ())
    assert not break_points.awaits_author(due._replace(recorded=True), OpenStep(phase), PHASES)
    assert not break_points.awaits_author(due._replace(step=None), OpenStep(phase), PHASES)


def test_the_answers_are_commands_for_this_chapter() -> None:
    choices = break_points.break_choices(5)
    assert [(choice.key, choice.command) for choice in choices] == [
        ("go-on", "novel decide 5 go-on"),
        ("again", "novel decide 5 again --note 你的意见"),
        ("stop", "novel decide 5 stop"),
    ]
    assert len({choice.label for choice in choices}) == 3
    judged = break_points.break_choices(5, "judge")
    assert [choice.key for choice in judged] == ["go-on", "revise", "again", "stop"]
    assert judged[1].command == "novel decide 5 revise --note 你的意见"
    found = break_points.with_choices(DUE, 5, "正文没有变")
    assert found == DUE._replace(reason=found.reason, choices=choices)
    assert found.reason.startswith("正文没有变。")
