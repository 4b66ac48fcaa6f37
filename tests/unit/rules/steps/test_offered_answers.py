"""What the author is offered where `novel` waits for him."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import CHECKOUT

from novel_hooks.rules.steps import offered_answers, questions
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.offered_answers import LABEL

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.mark.parametrize(
    ("outcome", "keys"),
    [
        ("pause_for_user_force_rewrite", ["rewrite", "revise", "accept"]),
        ("pause_for_user", ["revise", "accept", "rewrite"]),
        (None, ["revise", "accept", "rewrite"]),
    ],
)
def test_the_answers_at_review_begin_with_the_one_that_fits(outcome: str | None, keys: list[str]) -> None:
    choices = offered_answers.review_choices(5, outcome)
    assert [choice.key for choice in choices] == keys
    commands = {choice.key: choice.command for choice in choices}
    assert commands == {
        "accept": "novel decide 5 accept",
        "revise": "novel decide 5 revise --note 你的意见",
        "rewrite": "novel decide 5 rewrite",
    }


def test_a_failed_record_may_be_left_out_and_nothing_else() -> None:
    keys = {
        (failed, chapter): [one.key for one in offered_answers.failure_choices(failed, chapter)]
        for failed in ("chapter:005:summarize", "chapter:005:draft", "")
        for chapter in (5, None)
    }
    assert keys.pop(("chapter:005:summarize", 5)) == ["retry", "skip-delta"]
    assert {tuple(found) for found in keys.values()} == {("retry",)}


def test_before_a_volume_he_may_go_on_or_say_a_wish() -> None:
    choices = offered_answers.wish_choices(steps.volume_step(2, "outline"))
    asked = questions.volume_wishes("volume:02:outline")
    assert [(one.key, one.label, one.why) for one in choices[:-1]] == list(asked.choices) != []
    assert choices[-1].key == "own"
    assert all(one.command.startswith("novel answer volume:02:outline ") for one in choices)
    assert choices[-1].command.endswith("--note 你的意见")


def literal_choices() -> Iterator[tuple[str, list[str]]]:
    """(place, key, label, why) of every answer whose words stand in the code."""
    for path in sorted(Path(CHECKOUT, "novel_hooks").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Choice":
                said = [one.value for one in node.args[1:3] if isinstance(one, ast.Constant)]
                yield f"{path.name}:{node.lineno}", [one for one in said if isinstance(one, str)]


def test_every_answer_has_a_short_label_and_says_why() -> None:
    found = list(literal_choices())
    assert len(found) > 12
    for place, said in found:
        assert all(said), place
        assert not said or len(said[0]) <= LABEL, place
    assert max(len(said) for _, said in found) == 2
