"""Texts for chapters, places and suggestions."""

from __future__ import annotations

import pytest

from novel_hooks.rules.volume import places


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ([3], "第 3 章"),
        ([4, 1, 4, 2], "第 4、1、2 章"),
        (range(1, 11), "第 1、2、3、4、5、6、7、8、9、10 章"),
        (range(1, 12), "第 1、2、3、4、5、6、7、8、9、10 等 11 章"),
        ([1] * 11, "第 1 章"),
    ],
)
def test_chapters(numbers: list[int], text: str) -> None:
    assert places.chapters_text(numbers) == text


@pytest.mark.parametrize(
    ("numbers", "text"),
    [([3], ""), ([3, 5], "（第 5 章的契约也是）"), ([3, 5, 4], "（第 5、4 章的契约也是）")],
)
def test_the_chapters_after_the_first(numbers: list[int], text: str) -> None:
    assert places.also_text(numbers) == text


@pytest.mark.parametrize(
    ("word", "known", "near"),
    [
        ("林度", ["林渡", "苏禾"], "林渡"),
        ("林渡", ["林渡", "林度"], "林度"),
        ("林渡", ["林渡"], ""),
        ("river", ("rivers", "tower"), "rivers"),
        ("abcd", ["abxy"], "abxy"),  # half of it is enough
        ("abcd", ["axyz"], ""),
        ("何铁", [], ""),
    ],
)
def test_the_nearest_known_word(word: str, known: list[str], near: str) -> None:
    assert places.closest(word, known) == near
    assert places.suggestion_text(word, known) == (f"（是不是「{near}」？）" if near else "")


def test_places_with_a_blank_before_latin_letters() -> None:
    mentions = [("a.json", "objectives"), ("b.md", "第 2 章 POV"), ("a.json", "objectives")]
    assert places.places_text(mentions) == "a.json 的 objectives、b.md 的第 2 章 POV"


def test_of_many_places_the_first_six() -> None:
    mentions = [(f"{n}.json", "键") for n in range(1, 8)]
    six = "、".join(f"{n}.json 的键" for n in range(1, 7))
    assert places.places_text(mentions[:6]) == six
    assert places.places_text(iter(mentions)) == f"{six} 等 7 处"
