"""An author's decision against a number of his sample."""

from __future__ import annotations

import pytest

from novel_hooks.rules.planning.style_decisions import is_decided


@pytest.mark.parametrize(
    ("measure", "profiled", "told", "decided"),
    [
        ("dialogue_ratio", 0.3, "对白占多少？ 约三成", True),
        ("dialogue_ratio", 0.3, "对话 30% 左右", True),
        ("dialogue_ratio", [0.2, 0.35], "对白百分之三十", True),
        ("dialogue_ratio", 0.35, "台词三成半", True),
        ("dialogue_ratio", 0.5, "对白约三成", False),
        ("dialogue_ratio", 0.5, "对白多一些", True),
        ("dialogue_ratio", 0.3, "约三成", False),
        ("dialogue_ratio", 0.3, "句子二十字", False),
        ("dialogue_ratio", "三成", "对白约三成", False),
        ("sentence_length", {"mean": 20, "max": 60}, "一句二十来字", True),
        ("sentence_length", {"mean": 40, "max": 60}, "一句二十来字", False),
        ("paragraph_chars", [60, 120], "一段 100 字", True),
        ("pov", 3, "第三人称", False),
    ],
)
def test_a_decision_stands_behind_a_number(measure: str, profiled: object, told: str, decided: bool) -> None:
    assert is_decided(measure, profiled, ["别的事", told]) is decided
    assert is_decided(measure, profiled, []) is False


@pytest.mark.parametrize(
    ("line", "decided"), [("- 对白约三成。", True), ("- 对白要像人话。", False), ("- 对白五成", False)]
)
def test_a_line_of_the_brief_decides_where_it_says_a_number(line: str, decided: bool) -> None:
    assert is_decided("dialogue_ratio", 0.3, [], f"# 立意\n\n## 腔调\n\n{line}\n三十字\n") is decided
