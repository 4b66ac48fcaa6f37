"""Parts of a manuscript for the planners."""

from __future__ import annotations

import pytest

from novel_hooks.rules.manuscript.book import Chapter
from novel_hooks.rules.manuscript.samples import overview, prose, speakers, spread
from novel_hooks.rules.text import length


def chapter(number: int, size: int = 1) -> Chapter:
    text = f"# 第 {number} 章 名{number}\n\n" + "他来了。\n" * size
    return Chapter(number, number, f"名{number}", 1, text, (), "", length.chars(text))


@pytest.mark.parametrize(
    ("count", "places"), [(1, [0]), (3, [0, 1, 2]), (10, [0, 4, 9]), (2000, [0, 999, 1999])]
)
def test_places_are_spread(count: int, places: list[int]) -> None:
    assert spread(count, 3) == places


def test_the_overview() -> None:
    text = overview([chapter(n) for n in range(1, 301)], "书名\n简介。")
    assert "共 300 章" in text
    assert "## 书前\n\n书名\n简介。" in text
    assert "- 第 1 章 名1\n" in text
    assert "- 第 300 章 名300\n" in text
    assert "### 第 300 章\n\n他来了。" in text
    assert len(text) < 12_000
    assert "（隔几章取一章）" in text and "隔几章" not in overview([chapter(1)], "")


def test_the_overview_names_who_speaks_and_chapters_without_a_title() -> None:
    told = chapter(1)._replace(title=None, text="# 第 1 章\n\n" + "沈渡说：“走。”\n" * 3)
    text = overview([told], "")
    assert "- 第 1 章\n" in text and "沈渡（3）" in text and "书前" not in text


def test_samples_of_the_style_are_prose_and_have_a_limit() -> None:
    found = prose([chapter(n, 3000) for n in range(1, 10)])
    assert [number for number, _ in found] == [1, 5, 9]
    assert all(text.startswith("他来了。") and 5000 <= len(text) < 6500 for _, text in found)


def test_what_the_author_says_to_his_readers_is_no_sample_and_nobody_speaks_it() -> None:
    note = "作者有话说：求月票。"
    text = f"# 第 1 章 名\n\n他来了。\n\n{note}\n"
    told = [Chapter(n, n, "名", 1, text, (), note, length.chars(text)) for n in range(1, 5)]
    assert "作者有话" not in overview(told, "")
    assert all(text == "他来了。\n" for _, text in prose(told))


SPEECH = "沈渡说：“走。”乔九冷笑道：“不走。”\n沈渡问：“为何？”乔九答：“雨大。”沈渡看他。\n"


def test_who_speaks_is_counted_wherever_he_stands() -> None:
    assert speakers([SPEECH, SPEECH, SPEECH]) == [("沈渡", 9), ("乔九", 6)]


def test_who_speaks_three_times_is_counted() -> None:
    assert speakers(["沈渡说：“走。”\n" * 3]) == [("沈渡", 3)]
    assert speakers(["沈渡说：“走。”\n" * 2]) == []


def test_a_word_that_is_rare_or_no_name_is_left_out() -> None:
    assert speakers([SPEECH]) == []
    assert speakers(["他们说：“走。”\n" * 5]) == []
