"""A range of lengths as people type it; what is none stays as it was typed, to be refused with its words."""

from __future__ import annotations

import pytest

from novel_hooks.rules.settings import values

JOINED = (
    *("1800-3000", "1800 - 3000", "1800到3000", "1800 至 3000", "1800~3000", "1800～3000", "1800〜3000"),
    *("１８００－３０００", "1800–3000", "1800—3000", "1800——3000", "1800−3000", "1800ー3000", "1800..3000"),
    *("1800…3000", "1800/3000", "1800 to 3000", "1800,3000", "1800，3000", "1800、3000", "1800 3000"),
    *("[1800, 3000]", "1800字到3000字", "1800到3000字", "每章1800-3000字", "从1800到3000", "1800-3000字左右"),
    *("1,800-3,000", "1.8k-3k", "1.8千到3千", "一千八百到三千", "1800∼3000", "1800﹣3000"),
)


@pytest.mark.parametrize("typed", JOINED)
def test_it_is_two_numbers_however_it_is_joined(typed: str) -> None:
    assert values.parse_typed("chapter_chars", typed) == [1800, 3000]


@pytest.mark.parametrize(
    "typed", ["1800", "三千", "1800-", "-3000", "1800-两三千", "1800-3000-4000", "短一点"]
)
def test_what_is_no_range_stays_as_it_was_typed(typed: str) -> None:
    assert values.parse_typed("chapter_chars", typed) == typed
