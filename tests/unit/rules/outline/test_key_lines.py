"""Lines that are nearly a key line: the key they stand for, and what to write instead."""

from __future__ import annotations

import pytest

from novel_hooks.rules.outline.key_lines import near_keys
from novel_hooks.rules.outline.outline import KEYS


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        ("- POV: 沈渡", "POV", "沈渡"),
        ("  * **pov** ：沈渡 ", "POV", "沈渡"),
        ("POV：", "POV", ""),
        ("·__Location__ 渡口", "Location", "渡口"),
        ("－ Conflict : 过河", "Conflict", "过河"),
        ("- **State Changes**: 换了船", "StateChanges", "换了船"),
        ("- **state-changes**: 换了船", "StateChanges", "换了船"),
        ("- **Transition**: 塔上", "TransitionHint", "塔上"),
        ("- **PV**: 沈渡", "POV", "沈渡"),
        ("- **Transition-Hint：** 塔上", "TransitionHint", "塔上"),
        ("- **Foreshadow**: 灯", "Foreshadowing", "灯"),
        ("- **Storylines**: river", "Storyline", "river"),
        ("- **Confilct**: 过河", "Conflict", "过河"),
        ("- **Arcs**: 躲灯", "Arc", "躲灯"),
        ("- **故事线**：river", "Storyline", "river"),
        ("- 视角人物: 沈渡", "POV", "沈渡"),
        ("场景：渡口", "Location", "渡口"),
        ("- **核心冲突**: 过河", "Conflict", "过河"),
        ("- **角色弧线** 躲灯", "Arc", "躲灯"),
        ("伏笔：灯", "Foreshadowing", "灯"),
        ("状态变更：换船", "StateChanges", "换船"),
        ("转场提示：塔上", "TransitionHint", "塔上"),
        ("转场：塔上", "TransitionHint", "塔上"),
    ],
)
def test_a_line_that_is_nearly_a_key_line(line: str, key: str, value: str) -> None:
    suggestion = f"- **{key}**: {value}" if value else f"- **{key}**:"
    found = near_keys(["别的", line], KEYS, 12)
    assert found == {key: {"line": 13, "text": line.strip(), "suggestion": suggestion}}


@pytest.mark.parametrize(
    "line",
    [
        "POV 沈渡",
        "- **Place**: 渡口",
        "- **Hint**: 塔上",
        "- **Line**: river",
        "他的视角：沈渡",
        "地方：渡口",
        "- **P.O.V**: 沈渡",
        "### POV: 沈渡",
        "7: 沈渡",
        ": 沈渡",
        "",
    ],
)
def test_a_line_that_is_none(line: str) -> None:
    assert near_keys([line], KEYS, 1) == {}


def test_only_keys_that_are_absent_are_meant_and_the_first_line_counts() -> None:
    lines = ["视角：沈渡", "POV: 乔九", "地点：渡口", "pov：莫岚"]
    assert near_keys(lines, ["POV"], 1) == {
        "POV": {"line": 1, "text": "视角：沈渡", "suggestion": "- **POV**: 沈渡"}
    }
    assert near_keys(lines, ["Arc"], 1) == {}
    assert {key: near["line"] for key, near in near_keys(lines, KEYS, 5).items()} == {"POV": 5, "Location": 7}
