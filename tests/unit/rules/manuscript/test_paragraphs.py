"""Paragraphs and changes of scene."""

from __future__ import annotations

import pytest

from novel_hooks.rules.manuscript.paragraphs import BREAK, paragraphs


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
    ],
)
def test_paragraphs_and_breaks(text: str, found: tuple[str, ...]) -> None:
    assert paragraphs(text.split("\n")) == found


def test_the_books_own_break() -> None:
    assert paragraphs(["甲。", "～", "乙。"], "～") == ("甲。", BREAK, "乙。")
    assert paragraphs(["甲。", "～", "乙。"]) == ("甲。", "～", "乙。")
