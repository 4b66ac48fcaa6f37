"""The world's hard rules and the blacklist, as a packet lists them (seed 000 Step 2.2)."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.cast import world_rules

RULES: dict[str, Any] = {
    "rules": [
        {"id": "W-002", "category": "river", "rule": "不得回头", "constraint_type": "HARD"},
        {"id": "W-003", "category": "soft", "rule": "少点灯", "constraint_type": "soft"},
        {"category": "x", "rule": "无编号", "constraint_type": "hard"},
        "W-009",
        {"id": "W-004", "rule": "没写"},
        {
            "id": "W-001",
            "category": "magic",
            "rule": "灯灭不复燃",
            "constraint_type": "hard",
            "exceptions": ["祭日", "", "塔顶"],
        },
    ]
}


def test_hard_rules_come_by_id() -> None:
    found = world_rules.hard_rules(RULES)
    assert [rule.get("id") for rule in found] == [None, "W-001", "W-002"]
    assert found[1] == RULES["rules"][-1]


@pytest.mark.parametrize("document", [None, {}, {"rules": None}, {"rules": []}])
def test_without_rules_none_is_hard(document: Any) -> None:
    assert world_rules.hard_rules(document) == []
    assert world_rules.hard_rule_lines(document) == []


def test_a_rule_is_a_line_with_its_exceptions() -> None:
    assert world_rules.hard_rule_lines(RULES) == [
        "- [][x] 无编号",
        "- [W-001][magic] 灯灭不复燃 (exceptions: 祭日；塔顶)",
        "- [W-002][river] 不得回头",
    ]


def test_a_rule_without_fields_is_a_line_all_the_same() -> None:
    assert world_rules.hard_rule_lines({"rules": [{"constraint_type": "hard", "exceptions": None}]}) == [
        "- [][] "
    ]


@pytest.mark.parametrize("mark", "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
def test_no_break_in_a_rule_makes_a_second_line(mark: str) -> None:
    rule = {
        "id": f"W-{mark}1",
        "category": "magic",
        "rule": f"灯不可灭{mark}- [W-002][x] 假的",
        "constraint_type": "hard",
        "exceptions": [f"祭{mark}日"],
    }
    assert world_rules.hard_rule_lines({"rules": [rule]}) == [
        "- [W- 1][magic] 灯不可灭 - [W-002][x] 假的 (exceptions: 祭 日)"
    ]


def test_the_blacklist_is_cut_to_ten_after_the_whitelist() -> None:
    words: list[Any] = [{"word": f"词{n}"} if n % 2 else f"词{n}" for n in range(14)]
    document = {"words": words, "whitelist": ["词0", "词3"]}
    kept = [f"词{n}" for n in (1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)]
    assert world_rules.blacklist_top(document) == kept[:10]
    assert world_rules.blacklist_top(document, 2) == kept[:2]
    assert world_rules.blacklist_top(document, 99) == kept


def test_the_blacklist_has_no_word_twice_and_no_empty_one() -> None:
    listed = {
        "words": ["不禁", {"word": "不禁"}, "", {}, {"word": None}, "缓缓", "不禁", 7],
        "whitelist": None,
    }
    assert world_rules.blacklist_top(listed) == ["不禁", "缓缓", "7"]
    assert world_rules.blacklist_top({"words": ["7", "8"], "whitelist": [7]}) == ["8"]


@pytest.mark.parametrize("document", [None, {}, {"words": None}])
def test_without_words_the_blacklist_is_empty(document: Any) -> None:
    assert world_rules.blacklist_top(document) == []


LATER: dict[str, Any] = {
    "schema_version": 1,
    "rules": [
        {"id": "W-1", "rule": "甲", "category": "河", "constraint_type": "hard", "introduced_chapter": 3},
        {"id": "W-2", "rule": "乙", "category": "河", "constraint_type": "soft", "introduced_chapter": 4},
        {"id": "W-3", "rule": "丙", "category": "河", "constraint_type": "Hard", "introduced_chapter": 12},
        {"id": "W-4", "rule": "丁", "category": "河", "constraint_type": "soft", "introduced_chapter": None},
    ],
}


def ids(document: Any) -> list[str]:
    return [rule["id"] for rule in document["rules"]]


def test_rules_that_come_later_are_left_out_or_marked() -> None:
    assert ids(world_rules.introduced(LATER, 3)) == ["W-1", "W-4"]
    assert ids(world_rules.introduced(LATER, 12)) == ["W-1", "W-2", "W-3", "W-4"]
    assert world_rules.introduced(None, 3) is None
    assert world_rules.hard_rule_lines(LATER, 3) == ["- [W-1][河] 甲", "- [W-3][河][第 12 章起] 丙"]
    assert world_rules.hard_rule_lines(LATER, 12) == ["- [W-1][河] 甲", "- [W-3][河] 丙"]


def test_the_soft_rules_are_all_that_are_not_hard() -> None:
    soft = world_rules.soft_rules(LATER)
    assert soft is not None and ids(soft) == ["W-2", "W-4"] and soft["schema_version"] == 1
    assert world_rules.soft_rules({"rules": LATER["rules"][:1]}) is None
    assert world_rules.soft_rules(None) is None and world_rules.soft_rules({"rules": None}) is None
