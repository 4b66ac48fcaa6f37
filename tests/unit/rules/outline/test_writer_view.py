"""Of a volume's outline a writer sees its promise and one line on the next chapter."""

from __future__ import annotations

import pytest

from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.outline import writer_view

HEAD = "# 卷一\n\n### 说明\n\n- 卷首的问题：救不救？\n- 卷末的答案：救了也忘。\n四天之内。\n\n## 章节\n"
PROMISE = "# 卷一\n卷首的问题：救不救？\n"


def block(chapter: int, title: str = "") -> str:
    lines = {"Storyline": "river", "Conflict": f"{chapter} 要过河", "Arc": f"变{chapter}"}
    return f"### 第 {chapter} 章{title}\n" + "".join(f"- **{k}**: {v}\n" for k, v in lines.items()) + "\n"


def seen(text: str, chapter: int) -> str:
    return writer_view.surroundings(outlines.parse(text, "outline.md"), chapter)


def test_promise_and_one_line_and_nothing_of_what_is_written() -> None:
    text = HEAD + "\n" + "".join(block(n, f": 名{n}") for n in range(1, 7))
    assert seen(text, 3) == f"{PROMISE}\n### 第 4 章: 名4　4 要过河\n"


def test_the_first_and_the_last_chapter_and_bare_blocks() -> None:
    text = HEAD + block(1) + block(2)
    assert seen(text, 1) == f"{PROMISE}\n### 第 2 章　2 要过河\n"
    assert seen(text, 2) == PROMISE
    assert seen(block(1) + "### 第 2 章\n", 1) == "### 第 2 章\n"
    assert seen(block(5), 5) == "\n"


def test_the_line_on_the_next_chapter_is_a_heading_still() -> None:
    found = outlines.parse(seen(block(1) + block(2, ": 名") + block(3, ": 后"), 2), "x")
    assert [heading.chapter for heading in found.headings] == [3]


@pytest.mark.parametrize(
    ("line", "given"),
    [
        ("卷首问题：谁干的。卷末答案：账房。", "卷首问题：谁干的。"),
        ("- **本卷的问题**：谁干的？ **答案**：账房", "本卷的问题：谁干的？"),
        ("**卷首的问题：**谁干的；为了什么", "卷首的问题：谁干的；为了什么"),
        ("账房干的，卷首的问题就是他。", ""),
    ],
)
def test_how_the_volume_ends_stands_beside_no_question(line: str, given: str) -> None:
    assert seen(f"{line}\n{block(1)}", 1) == f"{given}\n"
