"""The outline: headings, near misses, blocks, key lines, numbering (seed 000 Step 2.1, protocol §7)."""

from __future__ import annotations

import json
import os
import time
from itertools import combinations
from typing import Any

import pytest
from conftest import CHECKOUT
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.errors import OutlineChapterMissing
from novel_hooks.rules.outline import headings
from novel_hooks.rules.outline import outline as outlines
from tools import bookparts

with open(os.path.join(CHECKOUT, "tests", "cases", "headings.json"), encoding="utf-8") as stream:
    CASES: dict[str, Any] = json.load(stream)
PATH = "volumes/vol-01/outline.md"


def read(text: str) -> outlines.Outline:
    return outlines.parse(text, PATH)


def volume(*numbers: int) -> str:
    return "# 第 1 卷\n\n" + "".join(bookparts.outline_block(number) for number in numbers)


@pytest.mark.parametrize(("line", "number", "title"), CASES["outline_ok"])
def test_a_heading_is_taken(line: str, number: int, title: str | None) -> None:
    found = read(f"{line}\n正文\n")
    assert [(h.chapter, h.title, h.line) for h in found.headings] == [(number, title, 1)]
    assert found.near == ()


@pytest.mark.parametrize("line", CASES["outline_near"])
def test_a_near_miss_is_told_with_what_to_write(line: str) -> None:
    found = read(f"前言\n{line}\n")
    assert found.headings == ()
    (near,) = found.near
    assert (near.line, near.text) == (2, line)
    number, title = headings.parse_heading(near.suggestion) or (None, None)
    assert number == 12
    assert title == ("夜雨" if "夜雨" in line else None)
    (problem,) = outlines.near_miss_problems(found)
    assert "第 2 行" in str(problem) and near.suggestion in problem.diagnostic().fix


@pytest.mark.parametrize(
    "line",
    [
        *CASES["prose"],
        "# 第 1 卷",
        "## 第 1-3 章的走向",
        "## 第 1 至 3 章",
        "### 第一幕",
        "## 第三卷：归来",
        "- 第 12 章在这里埋下",
        "### 12 章",
        "第 12 章里他改了口。",
        "第 12 章 他改了口，第 13 章再认。",
        "第十二章改口",
        "到第 12 章: 改口",
        "- 第 12 章：回收",
        "### 第三集市的灯",
        "**第 12 章里的灯**",
    ],
)
def test_neither_heading_nor_near(line: str) -> None:
    found = read(f"{line}\n")
    assert (found.headings, found.near) == ((), ())


@pytest.mark.parametrize(
    ("line", "suggestion"),
    [
        ("**第 6 章: 改口**", "### 第 6 章: 改口"),
        ("第 6 章：改口", "### 第 6 章: 改口"),
        ("第六章 改口", "### 第 6 章: 改口"),
        ("第 6 章", "### 第 6 章"),
        ("### 第 6 话: 改口", "### 第 6 章: 改口"),
        ("- ### 第 6 章", "### 第 6 章"),
        ("> ### 第 6 章: 改口", "### 第 6 章: 改口"),
        ("1. ### 第 6 章", "### 第 6 章"),
        ("### 第 5-6 章: 改口", "### 第 5 章: 改口` 和另起的 `### 第 6 章: 章名"),
        ("### 第五章至第六章", "### 第 5 章` 和另起的 `### 第 6 章: 章名"),
    ],
)
def test_a_last_heading_written_otherwise_is_no_lost_chapter(line: str, suggestion: str) -> None:
    found = read(volume(1, 2, 3, 4, 5) + f"{line}\n- **POV**: 沈渡\n")
    ((near,), (problem,)) = found.near, outlines.near_miss_problems(found)
    assert (near.chapter, near.suggestion, found.end, found.reach) == (6, suggestion, 5, 6)
    assert problem.exit == 3 and suggestion in problem.diagnostic().fix
    assert outlines.draft_problems(found, 5) and outlines.numbering_problems(found) == []


