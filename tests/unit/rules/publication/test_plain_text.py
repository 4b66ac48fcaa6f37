"""An edition as plain text and Markdown; the layouts."""

from __future__ import annotations

import pytest

from novel_hooks.rules.manuscript.chapter_text import Section
from novel_hooks.rules.manuscript.paragraphs import BREAK
from novel_hooks.rules.publication import plain_text
from novel_hooks.rules.publication.edition import Edition, Leaf, Volume
from novel_hooks.rules.publication.presets import PRESETS
from novel_hooks.rules.text import typed_words

LEAVES = (
    Leaf(1, Section(None, "楔子", ("古时候。",))),
    Leaf(1, Section(1, "夜雨", ("甲。", "乙。", BREAK, "丙。"))),
)


def edition(scene_break: str = "", title: str | None = None) -> Edition:
    return Edition("十三渡", None, (Volume(1, title, LEAVES),), "2026-01-01T00:00:00Z", scene_break)


def test_each_layout_can_be_asked_for() -> None:
    assert {*PRESETS} == {*typed_words.PRESETS}


def test_the_plain_layout() -> None:
    text = plain_text.text(edition(), PRESETS["plain"])
    assert text == "十三渡\n\n\n楔子\n\n古时候。\n\n\n第 1 章 夜雨\n\n甲。\n\n乙。\n\n\n丙。\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("qidian", "第一章 夜雨\n\n　　甲。\n　　乙。\n＊＊＊\n　　丙。\n"),
        ("fanqie", "第1章 夜雨\n\n甲。\n乙。\n＊＊＊\n丙。\n"),
        ("jjwxc", "第1章 夜雨\n\n　　甲。\n\n　　乙。\n\n＊＊＊\n\n　　丙。\n"),
    ],
)
def test_layouts_of_platforms(name: str, text: str) -> None:
    assert plain_text.leaf_text(LEAVES[1], edition(), PRESETS[name]) == text


VERSE = Leaf(1, Section(1, "夜雨", ("甲。", "> 城东\n>\n> 沈渡", "一行\n二行", "乙。")))


def test_lines_that_belong_together_have_no_gap_and_a_platform_gets_no_marks() -> None:
    assert plain_text.leaf_text(VERSE, edition(), PRESETS["jjwxc"]) == (
        "第1章 夜雨\n\n　　甲。\n\n　　城东\n\n　　沈渡\n\n　　一行\n　　二行\n\n　　乙。\n"
    )
    plain = "甲。\n\n> 城东\n>\n> 沈渡\n\n一行  \n二行\n\n乙。\n"
    assert plain_text.leaf_text(VERSE, edition(), PRESETS["plain"]) == f"第 1 章 夜雨\n\n{plain}"
    assert plain_text.leaf_markdown(VERSE, edition()) == f"# 第 1 章 夜雨\n\n{plain}"


def test_lines_that_blanks_would_not_hold_together_get_a_backslash() -> None:
    leaf = Leaf(1, Section(1, None, (f"{'长' * 50}\n二行", "乙。")))
    assert f"{'长' * 50}\\\n二行\n" in plain_text.leaf_text(leaf, edition(), PRESETS["plain"])


def test_the_books_own_break_stays() -> None:
    assert "乙。\n\n～～～\n\n丙。" in plain_text.text(edition("～～～"), PRESETS["plain"])


def test_a_volume_with_a_name_has_a_heading() -> None:
    assert "\n\n\n第 1 卷 渡河\n\n\n楔子" in plain_text.text(edition(title="渡河"), PRESETS["plain"])


def test_markdown() -> None:
    text = plain_text.markdown(edition(title="渡河"))
    assert text.startswith("# 十三渡\n\n## 第 1 卷 渡河\n\n### 楔子\n\n古时候。\n\n### 第 1 章 夜雨\n\n甲。")
    assert "乙。\n\n* * *\n\n丙。\n" in text
    assert "\n\n## 楔子\n\n" in plain_text.markdown(edition())


def test_a_chapter_without_title_or_text() -> None:
    leaf = Leaf(2, Section(2, None, ()))
    assert plain_text.leaf_text(leaf, edition(), PRESETS["plain"]) == "第 2 章\n"
    assert plain_text.leaf_markdown(leaf, edition()) == "# 第 2 章\n"
