"""The packet of a planning step: its agent, its task, its rules in the step's own numbers."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks import layout
from novel_hooks.rules.packet import packet
from novel_hooks.rules.packet.packet import Input
from novel_hooks.rules.planning import planner_tasks
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.step_name import Step

OUTPUT = {"key": "outline", "path": "staging/volumes/vol-02/outline.md", "schema": None, "required": True}
STEPS = [
    Step("setup", None, "brief"),
    Step("setup", None, "world"),
    Step("setup", None, "characters"),
    Step("setup", None, "style"),
    steps.volume_step(2, "outline"),
]


def document(step: Step, *inputs: Input, written: int = 0, **more: Any) -> dict[str, Any]:
    return planner_tasks.document(step, 2, 7, written, inputs, [OUTPUT], **more)


def decisions(*todo: bool) -> Input:
    return packet.value_input(
        "author_decisions", [{"id": f"d-{n}", "todo": one} for n, one in enumerate(todo)]
    )


def test_the_phases_with_a_packet_are_those_with_a_task_and_rules() -> None:
    phases = [phase for table in planner_tasks.CONDUCTED.values() for phase in table]
    assert phases == [step.phase for step in STEPS]
    assert set(phases) == set(planner_tasks.TASKS) == set(planner_tasks.RULES)


@pytest.mark.parametrize(
    ("step", "agent"),
    list(zip(STEPS, [None, "world-builder", "character-weaver", "style-analyzer", "plot-architect"])),
)
def test_a_step_goes_to_its_planner_with_task_rules_and_what_follows(step: Step, agent: str | None) -> None:
    found = document(step, model="opus")
    assert (found["step"], found["agent"], found["model"]) == (str(step), agent, "opus")
    assert (found["chapter"], found["volume"]) == (None, 2)
    assert found["task"] == planner_tasks.TASKS[step.phase].replace("{volume}", "2")
    assert found["next_actions"] == [f"novel validate {step}", f"novel advance {step}"]
    assert found["outputs"] == [OUTPUT]
    assert len(found["rules"]) >= len(planner_tasks.RULES[step.phase])
    assert not any("{{" in rule or "{first}" in rule for rule in found["rules"])


def test_the_outlines_rules_name_its_first_chapter_and_keep_the_placeholders_of_paths() -> None:
    rules = document(STEPS[-1])["rules"]
    assert "从第 7 章起连号" in rules[0]
    assert any("{C} 换成 chapter-007" in rule for rule in rules)
    assert document(STEPS[-1])["task"].startswith("规划第 2 卷")


@pytest.mark.parametrize(("written", "told"), [(0, False), (6, False), (7, True), (9, True)])
def test_chapters_of_the_volume_that_are_written_are_copied(written: int, told: bool) -> None:
    text = "\n".join(document(STEPS[-1], written=written)["rules"])
    assert (f"第 7 章到第 {written} 章已经写了" in text) is told
    assert ("后面各章里，契约不用改的也不写" in text) is told


def test_only_an_outline_speaks_of_written_chapters() -> None:
    assert "已经写了" not in "\n".join(document(STEPS[1], written=9)["rules"])


@pytest.mark.parametrize(
    ("inputs", "decided", "fresh", "failed"),
    [
        ([], False, False, False),
        ([decisions()], True, False, False),
        ([decisions(False, False)], True, False, False),
        ([decisions(False, True)], True, True, False),
        ([packet.value_input("previous_problems", ["x"])], False, False, True),
        ([packet.value_input("previous_problems", ["x"]), decisions(True)], True, True, True),
        ([packet.value_input("author_decisions", None)], True, False, False),
    ],
)
def test_a_step_done_again_is_bound_by_decisions_and_by_its_own_problems(
    inputs: list[Input], decided: bool, fresh: bool, failed: bool
) -> None:
    own = planner_tasks.RULES["world"]
    rules = document(STEPS[1], *inputs)["rules"]
    assert rules[: len(own)] == [rule.format() for rule in own]
    text = "\n".join(rules[len(own) :])
    assert [mark in text for mark in ("作者定过的事：照着做", "作者刚定的", "上一稿的毛病：一条条改好")] == [
        decided,
        fresh,
        failed,
    ]


def test_what_the_packet_holds_besides_is_handed_on() -> None:
    note = packet.file_input("research", "research", "research/盐路.md", "# 盐路\n\n三天。\n")
    cap = {"most": 100, "cut": ["research/盐路.md"]}
    found = document(STEPS[1], note, embed=True, warnings=["慢了"], cap=cap)
    assert "三天。" in found["inputs"][0]["text"]
    assert found["warnings"] == ["慢了"] and found["cap"] == cap
    plain = document(STEPS[1], note)
    assert "text" not in plain["inputs"][0]
    assert (plain["warnings"], plain["cap"], plain["model"]) == ([], None, None)


@pytest.mark.parametrize("step", STEPS)
def test_a_planner_of_a_book_that_moved_in_is_sent_to_its_text(step: Step) -> None:
    """The brief is asked of the author; for the style there are passages."""
    book = packet.file_input("research", "research", layout.ADOPTED_OVERVIEW, "# 概览")
    told = [rule for rule in document(step, book)["rules"] if "正文在 chapters/ 里" in rule]
    assert len(told) == (step.phase != "brief")
    assert "chapters/" not in str(document(step)["rules"])
