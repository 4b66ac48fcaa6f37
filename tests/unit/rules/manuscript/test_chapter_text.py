"""A chapter's text as sections, paragraphs and changes of scene."""

from __future__ import annotations

import pytest

from novel_hooks.rules.manuscript.chapter_text import Section, parse


def test_one_section_as_a_rule() -> None:
    assert parse("# 第 3 章 夜雨\n\n他来了。\n\n她走了。\n", 3) == [
        Section(3, "夜雨", ("他来了。", "她走了。"))
    ]


def test_the_number_is_that_of_the_file() -> None:
    assert parse("# 第二卷 第 1 章 夜雨\n\n他来了。\n", 31) == [Section(31, "夜雨", ("他来了。",))]


@pytest.mark.parametrize("text", ["他来了。\n", "\n\n他来了。", "# 夜雨\n\n他来了。\n"])
def test_a_text_without_number_is_the_chapter(text: str) -> None:
    (found,) = parse(text, 7)
    assert (found.number, found.paragraphs) == (7, ("他来了。",))


def test_a_prologue_is_a_section_of_its_own() -> None:
    text = "# 楔子\n\n古时候。\n\n# 第 1 章 夜雨\n\n他来了。\n\n# 番外 灯市\n\n灯亮了。\n"
    assert [(s.number, s.title) for s in parse(text, 1)] == [(None, "楔子"), (1, "夜雨"), (None, "番外 灯市")]


def test_a_sentence_on_a_chapter_is_no_heading() -> None:
    (found,) = parse("# 第 1 章\n\n第三章\n\n他说。\n", 1)
    assert found.paragraphs == ("第三章", "他说。")


def test_another_chapters_number_is_the_title_of_its_section() -> None:
    text = "# 第 3 章\n\n一。\n\n# 第 4 章\n\n二。\n\n# 第 5 章 夜雨\n\n三。\n"
    assert [(one.number, one.title) for one in parse(text, 3)] == [
        (3, None),
        (None, "第 4 章"),
        (None, "夜雨"),
    ]