@pytest.mark.parametrize("line", ["### 第 0 章", "### 第 1.5 章", "### 第 N 章: 改口", "- ### 第 0 章"])
def test_a_heading_with_a_number_that_nobody_can_read_stops_the_draft(line: str) -> None:
    found = read(volume(1, 2) + f"{line}\n")
    (problem,) = outlines.draft_problems(found, 2)
    assert (problem.code, problem.exit, found.end, found.reach) == ("OUTLINE_HEADING_NEAR", 3, 2, 3)
    assert line in str(problem)
    assert read(f"{line}\n" + volume(1, 2)).reach == 2


@pytest.mark.parametrize("line", ["第 1 章：夜雨", "第二章 改口", "### 第 1-2 章: 开头", "**第 2 章**"])
def test_a_list_of_chapters_that_have_their_headings_is_no_near_miss(line: str) -> None:
    found = read(f"{line}\n" + volume(1, 2))
    assert (found.near, found.unread, found.reach) == ((), (), 2)


def test_bounds_are_least_and_most_whatever_the_order() -> None:
    found = read(volume(9, 7, 8))
    assert (found.start, found.end) == (7, 9)
    assert outlines.bounds_problems(found) == []


def test_without_a_heading_there_are_no_bounds_and_near_misses_are_named_too() -> None:
    problems = outlines.bounds_problems(read("# 第 1 卷\n\n## 第 1 章\n## 第二章\n"))
    assert [p.code for p in problems] == ["OUTLINE_EMPTY", "OUTLINE_HEADING_NEAR", "OUTLINE_HEADING_NEAR"]


def test_a_block_is_kept_to_the_letter() -> None:
    text = volume(1, 2, 3)
    found = read(text)
    assert "".join(outlines.block(found, number) for number in (1, 2, 3)) == text.split("\n\n", 1)[1]
    assert outlines.block(read("### 第 3 章\n没有换行的末行"), 3) == "### 第 3 章\n没有换行的末行"


@pytest.mark.parametrize("stop", ["### 卷末总结", "### "])
def test_a_block_ends_at_the_next_third_level_heading(stop: str) -> None:
    text = f"### 第 5 章: 夜雨\n一\n#### 小节\n## 第二级不算\n###紧贴也不算\n{stop}\n别的\n"
    assert outlines.block(read(text), 5).endswith("###紧贴也不算\n")


def test_a_chapter_that_is_not_there() -> None:
    with pytest.raises(OutlineChapterMissing) as refusal:
        outlines.block(read(volume(1, 12)), 2)
    assert "### 第 2 章" in refusal.value.diagnostic().fix


def test_chapter_one_is_not_found_inside_chapter_twelve() -> None:
    assert outlines.block(read(volume(12, 1)), 1).startswith("### 第 1 章")


def test_the_eight_keys() -> None:
    found = read(volume(4))
    keys = outlines.key_lines(outlines.block(found, 4))
    assert tuple(keys) == outlines.KEYS
    assert keys["Storyline"] == "tower-line"
    assert outlines.key_problems(found, 4) == []


def test_a_missing_key_and_an_empty_storyline_are_told_an_empty_hint_is_not() -> None:
    text = volume(4).replace("- **POV**: 沈渡\n", "").replace("tower-line", " ").replace("river-line", "")
    told = [str(p) for p in outlines.key_problems(read(text), 4)]
    assert len(told) == 2
    assert "POV" in told[0] and "Storyline" in told[1]


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("- POV: 沈渡", "POV"),
        ("- **POV：** 沈渡", "POV"),
        ("- **pov**: 沈渡", "POV"),
        ("**POV**: 沈渡", "POV"),
        ("+ **POV**: 沈渡", "POV"),
        ("-**POV**: 沈渡", "POV"),
        ("- **POV** 沈渡", "POV"),
        ("- **视角**：沈渡", "POV"),
        ("- **POVs**: 沈渡", "POV"),
    ],
)
def test_a_mistyped_key_line_is_told_with_what_to_write(line: str, key: str) -> None:
    text = volume(4).replace("- **POV**: 沈渡", line)
    (problem,) = outlines.key_problems(read(text), 4)
    number = text.split("\n").index(line) + 1
    assert problem.code == "OUTLINE_KEY_MISSING"
    assert f"第 {number} 行像是它" in str(problem) and f"`- **{key}**: 沈渡`" in problem.diagnostic().fix


