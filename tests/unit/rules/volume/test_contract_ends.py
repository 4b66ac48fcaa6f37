"""Contracts that a volume ends: named rightly, none forgotten."""

from __future__ import annotations

from typing import Any

import pytest
from volumedraft import Draft, ends

from novel_hooks.rules.cast import characters
from novel_hooks.rules.volume import contract_ends
from novel_hooks.rules.volume.plan import Plan

OPEN = {"id": "C-1", "rule": "不下山", "valid_until": "兄长露面"}


def told(closes: dict[int, Any], *contracts: Any, second: Any = (), **changes: Any) -> list[tuple[str, str]]:
    """(severity, message) of a draft whose chapters close contracts of one person, or of two."""
    draft = Draft()
    for chapter, names in closes.items():
        ends(draft, chapter)["closes"] = names
    cards = [("cen-si", "岑四", contracts), ("a-lin", "阿霖", second)]
    people = [
        characters.character(slug, {"display_name": name, "contracts": list(held)})
        for slug, name, held in cards
    ]
    plan: Plan = draft.plan()._replace(people=people, **changes)
    return [(p.severity, str(p) + p.diagnostic().fix) for p in contract_ends.closing_problems(plan)]


def test_what_a_chapter_ends_is_not_asked_about() -> None:
    assert told({5: ["C-1"]}, OPEN) == []
    assert told({}, {**OPEN, "valid_until": None}, {**OPEN, "id": "C-2", "valid_until": 9}) == []


@pytest.mark.parametrize("contract", [OPEN, {"id": "C-1", "rule": "直到兄长露面，不下山"}])
def test_an_end_in_words_that_no_chapter_brings_is_one_warning(contract: Any) -> None:
    ((severity, text),) = told({5: ["C-2"]}, contract, {**OPEN, "id": "C-2"}, second=[{**OPEN, "id": "C-3"}])
    assert severity == "warning" and "岑四" in text and "C-1" in text and "C-3" in text and "C-2" not in text


@pytest.mark.parametrize(
    ("closes", "contracts", "said"),
    [
        ({5: ["C-11"]}, [OPEN], "是不是「C-1」"),
        ({5: ["nobody"]}, [{"id": "C-1", "rule": "不说谎"}], "不是谁的约定"),
        ({5: ["C-1"], 6: ["C-1"]}, [OPEN], "第 5 章已经到头了"),
        ({6: ["C-1"]}, [{**OPEN, "valid_until": 5}], "第 5 章就到头了"),
        ({5: ["C-1"]}, [{**OPEN, "valid_from_chapter": 6}], "第 6 章才起"),
    ],
)
def test_an_end_that_cannot_be_is_a_fault(closes: Any, contracts: Any, said: str) -> None:
    found = told(closes, *contracts)
    assert [said in text for severity, text in found if severity == "error"] == [True]


def test_an_id_that_two_people_share_ends_nobodys() -> None:
    found = told({5: ["C-1"]}, OPEN, second=[OPEN])
    assert ["岑四、阿霖都有" in text for severity, text in found if severity == "error"] == [True]


def test_without_all_cards_nobody_is_missed() -> None:
    assert told({5: ["nobody"]}, partial=frozenset({"people"})) == []
    assert told({5: ["nobody"]}, last=9) == [], "what is written is not planned again"
