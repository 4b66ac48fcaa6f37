"""The end of a character's contract: told in words, set by a landing, taken back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from novel_hooks.rules.cast import characters, contract_ends


def card(**contract: Any) -> dict[str, Any]:
    own = {"id": "C-2", "rule": "不下山", **contract}
    return {"display_name": "岑四", "contracts": ["草稿", {"id": "C-1", "rule": "不说谎"}, own]}


@pytest.mark.parametrize(
    "contract",
    [
        {"valid_until": "兄长露面"},
        {"rule": "直到兄长露面，不下山"},
        {"rule": "在兄长露面之前不下山"},
        {"rule": "闭关，以雷劫为止"},
        {"rule": "does not leave until the bell rings"},
        {"update_requires": "直到第一场雪"},
    ],
)
def test_an_end_told_in_words(contract: Any) -> None:
    assert contract_ends.ends_by_event(card(**contract)["contracts"][2])
    assert not contract_ends.ends_by_event({**card(**contract)["contracts"][2], "valid_until": 9})


@pytest.mark.parametrize("contract", [{}, {"valid_until": None}, {"rule": "之前说过的话从不认"}, {"rule": 3}])
def test_no_end_is_told(contract: Any) -> None:
    assert not contract_ends.ends_by_event(card(**contract)["contracts"][2])


@pytest.mark.parametrize(
    "before", [{}, {"valid_until": None}, {"valid_until": "兄长露面"}, {"valid_until": 40}]
)
def test_an_end_is_set_and_taken_back_to_the_byte(before: Any) -> None:
    document = card(**before)
    text = json.dumps(document, ensure_ascii=False, indent=1)
    noted = contract_ends.ended_note("cen-si", document, "C-2")
    ended = contract_ends.with_end(text, document, "C-2", 12)
    assert json.loads(ended) == card(**{**before, "valid_until": 12})
    assert contract_ends.is_over(json.loads(ended)["contracts"][2], 12)
    assert contract_ends.without_end(ended, json.loads(ended), noted, 12) == text


def test_what_its_author_changed_since_stays() -> None:
    document = card(valid_until=14)
    noted = {"character": "cen-si", "contract": "C-2"}
    assert contract_ends.without_end(json.dumps(document), document, noted, 12) is None
    assert contract_ends.without_end("{}", {}, noted, 12) is None


def test_who_holds_a_contract() -> None:
    people = [characters.character("a", card()), characters.character("b", {"contracts": [{"id": "C-1"}]})]
    assert [one.slug for one in contract_ends.holders(people, "C-1")] == ["a", "b"]
    assert [one.slug for one in contract_ends.holders(people, "C-2")] == ["a"]
    assert contract_ends.holders(people, "C-3") == []
    assert contract_ends.contract({"contracts": 3}, "C-1") == {}


def test_a_packet_says_what_ends_in_its_chapter() -> None:
    person = characters.character("cen-si", {**card(), "contracts": card()["contracts"][1:]})
    told = characters.agent_view(person, 5, ["C-2"])["contracts"]
    assert [("ends_here" in one, one["id"]) for one in told] == [(False, "C-1"), (True, "C-2")]
    assert characters.agent_view(person, 5)["contracts"] == person.document["contracts"]


@pytest.mark.parametrize("before", [{}, {"secret_out": None}, {"secret_out": 40}])
def test_a_secret_that_came_out_is_taken_back(before: dict[str, Any]) -> None:
    document = {"display_name": "岑四", "secret": "他是账房", **before}
    text = json.dumps(document, ensure_ascii=False)
    note = contract_ends.secret_note("cen-si", document)
    given = {"before": before["secret_out"]} if before else {}
    assert note == {"character": "cen-si", "secret": True, **given}
    out = contract_ends.with_secret_out(text, 9)
    assert json.loads(out) == {**document, "secret_out": 9}
    back = contract_ends.without_end(out, json.loads(out), note, 9)
    assert back is not None and json.loads(back) == document
    assert contract_ends.without_end(out, json.loads(out), note, 8) is None