@pytest.mark.parametrize(("written", "key"), [("State Changes", "StateChanges"), ("Transition", None)])
def test_a_key_that_is_only_alike(written: str, key: str | None) -> None:
    text = volume(4).replace("StateChanges", written)
    (problem,) = outlines.key_problems(read(text), 4)
    assert ("像是它" in str(problem)) is (key is not None)


def test_a_key_line_that_stands_twice_is_told_with_its_lines() -> None:
    text = volume(4).replace("- **POV**: 沈渡", "- **POV**: 沈渡\n* **POV** ：乔九")
    (problem,) = outlines.key_problems(read(text), 4)
    first = text.split("\n").index("- **POV**: 沈渡") + 1
    assert problem.code == "OUTLINE_KEY_TWICE"
    assert "「POV」" in str(problem) and f"第 {first}、{first + 1} 行" in str(problem)
    both = text.replace("- **Storyline**: tower-line", "- **Storyline**:")
    assert [p.code for p in outlines.key_problems(read(both), 4)] == [
        "OUTLINE_KEY_MISSING",
        "OUTLINE_KEY_TWICE",
    ]


def test_full_width_colons_and_other_bullets_are_read_and_the_first_of_two_counts() -> None:
    block = "* **Storyline**：river-line\n  - **POV** : 沈渡\n- **POV**: 乔九\n- **Other**: 别的\n"
    assert outlines.key_lines(block) == {"Storyline": "river-line", "POV": "沈渡"}


def test_numbers_that_repeat_or_are_left_out() -> None:
    twice, missing = outlines.numbering_problems(read(volume(1, 2, 2, 5)))
    assert "重复" in str(twice) and str(twice).endswith("2（第 13、23 行）。")
    assert "缺少" in str(missing) and str(missing).endswith("3、4（第 13 行的第 2 章之后）。")


def test_numbers_that_stand_in_another_order() -> None:
    (found,) = outlines.numbering_problems(read(volume(1, 3, 2, 4)))
    assert "放错了位置的" in str(found) and str(found).endswith("3（第 13 行，应在第 2 章之后）。")
    (found,) = outlines.numbering_problems(read(volume(9, 7, 8)))
    assert str(found).endswith("9（第 3 行，应在第 8 章之后）。")
    (found,) = outlines.numbering_problems(read(volume(2, 3, 1)))
    assert str(found).endswith("1（第 23 行，应在第 2 章之前）。")
    (found,) = outlines.numbering_problems(read(volume(1, 3, 2).replace("### 第 3 章", "## 第 3 章")))
    assert "放错了位置的：3" in str(found)


@given(st.permutations(range(1, 8)))
def test_the_fewest_that_must_move_are_told(order: list[int]) -> None:
    problems = outlines.numbering_problems(read(volume(*order)))
    rising = [row for size in range(8) for row in combinations(order, size) if list(row) == sorted(row)]
    told = [str(problem).count("行，应在") for problem in problems]
    assert sum(told) == 7 - max(map(len, rising), default=0)


def test_a_chapter_with_two_blocks_is_told_with_both_lines() -> None:
    (twice,) = outlines.draft_problems(read(volume(1, 2, 2, 3)), 2)
    assert str(twice).endswith("2（第 13、23 行）。")


def test_a_near_miss_is_neither_a_gap_nor_a_duplicate() -> None:
    assert outlines.numbering_problems(read(volume(1) + "## 第 2 章\n" + volume(3))) == []
    found = read(volume(1, 2) + "#### 第一节 清晨\n")
    assert outlines.numbering_problems(found) == []
    (problem,) = outlines.near_miss_problems(found)
    assert problem.code == "OUTLINE_HEADING_NEAR"
    assert "第 23 行" in str(problem) and "第 3 行已经有了" in str(problem)


