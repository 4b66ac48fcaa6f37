"""Words to readers below a chapter."""

from __future__ import annotations

import pytest

from novel_hooks.rules.manuscript.closing_notes import start


@pytest.mark.parametrize(
    "note",
    [
        "作者有话说：明天加更。",
        "PS：求月票！",
        "（求推荐票）",
        "感谢某某的打赏，感谢大家。",
        "【作者有话要说】\n谢谢。",
        "（本章完）",
        "第三更！",
    ],
)
def test_notes(note: str) -> None:
    body = f"他来了。\n\n她走了。\n\n{note}\n"
    assert body[start(body) :].strip() == note


@pytest.mark.parametrize(
    "body",
    [
        "他来了。\n\n她走了。\n",
        "求他放人。\n",
        "第二天更冷了。\n",
        "今日风更大。他走了。\n",
        "她感谢他。\n",
        "",
        "作者有话说：开头。\n" + "他来了，她走了。\n" * 200,
    ],
)
def test_a_chapter_without_one(body: str) -> None:
    assert start(body) == len(body)


@pytest.mark.parametrize("lines", [1, 8, 9, 10, 60])
def test_a_note_begins_at_its_first_mark(lines: int) -> None:
    body, note = "他来了。\n" * lines + "\n", "求月票！\n谢谢大家。\n"
    assert start(body + note) == len(body)
