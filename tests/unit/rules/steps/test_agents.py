"""The agent of a step and its model: the author's choice, else that of the table of agents."""

from __future__ import annotations

import pytest

from novel_hooks import roles
from novel_hooks.rules.steps import agents
from novel_hooks.rules.steps import step_name as steps

JUDGE = steps.chapter_step(1, "judge")


@pytest.mark.parametrize(
    ("phase", "agent", "model"),
    [
        ("draft", "chapter-writer", "sonnet"),
        ("summarize", "summarizer", "sonnet"),
        ("refine", "style-refiner", "sonnet"),
        ("judge", "quality-judge", "sonnet"),
        ("revise", "chapter-writer", "opus"),
        ("polish", "style-refiner", "sonnet"),
        ("review", None, None),
        ("commit", None, None),
        ("nonsense", None, None),
    ],
)
def test_who_works_on_a_chapter(phase: str, agent: str | None, model: str | None) -> None:
    step = steps.chapter_step(1, phase)
    assert agents.agent_of(step) == agent
    assert agents.model_of(step, None, {}) == model
    assert agents.model_of(step, "primary", {"second_judge": "haiku"}) == model
    chosen = {phase: "fable", "second_judge": "haiku"}
    assert agents.model_of(step, None, chosen) == ("fable" if agent else None)


def test_the_second_judge_is_a_strong_model_or_the_one_chosen_for_it() -> None:
    assert agents.model_of(JUDGE, "secondary", {}) == roles.STRONG_MODEL
    assert agents.model_of(JUDGE, "secondary", {"judge": "haiku"}) == roles.STRONG_MODEL
    assert agents.model_of(JUDGE, "secondary", {"judge": "haiku", "second_judge": "fable"}) == "fable"
    assert agents.model_of(JUDGE, "primary", {"judge": "haiku", "second_judge": "fable"}) == "haiku"


@pytest.mark.parametrize(
    ("step", "agent", "model"),
    [
        ("setup:brief", None, None),
        ("setup:world", "world-builder", "opus"),
        ("setup:characters", "character-weaver", "opus"),
        ("setup:style", "style-analyzer", "sonnet"),
        ("setup:commit", None, None),
        ("volume:01:outline", "plot-architect", "opus"),
        ("volume:01:validate", None, None),
        ("volume:01:commit", None, None),
        ("volume:01:review", None, None),
    ],
)
def test_who_plans(step: str, agent: str | None, model: str | None) -> None:
    due = steps.parse(step)
    assert agents.planner_for(due) == agent
    assert agents.model_of(due, None, {}) == model
    assert agents.model_of(due, None, {due.phase: "haiku", "other": "fable"}) == ("haiku" if agent else None)


def test_no_planner_works_at_a_step_of_a_chapter() -> None:
    assert agents.planner_for(steps.parse("chapter:001:draft")) is None
    assert agents.planner_for(steps.parse("sync:001:judge")) is None


@pytest.mark.parametrize(
    ("phase", "role", "model", "chosen", "choice"),
    [
        ("draft", None, "sonnet", {}, (None, None)),
        ("revise", None, "opus", {}, (None, "high")),
        ("judge", "secondary", "opus", {"judge": "low"}, (None, "high")),
        ("judge", "secondary", "opus", {"second_judge": "low"}, (None, "low")),
        ("revise", None, "opus", {"revise": "gpt-6.2-sol"}, ("gpt-6.2-sol", None)),
        ("world", None, "opus", {"world": "xhigh"}, (None, "xhigh")),
    ],
)
def test_what_codex_uses(
    phase: str, role: str | None, model: str, chosen: dict[str, str], choice: tuple[str | None, str | None]
) -> None:
    found = agents.codex_choice(phase, role, model, chosen)
    assert (found["model"], found["effort"]) == choice


def test_agent_and_model_of_any_step() -> None:
    chosen = {"draft": "fable", "world": "haiku"}
    told = {
        name: (agents.agent_of(step), agents.model_of(step, None, chosen))
        for name in (
            "chapter:003:draft",
            "chapter:003:commit",
            "sync:003:summarize",
            "setup:world",
            "setup:brief",
        )
        for step in [steps.parse(name)]
    }
    assert told == {
        "chapter:003:draft": ("chapter-writer", "fable"),
        "chapter:003:commit": (None, None),
        "sync:003:summarize": ("summarizer", "sonnet"),
        "setup:world": ("world-builder", "haiku"),
        "setup:brief": (None, None),
    }
