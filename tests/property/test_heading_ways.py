"""The quick way to read a chapter's usual heading says what the long one says, or leaves it to that one."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from novel_hooks.rules.text import chapter_heading

_MARKS = "#＃第章回节 \u3000\t:：、，至到和的了程-—~0123456789１２三十灯渡雨a（）*\u200b.…"


@given(st.text(alphabet=_MARKS, max_size=14), st.integers(0, 10**9), st.sampled_from(["", " ", "  "]))
@example("：到岸", 3, " ")
@example(": 灯", 12, " ")
@example("的灯", 1, "")
@example(":: 灯：", 1, "")
def test_both_ways_agree(tail: str, number: int, gap: str) -> None:
    for line in (f"# 第{gap}{number}{gap}章{tail}", f"# 第{gap}{number}{gap}章 {tail}", tail):
        usual = chapter_heading._plain_heading(line)
        if usual:
            assert (*usual, False) == chapter_heading._any_heading(line)


def test_the_usual_heading_is_read_the_quick_way() -> None:
    assert chapter_heading._plain_heading("# 第11章 第一趟船")
    assert chapter_heading._plain_heading("# 第 3 章：雨夜")
    assert chapter_heading._plain_heading("# 第 3 章")
