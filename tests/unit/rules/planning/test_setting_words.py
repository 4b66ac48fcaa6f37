"""Words of the setting: what differs, and what leans on what is gone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.planning import setting_words


@pytest.mark.parametrize(
    ("old", "new", "gone", "come"),
    [
        ("过桥付一两。夜里不渡。", "过桥付三两。夜里不渡。", "过桥付一两。", "过桥付三两。"),
        ("", "夜里不渡。", "", "夜里不渡。"),
        ("夜里不渡。", "", "夜里不渡。", ""),
        ("甲。乙。", "乙。甲。", "", ""),
        ("长" * 400, "", "长" * 299 + "…", ""),
    ],
)
def test_the_sentences_of_one_side_alone(old: str, new: str, gone: str, come: str) -> None:
    assert setting_words.differing(old, new) == (gone, come)


@pytest.mark.parametrize(
    ("words", "leans"),
    [
        ("过桥付一两，不再问", True),
        ("他付一两", False),  # three letters in a row
        ("夜里照渡", False),
        ("过桥要付钱", False),
        ("", False),
    ],
)
def test_words_that_lean_on_what_is_gone(words: str, leans: bool) -> None:
    assert setting_words.leans_on("过桥付一两。", "过桥付三两。", words) is leans


def test_a_card_is_told_without_its_ids() -> None:
    card = {
        "id": "cen-si",
        "display_name": "岑四",
        "aliases": ["四儿"],
        "voice": "短句。",
        "contracts": [{"id": "C-1", "type": "behavior", "rule": "不撒谎", "valid_from_chapter": 1}],
    }
    assert setting_words.card_text(card) == "岑四、四儿\n短句。\n不撒谎"


def test_a_rule_is_told_with_its_exceptions() -> None:
    assert setting_words.rule_text({"rule": "夜里不渡", "exceptions": ["送葬"]}) == "夜里不渡\n例外：送葬"


TEXT = st.text(alphabet="过桥付一两夜。\n", max_size=30)


@given(old=TEXT, new=TEXT)
def test_the_same_text_differs_in_nothing_and_leans_on_nothing(old: str, new: str) -> None:
    assert setting_words.differing(old, old) == ("", "")
    assert not setting_words.leans_on(old, old, new)
