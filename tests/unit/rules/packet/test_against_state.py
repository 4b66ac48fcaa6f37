"""A contract against the state: only what cannot both be true is told."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.cast.names import Names
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.packet import against_state

NAMES = Names([("lin", ["林渡"]), ("su", ["苏禾", "阿禾"])])
STATE: dict[str, Any] = {
    "characters": {
        "lin": {"inventory": ["船牌"]},
        "su": {"inventory": ["林渡的布老虎（缺一角）"], "status": "在世"},
    }
}


def told(states: Any, state: dict[str, Any] = STATE) -> list[str]:
    document = {"chapter": 3, "storyline_id": "river", "preconditions": {"character_states": states}}
    found = contracts.parse(document, "c.json")
    return [*against_state.contradictions(found, state, ["布老虎", "船牌"], NAMES)]


def test_a_thing_that_somebody_else_holds_is_told() -> None:
    assert told({"林渡": {"holds": "补好的布老虎"}}) == [
        "契约写「林渡」拿着「布老虎」，状态里它在「苏禾」手里"
    ]
    among_items = {"characters": {"su": {"items": ["布老虎"]}}}
    assert len(told({"林渡": {"holds": "布老虎"}}, among_items)) == 1


@pytest.mark.parametrize(
    "states",
    [
        {"阿禾": {"holds": "布老虎"}, "林渡": {"location": "船上", "holds": "船牌"}},
        {"林渡": {"holds": "布老虎的线", "knows": "布老虎在她那里"}},
        {"林渡": "布老虎", "生人": {"holds": "布老虎"}},
        [],
    ],
)
def test_what_may_be_true_is_not(states: Any) -> None:
    assert told(states) == []


@pytest.mark.parametrize("people", [True, [], {"lin": True, "su": ["布老虎"]}])
def test_a_state_of_another_shape_says_nothing(people: Any) -> None:
    """The schema leaves what a person's entry is open."""
    assert told({"林渡": {"holds": "布老虎"}}, {"characters": people}) == []


def test_a_thing_that_nobody_holds_is_free() -> None:
    assert told({"林渡": {"holds": "布老虎"}}, {"characters": {}}) == []


@pytest.mark.parametrize(
    ("status", "dead"),
    [("已死", True), ("死在桥下", True), ("过世三年", True), ("生死不明", False), ("死里逃生", False)],
)
def test_the_dead_are_not_there(status: str, dead: bool) -> None:
    assert bool(told({"苏禾": {}}, {"characters": {"su": {"status": status}}})) is dead