@pytest.mark.parametrize(
    ("line", "suggestion", "plain"),
    [
        ("###\u00a0第 12 章", "### 第 12 章", True),
        ("### 第\u00a012\u00a0章 夜雨", "### 第 12 章: 夜雨", True),
        ("\ufeff### 第 12 章", "### 第 12 章", True),
        ("   ### 第 12 章", "### 第 12 章", True),
        ("＃＃＃ 第 12 章", "### 第 12 章", True),
        ("####### 第 12 章", "### 第 12 章", True),
        ("### 第 12 章夜雨", "### 第 12 章: 夜雨", True),
        ("### 第 12 章——夜雨", "### 第 12 章: ——夜雨", True),
        ("### 第12章-三更", "### 第 12 章: -三更", True),
        ("### 第 12 章（夜雨）", "### 第 12 章: （夜雨）", True),
        ("## 第 12 章：", "### 第 12 章", True),
        ("## 第 12 章：：夜雨", "### 第 12 章: ：夜雨", True),
        ("## 第12章 学 C#", "### 第 12 章: 学 C#", True),
        ("### 第廿三回　归来", "### 第 23 章: 归来", True),
        ("### 第壹拾贰章", "### 第 12 章", True),
        ("### **第 12 章：夜雨**", "### 第 12 章: 夜雨", False),
        ("### 【第十二章】夜雨", "### 第 12 章: 夜雨", False),
    ],
)
def test_near_misses_of_every_kind(line: str, suggestion: str, plain: bool) -> None:
    (near,) = read(line).near
    assert (near.suggestion, near.plain) == (suggestion, plain)


@pytest.mark.parametrize(
    "line",
    [
        "## 第 1 章到第 3 章的走向",
        "## 第1章、第2章",
        "## 第 1 章 - 第 3 章",
        "## 第一章—三章",
        "## 第 12 章的伏笔",
        "## 第 1、2 章",
    ],
)
def test_a_range_or_a_remark_is_no_near_miss(line: str) -> None:
    assert (read(line).headings, read(line).near) == ((), ())


def test_white_space_of_any_kind_may_stand_before_a_title() -> None:
    (found,) = read("### 第 12 章\u00a0夜雨").headings
    assert (found.chapter, found.title) == (12, "夜雨")


@pytest.mark.parametrize(
    "line", ["### " + "\u3000" * 20000 + "第", "# 第 1 章" + " " * 20000 + "至", "- " + " " * 20000 + "*"]
)
def test_a_long_line_does_not_take_for_ever(line: str) -> None:
    begun = time.process_time()
    outlines.key_problems(read(f"### 第 5 章\n{line}\n"), 5)
    assert time.process_time() - begun < 1


def test_what_stops_the_draft_of_a_new_chapter() -> None:
    found = read(volume(1, 2, 2) + "## 第 7 章\n")
    assert [p.code for p in outlines.draft_problems(found, 2)] == [
        "OUTLINE_HEADING_NEAR",
        "OUTLINE_NUMBERING",
    ]
    assert [p.code for p in outlines.draft_problems(found, 1)] == ["OUTLINE_HEADING_NEAR"]
    assert outlines.draft_problems(read(volume(1, 2, 4)), 2) == []


def test_a_slip_of_the_keyboard_does_not_take_for_ever() -> None:
    begun = time.process_time()
    found = read("### 第 1 章\n### 第 99999999 章\n" + f"### 第 {'9' * 6000} 章\n")
    (missing,) = outlines.numbering_problems(found)
    assert "2、3、4" in str(missing)
    assert time.process_time() - begun < 1


def test_a_thousand_chapters_in_one_volume() -> None:
    found = read(volume(*range(1, 1003)))
    assert (found.start, found.end, len(found.headings)) == (1, 1002, 1002)
    assert outlines.numbering_problems(found) == []


