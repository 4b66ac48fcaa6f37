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
