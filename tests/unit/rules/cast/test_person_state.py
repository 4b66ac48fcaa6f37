"""The fixed keys of people in the state: shapes, and what the cards begin with."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.cast import characters, person_state
from novel_hooks.rules.state import delta

FULL: dict[str, Any] = {
    "level": "第二层",
    "injuries": ["左手断一指"],
    "knows": ["盐引是假的"],
    "owes": [{"what": "三十两", "to": "账房", "due": "腊月底"}],
    "status": "在世",
    "goes_as": "阿四",
}


def op(kind: str, key: str, value: Any) -> dict[str, Any]:
    return {"op": kind, "path": f"characters.cen-si.{key}", "value": value}


def after(*ops: Any) -> delta.Applied:
    return delta.apply(None, {"chapter": 1, "ops": list(ops)})


@pytest.mark.parametrize(
    "change",
    [
        *(op("set", key, value) for key, value in FULL.items()),
        op("set", "level", 3),
        op("inc", "level", 1),
        op("set", "goes_as", None),
        op("add", "owes", {"what": "一条命", "due": 40}),
        op("add", "injuries", "右肩中箭"),
        {"op": "set", "path": "characters.cen-si", "value": {"display_name": "岑四", **FULL}},
        op("set", "mood", [1]),
    ],
)
def test_right_shapes_are_applied(change: Any) -> None:
    assert after(change).dropped == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (op("set", "level", ["第二层"]), "境界"),
        (op("set", "level", True), "境界"),
        (op("add", "level", "第二层"), "境界"),
        (op("add", "status", "失踪"), "生死去向"),
        (op("inc", "status", 1), "生死去向"),
        (op("set", "goes_as", 3), "化名"),
        (op("set", "injuries", "断指"), "伤"),
        (op("add", "injuries", {"where": "左手"}), "伤"),
        (op("inc", "knows", 1), "所知"),
        (op("add", "owes", "三十两"), "所欠"),
        (op("add", "owes", {"to": "账房"}), "所欠"),
        (op("add", "owes", {"what": "三十两", "due": []}), "所欠"),
        (op("set", "owes", [{"what": "三十两", "to": 3}]), "所欠"),
        (op("set", "level.now", "第二层"), "境界"),
        ({"op": "set", "path": "characters.cen-si", "value": {"level": []}}, "境界"),
    ],
)
def test_wrong_shapes_are_dropped_in_the_authors_words(change: Any, said: str) -> None:
    found = after(op("set", "location", "盐仓"), change)
    assert [said in one["reason"] for one in found.dropped] == [True]
    assert found.state["characters"] == {"cen-si": {"location": "盐仓"}}


@pytest.mark.parametrize(
    "paid", ["三十两", {"what": "三十两"}, {"what": "三十两", "to": "账房", "due": "腊月底"}]
)
def test_a_debt_is_paid_by_what_it_is(paid: Any) -> None:
    owed = [*FULL["owes"], {"what": "一条命"}]
    assert after(op("set", "owes", owed), op("remove", "owes", paid)).state["characters"]["cen-si"][
        "owes"
    ] == [{"what": "一条命"}]


def test_of_two_debts_alike_none_goes_by_its_what() -> None:
    found = after(
        op("add", "owes", {"what": "三十两", "to": "甲"}),
        op("add", "owes", {"what": "三十两", "to": "乙"}),
        op("remove", "owes", "三十两"),
    )
    assert len(found.dropped) == 1 and len(found.state["characters"]["cen-si"]["owes"]) == 2


def test_a_sentence_of_an_older_book_becomes_a_list_when_it_is_added_to() -> None:
    old = {
        **delta.empty_state(),
        "characters": {"cen-si": {"knows": "盐引是假的", "owes": "三十两", "mood": "烦"}},
    }
    debt = {"what": "一条命"}
    ops = [op("add", "knows", "兄长还活着"), op("add", "owes", debt), op("add", "mood", "更烦")]
    found = delta.apply(old, {"chapter": 1, "ops": ops})
    assert [one["op"]["path"] for one in found.dropped] == ["characters.cen-si.mood"]
    assert found.state["characters"]["cen-si"]["knows"] == ["盐引是假的", "兄长还活着"]
    assert found.state["characters"]["cen-si"]["owes"] == [{"what": "三十两"}, debt]


def people(*cards: tuple[str, dict[str, Any]]) -> list[characters.Character]:
    return [characters.character(slug, {"display_name": slug.upper(), **card}) for slug, card in cards]


def test_the_cards_begin_the_entries() -> None:
    ops = person_state.first_ops(
        people(("b", {**FULL, "inventory": ["盐引"]}), ("a", {"items": ["刀"]}), ("c", {})), {}
    )
    state = after(*ops).state["characters"]
    assert state == {
        "a": {"display_name": "A", "inventory": ["刀"]},
        "b": {"display_name": "B", **FULL, "inventory": ["盐引"]},
    }
    assert [one["path"].split(".")[1] for one in ops] == sorted(one["path"].split(".")[1] for one in ops)
    assert all(one["detail"] == person_state.FROM_CARD for one in ops)


def test_who_is_known_or_tells_nothing_sound_begins_nothing() -> None:
    odd = {"level": {"stage": 2}, "items": "一把刀", "owes": ["三十两"], "knows": "一切"}
    assert person_state.first_ops(people(("a", odd)), {}) == []
    assert person_state.first_ops(people(("a", FULL)), {"characters": {"a": {}}}) == []
    assert len(person_state.card_faults(odd)) == 4
    assert person_state.card_faults({**FULL, "inventory": ["盐引"], "items": None}) == []


def test_what_stands_below_starting_begins_the_entry_too() -> None:
    bonds = {"bao-er": 30, "an-yi": -5}
    below = {**FULL, "items": ["盐引"], "location": "盐仓", "emotional_state": "烦", "relationships": bonds}
    ops = person_state.first_ops(people(("a", {"starting": {**below, "body": 97, "secret": "他烧的"}})), {})
    told = {key: value for key, value in below.items() if key != "items"}
    assert after(*ops).state["characters"]["a"] == {"display_name": "A", **told, "inventory": ["盐引"]}
    assert person_state.card_faults({"starting": below}) == []


def test_the_cards_own_field_counts_before_starting_and_the_other_is_told() -> None:
    card = {"level": "第三层", "injuries": ["断指"], "starting": {"level": "第二层", "injuries": ["断指"]}}
    assert person_state.card_faults(card) == ["「境界」在卡上和 starting 里写得不一样，照卡上的算"]
    ops = person_state.first_ops(people(("a", card)), {})
    assert after(*ops).state["characters"]["a"] == {
        "display_name": "A",
        "level": "第三层",
        "injuries": ["断指"],
    }


@pytest.mark.parametrize(
    ("starting", "said"),
    [
        ("在盐仓", "「起始处境」"),
        ({"injuries": "断指"}, "「伤」"),
        ({"inventory": "刀"}, "「随身之物」"),
        ({"location": 3}, "「所在」"),
        ({"emotional_state": ["烦"]}, "「心情」"),
        ({"relationships": {"bao-er": "好"}}, "「关系」"),
        ({"relationships": {"宝儿": 3}}, "「关系」"),
        ({"relationships": ["bao-er"]}, "「关系」"),
    ],
)
def test_what_starting_tells_in_another_shape_begins_nothing_and_is_told(starting: Any, said: str) -> None:
    assert [said in one for one in person_state.card_faults({"starting": starting})] == [True]
    assert person_state.first_ops(people(("a", {"starting": starting})), {}) == []


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ({}, []),
        ({"aliases": ["阿四"], "called_by": {"乔九": "四哥"}}, []),
        ({"aliases": "阿四"}, ["别名"]),
        ({"aliases": [4]}, ["别名"]),
        ({"called_by": ["四哥"]}, ["别人叫他"]),
        ({"called_by": {"乔九": 4}}, ["别人叫他"]),
        ({"aliases": {}, "called_by": "四哥"}, ["别名", "别人叫他"]),
    ],
)
def test_other_names_of_a_wrong_shape(card: dict[str, Any], words: list[str]) -> None:
    found = person_state.name_faults(card)
    assert len(found) == len(words) and all(word in line for word, line in zip(words, found))