def test_reach_counts_what_is_nearly_a_heading() -> None:
    found = read(volume(1, 2) + "## 第三章：夜雨\n")
    assert (found.end, found.reach) == (2, 3)
    assert read(volume(1, 2)).reach == 2


def test_each_problem_names_the_file_the_chapter_and_the_line() -> None:
    (taken,) = outlines.near_miss_problems(read(volume(1, 2) + "## 第 2 章 又一遍\n"))
    assert str(taken) == f"{PATH} 第 23 行像是章标题，但第 2 章在第 13 行已经有了：## 第 2 章 又一遍"
    (missing,) = outlines.key_problems(read(volume(4).replace("- **POV**: 沈渡\n", "")), 4)
    assert str(missing) == f"{PATH} 第 4 章的大纲（第 3 行起）没有「POV」这一行。"
    assert missing.diagnostic().fix == "请在第 4 章的大纲里写上 `- **POV**: 内容`。"
    (empty,) = outlines.key_problems(read(volume(4).replace("tower-line", "")), 4)
    assert str(empty) == f"{PATH} 第 4 章的大纲空着「Storyline」这一行。"
    (twice,) = outlines.draft_problems(read(volume(2, 2)), 2)
    assert str(twice) == f"{PATH} 的章号有重复：2（第 3、13 行）。"


def test_ten_numbers_are_listed_and_how_many_there_are() -> None:
    numbers = range(1, 11)
    (ten,) = outlines.numbering_problems(read(volume(*numbers, *numbers)))
    assert "等" not in str(ten) and "10（第 93、193 行）" in str(ten)
    more = range(1, 12)
    (eleven,) = outlines.numbering_problems(read(volume(*more, *more)))
    assert str(eleven).endswith("10（第 93、203 行） 等 11 个。")
    (gap,) = outlines.numbering_problems(read(volume(1, 30)))
    assert str(gap).endswith("缺少：2、3、4、5、6、7、8、9、10、11（第 3 行的第 1 章之后） 等 28 个。")


def test_numbers_are_told_with_their_file_and_every_gap() -> None:
    twice, missing, stray = outlines.numbering_problems(read(volume(1, 9, 3, 3, 6)))
    assert str(twice) == f"{PATH} 的章号有重复：3（第 23、33 行）。"
    places = (
        "2（第 3 行的第 1 章之后）",
        "4",
        "5（第 23 行的第 3 章之后）",
        "7",
        "8（第 43 行的第 6 章之后）",
    )
    assert str(missing) == f"{PATH} 的章号有缺少：{'、'.join(places)}。"
    assert str(stray) == f"{PATH} 的章号有放错了位置的：9（第 13 行，应在第 6 章之后）。"
    (gap,) = outlines.numbering_problems(read(volume(1) + "## 第 2 章\n" + volume(4)))
    assert str(gap).endswith("缺少：3（第 13 行的第 2 章之后）。")


def test_refusals_name_the_outline() -> None:
    (empty,) = outlines.bounds_problems(read("还没有想好。"))
    assert str(empty) == f"{PATH} 里没有一个章标题，无法确定本卷从哪章到哪章。"
    with pytest.raises(OutlineChapterMissing) as refusal:
        outlines.block(read(volume(1)), 2)
    assert str(refusal.value) == f"{PATH} 里找不到第 2 章的大纲。"
    (twice,) = outlines.key_problems(read(volume(4).replace("- **POV**", "- **POV**: 乔九\n- **POV**")), 4)
    assert str(twice) == f"{PATH} 第 4 章的大纲把「POV」写了不止一次（第 5、6 行）。"


def test_near_misses_stand_in_the_order_of_their_lines() -> None:
    found = read("第 9 章\n## 第 3 章\n第 2 章\n# 第 N 章\n")
    assert [(near.line, near.chapter) for near in found.near] == [(1, 9), (2, 3), (3, 2)]
    assert [str(problem).split(" ", 1)[1][:5] for problem in outlines.near_miss_problems(found)] == [
        "第 1 行",
        "第 2 行",
        "第 3 行",
        "第 4 行",
    ]
