"""Characters that are taken for each other, by sound or look."""

from __future__ import annotations

import pytest

from novel_hooks.rules.spelling import like_characters
from novel_hooks.rules.spelling.like_characters import alike


@pytest.mark.parametrize(
    "pair",
    [
        "荀旬",
        "禾和",
        "锁索",
        "婆坡",
        "准谆",
        "正政",
        "辰晨",
        "陈程",
        "石施",
        "铎泽",
        "末未",
        "己已",
        "戊戍",
        "苗描",
        "清晴",
    ],
)
def test_alike_by_sound_or_look_whichever_comes_first(pair: str) -> None:
    assert alike(pair[0], pair[1]) and alike(pair[1], pair[0])


@pytest.mark.parametrize(
    "pair", ["荀荀", "荀高", "禾水", "父傅", "他她", "二三", "姑妹", "大太", "着著", "A荀", "，。", "荀，"]
)
def test_not_alike(pair: str) -> None:
    """The same, an unlike one, a custom of writing, what tells people apart, and what is no Han character."""
    assert not alike(pair[0], pair[1])


def test_the_rank_by_use() -> None:
    assert like_characters.rank("的") == 0
    assert like_characters.rank("人") < like_characters.rank("桥") < like_characters.rank("荀")
    assert like_characters.rank("荀") == like_characters.rank("A") == 2200
