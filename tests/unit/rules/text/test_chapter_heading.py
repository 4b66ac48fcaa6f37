"""Headings of chapters, in every form that authors write them, and prose that is none."""

from __future__ import annotations

import json
import os

import pytest
from conftest import CHECKOUT

from novel_hooks.rules.text import chapter_heading
from novel_hooks.rules.text import length as text_length

with open(os.path.join(CHECKOUT, "tests", "cases", "headings.json"), encoding="utf-8") as stream:
    CASES = json.load(stream)


@pytest.mark.parametrize(
    ("text", "number", "title"),
    [
        ("# 第 12 章 夜雨\n", 12, "夜雨"),
        ("\n\n# 第12章：夜雨", 12, "夜雨"),
        ("## 第 １２ 章", 12, None),
        ("# 第十二章夜雨", 12, "夜雨"),
        ("# 第 1000 章: 千灯", 1000, "千灯"),
        ("#第廿三回　归", 23, "归"),
        ("# 第 12 章 他说，走。", 12, "他说，走。"),
        ("# 夜雨\n第 12 章", None, "夜雨"),
        ("# 第某章 夜雨", None, "夜雨"),
        ("他想起第 12 章。\n# 第 12 章", None, None),
        ("#\n", None, None),
        ("", None, None),
    ],
)
def test_the_heading_is_the_first_line_only(text: str, number: int | None, title: str | None) -> None:
    assert chapter_heading.heading(text) == (number, title)
    for end in ("\r\n", "\r"):
        assert chapter_heading.heading(text.replace("\n", end)) == (number, title)


FORMS = (
    "{}",
    "# {}",
    "#{}",
    "## {} ##",
    "＃ {}",
    "\ufeff{}",
    "\ufeff# {}",
    "{}\r\n正文",
    "{}  \n",
    "\n　　{}　\n",
    "\u200b{}",
)
BARE = tuple(form for form in FORMS if "#" not in form and "＃" not in form)


@pytest.mark.parametrize(("line", "number", "title"), CASES["numerals"])
def test_heading_lines_of_the_cases(line: str, number: int, title: str | None) -> None:
    for form in FORMS:
        assert chapter_heading.heading(form.format(line)) == (number, title), form


@pytest.mark.parametrize("line", CASES["prose"])
def test_prose_of_the_cases_is_no_heading(line: str) -> None:
    for text in (form.format(line) for form in BARE):
        assert chapter_heading.heading(text)[0] is None, text
        assert text_length.count(text).chars >= text_length.length(line), text


@pytest.mark.parametrize("line", CASES["outline_near"])
def test_near_headings_of_an_outline_are_headings_of_a_chapter(line: str) -> None:
    assert chapter_heading.heading(line)[0] == (None if "节" in line else 12)


@pytest.mark.parametrize(
    ("line", "number", "title"),
    [
        ("第 12 章：夜雨", 12, "夜雨"),
        ("第十二章　夜雨", 12, "夜雨"),
        ("第12章夜雨", 12, "夜雨"),
        ("第 １２章夜雨", 12, "夜雨"),
        ("第一百零二章", 102, None),
        ("第两百章", 200, None),
        ("第〇一二章", 12, None),
        ("第十二章·夜雨", 12, "夜雨"),
        ("第十二章、夜雨", 12, "夜雨"),
        ("第12章. 夜雨", 12, "夜雨"),
        ("第十二章——夜雨", 12, "夜雨"),
        ("第十二章夜雨（上）", 12, "夜雨（上）"),
        ("第十二章（下）", 12, "（下）"),
        ("第十二章 谁在敲门？", 12, "谁在敲门？"),
        ("第十二章 一程山，一程水", 12, "一程山，一程水"),
        ("第三章法场", 3, "法场"),
        ("第十二章中毒", 12, "中毒"),
        ("第1卷 第2章 夜雨", 2, "夜雨"),
        ("卷一 第三章", 3, None),
        ("第一卷：第二章：夜雨", 2, "夜雨"),
        ("正文 第十二章 夜雨", 12, "夜雨"),
        ("第0章 楔子", 0, "楔子"),
    ],
)
def test_other_ways_to_write_a_heading(line: str, number: int, title: str | None) -> None:
    for form in FORMS:
        assert chapter_heading.heading(form.format(line)) == (number, title), form


@pytest.mark.parametrize(
    "line",
    [
        "他翻到第十二章，看了一眼。",
        "第十二章他没看。",
        "第十二章 他没看完，就睡了。",
        "第十二章——他没写完……",
        "第十二章谁看过？",
        "第十二章：“我没看。”",
        "第十二章到第十五章都丢了",
        "第十二章、第十三章",
        "第十二章的稿纸",
        "第三回见面",
        "第三回见面时，他笑了。",
        "第三回了",
        "第二回合",
        "第一回合 开打",
        "第一章程",
        "第一章节",
        "第一章程，上面写着。",
        "番外",
        "楔子",
        "尾声 雪",
        "第十二节 夜雨",
        "十二 夜雨",
        "第一百五章",
        "第9999999999章",
        "【第十二章 夜雨】",
    ],
)
def test_what_is_prose_or_no_number(line: str) -> None:
    for form in BARE:
        assert chapter_heading.heading(form.format(line))[0] is None, form


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("第十二章：" + "雨" * 30, "雨" * 30),
        ("第十二章：" + "雨" * 31, None),
        ("第十二章 夜，雨", "夜，雨"),
        ("第十二章 夜雨，", None),
        ("第十二章 夜。雨", None),
        ("第十二章" + "雨" * 12, "雨" * 12),
        ("第十二章" + "雨" * 13, None),
        ("第十二章雨", "雨"),
        ("第十二章终了", "终了"),
        ("第十二章了结", None),
        ("第十二回终了", None),
        ("第十二回 终了", "终了"),
    ],
)
def test_without_a_sharp_a_line_is_a_heading_up_to_the_length_of_a_title(
    line: str, title: str | None
) -> None:
    assert chapter_heading.heading(line) == (12 if title else None, title)


@pytest.mark.parametrize(
    "line", ["# 第十二章的稿纸", "# 第十二章至第十五章", "# 第二回合", "# 番外", "# 第一百五章"]
)
def test_a_marked_line_without_one_number(line: str) -> None:
    assert chapter_heading.heading(line)[0] is None
    assert text_length.count(f"{line}\n他走了。").chars == 4


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# 楔子\n\n从前。\n\n# 第 1 章 雨夜\n\n雨。\n", "雨夜"),
        ("# 楔子\n\n从前。\n\n# 第 1 章\n\n雨。\n", None),
        ("# 楔子\n\n从前。\n", "楔子"),
        ("# 第 1 章 雨夜\n\n雨。\n\n# 番外\n\n后来。\n", "雨夜"),
        ("雨。\n", None),
    ],
)
def test_a_chapter_has_its_own_title_and_not_its_prologues(text: str, title: str | None) -> None:
    assert chapter_heading.own_title(text) == title
