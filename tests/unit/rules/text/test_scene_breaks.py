"""Lines between scenes, in the book's own way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.text import scene_breaks

HEAD = "# 第 2 章 夜渡"


@pytest.mark.parametrize(
    "line", ["---", "-----", "***", "* * *", "＊＊＊", "＊　＊　＊", "___", "  * * *  ", "- - -", "　***"]
)
def test_a_break(line: str) -> None:
    text = f"{HEAD}\n\n他走了。\n\n{line}\n\n天亮了。\n"
    assert scene_breaks.mend(text) == (f"{HEAD}\n\n他走了。\n\n\n天亮了。\n", 1)
    assert scene_breaks.mend(text, "＊＊＊").text == f"{HEAD}\n\n他走了。\n\n＊＊＊\n\n天亮了。\n"


@pytest.mark.parametrize(
    "line", ["--", "**", "——", "———", "*他*", "-*-", "* 一 *", "", "1. 他", "- 他", "……", "---他", "·"]
)
def test_none(line: str) -> None:
    text = f"{HEAD}\n\n他走了。\n\n{line}\n\n天亮了。\n"
    assert scene_breaks.mend(text) == (text, 0)


def test_what_separates_nothing_goes() -> None:
    assert scene_breaks.mend(f"{HEAD}\n\n---\n\n他走了。\n\n---\n") == (f"{HEAD}\n\n他走了。\n", 2)
    assert scene_breaks.mend(f"{HEAD}\n---\n***\n他走了。", "◇").text == f"{HEAD}\n\n他走了。\n"


def test_two_in_a_row_are_one() -> None:
    assert scene_breaks.mend("他。\n---\n\n* * *\n她。\n").text == "他。\n\n\n她。\n"


def test_a_first_line_is_left() -> None:
    text = "---\n标题：夜渡\n"
    assert scene_breaks.mend(text) == (text, 0)
    assert scene_breaks.blanked(text) == text


def test_the_books_own_is_left_as_it_is() -> None:
    text = "他。\n\n＊＊＊\n\n她。\n"
    assert scene_breaks.mend(text, "＊＊＊") == (text, 0)
    assert scene_breaks.mend(text, " ＊＊＊ ") == (text, 0)
    assert scene_breaks.mend("他。\n\n◇\n\n她。\n", "◇").changed == 0
    assert scene_breaks.is_break("◇", "◇") and not scene_breaks.is_break("◇")


def test_lines_keep_their_numbers_where_breaks_are_blank() -> None:
    text = "他。\n---\n她。\n◇\n我。"
    assert scene_breaks.blanked(text) == "他。\n\n她。\n◇\n我。"
    assert scene_breaks.blanked(text, "◇") == "他。\n---\n她。\n\n我。"
    assert scene_breaks.blanked(text, "") == text


LINES = st.sampled_from(["---", "* * *", "＊＊＊", "◇", "", "  ", "他走了。", HEAD, "**重**", "- 一"])


@given(st.lists(LINES, max_size=12), st.sampled_from(["", "◇", "＊＊＊"]))
def test_mending_loses_no_word_and_needs_no_second_time(lines: list[str], own: str) -> None:
    text = "\n".join(lines)
    found = scene_breaks.mend(text, own)
    assert scene_breaks.mend(found.text, own) == (found.text, 0)
    words = [line for line in lines if line.strip() and not scene_breaks.is_break(line, own)]
    first = next((line for line in lines if line.strip()), "")
    kept = [line for line in found.text.split("\n") if line.strip() and not scene_breaks.is_break(line, own)]
    assert kept == words
    if scene_breaks.is_break(first):
        assert found.text.lstrip().startswith(first.strip())


def test_a_line_of_marks_alone_may_be_a_break() -> None:
    assert scene_breaks.has_marks("他来了。\n～～\n她走了。")
    assert not scene_breaks.has_marks("他来了。\n\n \n她～走了。")
