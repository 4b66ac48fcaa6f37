"""A manuscript taken apart at its headings."""

from __future__ import annotations

import json
import os
import random
import re

import pytest
from conftest import CHECKOUT
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.manuscript import pieces
from novel_hooks.rules.manuscript.pieces import front_text, take_apart
from novel_hooks.rules.manuscript.volume_headings import CHAPTER, CONTENTS, EXTRA, FRONT, VOLUME, Piece

with open(os.path.join(CHECKOUT, "tests", "cases", "headings.json"), encoding="utf-8") as stream:
    CASES = json.load(stream)


def heads(text: str, **options: object) -> list[tuple[str, int | None, str | None]]:
    return [(one.kind, one.number, one.title) for one in take_apart(text, **options).pieces]  # type: ignore[arg-type]


@pytest.mark.parametrize(("line", "number", "title"), CASES["numerals"])
def test_numerals_of_the_cases(line: str, number: int, title: str | None) -> None:
    assert heads(f"{line}\n\n他来了。\n") == [(CHAPTER, number, title)]


@pytest.mark.parametrize("line", CASES["prose"])
def test_prose_of_the_cases_is_left_alone(line: str) -> None:
    assert heads(f"第一章 甲\n\n他来了。\n{line}\n他走了。\n") == [(CHAPTER, 1, "甲")]


def test_volumes_extras_and_the_front() -> None:
    text = "书名\n作者：某\n\n第一卷 渡河\n\n楔子\n古时候。\n第一章 甲\n他来了。\n"
    text += "番外 灯市\n灯。\n卷二 上岸\n第二章 乙\n完。\n"
    assert heads(text) == [
        (FRONT, None, None),
        (VOLUME, 1, "渡河"),
        (EXTRA, None, "楔子"),
        (CHAPTER, 1, "甲"),
        (EXTRA, None, "番外 灯市"),
        (VOLUME, 2, "上岸"),
        (CHAPTER, 2, "乙"),
    ]


def test_a_volume_on_the_chapters_line() -> None:
    text = "第一卷 渡河 第一章 甲\n他来了。\n第二卷 第一章 乙\n完。\n"
    assert [(one.number, one.title, one.of) for one in take_apart(text).pieces] == [
        (1, "甲", (1, "渡河")),
        (1, "乙", (2, None)),
    ]


def test_a_table_of_contents_is_one_piece() -> None:
    listed = "目录\n第一卷 渡河\n第一章 甲\n第二章 乙\n第三章 丙\n"
    text = f"书名\n{listed}\n第一卷 渡河\n第一章 甲\n他来了。\n第二章 乙\n她来了。\n第三章 丙\n完。\n"
    assert [kind for kind, _, _ in heads(text)] == [FRONT, CONTENTS, VOLUME, CHAPTER, CHAPTER, CHAPTER]
    front = take_apart(text).pieces[0]
    assert front_text(text[front.start : front.end]) == "书名"


def test_contents_of_two_chapters_are_known_by_the_word_above_them() -> None:
    listed, chapters = "第1章 甲\n第2章 乙\n", "第1章 甲\n他来了。\n第2章 乙\n完。\n"
    kinds = [kind for kind, _, _ in heads(f"书名\n【目录】\n\n{listed}\n{chapters}")]
    assert kinds == [FRONT, CONTENTS, CHAPTER, CHAPTER]
    assert CONTENTS not in [kind for kind, _, _ in heads(f"书名\n{listed}\n{chapters}")]


def test_chapters_without_text_are_no_contents() -> None:
    text = "第一章 甲\n第二章 乙\n第三章 丙\n第四章 丁\n他来了。\n"
    assert heads(text) == [(CHAPTER, n, t) for n, t in zip((1, 2, 3, 4), "甲乙丙丁")]


def test_a_bare_number_out_of_order_among_titles_is_text() -> None:
    chapters = "".join(f"第{n}章 名{n}\n他来了。\n" for n in range(1, 8))
    found = take_apart(f"{chapters}第三章\n他念道。\n第8章 名8\n完。\n")
    assert [one.number for one in found.pieces] == [*range(1, 8), 8]
    assert found.left == ("第三章",)


