"""The table of protocol §2, row by row, without files (`test_next_step_files`: through `novel next`)."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.steps import checkpoint as checkpoints
from novel_hooks.rules.steps import next_step, offered_answers
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.next_step import Next, Planned, Staged, StagedVerdict
from novel_hooks.rules.steps.questions import Question
from novel_hooks.rules.steps.step_name import Step

ACTIVE = ("drafting", "drafted", "refined", "judged", "revising")


def at(stage: str | None = None, **changes: Any) -> checkpoints.Checkpoint:
    """Four chapters have landed; chapter 5 is in work at an active stage."""
    document = {
        "last_completed_chapter": 4,
        "current_volume": 2,
        "orchestrator_state": "WRITING",
        "pipeline_stage": stage,
        "inflight_chapter": 5 if stage in ACTIVE else None,
    }
    return checkpoints.parse({**document, **changes})


def verdict(outcome: str | None = "pass", **changes: Any) -> StagedVerdict:
    return StagedVerdict((), True, None, outcome)._replace(**changes)


STALE, HALF, NONE = (
    verdict(fresh=False),
    verdict(None, missing=("secondary",)),
    verdict(None, missing=("primary",)),
)


@pytest.mark.parametrize(
    ("stage", "staged", "phase", "role", "recorded"),
    [
        *((stage, Staged(False, True, verdict()), "draft", None, False) for stage in ACTIVE),
        ("revising", Staged(True, True, verdict(stored="polish")), "polish", None, False),
        ("revising", Staged(True, False, verdict("polish")), "polish", None, False),
        ("revising", Staged(True, True, verdict("polish", stored="revise")), "revise", None, False),
        ("revising", Staged(True, True, verdict("revise", fresh=False)), "revise", None, False),
        ("revising", Staged(True, True, None), "summarize", None, False),
        *((stage, Staged(True, False, verdict()), "summarize", None, False) for stage in ACTIVE[:4]),
        ("judged", Staged(True, True, STALE), "summarize", None, False),
        ("drafting", Staged(True, True, STALE), "refine", None, False),
        ("drafted", Staged(True, True, verdict()), "refine", None, False),
        ("refined", Staged(True, True, None), "judge", "primary", False),
        ("judged", Staged(True, True, None), "judge", "primary", False),
        ("refined", Staged(True, True, STALE), "judge", "primary", False),
        ("refined", Staged(True, True, HALF._replace(fresh=False)), "judge", "primary", False),
        ("refined", Staged(True, True, HALF), "judge", "secondary", False),
        ("judged", Staged(True, True, HALF), "judge", "secondary", False),
        ("judged", Staged(True, True, NONE), "judge", "primary", False),
        ("refined", Staged(True, True, verdict()), "judge", None, True),
        ("refined", Staged(True, True, verdict(accepted=True)), "judge", None, True),
        ("judged", Staged(True, True, verdict("pause_for_user", accepted=True)), "commit", None, False),
        ("judged", Staged(True, True, verdict("polish", polished=True)), "commit", None, False),
        ("judged", Staged(True, True, verdict()), "commit", None, False),
        ("judged", Staged(True, True, verdict("polish")), "polish", None, False),
        ("judged", Staged(True, True, verdict("revise")), "revise", None, False),
        ("judged", Staged(True, True, verdict("pause_for_user")), "review", None, False),
        ("judged", Staged(True, True, verdict("pause_for_user_force_rewrite")), "review", None, False),
        ("judged", Staged(True, True, verdict(None)), "review", None, False),
    ],
)
def test_the_row_for_a_chapter_in_work(
    stage: str, staged: Staged, phase: str, role: str | None, recorded: bool
) -> None:
    due = next_step.next_step(at(stage), staged, None)
    assert due == next_step.next_in_chapter(at(stage), 5, staged)
    assert str(due.step) == f"chapter:005:{phase}" and due.reason
    assert (due.role, due.recorded, due.stop) == (role, recorded, phase == "review")
    assert bool(due.choices) is (phase == "review")


def test_a_judge_who_is_missing_is_named_in_the_reason() -> None:
    for stage, found, said in (
        ("refined", HALF, "关键章还差另一位评审的意见"),
        ("refined", NONE, "本章还没有有效的评审"),
        ("judged", HALF, "关键章还差另一位评审的意见"),
        ("judged", None, "本章还没有有效的评审"),
    ):
        assert next_step.next_in_chapter(at(stage), 5, Staged(True, True, found)).reason == said


def test_a_revision_says_who_wants_it() -> None:
    said = [
        next_step.next_in_chapter(
            at("revising"), 5, Staged(True, True, verdict("revise", by_author=own))
        ).reason
        for own in (False, True)
    ]
    assert "评审" in said[0] and "作者" in said[1]


@pytest.mark.parametrize("outcome", ["pause_for_user_force_rewrite", "pause_for_user", None])
def test_the_author_is_asked_at_review(outcome: str | None) -> None:
    due = next_step.next_step(at("judged"), Staged(True, True, verdict(outcome)), None)
    assert due.choices == offered_answers.review_choices(5, outcome)
    assert ("建议重写" in due.reason) is (outcome == "pause_for_user_force_rewrite")


def test_what_the_table_cannot_do_without() -> None:
    with pytest.raises(ValueError, match=r"^an active stage"):
        next_step.next_step(at("drafting"), None, Planned())
    with pytest.raises(ValueError, match=r"^an active stage"):
        next_step.next_step(at("drafting", inflight_chapter=None), Staged(True, True, None), None)
    with pytest.raises(ValueError, match=r"^an idle stage"):
        next_step.next_step(at(), Staged(True, True, None), None)


@pytest.mark.parametrize(
    ("error", "inflight", "keys", "said"),
    [
        (
            {"step": "chapter:005:summarize", "reason": "没有交稿"},
            5,
            ["retry", "skip-delta"],
            "第 5 章 · 记摘要与状态",
        ),
        ({"step": "chapter:005:summarize", "reason": "没有交稿"}, None, ["retry"], "没有交稿"),
        ({"step": "chapter:005:draft"}, 5, ["retry"], "原因没有记下"),
        ({"reason": "没有交稿"}, 5, ["retry"], "上一步连续失败：没有交稿"),
        ({"step": "setup:world", "reason": "x"}, None, ["retry"], "「建世界观」连续失败：x"),
        ({}, None, ["retry"], "上一步连续失败：原因没有记下"),
        (None, None, ["retry"], "上一步连续失败：原因没有记下"),
    ],
)
def test_after_a_failure_the_author_answers(
    error: Any, inflight: int | None, keys: list[str], said: str
) -> None:
    failed = at("drafting", orchestrator_state="ERROR_RETRY", error=error, inflight_chapter=inflight)
    due = next_step.next_step(failed, None, None)
    assert (due.step, due.stop, due.label) == (None, True, "等作者决定")
    assert [choice.key for choice in due.choices] == keys
    commands = ["novel retry", "novel decide 5 skip-delta"]
    assert [choice.command for choice in due.choices] == commands[: len(keys)]
    assert said in due.reason


PHASE_REASONS = {"brief": "立意", "world": "世界", "characters": "角色", "style": "文风", None: "齐了"}


@pytest.mark.parametrize("state", ["INIT", "QUICK_START"])
@pytest.mark.parametrize("phase", PHASE_REASONS)
def test_the_row_for_setting_up(state: str, phase: str | None) -> None:
    before = at(orchestrator_state=state, current_volume=0)
    due = next_step.next_step(before, None, Planned(setup=phase))
    assert due == Next(steps.parse(f"setup:{phase or 'commit'}"), due.reason)
    assert PHASE_REASONS[phase] in due.reason
    decided = next_step.next_step(before, None, Planned(setup=phase, decided=True))
    assert decided.step == due.step and "你定了几件事" in decided.reason


@pytest.mark.parametrize(
    ("planned", "step", "recorded", "said"),
    [
        (Planned(), "volume:02:outline", False, "第 2 卷还没有规划"),
        (Planned(replan=True), "volume:02:outline", False, "第 2 卷从第 5 章起重排"),
        (Planned(decided=True), "volume:02:outline", False, "你定了几件事"),
        (Planned(faulty=True), "volume:02:outline", False, "第 2 卷的规划还有不对的地方"),
        (Planned(faulty=True, decided=True), "volume:02:outline", False, "不对的地方"),
        (Planned(volume_phase="validate"), "volume:02:validate", True, "第 2 卷的规划写齐了"),
        (Planned(volume_phase="validate", decided=True, faulty=True), "volume:02:validate", True, "写齐了"),
        (Planned(volume_phase="commit", replan=True), "volume:02:commit", False, "第 2 卷的规划核对过了"),
    ],
)
def test_the_row_for_planning_a_volume(planned: Planned, step: str, recorded: bool, said: str) -> None:
    due = next_step.next_step(at(orchestrator_state="VOL_PLANNING"), None, planned)
    assert (str(due.step), due.recorded, due.stop) == (step, recorded, False)
    assert said in due.reason and due.choices == ()
    wished = next_step.next_step(at(orchestrator_state="VOL_PLANNING"), None, planned._replace(wishes=True))
    asked = step == "volume:02:outline"
    assert [one.command.partition(step)[2] for one in wished.choices] == (
        [" wishes 1", " wishes --note 你的意见"] if asked else []
    )
    assert [one.key for one in wished.choices] == (["1", "own"] if asked else [])


@pytest.mark.parametrize("stage", [None, "committed"])
@pytest.mark.parametrize(
    ("planned", "step", "recorded", "said"),
    [
        (Planned(True, 6), "chapter:005:draft", False, "接着写第 5 章"),
        (Planned(True, 5), "chapter:005:draft", False, "接着写第 5 章"),
        (Planned(True, 4), "volume:02:review", True, "只到第 4 章"),
        (Planned(False, 6), "volume:02:outline", False, "第 2 卷还没有大纲"),
        (Planned(True, None), "volume:02:outline", False, "第 2 卷还没有大纲"),
    ],
)
def test_the_row_between_chapters(
    stage: str | None, planned: Planned, step: str, recorded: bool, said: str
) -> None:
    due = next_step.next_step(at(stage), None, planned)
    assert (str(due.step), due.recorded, due.stop, due.role) == (step, recorded, False, None)
    assert said in due.reason


def test_a_volume_that_is_written_is_reviewed() -> None:
    due = next_step.next_step(at(orchestrator_state="VOL_REVIEW"), None, Planned(True, 9))
    assert due == Next(steps.volume_step(2, "review"), "第 2 卷已写完，该做卷末回顾", recorded=True)


QUESTION = Question(
    "setup:world",
    "question",
    "toll",
    "过桥的价",
    "付什么？",
    "它定节奏。",
    (("1", "寿数", "偏沉"), ("2", "旧物", "")),
    2,
    3,
)


@pytest.mark.parametrize("state", ["INIT", "VOL_PLANNING", "WRITING", "VOL_REVIEW"])
def test_a_planners_question_stops_first(state: str) -> None:
    due = next_step.next_step(at(orchestrator_state=state), None, Planned(True, 9, asked=QUESTION))
    assert (str(due.step), due.recorded, due.stop, due.role) == ("setup:world", True, True, None)
    assert due.reason == "有事要你定（第 2 件，共 3 件）：过桥的价。付什么？ 它定节奏。"
    assert list(map(tuple, due.choices)) == [
        ("1", "寿数", "推荐，现在就是照它写的。偏沉", "novel answer setup:world toll 1"),
        ("2", "旧物", "", "novel answer setup:world toll 2"),
        ("own", "都不合适", "说你自己的想法", "novel answer setup:world toll --note 你的意见"),
    ]


def test_of_a_contradiction_nothing_is_recommended() -> None:
    due = next_step.next_step(at(), None, Planned(asked=QUESTION._replace(kind="conflict")))
    assert [choice.label for choice in due.choices][:2] == ["寿数", "旧物"]


FOUND = Staged(True, True, verdict("revise", fresh=False))


@pytest.mark.parametrize(
    ("phase", "before"),
    [
        ("draft", FOUND._replace(chapter=False)),
        ("summarize", FOUND._replace(recorded=False)),
        ("judge", FOUND._replace(verdict=None)),
        ("revise", FOUND._replace(verdict=verdict("revise"))),
        ("polish", FOUND._replace(verdict=verdict("revise"))),
        ("refine", FOUND),
        ("commit", FOUND),
    ],
)
def test_the_outputs_before_the_step_was_made(phase: str, before: Staged) -> None:
    assert next_step.without_outputs(FOUND, phase) == before
    bare = Staged(True, True, None)
    if phase in ("revise", "polish"):
        assert next_step.without_outputs(bare, phase) == bare


REFINE = Next(steps.chapter_step(5, "refine"), "")


@pytest.mark.parametrize(
    ("stage", "phase", "out", "staged", "may"),
    [
        ("drafted", "refine", None, None, True),
        ("drafting", "draft", None, Staged(True, False, None), True),
        ("drafting", "draft", None, Staged(True, True, None), False),
        ("drafted", "draft", None, Staged(True, False, None), False),
        ("drafting", "draft", "draft", Staged(True, True, None), True),
        ("drafted", "draft", "draft", Staged(True, True, None), True),
        ("drafting", "summarize", None, Staged(True, True, None), True),
        ("drafting", "summarize", None, Staged(False, True, None), False),
        ("drafted", "summarize", None, Staged(True, True, None), False),
        ("drafted", "summarize", "summarize", Staged(True, True, None), True),
        ("revising", "summarize", None, Staged(True, True, None), True),
        ("revising", "summarize", None, Staged(True, True, verdict()), False),
        ("drafting", "judge", None, Staged(True, True, None), False),
        ("drafting", "judge", "judge", Staged(True, True, verdict()), False),
        ("refined", "judge", "judge", Staged(True, True, verdict()), True),
        ("judged", "polish", "polish", Staged(True, True, verdict("polish", fresh=False)), True),
        ("judged", "polish", None, Staged(True, True, verdict("polish", fresh=False)), False),
        ("judged", "polish", "refine", Staged(True, True, verdict("polish", fresh=False)), False),
        ("drafting", "draft", "draft", None, False),
        ("refined", "refine", None, None, True),
    ],
)
def test_a_chapters_step_may_advance(
    stage: str, phase: str, out: str | None, staged: Staged | None, may: bool
) -> None:
    step = steps.chapter_step(5, phase)
    handed_out = f"chapter:005:{out}" if out else None
    assert next_step.may_advance(at(stage), step, REFINE, handed_out, staged) is may
    if phase != "refine":
        for other in (steps.chapter_step(6, phase), Step("sync", 5, phase)):
            assert not next_step.may_advance(at(stage), other, REFINE, str(other), staged)
    idle = at(stage, inflight_chapter=None)
    assert next_step.may_advance(idle, step, REFINE, handed_out, staged) is (phase == "refine")


@pytest.mark.parametrize(
    ("stage", "staged", "may"),
    [
        ("drafted", Staged(True, True, None, changed=True), True),
        ("drafted", Staged(True, True, None), False),
        ("drafted", Staged(True, False, None, changed=True), False),
        ("refined", Staged(True, True, None, changed=True), False),
    ],
)
def test_a_text_that_the_author_refined_himself_may_advance(stage: str, staged: Staged, may: bool) -> None:
    due = Next(steps.chapter_step(5, "summarize"), "")
    assert next_step.may_advance(at(stage), steps.chapter_step(5, "refine"), due, None, staged) is may


@pytest.mark.parametrize(
    ("due", "step", "out", "may"),
    [
        ("setup:characters", "setup:characters", None, True),
        ("setup:characters", "setup:world", None, True),
        ("setup:characters", "setup:brief", None, True),
        ("setup:characters", "setup:style", None, False),
        ("setup:characters", "setup:style", "setup:style", True),
        ("setup:characters", "volume:01:outline", "volume:01:outline", True),
        ("volume:02:commit", "volume:02:outline", None, True),
        ("volume:02:commit", "volume:02:validate", None, True),
        ("volume:02:outline", "volume:02:validate", None, False),
        ("volume:02:commit", "volume:01:outline", None, False),
        ("volume:02:commit", "setup:world", None, False),
        ("chapter:001:draft", "volume:01:outline", None, False),
        (None, "setup:world", None, False),
        (None, "setup:world", "setup:world", False),
    ],
)
def test_a_planning_step_may_advance(due: str | None, step: str, out: str | None, may: bool) -> None:
    found = Next(steps.parse(due) if due else None, "")
    assert next_step.may_advance_plan(steps.parse(step), found, out) is may


def test_a_step_has_its_label_and_a_stop_without_one_is_the_authors() -> None:
    assert REFINE.label == "第 5 章 · 润色" and Next(None, "").label == "等作者决定"


@pytest.mark.parametrize(
    ("found", "phase"),
    [
        (Staged(True, True, None, True), "summarize"),
        (Staged(True, True, None), "judge"),
        (Staged(True, True, STALE, True), "summarize"),
        (Staged(True, True, STALE), "judge"),
    ],
)
def test_a_text_that_was_changed_after_the_refiner_is_recorded_anew(found: Staged, phase: str) -> None:
    point = at(pipeline_stage="refined", inflight_chapter=5)
    assert next_step.next_in_chapter(point, 5, found).step == steps.chapter_step(5, phase)
