"""A chapter's plan in the author's words."""

from __future__ import annotations

from novel_hooks.rules.outline import author_view, outline

NAMES = {"lin-wan": "林晚", "river-line": "河上", "wu": "吴伯", "bell-rope": "「钟绳断了一股」"}


def test_the_eight_key_lines_in_their_order() -> None:
    first = ("Storyline", "POV", "Location", "Conflict")
    assert list(outline.KEYS) == [*first, "Arc", "Foreshadowing", "StateChanges", "TransitionHint"]


def test_ids_become_names_and_labels_chinese() -> None:
    block = (
        "### 第 5 章: 夜渡\n- **Storyline**: river-line\n- **POV**: lin-wan\n\n"
        "- **Foreshadowing**: 埋 bell-rope（带过一句）；推 no-such\n"
        "* **Arc**：林晚从躲，到不躲\n- **Location**:\n"
    )
    assert author_view.plan_lines(block, NAMES) == [
        "故事线：河上",
        "视角：林晚",
        "伏笔：埋「钟绳断了一股」（带过一句）；推 no-such",
        "人物弧线：林晚从躲，到不躲",
        "地点：（空着）",
    ]


def test_what_nobody_knows_is_shown_as_it_is() -> None:
    block = "### 第 5 章: 夜渡\n- **Mood**: 冷\n- **备忘**: 别忘了灯\n随手写的一行。\n  - 缩进的一行\n"
    told = ["Mood：冷", "备忘：别忘了灯", "随手写的一行。", "  - 缩进的一行"]
    assert author_view.plan_lines(block, NAMES) == told


def test_only_whole_ids_are_names() -> None:
    text = "lin-wan、lin-wan-2、wu、Wu、wu_1、W-wu、见到wu了、river-lines、吴 wu"
    found = "林晚、lin-wan-2、吴伯、Wu、wu_1、W-wu、见到吴伯了、river-lines、吴吴伯"
    assert author_view.named(text, NAMES) == found


def test_an_id_in_brackets_gets_its_name_before_it() -> None:
    text = "「seventh-span」断了，「river」没断，seventh-span 不动。"
    assert author_view.titled(text, {"seventh-span": "「七索」"}) == (
        "「七索」（seventh-span）断了，「river」没断，seventh-span 不动。"
    )
