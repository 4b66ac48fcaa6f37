"""People counted in a manuscript."""

from __future__ import annotations

from novel_hooks.rules.manuscript.names import counted

TEXT = "沈渡说：“走。”乔九冷笑道：“不走。”\n沈渡问：“为何？”乔九答：“雨大。”沈渡看他。\n"


def test_who_speaks_is_counted_wherever_he_stands() -> None:
    assert counted([TEXT, TEXT, TEXT]) == [("沈渡", 9), ("乔九", 6)]


def test_who_speaks_three_times_is_counted() -> None:
    assert counted(["沈渡说：“走。”\n" * 3]) == [("沈渡", 3)]
    assert counted(["沈渡说：“走。”\n" * 2]) == []


def test_a_word_that_is_rare_or_no_name_is_left_out() -> None:
    assert counted([TEXT]) == []
    assert counted(["他们说：“走。”\n" * 5]) == []
