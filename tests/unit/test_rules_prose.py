"""Lengths, headings and the faults of a chapter's texts."""

from __future__ import annotations

import json
import os
import re

import pytest
from conftest import CHECKOUT

from novel_hooks.rules import numerals, prose

with open(os.path.join(CHECKOUT, "tests", "cases", "headings.json"), encoding="utf-8") as stream:
    CASES = json.load(stream)


@pytest.mark.parametrize(
    ("text", "chars", "han"),
    [
        ("# 第 7 章 夜雨\n\n他走了。\n", 4, 3),
        ("\ufeff# 第 7 章 夜雨\r\n\r\n　　他走了。\r\n", 4, 3),
        ("第七章 夜雨\n他走了。", 4, 3),
        ("他走了。\n# 第 7 章", 8, 5),
        ("他走了 7 步，OK。", 9, 4),
        ("𠀀〇\u200b", 2, 2),
        ("# 第 7 章 夜雨", 0, 0),
        ("", 0, 0),
        (" \n\t　", 0, 0),
    ],
)
def test_the_count_leaves_out_blanks_and_the_heading_line(text: str, chars: int, han: int) -> None:
    assert prose.count(text) == (chars, han)


def test_the_length_of_any_text_leaves_out_only_blanks() -> None:
    assert prose.length("\ufeff# 第 7 章\n他 走\n") == 6


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
    assert prose.heading(text) == (number, title)


@pytest.mark.parametrize(("line", "number", "title"), CASES["numerals"])
def test_heading_lines_of_the_cases(line: str, number: int, title: str | None) -> None:
    assert prose.heading(f"# {line}") == (number, title)


@pytest.mark.parametrize("line", CASES["prose"])
def test_prose_of_the_cases_is_no_heading(line: str) -> None:
    assert prose.heading(line) == (None, None)


def faults(text: str) -> list[tuple[str, str]]:
    found = prose.problems(text, 12, "staging/chapters/chapter-012.md")
    return [(problem.code, problem.severity) for problem in found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# 第 12 章 夜雨\n他走了。第 13 章。", []),
        ("# 第十二章\n他走了。", []),
        ("# 第 13 章\n他走了。", [("CHAPTER_HEADING_WRONG", "error")]),
        ("第十三章 夜雨\n他走了。", [("CHAPTER_HEADING_WRONG", "error")]),
        ("他走了。", [("CHAPTER_HEADING_MISSING", "warning")]),
        ("第十三章的稿纸被他揉成一团。", [("CHAPTER_HEADING_MISSING", "warning")]),
        ("# 第 12 章\n \n", [("TEXT_EMPTY", "error")]),
        ("", [("CHAPTER_HEADING_MISSING", "warning"), ("TEXT_EMPTY", "error")]),
        ("# 第 13 章", [("CHAPTER_HEADING_WRONG", "error"), ("TEXT_EMPTY", "error")]),
    ],
)
def test_a_staged_chapter(text: str, found: list[tuple[str, str]]) -> None:
    assert faults(text) == found


@pytest.mark.parametrize(
    ("length", "code"), [(0, "TEXT_EMPTY"), (1, None), (300, None), (301, "SUMMARY_TOO_LONG")]
)
def test_a_summary(length: int, code: str | None) -> None:
    found = prose.summary_problems("字" * length + " \n", "s.md")
    assert [problem.code for problem in found] == ([code] if code else [])
    assert all(problem.severity == "warning" for problem in found if problem.code == "SUMMARY_TOO_LONG")


@pytest.mark.parametrize(
    ("length", "code"), [(0, "TEXT_EMPTY"), (1, None), (500, None), (501, "MEMORY_TOO_LONG")]
)
def test_a_memory(length: int, code: str | None) -> None:
    found = prose.memory_problems("字" * length + "\r\n", "m.md")
    assert [problem.code for problem in found] == ([code] if code else [])
    assert all(problem.severity == "error" for problem in found)


@pytest.mark.parametrize(("line", "number", "_title"), CASES["numerals"])
def test_numerals_of_the_cases(line: str, number: int, _title: str | None) -> None:
    found = re.match("第(.*?)[章回]", line)
    assert found is not None
    assert numerals.value(found.group(1)) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("十", 10),
        ("廿", 20),
        ("卅一", 31),
        ("一百零五", 105),
        ("三千零五", 3005),
        ("一千零五十", 1050),
        ("一万零二十", 10020),
        ("一万二千", 12000),
        ("贰仟零壹拾", 2010),
        ("007", 7),
        ("零", 0),
        (" 十 ", 10),
    ],
)
def test_more_numerals(text: str, number: int) -> None:
    assert numerals.value(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "几",
        "一百五",
        "一万二",
        "五十百",
        "百",
        "一千百",
        "一二十",
        "十二三",
        "1二",
        "1.5",
        "-1",
        "½",
        "²",
        "9" * 40,
    ],
)
def test_no_numeral_or_two_readings(text: str) -> None:
    assert numerals.value(text) is None
