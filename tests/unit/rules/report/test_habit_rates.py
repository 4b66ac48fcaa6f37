"""Habit words over a book."""

from __future__ import annotations

from novel_hooks.rules.report.habit_rates import OWN, HabitWords


def test_words_of_the_table_and_the_authors_own_are_counted_by_kind() -> None:
    words = HabitWords(["陈词", "", " "])
    found = dict(zip(words.kinds, words.rates("他不禁缓缓点了点头。然而，“陈词，陈词。”", 1000)))
    assert (found["用词"], found["动作微表情"], found["连接词"], found[OWN]) == (2.0, 1.0, 1.0, 2.0)


def test_a_longer_word_that_is_none_hides_a_shorter_one() -> None:
    from novel_hooks.rules.lint import habit_table

    row = next(one for one in habit_table.ROWS if one.per == "k" and one.words and one.but)
    whole = next(one for one in row.but if any(word in one for word in row.words))
    assert sum(HabitWords().rates(whole, 1000)) == 0


def test_without_a_list_the_authors_kind_is_there_and_zero() -> None:
    words = HabitWords()
    assert words.kinds[-1] == OWN and words.rates("陈词", 1000)[-1] == 0
