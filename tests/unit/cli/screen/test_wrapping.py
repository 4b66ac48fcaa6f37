"""Lines wrapped to a screen's width."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.cli.screen import wrapping
from novel_hooks.cli.screen.width import mark_width, padded, text_width

CLOSING = "，。！？；：、）》」』】”’"
LINES = st.text("甲乙，。（）「」`a /-→ \u3000\u0301é1", max_size=120)


@given(LINES, st.integers(20, 60))
def test_every_line_fits_and_no_mark_is_lost(line: str, columns: int) -> None:
    found = wrapping.wrap_line(line, columns)
    assert all(text_width(one) <= columns for one in found)
    assert "".join("".join(found).split()) == "".join(line.split())


@given(
    st.text("甲乙丙丁，。」", min_size=1, max_size=200).filter(lambda s: s[0] not in CLOSING),
    st.integers(20, 60),
)
def test_no_line_begins_with_a_closing_mark(text: str, columns: int) -> None:
    runs = max(
        (
            len(run)
            for run in text.replace("甲", " ")
            .replace("乙", " ")
            .replace("丙", " ")
            .replace("丁", " ")
            .split()
        ),
        default=0,
    )
    if runs * 2 + 2 <= columns - 2:
        assert not any(one.lstrip()[0] in CLOSING for one in wrapping.wrap_line(text, columns)[1:])


@pytest.mark.parametrize(
    ("line", "columns", "wrapped"),
    [
        ("短的一行", 20, ["短的一行"]),
        ("  第 3 章　甲乙丙丁戊己庚辛", 22, ["  第 3 章　甲乙丙丁戊", "    己庚辛"]),
        ("  status   甲乙丙丁戊己庚辛", 26, ["  status   甲乙丙丁戊己庚", "           辛"]),
        ("  → 请运行 `novel sync 12` 重新记录", 24, ["  → 请运行", "     `novel sync 12` 重", "     新记录"]),
        ("下一步：甲乙丙丁戊己庚辛壬癸", 20, ["下一步：甲乙丙丁戊己", "  庚辛壬癸"]),
        ("甲乙丙丁戊己庚辛壬（癸）子", 20, ["甲乙丙丁戊己庚辛壬", "（癸）子"]),
        ("灯的数目　中线　推进中　第 1 章", 20, ["灯的数目　中线", "  推进中　第 1 章"]),
        ("可以：甲（novel a）　乙丙丁（novel b）", 32, ["可以：甲（novel a）", "  乙丙丁（novel b）"]),
        ("甲乙丙丁　（戊）　」己庚辛壬癸", 20, ["甲乙丙丁　（戊）　」", "  己庚辛壬癸"]),
        ("接着写：甲乙丙丁戊第 4 章，2,000 字", 24, ["接着写：甲乙丙丁戊", "  第 4 章，2,000 字"]),
        ("　　他没有回头。灯灭了一盏又一盏", 20, ["　　他没有回头。灯灭", "了一盏又一盏"]),
        (
            "novel find 铜灯  找一个名字或一个词",
            34,
            ["novel find 铜灯  找一个名字或一个", "                 词"],
        ),
        ("要取回来就敲 novel restore 3 好", 22, ["要取回来就敲", "novel restore 3 好"]),
        ("a/volumes/vol-01/chapter.json", 20, ["a/volumes/vol-01/", "chapter.json"]),
        ("  档案 a/active/bxing.jso）甲", 22, ["  档案 a/active/", "    bxing.jso）甲"]),
        ("甲乙（abcdefghijklmnopqr）丙", 20, ["甲乙", "（abcdefghijklmnopq", "r）丙"]),
        ("x" * 30, 20, ["x" * 20, "x" * 10]),
        (
            f"进度：第 1 卷 [{'█' * 10}{'░' * 10}] 已完成到第 3 章（本卷 1-6）",
            40,
            ["进度：第 1 卷 [████░░░░]", "  已完成到第 3 章（本卷 1-6）"],
        ),
        (f"[{'█' * 20}] 甲乙丙丁", 40, ["[████████]　甲乙丙丁"]),
        ("甲乙丙丁 [] 戊己庚辛壬癸", 20, ["甲乙丙丁 [] 戊己庚辛", "壬癸"]),
    ],
)
def test_where_a_line_is_broken(line: str, columns: int, wrapped: list[str]) -> None:
    assert wrapping.wrap_line(line, columns) == wrapped


def test_widths_are_columns_and_an_ambiguous_one_is_taken_as_two() -> None:
    assert [text_width(one) for one in ("a", "é", "中", "ａ", "e\u0301", "…")] == [1, 2, 2, 2, 1, 2]
    assert mark_width("\u200b") == 0
    assert padded("中a", 5) == "中a  "
    assert padded("中文字", 2) == "中文字"
