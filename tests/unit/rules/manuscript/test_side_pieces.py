"""The side of a chapter to which a prologue, an epilogue or a side story goes."""

from __future__ import annotations

import pytest

from novel_hooks.rules.manuscript import pieces, side_pieces, volume_headings


@pytest.mark.parametrize(
    ("heading", "before"),
    [
        ("楔子", True),
        ("【序章】 雪夜", True),
        ("序", True),
        ("（引子）", True),
        ("前言", True),
        ("番外一 灯市", False),
        ("外传", False),
        ("尾声", False),
        ("后日谈 前言", False),
    ],
)
def test_what_opens_goes_before_the_next_chapter(heading: str, before: bool) -> None:
    assert side_pieces.goes_before(heading) is before


@pytest.mark.parametrize("word", side_pieces.WORDS)
def test_each_word_heads_a_piece_of_its_own(word: str) -> None:
    assert volume_headings.extra(f"{word}：雪夜") == f"{word}：雪夜"
    taken = pieces.take_apart(f"第一章 渡\n水声。\n{word}\n雪。\n")
    assert [one.title for one in taken.pieces] == ["渡", word]


def test_headings_below_the_first_line_are_blanked_line_by_line() -> None:
    text = "\n# 楔子\n雪。\n\n# 第 1 章 渡\n水声。\n## 不是\n"
    assert side_pieces.headings_blanked(text) == "\n# 楔子\n雪。\n\n\n水声。\n## 不是\n"
