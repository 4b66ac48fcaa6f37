"""Paragraphs and changes of scene."""

from __future__ import annotations

import pytest

from novel_hooks.rules.manuscript.paragraphs import BREAK, bound_lines, in_markdown, paragraphs


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("甲。\n\n乙。\n\n\n丙。", ("甲。", "乙。", BREAK, "丙。")),
        ("　　甲。\n　　乙。\n\n　　丙。", ("甲。", "乙。", "丙。")),
        ("甲。\n\n***\n\n乙。", ("甲。", BREAK, "乙。")),
        ("甲。\n＊ ＊ ＊\n乙。", ("甲。", BREAK, "乙。")),
        ("甲。\n\n\n乙。", ("甲。", BREAK, "乙。")),
        ("甲。\n\n\n乙。\n\n\n丙。\n\n\n丁。", ("甲。", "乙。", "丙。", "丁。")),
        ("甲。\n\n\n\n乙。\n\n\n丙。\n\n\n丁。", ("甲。", BREAK, "乙。", "丙。", "丁。")),
        ("\n***\n甲。\n***\n\n***\n乙。\n***\n", ("甲。", BREAK, "乙。")),
        ("\n\n", ()),
        ("甲。\n> 一行\n> 二行\n乙。", ("甲。", "> 一行\n> 二行", "乙。")),
        ("> 一行\n>\n> 二行\n\n> 三行", ("> 一行\n>\n> 二行", "> 三行")),
        (">_<\n>", (">_<", ">")),
        ("一行  \n二行\\\n三行\n甲。\n乙。", ("一行\n二行\n三行", "甲。", "乙。")),
        (">   一行\n> 　二行", ("> 一行\n> 二行",)),
        ("一行  \n二行\n三行  \n四行", ("一行\n二行", "三行\n四行")),
        ("一行\\\n\n甲。\\", ("一行\\", "甲。\\")),
        ("一行  \n\n甲。\n乙。", ("一行", "甲。", "乙。")),
        ("一行\\\n***\n甲。", ("一行\\", BREAK, "甲。")),
        ("甲。  \n乙。  \n丙。", ("甲。", "乙。", "丙。")),
        (f"{'长' * 41}  \n乙。\n丙。", ("长" * 41, "乙。", "丙。")),
    ],
)
def test_paragraphs_and_breaks(text: str, found: tuple[str, ...]) -> None:
    assert paragraphs(text.split("\n")) == found


def test_lines_that_belong_together_are_taken_apart_and_written() -> None:
    assert bound_lines("> 一行\n>\n> 二行") == ["一行", "", "二行"]
    assert bound_lines("一行\n> 二行") == ["一行", "> 二行"]
    assert in_markdown("一行\n二行") == "一行  \n二行"
    assert in_markdown("一行\n二行", "\\") == "一行\\\n二行"
    assert in_markdown("> 一行\n> 二行") == "> 一行\n> 二行"


def test_the_books_own_break() -> None:
    assert paragraphs(["甲。", "～", "乙。"], "～") == ("甲。", BREAK, "乙。")
    assert paragraphs(["甲。", "～", "乙。"]) == ("甲。", "～", "乙。")