@pytest.mark.parametrize(
    ("odd", "number"),
    [
        ("第一章\n又一卷。\n第9章 名9\n完。\n", 1),
        ("第100章\n他来了。\n第101章 名101\n完。\n", 100),
        ("# 第三章\n他来了。\n第9章 名9\n完。\n", 3),
        ("第九章\n他来了。\n第12章 名12\n完。\n", 9),
        ("第100章\n他来了。\n番外 灯市\n灯。\n第101章 名101\n完。\n", 100),
    ],
)
def test_a_bare_number_is_a_chapter_where_one_may_be(odd: str, number: int) -> None:
    """It begins again, the next one follows it, or it is marked."""
    chapters = "".join(f"第{n}章 名{n}\n他来了。\n" for n in range(1, 8))
    found = take_apart(chapters + odd)
    assert (found.pieces[7].number, found.left) == (number, ())


def test_a_long_title_without_a_sentence_is_one() -> None:
    title = "渡河以后的很多很多很多很多年以后那一个谁也没有想到的下着大雨的晚上里的灯"
    assert heads(f"第一章 {title}\n他来了。\n") == [(CHAPTER, 1, title)]


def test_contents_may_name_chapters_otherwise() -> None:
    text = "目录\n第1章\n第2章\n第3章\n第一章 甲\n一。\n第二章 乙\n二。\n第三章 丙\n三。\n"
    assert [kind for kind, _, _ in heads(text)] == [FRONT, CONTENTS, CHAPTER, CHAPTER, CHAPTER]


def test_numbers_that_begin_again_are_chapters() -> None:
    text = "第一章\n甲。\n第二章\n乙。\n第一章\n丙。\n第二章\n丁。\n"
    assert [number for _, number, _ in heads(text)] == [1, 2, 1, 2]


def test_headings_of_a_level_where_chapters_have_no_number() -> None:
    text = "# 书名\n\n## 夜雨\n\n他来了。\n\n## 渡河\n\n完。\n"
    assert heads(text, marked=True) == [(FRONT, None, None), (CHAPTER, None, "夜雨"), (CHAPTER, None, "渡河")]
    assert heads(text) == [(FRONT, None, None)]
    assert heads("## 夜雨 ##\n\n他来了。\n", marked=True) == [(CHAPTER, None, "夜雨")]


def test_the_authors_own_pattern() -> None:
    pattern = re.compile(r"^(\d+)、(.*)$", re.MULTILINE)
    text = "1、夜雨\n他来了。\n第二章 不是\n2、渡河\n完。\n"
    assert heads(text, pattern=pattern) == [(CHAPTER, 1, "夜雨"), (CHAPTER, 2, "渡河")]
    bare = re.compile(r"^◆.*$", re.MULTILINE)
    assert heads("◆夜雨\n他来了。\n", pattern=bare) == [(CHAPTER, None, "◆夜雨")]
    found = take_apart(text, pattern=pattern).pieces
    assert "".join(text[one.start : one.end] for one in found) == text


@pytest.mark.parametrize("level", ["#", "##"])
def test_a_title_below_its_number_is_no_chapter_of_its_own(level: str) -> None:
    text = f"{level} 第1章\n\n{level} 甲\n\n他来了。\n\n{level} 第2章\n{level} 乙\n\n完。\n"
    found = take_apart(text, True).pieces
    assert [(one.number, one.title, text[one.body : one.end].strip()) for one in found] == [
        (1, "甲", "他来了。"),
        (2, "乙", "完。"),
    ]


@pytest.mark.parametrize(("volume", "name"), [("#", "#"), ("#", "##")])
def test_a_volumes_name_below_its_number(volume: str, name: str) -> None:
    text = f"{volume} 第一卷\n\n{name} 渡口\n\n## 第1章 甲\n\n他来了。\n\n## 第2章 乙\n\n完。\n"
    assert heads(text, marked=True) == [(VOLUME, 1, "渡口"), (CHAPTER, 1, "甲"), (CHAPTER, 2, "乙")]
    text = text.replace("渡口\n", "请假条\n\n今天不写。\n")
    assert heads(text, marked=True)[0] == (VOLUME, 1, None)


def test_a_plain_number_above_a_marked_title() -> None:
    text = "第1章\n\n## 甲\n\n他来了。\n\n第2章\n\n## 乙\n\n完。\n"
    assert heads(text, marked=True) == [(CHAPTER, 1, "甲"), (CHAPTER, 2, "乙")]


