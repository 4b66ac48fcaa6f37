"""Step ids: what is read, how it is printed, what is refused (protocol §2)."""

from __future__ import annotations

import pytest

from novel_hooks.errors import UnknownStep
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.step_name import Step


@pytest.mark.parametrize(
    ("told", "printed"),
    [
        ("chapter:007:draft", "chapter:007:draft"),
        ("chapter:7:refine", "chapter:007:refine"),
        ("  chapter:7:judge \n", "chapter:007:judge"),
        ("chapter:0000012:commit", "chapter:012:commit"),
        ("chapter:1000:polish", "chapter:1000:polish"),
        ("sync:3:judge", "sync:003:judge"),
        ("volume:1:outline", "volume:01:outline"),
        ("volume:123:review", "volume:123:review"),
        ("setup:world", "setup:world"),
    ],
)
def test_reads_and_prints(told: str, printed: str) -> None:
    step = steps.parse(told)
    assert str(step) == printed
    assert steps.parse(printed) == step
    assert step.file_name == printed.replace(":", "-")


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("", "chapter、setup、volume"),
        ("chapter", "段数"),
        ("chapter:7", "段数"),
        ("chapter:7:draft:more", "段数"),
        ("Chapter:7:draft", "chapter、setup、volume"),
        ("chapter:7:Draft", "draft、summarize"),
        ("chapter:7:world", "draft、summarize"),
        ("chapter:0:draft", "从 1 起"),
        ("chapter:-7:draft", "从 1 起"),
        ("chapter:7.0:draft", "从 1 起"),
        ("chapter::draft", "从 1 起"),
        ("chapter:七:draft", "从 1 起"),
        ("chapter:７:draft", "从 1 起"),
        ("chapter:7:draft ;rm", "draft、summarize"),
        ("chapter:" + "9" * 5000 + ":draft", "从 1 起"),
        ("setup:7:world", "段数"),
        ("setup:draft", "brief、world"),
        ("volume:1:draft", "outline、validate"),
        ("sync:1:refine", "summarize、judge"),
    ],
)
def test_refuses_and_says_which_part(told: str, said: str) -> None:
    with pytest.raises(UnknownStep) as refusal:
        steps.parse(told)
    assert said in str(refusal.value)
    assert "novel next" in refusal.value.diagnostic().fix


def test_every_phase_of_the_protocol_is_known() -> None:
    for phase in ("draft", "summarize", "refine", "judge", "revise", "polish", "review", "commit"):
        assert steps.parse(f"chapter:1:{phase}") == steps.chapter_step(1, phase) == Step("chapter", 1, phase)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("chapter:007:draft", "第 7 章 · 写初稿"),
        ("sync:3:judge", "已入库的第 3 章 · 评审"),
        ("volume:01:outline", "第 1 卷 · 写本卷大纲"),
        ("volume:12:commit", "第 12 卷 · 入库"),
        ("setup:world", "建世界观"),
        ("setup:commit", "定设定 · 入库"),
        ("chapter:7:nonsense", "chapter:7:nonsense"),
        ("", ""),
    ],
)
def test_a_step_in_the_authors_words(text: str, label: str) -> None:
    assert steps.label(text) == label


def test_the_refusal_names_the_text_without_outer_blanks() -> None:
    for text in ("nonsense", "chapter:7", "chapter:x:draft", "chapter:7:nonsense"):
        with pytest.raises(UnknownStep) as refusal:
            steps.parse(f" {text}\n")
        assert refusal.value.values["text"] == text


@pytest.mark.parametrize("digits", ["1", "999999999", "000000001"])
def test_nine_digits_at_most(digits: str) -> None:
    assert steps.parse(f"chapter:{digits}:draft").number == int(digits)
    with pytest.raises(UnknownStep, match="从 1 起"):
        steps.parse(f"chapter:{digits.rjust(10, '0')}:draft")


def test_steps_by_their_parts() -> None:
    assert steps.volume_step(3, "outline") == Step("volume", 3, "outline")
    for kind, phases in (
        ("setup", steps.SETUP_PHASES),
        ("volume", steps.VOLUME_PHASES),
        ("sync", steps.SYNC_PHASES),
    ):
        for phase in phases:
            step = Step(kind, None if kind == "setup" else 2, phase)
            assert steps.parse(str(step)) == step
            assert step.label and steps.label(str(step)) == step.label


@pytest.mark.parametrize(
    ("name", "chapter", "of_plan"),
    [
        ("chapter:007:draft", 7, False),
        ("sync:003:judge", 3, False),
        ("volume:02:outline", None, True),
        ("setup:world", None, True),
    ],
)
def test_a_chapter_crews_step_has_a_chapter_and_a_planners_has_none(
    name: str, chapter: int | None, of_plan: bool
) -> None:
    step = steps.parse(name)
    assert (step.chapter, step.of_plan) == (chapter, of_plan)
