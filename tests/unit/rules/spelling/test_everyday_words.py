"""Everyday words that are no misspelt names."""

from __future__ import annotations

from novel_hooks.rules.cast.characters import character
from novel_hooks.rules.spelling import everyday_words, word_edges
from novel_hooks.rules.spelling.misspelt_names import slips


def test_words_of_two_han_characters() -> None:
    assert len(everyday_words.WORDS) > 400
    assert all(len(word) == 2 and all(map(word_edges.is_han, word)) for word in everyday_words.WORDS)


def test_a_word_that_sounds_like_somebody_in_the_text_is_no_slip() -> None:
    people = [character("a", {"display_name": "时晨"}), character("b", {"display_name": "安蔚"})]
    text = "时晨等了一个时辰。\n“时辰到了。”\n安蔚没有回头。\n安慰的话，他不会说。\n"
    assert slips(text, people) == []
