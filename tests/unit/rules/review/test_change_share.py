"""The share of a text that a refiner changed: 字 taken out and put in, beside those that were there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.review import change_share


@pytest.mark.parametrize(
    ("before", "after", "share"),
    [
        ("一二三四五六七八九十。", "一二三四五六七八九零。", 2 / 11),
        ("甲乙丙丁。", "甲乙丁。", 1 / 5),
        ("甲乙丁。", "甲乙丙丁。", 1 / 4),
        ("", "甲", 0),
        (" \n", "甲", 0),
        ("甲乙。丙丁。", "丙丁。", 3 / 6),
        ("甲乙。丙丁。", "甲乙。戊己庚。丙丁。", 4 / 6),
        ("甲乙。丙丁。戊己。", "甲乙。子丑。戊己。", 4 / 9),
        ("甲乙。丙丁。", "子丑。寅卯。", 8 / 6),
        ("甲乙。", "子丑寅卯辰。", 7 / 3),
        ("甲。乙。丙。", "丁。乙。戊己。", 5 / 6),
        ("“甲乙！”丙丁", "“甲乙！”丙戊", 2 / 7),
    ],
)
def test_both_what_goes_and_what_comes_counts(before: str, after: str, share: float) -> None:
    assert change_share.change_share(before, after) == pytest.approx(share)


@pytest.mark.parametrize(
    ("before", "after"),
    [("甲乙。丙。\n\n丁", "甲 乙。丙。\n丁"), ("甲\n乙", "甲乙"), ("甲。 ", "\u3000甲。\r\n")],
)
def test_blanks_do_not_count(before: str, after: str) -> None:
    assert change_share.change_share(before, after) == 0


@pytest.mark.parametrize("length", [change_share._CLOSE, change_share._CLOSE + 1])
def test_a_long_piece_counts_whole(length: int) -> None:
    before, after = "甲" * length, "甲" * (length - 1) + "乙"
    close = length <= change_share._CLOSE
    assert change_share.change_share(before, after) == pytest.approx(2 / length if close else 2)
    assert change_share.change_share(after + "甲", "甲" * length) >= 1, "the old piece is too long"


def test_the_new_piece_alone_may_be_too_long() -> None:
    assert change_share.change_share("甲" * 600, "甲" * 601) == pytest.approx(1201 / 600)
    assert change_share.change_share("甲" * 601, "甲" * 600) == pytest.approx(1201 / 601)


def test_sentences_that_return_often_are_still_compared() -> None:
    before = "他走了。" * 300
    for after in (before + "她来了。", "她来了。" + before):
        assert change_share.change_share(before, after) == pytest.approx(4 / 1200)
    assert change_share.change_share("甲" * 300, "乙" + "甲" * 300) == pytest.approx(1 / 300)


@given(st.text("甲乙，。！\n 」", max_size=60), st.text("甲乙，。！\n 」", max_size=60))
def test_any_two_texts_have_a_share(before: str, after: str) -> None:
    found = change_share.change_share(before, after)
    length = sum(not mark.isspace() for mark in before)
    assert found >= 0
    assert change_share.change_share(before, before) == 0
    if length:
        assert found * length <= length + sum(not mark.isspace() for mark in after) + 1e-9
