"""All rules of a volume's plan together; outline, contracts and world rules; the page that lists them."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import CHECKOUT, examples
from hypothesis import given, settings
from hypothesis import strategies as st
from volumedraft import (
    THREADS,
    Draft,
    check_edge,
    check_fault,
    edges,
    ends,
    faults,
    goal,
    names,
)

from tools.gen_errors import problem_classes
from unit.rules.volume import test_chapter_chain as chain
from unit.rules.volume import test_contract_ends as contract_ends
from unit.rules.volume import test_foreshadowing_plan as plan_items
from unit.rules.volume import test_foreshadowing_updates as updates
from unit.rules.volume import test_payoffs as payoffs
from unit.rules.volume import test_people as people
from unit.rules.volume import test_storylines as lines
from unit.rules.volume.contract_drafts import rule_unknown

if TYPE_CHECKING:
    from collections.abc import Callable

    from volumedraft import Rules, Spoil


def starts_late(d: Draft) -> None:
    d.first = 3


def ends_before_the_book(d: Draft) -> None:
    d.last = 8


def begins_where_the_last_ended(d: Draft) -> None:
    d.first, d.last = 4, 3


def gap(d: Draft) -> None:
    d.titles = {4: d.titles[4], 5: d.titles[5], 7: "### 第 7 章: 跳号"}
    d.contracts[7] = {**d.contracts.pop(6), "chapter": 7}
    d.keys[7] = {"Foreshadowing": THREADS[6]}
    d.schedule.update(convergence_events=[], active_storylines=["river", "tower"])
    d.threads[0]["target_resolve_range"] = [5, 7]
    d.threads[1]["planted_chapter"] = 7


def heading_twice(d: Draft) -> None:
    d.titles[60] = "### 第 6 章: 又一遍"


def heading_out_of_order(d: Draft) -> None:
    d.titles = {n: d.titles[n] for n in (4, 6, 5)}


def heading_far_out_of_order(d: Draft) -> None:
    d.titles = {n: d.titles[n] for n in (6, 4, 5)}


def headings_without_titles(d: Draft) -> None:
    d.titles.update({5: "### 第 5 章", 6: "### 第 6 章：风里 第二夜"})


def heading_misspelt(d: Draft) -> None:
    d.titles[5] = "## 第五章 近似"


def key_line_missing(d: Draft) -> None:
    d.titles[4] = "### 第 4 章: 缺行\n\n### 附记"


def key_line_empty(d: Draft) -> None:
    d.keys[5]["Conflict"] = ""


def key_line_twice(d: Draft) -> None:
    d.keys[5]["Conflict"] = "甲\n- **POV**: 苏禾"


def nothing_of_threads_and_no_hint(d: Draft) -> None:
    d.keys[5].update(TransitionHint="", Foreshadowing="无")
    ends(d, 5)["foreshadowing_updates"] = []


def contract_missing(d: Draft) -> None:
    del d.contracts[5]


def contract_astray(d: Draft) -> None:
    d.contracts[9] = {**copy.deepcopy(d.contracts[6]), "chapter": 9}
    d.contracts[9]["postconditions"] = {}


def contract_of_another_chapter(d: Draft) -> None:
    d.contracts[5]["chapter"] = 50


def contracts_exchanged(d: Draft) -> None:
    d.contracts[4], d.contracts[6] = d.contracts[6], d.contracts[4]


def contract_of_another_line(d: Draft) -> None:
    d.contracts[5]["storyline_id"] = "river"


def nothing_required(d: Draft) -> None:
    goal(d, 5)["required"] = False


def one_required_is_enough(d: Draft) -> None:
    d.contracts[5]["objectives"].append({"id": "O-x", "required": False, "description": "听水"})


def objective_id_twice(d: Draft) -> None:
    d.contracts[5]["objectives"].append({"id": "O-5", "required": False, "description": "听水"})


def counted_wrong(d: Draft) -> None:
    d.contracts[6]["storyline_context"] = {"chapters_since_last": 5}


def counted_back(d: Draft) -> None:
    d.contracts[5]["storyline_context"] = {"chapters_since_last": 9}
    d.contracts[6]["storyline_context"] = {"chapters_since_last": 2}


def rule_not_yet(d: Draft) -> None:
    d.contracts[5]["preconditions"]["required_world_rules"] = ["W-002"]


def rule_in_time(d: Draft) -> None:
    d.contracts[6]["preconditions"]["required_world_rules"] = ["W-002"]


def no_rules_needed(d: Draft) -> None:
    d.contracts[6]["preconditions"]["required_world_rules"] = []


# docs/volume-rules.md lists these
RULES: Rules = [
    (
        "VOLUME_RANGE",
        [(starts_late, "应从第 3 章起"), (ends_before_the_book, "已写到第 8 章")],
        [begins_where_the_last_ended],
    ),
    (
        "OUTLINE_NUMBERING",
        [
            (gap, "缺少：6"),
            (heading_twice, "重复：6"),
            (heading_out_of_order, "6（第 13 行，应在第 5 章之后）"),
            (heading_far_out_of_order, "6（第 3 行，应在第 5 章之后）"),
        ],
        [headings_without_titles],
    ),
    ("OUTLINE_HEADING_NEAR", [(heading_misspelt, "### 第 5 章: 近似")], [headings_without_titles]),
    ("OUTLINE_KEY_MISSING", [(key_line_missing, "Storyline")], [nothing_of_threads_and_no_hint]),
    ("OUTLINE_KEY_TWICE", [(key_line_twice, "「POV」写了不止一次")], [nothing_of_threads_and_no_hint]),
    (
        "VOLUME_OUTLINE",
        [(key_line_empty, "Conflict 空着")],
        [nothing_of_threads_and_no_hint],
    ),
    (
        "VOLUME_CONTRACT",
        [(contract_missing, "第 5 章没有契约"), (contract_astray, "大纲里没有第 9 章")],
        [one_required_is_enough],
    ),
    (
        "VOLUME_CONTRACT",
        [
            (contract_of_another_chapter, "应是第 5 章"),
            (contracts_exchanged, "契约写的是第 6 章，应是第 4 章"),
            (contract_of_another_line, "大纲写的是「tower」"),
        ],
        [one_required_is_enough],
    ),
    (
        "VOLUME_CONTRACT",
        [(nothing_required, "必达目标"), (objective_id_twice, "「O-5」")],
        [one_required_is_enough],
    ),
    ("VOLUME_CONTRACT", [(counted_wrong, "这条线上一次是第 4 章")], [counted_back]),
]


WORLD_RULES: Rules = [
    (
        "VOLUME_WORLD_RULE",
        [(rule_unknown, "「W-404」"), (rule_not_yet, "要到第 6 章才引入")],
        [rule_in_time, no_rules_needed],
    ),
]


FAULTS = faults([*RULES, *WORLD_RULES])


@pytest.mark.parametrize(("spoil", "code", "said"), FAULTS, ids=names(FAULTS))
def test_a_fault_is_found_and_named_once(spoil: Spoil, code: str, said: str) -> None:
    check_fault(spoil, code, said)


@pytest.mark.parametrize("edge", edges([*RULES, *WORLD_RULES]), ids=lambda edge: edge.__name__)
def test_a_plan_that_a_rule_allows(edge: Spoil) -> None:
    check_edge(edge)


def test_the_draft_passes() -> None:
    assert Draft().found() == []


EVERY_RULE: Rules = [
    *RULES,
    *chain.RULES,
    *lines.RULES,
    *plan_items.RULES,
    *updates.RULES,
    *payoffs.RULES,
    *people.RULES,
    *WORLD_RULES,
    *contract_ends.RULES,
]


def test_every_rule_has_an_example_on_both_sides_and_is_on_the_page() -> None:
    page = (Path(CHECKOUT) / "docs" / "volume-rules.md").read_text("utf-8")
    rows = [line.strip("|").split("|") for line in page.splitlines() if line.startswith("| `")]
    listed = [[re.findall(r"`([^`]+)`", row[at]) for at in (0, 2, 3)] for row in rows]
    assert listed == [
        [[code], [spoil.__name__ for spoil, _ in fails], [edge.__name__ for edge in passes]]
        for code, fails, passes in EVERY_RULE
    ]
    assert all(fails and passes for _, fails, passes in EVERY_RULE)
    codes = {kind.code for kind in problem_classes()}
    assert {code for code, _, _ in EVERY_RULE} >= {code for code in codes if code.startswith("VOLUME_")}


APART = (
    starts_late,
    nothing_required,
    objective_id_twice,
    key_line_empty,
    rule_not_yet,
    people.stranger,
    plan_items.thread_without_scope,
    plan_items.plan_of_another_volume,
    lines.schedule_of_another_volume,
    lines.meets_outside,
    lines.targets_outside,
)


@given(st.sets(st.sampled_from(APART), min_size=2, max_size=6))
@settings(max_examples=examples(60), deadline=None)
def test_one_fault_hides_no_other(chosen: set[Callable[[Draft], None]]) -> None:
    """Faults in parts that do not touch each other are all told at once."""
    draft = Draft()
    wanted = [fault for fault in faults(EVERY_RULE) if fault[0] in chosen]
    for spoil, _, _ in wanted:
        spoil(draft)
    found = draft.found()
    for _, code, said in wanted:
        assert any(c == code and said in message for c, message in found)
