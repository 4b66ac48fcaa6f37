"""One line of an outline: a chapter's heading, nearly one, several chapters, or a number nobody can read."""

from __future__ import annotations

import pytest

from novel_hooks.rules.outline import headings
from novel_hooks.rules.outline.headings import NearMiss


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("### 第 12 章", (12, None)),
        ("### 第 12 章: 夜雨", (12, "夜雨")),
        ("### 第 12 章：夜雨 ", (12, "夜雨")),
        ("### 第 12 章 夜雨", (12, "夜雨")),
        ("### 第 12 章\u3000夜 雨", (12, "夜 雨")),
        ("### 第 12 章 : 夜雨", (12, ": 夜雨")),
        ("### 第 12 章:", (12, None)),
        ("### 第 12 章  ", (12, None)),
        ("### 第 12345678 章", (12345678, None)),
        ("### 第 123456789 章", None),
        ("### 第 0 章", None),
        ("### 第 012 章", None),
        ("### 第12章", None),
        ("## 第 12 章", None),
        (" ### 第 12 章", None),
        ("### 第 12 章夜雨", None),
        ("### 第 十二 章", None),
    ],
)
def test_a_heading_as_it_must_be_written(line: str, found: tuple[int, str | None] | None) -> None:
    assert headings.parse_heading(line) == found


@pytest.mark.parametrize(
    ("line", "suggestion", "plain"),
    [
        ("## 第 12 章", "### 第 12 章", True),
        ("#第12章", "### 第 12 章", True),
        ("### 第 十二 章 夜雨", "### 第 12 章: 夜雨", True),
        ("### 第 12 节：夜雨", "### 第 12 章: 夜雨", True),
        ("### 第12回夜雨", "### 第 12 章: 夜雨", True),
        ("### 第 12 话: 夜雨", "### 第 12 章: 夜雨", True),
        ("### 第 12 話", "### 第 12 章", True),
        ("### 第 12 集】", "### 第 12 章: 】", True),
        ("- * ### 第 12 章", "### 第 12 章", True),
        ("> 12. ### 第 12 章: : 夜雨", "### 第 12 章: : 夜雨", True),
        ("## 第 12 章::夜雨", "### 第 12 章: :夜雨", True),
        ("\u200b### 第\u200b12\u200b章\u200b夜雨\u200b", "### 第 12 章: 夜雨", True),
        ("### **第 12 章：夜雨**", "### 第 12 章: 夜雨", False),
        ("### __第 12 章__", "### 第 12 章", False),
        ("### 《第十二章 夜雨》", "### 第 12 章: 夜雨", False),
        ("### （第 12 章）夜雨", "### 第 12 章: 夜雨", False),
        ("### 「第 12 章」：：夜雨", "### 第 12 章: 夜雨", False),
        ("## 第 12 章 第三夜", "### 第 12 章: 第三夜", True),
    ],
)
def test_a_near_miss_and_the_heading_to_write(line: str, suggestion: str, plain: bool) -> None:
    assert headings.near_miss(line) == (suggestion, plain)
    assert headings.find_near(line, 7) == (
        True,
        NearMiss(12, 7, line, suggestion, plain),
    )
    assert not headings.is_unread(line) or suggestion


@pytest.mark.parametrize(
    "line",
    [
        "### 第 12 章",
        "## 第 12 章的伏笔",
        "## 第 12 章至第 15 章",
        "### 第 0 章",
        "### 第 N 章",
        "### 第 999999999 章",
        "### 第 12 集市的灯",
        "### 12 章",
        "## 第三卷",
        "第 12 章",
        "章节#",
        "",
    ],
)
def test_no_near_miss(line: str) -> None:
    assert headings.near_miss(line) is None


@pytest.mark.parametrize(
    ("line", "chapter", "suggestion", "plain"),
    [
        ("第 12 章", 12, "### 第 12 章", True),
        ("第十二章：夜雨", 12, "### 第 12 章: 夜雨", True),
        (" 第 12 章 夜雨", 12, "### 第 12 章: 夜雨", True),
        ("**第 12 章: 夜雨**", 12, "### 第 12 章: 夜雨", False),
        ("【第十二章】夜雨", 12, "### 第 12 章: 夜雨", False),
        ("第 12 章 " + "雨" * 30, 12, "### 第 12 章: " + "雨" * 30, True),
    ],
)
def test_a_line_without_sharps_is_less_sure(line: str, chapter: int, suggestion: str, plain: bool) -> None:
    assert headings.find_near(line, 3) == (False, NearMiss(chapter, 3, line, suggestion, plain))
    assert headings.near_miss(line) is None


@pytest.mark.parametrize(
    "line",
    [
        "第十二章夜雨",
        "第 12 章，他走了",
        "第 12 章 他走了。",
        "第 12 章 " + "雨" * 31,
        "第 12 章的伏笔",
        "第 12 章到第 15 章",
        "第 0 章",
        "第 12 节",
        "见第 12 章",
        "- 第 12 章",
        "一、第 12 章",
        "",
    ],
)
def test_a_line_without_sharps_that_is_prose(line: str) -> None:
    assert headings.find_near(line, 3) == (False, None)


@pytest.mark.parametrize(
    ("line", "first", "last", "begin"),
    [
        ("### 第 6-7 章: 改口", 6, 7, "### 第 6 章: 改口"),
        ("### 第五章至第六章", 5, 6, "### 第 5 章"),
        ("- ＃＃＃ 第６～９章 夜雨", 6, 9, "### 第 6 章: 夜雨"),
        ("### 第 1、2 章", 1, 2, "### 第 1 章"),
        ("### 第 1、2 章：（上）", 1, 2, "### 第 1 章: （上）"),
        ("### 第 6 到 56 章", 6, 56, "### 第 6 章"),
    ],
)
def test_a_line_of_several_chapters(line: str, first: int, last: int, begin: str) -> None:
    sure, near = headings.find_near(line, 4)
    assert not sure and near is not None
    assert (near.first, near.chapter, near.line, near.text, near.plain) == (first, last, 4, line, False)
    assert near.suggestion == f"{begin}` 和另起的 `### 第 {last} 章: 章名"
    assert list(near.chapters) == list(range(first, last + 1))


@pytest.mark.parametrize(
    "line",
    [
        "### 第 6-6 章",
        "### 第 7-6 章",
        "### 第 0-3 章",
        "### 第 6-57 章",
        "### 第 6-7 章的走向",
        "### 第 一百五-7 章",
        "### 第 6-一百五 章",
        "## 第 6-7 章",
        "第 6-7 章",
    ],
)
def test_several_chapters_that_nobody_would_mean(line: str) -> None:
    assert headings.find_near(line, 4) == (False, None)


def test_a_near_miss_stands_for_its_one_chapter() -> None:
    assert list(NearMiss(7, 1, "", "").chapters) == [7]
    assert NearMiss(7, 1, "", "").plain


@pytest.mark.parametrize(
    "line",
    ["### 第 0 章", "### 第 1.5 章", "## 第 N 章: 改口", "- ＃第某章", "### 第 一百五 章", "### 第０章"],
)
def test_a_number_that_nobody_can_read(line: str) -> None:
    assert headings.is_unread(line)


@pytest.mark.parametrize(
    "line",
    [
        "### 第三卷第 N 章",
        "### 第 N、M 章",
        "### 第 1-3 章",
        "### 第 N 章的走向",
        "### 第 N 章到第 9 章",
        "第 N 章",
        "### 第 N 回",
        "### 章",
        "### 第一幕",
        "",
    ],
)
def test_a_line_that_has_no_such_number(line: str) -> None:
    assert not headings.is_unread(line)
