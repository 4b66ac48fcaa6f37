"""A refusal: a rule, and the one sentence that an agent reads."""

from __future__ import annotations

import re

import pytest

from novel_hooks.hook.guard.reasons import ALLOWED, REASONS, Refusal

SLOTS = {rule: set(re.findall(r"\{(\w+)\}", sentence)) for rule, sentence in REASONS.items()}


@pytest.mark.parametrize("rule", REASONS)
def test_every_rule_is_one_chinese_sentence_that_says_what_to_do(rule: str) -> None:
    sentence = REASONS[rule]
    assert sentence.endswith("。") and sentence.count("。") == 1 and "\n" not in sentence
    assert re.search(r"请|不能", sentence)
    assert SLOTS[rule] <= {"part", "holder"}


@pytest.mark.parametrize("rule", REASONS)
def test_a_refusal_has_its_rule_and_its_sentence_filled_in(rule: str) -> None:
    values = {slot: f"<{slot}>" for slot in SLOTS[rule]}
    refusal = Refusal(rule, **values)
    assert refusal.rule == str(refusal) == rule
    assert "{" not in refusal.reason and all(value in refusal.reason for value in values.values())
    assert refusal.reason == REASONS[rule].format(**values)


def test_a_rule_without_a_sentence_is_none() -> None:
    with pytest.raises(KeyError):
        Refusal("no-such-rule")
    assert ALLOWED and ALLOWED not in REASONS.values()
