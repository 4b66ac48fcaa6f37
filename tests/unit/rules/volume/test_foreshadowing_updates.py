"""Threads in contracts and outline, against the plan and the facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from volumedraft import Draft, check_edge, check_fault, edges, ends, faults, names, tell

from novel_hooks.rules.volume import foreshadowing_updates

if TYPE_CHECKING:
    from volumedraft import Rules, Spoil


def storyline_of_another_chapter(d: Draft) -> None:
    d.threads[0]["planted_storyline"] = "tower"


def storyline_left_open(d: Draft) -> None:
    d.threads[0]["planted_storyline"] = None


def update_unknown(d: Draft) -> None:
    tell(d, 5, ("bell", "advanced"))
    ends(d, 5)["foreshadowing_updates"].append("ghost")


def update_unknown_in_a_map(d: Draft) -> None:
    ends(d, 5)["foreshadowing_updates"] = {"ghost": "planted", "bell": "advanced"}


def key_line_unknown(d: Draft) -> None:
    d.keys[5]["Foreshadowing"] = "推 bell（门上 iron-nail）；埋 iron-ring"


def update_without_id(d: Draft) -> None:
    ends(d, 5)["foreshadowing_updates"] = [{"action": "advanced"}]


def update_twice(d: Draft) -> None:
    ends(d, 5)["foreshadowing_updates"] *= 2


def update_does_what(d: Draft) -> None:
    ends(d, 5)["foreshadowing_updates"] = [{"id": "bell", "action": "moved"}]


def update_without_action(d: Draft) -> None:
    ends(d, 5)["foreshadowing_updates"] = [{"id": "bell"}]


def speaks_of_a_fact(d: Draft) -> None:
    tell(d, 5, ("bell", "advanced"), ("rope", "advanced"))
    ends(d, 5)["foreshadowing_updates"] = {"rope": "advanced", "bell": {"action": "advanced"}}


def planted_twice(d: Draft) -> None:
    tell(d, 5, ("bell", "planted"))


def planted_again(d: Draft) -> None:
    tell(d, 5, ("bell", "advanced"), ("rope", "planted"))


def planted_in_another_chapter(d: Draft) -> None:
    tell(d, 5, ("bell", "advanced"), ("coin", "planted"))
    tell(d, 6, ("bell", "resolved"))


def planted_by_no_contract(d: Draft) -> None:
    tell(d, 6, ("bell", "resolved"))


def moved_before_the_planting(d: Draft) -> None:
    tell(d, 5, ("bell", "advanced"), ("coin", "advanced"))


def moved_after_the_end(d: Draft) -> None:
    tell(d, 5, ("bell", "resolved"))
    tell(d, 6, ("bell", "advanced"), ("coin", "planted"))


def moved_though_resolved(d: Draft) -> None:
    d.facts[0]["status"] = "resolved"
    tell(d, 5, ("bell", "advanced"), ("rope", "advanced"))


def resolved_outside_its_range(d: Draft) -> None:
    d.threads[0]["target_resolve_range"] = [5, 5]


def resolved_by_no_contract(d: Draft) -> None:
    tell(d, 6, ("coin", "planted"))


def resolved_early_in_its_range(d: Draft) -> None:
    tell(d, 5, ("bell", "resolved"))
    tell(d, 6, ("coin", "planted"))


def outline_alone(d: Draft) -> None:
    d.keys[5]["Foreshadowing"] = "推 bell、rope"


def contract_alone(d: Draft) -> None:
    d.keys[6]["Foreshadowing"] = "收 bell"


def outline_says_nothing(d: Draft) -> None:
    d.keys[5]["Foreshadowing"] = "无"


def outline_does_another_thing(d: Draft) -> None:
    d.keys[5]["Foreshadowing"] = "收 bell"


def outline_in_words(d: Draft) -> None:
    d.keys[5]["Foreshadowing"] = "门上的铃又响一回"
    d.keys[6]["Foreshadowing"] = "进城收摊时响起 bell；埋下 coin"


def contracts_say_nothing(d: Draft) -> None:
    del ends(d, 6)["foreshadowing_updates"]
    d.keys[6]["Foreshadowing"] = "收 bell"
    d.threads.pop()


# docs/volume-rules.md lists these
RULES: Rules = [
    (
        "VOLUME_FORESHADOWING",
        [(storyline_of_another_chapter, "第 4 章却是「river」线")],
        [storyline_left_open],
    ),
    (
        "VOLUME_FORESHADOWING",
        [
            (update_unknown, "「ghost」没有人立过"),
            (update_unknown_in_a_map, "「ghost」没有人立过"),
            (key_line_unknown, "「iron-ring」没有人立过"),
            (update_without_id, "第 1 条没有 id"),
            (update_without_action, "没有写 action"),
            (update_twice, "写了两次"),
            (update_does_what, "「moved」不认识"),
        ],
        [speaks_of_a_fact],
    ),
    (
        "VOLUME_FORESHADOWING",
        [
            (planted_twice, "第 4、5 章各埋了一次"),
            (planted_again, "第 1 章已经埋过"),
            (planted_in_another_chapter, "契约却在第 5 章埋"),
            (planted_by_no_contract, "那一章的契约没有写"),
            (moved_before_the_planting, "第 5 章就推"),
        ],
        [speaks_of_a_fact],
    ),
    (
        "VOLUME_FORESHADOWING",
        [
            (moved_after_the_end, "第 6 章还要动它"),
            (moved_though_resolved, "已经收了"),
            (resolved_outside_its_range, "第 6 章收"),
            (resolved_by_no_contract, "没有一份契约收它"),
        ],
        [resolved_early_in_its_range],
    ),
    (
        "VOLUME_FORESHADOWING",
        [
            (outline_alone, "契约的 foreshadowing_updates 里没有"),
            (contract_alone, "「coin」第 6 章的契约里有"),
            (outline_says_nothing, "「bell」第 5 章的契约里有"),
            (outline_does_another_thing, "大纲写的是收，契约写的是推"),
        ],
        [outline_in_words, contracts_say_nothing],
    ),
]
FAULTS = faults(RULES)


@pytest.mark.parametrize(("spoil", "code", "said"), FAULTS, ids=names(FAULTS))
def test_a_fault_is_found_and_named_once(spoil: Spoil, code: str, said: str) -> None:
    check_fault(spoil, code, said)


@pytest.mark.parametrize("edge", edges(RULES), ids=lambda edge: edge.__name__)
def test_a_plan_that_a_rule_allows(edge: Spoil) -> None:
    check_edge(edge)


def test_key_lines_of_threads() -> None:
    said = "埋 double-seal（盐引 two-marks）、coin；推进 lame_mule；回收：bell。planted ring"
    found = foreshadowing_updates.outline_updates(said, ["bell"])
    assert [(one.name, one.action) for one in found] == [
        ("double-seal", "planted"),
        ("coin", "planted"),
        ("lame_mule", "advanced"),
        ("bell", "resolved"),
        ("ring", "planted"),
    ]
    assert foreshadowing_updates.outline_updates("无，第 3 章再说", ["bell"]) == []
