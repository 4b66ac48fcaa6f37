"""Lengths and the faults of a chapter's texts."""

from __future__ import annotations

import pytest

from novel_hooks.rules.text import length as text_length


@pytest.mark.parametrize(
    ("text", "chars", "han"),
    [
        ("# 第 7 章 夜雨\n\n他走了。\n", 4, 3),
        ("\ufeff# 第 7 章 夜雨\r\n\r\n　　他走了。\r\n", 4, 3),
        ("第七章 夜雨\n他走了。", 4, 3),
        ("第七章\n他走了。", 4, 3),
        ("# 第 7 章\r他走了。", 4, 3),
        ("\r\r# 第 7 章\r\n他走了。\r", 4, 3),
        ("####### 夜雨 #\n他走了。", 4, 3),
        ("＃\n他走了。", 4, 3),
        ("他走了。\n# 第 7 章", 8, 5),
        ("他走了 7 步，OK。", 9, 4),
        ("𠀀〇\u200b", 2, 2),
        ("# 第 7 章 夜雨", 0, 0),
        ("", 0, 0),
        (" \n\t　", 0, 0),
    ],
)
def test_the_count_leaves_out_blanks_and_the_heading_line(text: str, chars: int, han: int) -> None:
    assert text_length.count(text) == (chars, han)


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("\u4e00", "\u9fff"),
        ("\u3400", "\u4dbf"),
        ("\u3007", "\u3007"),
        ("\uf900", "\ufaff"),
        ("\U00020000", "\U0003ffff"),
    ],
)
def test_chinese_characters_from_the_first_of_a_block_to_its_last(first: str, last: str) -> None:
    assert text_length.count(first + last) == (2, 2)
    outside = chr(ord(first) - 1) + chr(ord(last) + 1)
    assert text_length.count(outside) == (2, 0)


@pytest.mark.parametrize("text", ["# 第 7 章\n他 走。", "他走。", "第七章\n\u200b走", "", "# 夜雨"])
def test_the_characters_alone_are_those_of_the_count(text: str) -> None:
    assert text_length.chars(text) == text_length.count(text).chars


def test_the_length_of_any_text_leaves_out_only_blanks() -> None:
    assert text_length.length("\ufeff# 第 7 章\n他 走\n") == 6


def faults(text: str) -> list[tuple[str, str]]:
    found = text_length.problems(text, 12, "staging/chapters/chapter-012.md")
    return [(problem.code, problem.severity) for problem in found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# 第 12 章 夜雨\n他走了。第 13 章。", []),
        ("# 第十二章\n他走了。", []),
        ("# 第 13 章\n他走了。", [("CHAPTER_HEADING_WRONG", "error")]),
        ("第十三章 夜雨\n他走了。", [("CHAPTER_HEADING_WRONG", "error")]),
        ("第十三章夜雨\n他走了。", [("CHAPTER_HEADING_WRONG", "error")]),
        ("# 第二卷 第12章 夜雨\n他走了。", []),
        ("# 第二卷 第 2 章 夜雨\n他走了。", [("CHAPTER_HEADING_MISSING", "warning")]),
        ("# 第十三章至第十五章\n他走了。", [("CHAPTER_HEADING_MISSING", "warning")]),
        ("他走了。", [("CHAPTER_HEADING_MISSING", "warning")]),
        ("第十三章的稿纸被他揉成一团。", [("CHAPTER_HEADING_MISSING", "warning")]),
        ("# 第 12 章\n \n", [("TEXT_EMPTY", "error")]),
        ("", [("CHAPTER_HEADING_MISSING", "warning"), ("TEXT_EMPTY", "error")]),
        ("# 第 13 章", [("CHAPTER_HEADING_WRONG", "error"), ("TEXT_EMPTY", "error")]),
    ],
)
def test_a_staged_chapter(text: str, found: list[tuple[str, str]]) -> None:
    assert faults(text) == found


def test_each_problem_names_the_file_and_what_is_wrong() -> None:
    (missing,) = text_length.problems("他走了。", 12, "c.md")
    assert (str(missing), missing.diagnostic().fix) == (
        "c.md 的首行不是本章标题。",
        "请在首行写上 `# 第 12 章 章名`。",
    )
    wrong, empty = text_length.problems("# 第 13 章", 12, "c.md")
    assert str(wrong) == "c.md 的标题写的是第 13 章，而现在写的是第 12 章。"
    assert wrong.diagnostic().fix == "请把首行改成 `# 第 12 章 章名`。"
    assert str(empty) == "c.md 里没有正文内容。"
    assert [str(problem) for problem in text_length.summary_problems(" ", "s.md")] == [
        "s.md 里没有摘要内容。"
    ]
    (summary,) = text_length.summary_problems("字" * 316, "s.md")
    assert (str(summary), summary.diagnostic().fix) == (
        "摘要有 316 字，超过 300 字。",
        "请把 s.md 压到 300 字以内。",
    )
    assert [str(problem) for problem in text_length.memory_problems("", "m.md")] == [
        "m.md 里没有故事线记忆内容。"
    ]
    (memory,) = text_length.memory_problems("字" * 501, "m.md")
    assert str(memory) == "故事线记忆有 501 字，超过 500 字。"
    assert "m.md 压到 500 字以内" in memory.diagnostic().fix


@pytest.mark.parametrize(
    ("chars", "case"),
    [(94, "short"), (95, None), (100, None), (200, None), (210, None), (211, "long")],
)
def test_a_chapter_may_miss_its_limits_by_a_twentieth(chars: int, case: str | None) -> None:
    assert text_length.chapter_case(chars, 100, 200) == case


@pytest.mark.parametrize(
    ("length", "code"), [(0, "TEXT_EMPTY"), (1, None), (315, None), (316, "SUMMARY_TOO_LONG")]
)
def test_a_summary(length: int, code: str | None) -> None:
    found = text_length.summary_problems("字" * length + " \n", "s.md")
    assert [problem.code for problem in found] == ([code] if code else [])
    assert all(problem.severity == "warning" for problem in found if problem.code == "SUMMARY_TOO_LONG")


@pytest.mark.parametrize(
    ("length", "code"), [(0, "TEXT_EMPTY"), (1, None), (500, None), (501, "MEMORY_TOO_LONG")]
)
def test_a_memory(length: int, code: str | None) -> None:
    found = text_length.memory_problems("字" * length + "\r\n", "m.md")
    assert [problem.code for problem in found] == ([code] if code else [])
    assert all(problem.severity == "error" for problem in found)