def test_a_chapter_below_one_without_text_is_not_its_title() -> None:
    text = "## 第1章\n\n## 第2章\n\n他来了。\n\n## 第3章\n\n## 番外 灯市\n\n完。\n"
    found = [(one.kind, one.number, one.title) for one in take_apart(text, True).pieces]
    assert found == [(CHAPTER, 1, None), (CHAPTER, 2, None), (CHAPTER, 3, None), (EXTRA, None, "番外 灯市")]


def test_a_title_below_its_number_is_the_chapters() -> None:
    text = "## 第一章\n\n### 夜雨 ###\n\n他来了。\n\n## 第二章\n\n她走了。\n\n### 小节\n"
    found = take_apart(text, True).pieces
    assert [(one.number, one.title) for one in found] == [(1, "夜雨"), (2, None)]
    assert text[found[0].body : found[0].end].strip() == "他来了。"


LINES = st.sampled_from(
    [
        "第一章 甲",
        "第二章",
        "第1卷 乙",
        "楔子",
        "番外 丙",
        "# 丁",
        "## 第三章 戊",
        "他来了。",
        "",
        "　　她说。",
        "第三章",
        "目录",
    ]
)


@given(st.lists(LINES), st.booleans())
def test_the_sum_of_the_pieces_is_the_text(lines: list[str], marked: bool) -> None:
    text = "\n".join(lines)
    found = take_apart(text, marked).pieces
    assert "".join(text[one.start : one.end] for one in found) == text
    assert all(one.start <= one.body <= one.end for one in found)


@pytest.mark.parametrize("share", range(4))
def test_a_line_that_is_passed_over_at_once_is_no_heading(
    share: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most lines of a book need not be read for that; those that are passed over read as prose anyway."""
    chance = random.Random(share)
    passed, lines = 0, [chance.choice(FIRST) + "".join(chance.choices(MORE, k=4)) for _ in range(3000)]
    at_once = {line for line in lines if pieces._is_prose(line)}
    monkeypatch.setattr(pieces, "_is_prose", lambda _line: False)
    for line in at_once:
        assert pieces._head(line, 0, len(line), True) is None, line
        passed += 1
    assert passed > 1000


FIRST = ("第一", "第 十二", "卷一", "正文", "楔子", "")
MORE = [
    *(
        "章",
        "回",
        "卷",
        "部",
        " ",
        "：",
        "、",
        "夜雨",
        "他来了",
        "。",
        "”",
        "！",
        "第三章",
        "（上）",
        "\u3000",
        "集合",
    ),
    *("1、", "—", "…", "渡河以后的很多很多很多很多年以后"),
]


@pytest.mark.parametrize("line", ["第{}章\n", "第{}卷\n", "番外{}\n", "第{}章 夜\n第二日\n"])
def test_a_text_of_headings_alone_is_read_in_one_go(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking for the contents, each heading is looked at a few times, however many stand in a row."""
    looks = 0
    text = "".join(line.format(n) for n in range(1, 400))

    def key(one: Piece) -> object:
        nonlocal looks
        looks += 1
        return one.kind, one.number if one.number is not None else one.line

    monkeypatch.setattr(pieces, "_key", key)
    taken = pieces.take_apart(text)
    assert "".join(text[one.start : one.end] for one in taken.pieces) == text
    assert looks < 4 * 400


def test_where_headings_are_marked_a_line_like_one_is_text() -> None:
    chapters = "".join(f"## 第 {n} 章 名{n}\n\n他来了。\n\n" for n in range(1, 12))
    text = f"{chapters}第十二章 他念道\n\n番外\n\n第二卷 上\n\n他合上书。\n"
    found = pieces.take_apart(text, marked=True)
    assert [one.number for one in found.pieces] == [*range(1, 12)]
    assert found.left == ("第十二章 他念道", "番外", "第二卷 上")
    assert len(pieces.take_apart(text).pieces) == 14, "in plain text nothing tells them apart"
    turned = pieces.take_apart(f"{chapters}第二卷 上\n\n他合上书。\n\n第十二章 他念道\n", marked=True)
    assert turned.left == ("第二卷 上", "第十二章 他念道"), "in the order of the text"


def test_where_only_some_are_marked_all_are_read() -> None:
    text = "# 第 1 章 甲\n\n一。\n\n第 2 章 乙\n\n二。\n\n第 3 章 丙\n\n三。\n"
    assert [one.number for one in pieces.take_apart(text, marked=True).pieces] == [1, 2, 3]
