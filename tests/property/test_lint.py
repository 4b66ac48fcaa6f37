"""The lint of any text: it never fails, its places are right, and the same text gives the same report."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.lint import report
from novel_hooks.rules.lint.report import Comparison
from novel_hooks.rules.lint.residue.residue import blocking_residue
from novel_hooks.rules.lint.sheet import HIDDEN, Sheet
from novel_hooks.rules.text import length

PIECES = (
    *("# 第 7 章 夜渡\n", "\n", "\n\n", "\r\n", "\r", "\u2028", "\ufeff", "\u3000", " ", HIDDEN),
    *("“", "”", "「", "」", "『", "』", "【", "】", '"', "'", "信上写着：\n", "叮！", "力量：5\n"),
    *(
        "本章",
        "**",
        "***",
        "`",
        "```",
        "---",
        "- ",
        "# ",
        "<x>",
        "F-012",
        "a_b",
        "此处省略",
        "（待补充）",
        "{{x}}",
    ),
    *("作为AI", "我无法生成", "以下是第七章", "希望你喜欢", "他不禁", "一丝", "寒意", "没有风，", "只有灯"),
    *(
        "不是",
        "而是",
        "像",
        "仿佛",
        "首先",
        "其次",
        "——",
        "……",
        "。",
        "，",
        "！！",
        ",",
        "？",
        "走",
        "灯灭了",
    ),
    *("水声从船底漫上来", "山崩石裂，", "𠀀", "\ud800", "x" * 30, "0"),
)
texts = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
words = st.lists(st.sampled_from(["走", "灯灭", "本章", "", "*", "\n", "一丝", "寒"]), max_size=4).map(tuple)


@given(texts, texts, words, words)
def test_any_text_has_a_report_whose_places_are_right(
    text: str, other: str, listed: tuple[str, ...], allowed: tuple[str, ...]
) -> None:
    beside = Comparison(listed, allowed, {}, ((1, other),), (("大纲", other),), ("灯灭",))
    found = report.report(text, beside)
    assert json.dumps(found, sort_keys=True) == json.dumps(report.report(text, beside), sort_keys=True)
    assert (found["chars"], found["han"]) == tuple(length.count(text))
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    listed_twice = [one for key in ("openings", "phrases", "earlier") for one in found["repeats"][key]]
    holders = [*found["advice"], *listed_twice, *found["copied"], *found["seam"]]
    for place in [*found["residue"], *(p for one in holders for p in one["places"])]:
        assert place["quote"] in lines[place["line"] - 1]
    for word in found["blacklist"]["words"]:
        assert all(word["word"] in text for _ in word["lines"])
        assert word["word"] not in allowed


@given(texts, words)
def test_a_sheet_keeps_every_offset_and_hides_no_line_end(text: str, allowed: tuple[str, ...]) -> None:
    sheet = Sheet(text, allowed)
    for stream in (sheet.plain, sheet.narration, sheet.story):
        assert len(stream) == len(sheet.text)
        assert all(a in (b, HIDDEN) for a, b in zip(stream, sheet.text))
    assert sheet.text.count("\n") == sheet.story.count("\n")
    assert length.count(sheet.text[sheet.body :]).chars <= length.count(text).chars
    starts = [start for start, _ in sheet.spans]
    assert starts == sorted(starts)
    assert all(a[1] <= b[0] for a, b in zip(sheet.spans, sheet.spans[1:]))


@given(texts, texts)
def test_speech_of_any_kind_blocks_only_by_marks(before: str, said: str) -> None:
    inner = "".join(c for c in said if c not in '“”「」『』【】"\n\r*`#（）()[]')
    found = blocking_residue(f"# 第 1 章\n\n他说：“{inner}。”\n")
    assert found == []


@given(st.integers(0, 6), st.sampled_from(["\n", "\r\n", "\r"]))
def test_the_line_of_residue_is_where_it_was_put(blank: int, ends: str) -> None:
    text = ends.join(["# 第 1 章", *([""] * blank), "他走了。", "见 F-012。", "完了。"])
    assert [one["line"] for one in blocking_residue(text)] == [3 + blank]
