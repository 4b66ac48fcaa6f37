"""A whole outline: every problem by its kind, and the headings that a program may write."""

from __future__ import annotations

import pytest

from novel_hooks.rules.outline import check
from novel_hooks.rules.outline import outline as outlines
from tools import bookparts

PATH = "volumes/vol-02/outline.md"


def volume(*numbers: int) -> str:
    return "# 第 2 卷\n\n" + "".join(bookparts.outline_block(number) for number in numbers)


def found(text: str, data: bytes | None = None) -> list[tuple[str, str]]:
    problems = check.problems(outlines.parse(text, PATH), 2, text.encode() if data is None else data)
    return [(problem.code, str(problem)) for problem in problems]


def test_a_sound_outline_has_no_problem() -> None:
    assert found(volume(7, 8, 9)) == []


def test_every_problem_by_kind_and_place() -> None:
    """Near misses, numbers, key lines, raw marks, in this order; a near miss has a block of its own."""
    text = volume(7) + bookparts.outline_block(8).replace("### 第 8 章", "## 第 8 章").replace(
        "- **POV**: 沈渡\n", ""
    )
    text += bookparts.outline_block(10).replace("- **Arc**", "- **Art**") + "### 第 N 章\n"
    problems = found(text, b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert [code for code, _ in problems] == [
        "OUTLINE_HEADING_NEAR",
        "OUTLINE_HEADING_NEAR",
        "OUTLINE_NUMBERING",
        "OUTLINE_KEY_MISSING",
        "OUTLINE_KEY_MISSING",
        "OUTLINE_RAW_MARKS",
        "OUTLINE_RAW_MARKS",
    ]
    said = [message for _, message in problems]
    assert "第 13 行" in said[0] and f"第 {text.count(chr(10))} 行" in said[1]
    assert "缺少：9" in said[2]
    assert "第 8 章的大纲" in said[3] and "「POV」" in said[3]
    assert "第 10 章的大纲" in said[4] and "「Arc」" in said[4]
    assert all(message.startswith(PATH) for message in said)


def test_without_a_heading_neither_numbers_nor_bounds_are_told_twice() -> None:
    problems = found("# 第 2 卷\n\n## 第 7 章\n## 第 9 章\n")
    assert [code for code, _ in problems][:3] == [
        "OUTLINE_EMPTY",
        "OUTLINE_HEADING_NEAR",
        "OUTLINE_HEADING_NEAR",
    ]
    missing = [message for code, message in problems[3:]]
    assert len(missing) == 16 and {code for code, _ in problems[3:]} == {"OUTLINE_KEY_MISSING"}
    assert "第 3 行起" in missing[0] and "第 4 行起" in missing[8]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xef\xbb\xbfa\n", ["开头有看不见的 BOM 标记"]),
        (b"a\n\xef\xbb\xbfb", []),
        (b"a\nb\r\nc\r\n", ["从第 2 行起有 2 处 Windows 换行（CR）"]),
        (b"\r", ["从第 1 行起有 1 处 Windows 换行（CR）"]),
        (b"\xef\xbb\xbf\n\nx\ry", ["开头有看不见的 BOM 标记", "从第 3 行起有 1 处 Windows 换行（CR）"]),
        (b"a\nb", []),
    ],
)
def test_raw_marks_are_told_with_the_line_they_begin_in(data: bytes, said: list[str]) -> None:
    problems = check.problems(outlines.parse(volume(7), PATH), 2, data)
    assert [(p.code, p.severity) for p in problems] == [("OUTLINE_RAW_MARKS", "info")] * len(said)
    assert [str(problem) for problem in problems] == [f"{PATH} {what}；读得懂，不影响写作。" for what in said]
    assert all("--volume 2 --fix" in problem.diagnostic().fix for problem in problems)


@pytest.mark.parametrize(
    ("text", "repaired", "lines"),
    [
        ("## 第7章 夜雨\n甲\n第八章\n乙", "### 第 7 章: 夜雨\n甲\n### 第 8 章\n乙", [1, 3]),
        ("### 第 7 章\n## 第 7 章\n", "### 第 7 章\n## 第 7 章\n", []),
        ("## 第 7 章\n#### 第 7 章\n## 第 8 章\n", "## 第 7 章\n#### 第 7 章\n### 第 8 章\n", [3]),
        ("### **第 7 章：夜雨**\n", "### **第 7 章：夜雨**\n", []),
        ("### 第 7-8 章: 改口\n", "### 第 7-8 章: 改口\n", []),
        ("### 第 7-8 章: 改口\n## 第 8 章\n", "### 第 7-8 章: 改口\n## 第 8 章\n", []),
        ("### 第 6-8 章\n## 第 7 章\n## 第 9 章", "### 第 6-8 章\n## 第 7 章\n### 第 9 章", [3]),
        ("### 第 N 章\n", "### 第 N 章\n", []),
        ("", "", []),
    ],
)
def test_a_repair_writes_what_it_may_and_leaves_the_rest(text: str, repaired: str, lines: list[int]) -> None:
    done = check.repair(outlines.parse(text, PATH))
    assert done.text == repaired
    assert [near.line for near in done.mended] == lines
    assert [near.text for near in done.mended] == [text.split("\n")[line - 1] for line in lines]
