"""Contracts that a volume ends: named rightly, none forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from volumedraft import Draft, check_edge, check_fault, edges, ends, faults, names

from novel_hooks.rules.volume import contract_ends

if TYPE_CHECKING:
    from volumedraft import Rules, Spoil


def holds(d: Draft, *contracts: dict[str, Any], who: str = "lin") -> None:
    d.held[who] = [{"id": "C-1", "rule": "不下山", "valid_until": "兄长露面", **one} for one in contracts]


def closes(d: Draft, chapter: int, *ids: str) -> None:
    ends(d, chapter)["closes"] = list(ids)


def closed_once(d: Draft) -> None:
    holds(d, {})
    closes(d, 5, "C-1")


def closed_misspelt(d: Draft) -> None:
    holds(d, {"valid_until": None})
    closes(d, 5, "C-11")


def closed_for_two(d: Draft) -> None:
    for who in ("lin", "su"):
        holds(d, {"valid_until": 20}, who=who)
    closes(d, 5, "C-1")


def closed_twice(d: Draft) -> None:
    closed_once(d)
    closes(d, 6, "C-1")


def closed_though_over(d: Draft) -> None:
    holds(d, {"valid_until": 5})
    closes(d, 6, "C-1")


def closed_before_it_begins(d: Draft) -> None:
    holds(d, {"valid_from_chapter": 6})
    closes(d, 5, "C-1")


def closed_in_its_last_chapter(d: Draft) -> None:
    holds(d, {"valid_until": 6})
    closes(d, 6, "C-1")


def end_told_and_forgotten(d: Draft) -> None:
    holds(d, {}, {"id": "C-2"}, {"id": "C-3", "valid_until": None})
    closes(d, 6, "C-2")


def end_in_the_rule_forgotten(d: Draft) -> None:
    holds(d, {"rule": "直到兄长露面，不下山", "valid_until": None})


def end_in_a_number(d: Draft) -> None:
    holds(d, {"valid_until": 30}, {"id": "C-2", "rule": "不说谎", "valid_until": None})


def end_of_what_begins_later(d: Draft) -> None:
    holds(d, {"valid_from_chapter": 7})


# docs/volume-rules.md lists these
RULES: Rules = [
    (
        "VOLUME_CONTRACT",
        [
            (closed_misspelt, "是不是「C-1」"),
            (closed_for_two, "林渡、苏禾都有"),
            (closed_twice, "第 5 章已经到头了"),
            (closed_though_over, "第 5 章就到头了"),
            (closed_before_it_begins, "第 6 章才起"),
        ],
        [closed_once, closed_in_its_last_chapter],
    ),
    (
        "PLAN_ODD",
        [(end_told_and_forgotten, "林渡的「不下山」（C-1）"), (end_in_the_rule_forgotten, "直到兄长露面")],
        [closed_once, end_in_a_number, end_of_what_begins_later],
    ),
]
FAULTS = faults(RULES)


@pytest.mark.parametrize(("spoil", "code", "said"), FAULTS, ids=names(FAULTS))
def test_a_fault_is_found_and_named_once(spoil: Spoil, code: str, said: str) -> None:
    check_fault(spoil, code, said)


@pytest.mark.parametrize("edge", edges(RULES), ids=lambda edge: edge.__name__)
def test_a_plan_that_a_rule_allows(edge: Spoil) -> None:
    check_edge(edge)


def test_ends_that_nobody_brings_are_one_warning() -> None:
    draft = Draft()
    for who in ("lin", "su", "he"):
        holds(draft, *({"id": f"C-{who}-{n}"} for n in range(3)), who=who)
    (told,) = contract_ends.closing_problems(draft.plan())
    assert told.severity == "warning" and "等 9 条" in str(told)


def test_without_all_cards_nobody_is_missed_and_what_is_written_is_not_planned_again() -> None:
    draft = Draft()
    closes(draft, 5, "C-nobody")
    plan = draft.plan()
    for changed in (
        plan._replace(partial=frozenset({"people"})),
        plan._replace(last=9),
        plan._replace(people=None),
    ):
        assert list(contract_ends.closing_problems(changed)) == []
