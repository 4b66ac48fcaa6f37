"""The world rules that contracts require: unknown ones, and those that come later."""

from __future__ import annotations

from volumedraft import Draft, path, told

from novel_hooks import layout
from novel_hooks.rules.volume import required_rules


def test_world_rules_unknown_or_too_early() -> None:
    draft = Draft()
    needed = {4: ["W-002", "W-404", "W-101"], 5: ["W-002", "W-404"], 6: ["W-002", "W-404", "W-404"]}
    for chapter, rules in needed.items():
        draft.contracts[chapter]["preconditions"]["required_world_rules"] = rules
    draft.rules["W-102"] = 2
    plan = draft.plan()
    world = layout.WORLD_RULES
    early = (
        "VOLUME_WORLD_RULE",
        path(4),
        {
            "name": "W-002",
            "detail": "要到第 6 章才引入，第 4、5 章就用上了",
            "how": f"请从第 4、5 章的契约里去掉它，或把 {world} 里它的 introduced_chapter 提前。",
        },
    )
    assert told(required_rules.world_rule_problems(plan)) == [
        early,
        (
            "VOLUME_WORLD_RULE",
            path(4),
            {
                "name": "W-404",
                "detail": f"{world} 没有这一条（第 5、6 章的契约也是）",
                "how": f"请改成 {world} 里有的编号（是不是「W-102」？），或去掉它。",
            },
        ),
        (
            "VOLUME_WORLD_RULE",
            path(4),
            {
                "name": "W-101",
                "detail": f"{world} 没有这一条",
                "how": f"请改成 {world} 里有的编号（是不是「W-102」？），或去掉它。",
            },
        ),
    ]
    assert told(required_rules.world_rule_problems(plan._replace(partial=frozenset({"rules"})))) == [early]
    assert told(required_rules.world_rule_problems(plan._replace(rules=None))) == []
    assert [v["detail"] for _, _, v in told(required_rules.world_rule_problems(plan._replace(last=5)))] == [
        f"{world} 没有这一条"
    ]
