"""JSON values by JSON's own rules: kinds, equality, what can be written, what a document lacks."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.text import json_values
from novel_hooks.rules.text.json_values import FAULTY, MAX_DEPTH

INFINITY = float("inf")


@pytest.mark.parametrize("value", [0, -1, 7, 2.5, -0.0, 1.7e308, -1.7e308, 10**300])
def test_a_number(value: float) -> None:
    assert json_values.number(value) == value


@pytest.mark.parametrize(
    "value", [True, False, None, "7", [7], {}, INFINITY, -INFINITY, float("nan"), 10**309, 1.75e308]
)
def test_no_number(value: object) -> None:
    assert json_values.number(value) is None


@pytest.mark.parametrize(
    ("value", "found"), [(7, 7), (0, 0), (-1, -1), (True, None), (7.0, None), ("7", None), (None, None)]
)
def test_an_integer(value: object, found: int | None) -> None:
    assert json_values.integer(value) == found


@pytest.mark.parametrize(
    ("value", "found"),
    [("夜雨", "夜雨"), (" 夜 ", " 夜 "), ("", None), (" \n\u3000", None), (7, None), (None, None)],
)
def test_a_text(value: object, found: str | None) -> None:
    assert json_values.text(value) == found


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        (True, True, True),
        (False, False, True),
        (True, False, False),
        ("1", 1, False),
        (None, None, True),
        (None, False, False),
        ([], {}, False),
        ([1], [True], False),
        ([1, 2], [1], False),
        ([1], [1, 2], False),
        ([1, 2], [1, 3], False),
        ([3, 2], [1, 2], False),
        ({"a": 1}, {"a": True}, False),
        ({"a": 1}, {"b": 1}, False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1.0}, True),
        ({"a": 1, "b": 2}, {"a": 9, "b": 2}, False),
        ({"a": [{"b": 1}]}, {"a": [{"b": 1.0}]}, True),
        ({"a": [{"b": 1}]}, {"a": [{"b": True}]}, False),
    ],
)
def test_values_are_the_same_by_jsons_rules(left: object, right: object, equal: bool) -> None:
    assert json_values.same(left, right) is equal
    assert json_values.same(right, left) is equal


def nested(levels: int) -> object:
    value: object = "x"
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


@pytest.mark.parametrize(
    ("value", "writable"),
    [
        ({"a": [1, 2.5, None, True, "x"]}, True),
        ({1: "a"}, False),
        ({"a": 1, None: 2}, False),
        ([1, INFINITY], False),
        ([INFINITY, 1], False),
        ({"a": float("nan")}, False),
        ({"a": {"b": (1, 2)}}, False),
        ([{1, 2}], False),
        (b"x", False),
        ("", True),
        ([], True),
        (nested(MAX_DEPTH), True),
        (nested(MAX_DEPTH + 1), False),
    ],
)
def test_what_can_be_written_as_json(value: object, writable: bool) -> None:
    assert json_values.is_json(value) is writable


DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text("甲a1", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3),
    max_leaves=8,
)


@given(DOCUMENTS)
def test_a_document_is_written_read_and_the_same(value: object) -> None:
    assert json_values.is_json(value)
    assert json_values.same(json.loads(json.dumps(value)), value)


@given(DOCUMENTS)
def test_a_deep_copy_is_the_same_and_shares_nothing(value: object) -> None:
    copied = json_values.deep_copy(value)
    assert copied == value and repr(copied) == repr(value)
    assert not containers(copied) & containers(value)


def containers(value: object) -> set[int]:
    if isinstance(value, dict):
        return {id(value)}.union(*map(containers, value.values()))
    return {id(value)}.union(*map(containers, value)) if isinstance(value, list) else set()


def test_a_change_of_the_copy_leaves_the_document() -> None:
    document: dict[str, Any] = {"a": [{"b": [1]}]}
    copied: Any = json_values.deep_copy(document)
    copied["a"][0]["b"].append(2)
    assert document == {"a": [{"b": [1]}]}


@pytest.mark.parametrize(
    ("value", "faulty"),
    [
        (FAULTY, True),
        ([1, FAULTY], True),
        ([FAULTY, 1], True),
        ({"a": {"b": [FAULTY]}}, True),
        ({"a": 1, "b": FAULTY}, True),
        ({}, False),
        ([{}], False),
        ("x", False),
        (None, False),
    ],
)
def test_a_faulty_part_is_found_at_any_depth(value: object, faulty: bool) -> None:
    assert json_values.has_faulty(value) is faulty


def test_a_faulty_part_reads_as_an_empty_object() -> None:
    assert json_values.number(FAULTY) is None and json_values.text(FAULTY) is None
    assert FAULTY == {} and FAULTY.get("a") is None and not isinstance(FAULTY, list)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (True, "真"),
        (False, "假"),
        (None, "空"),
        ({}, "一组内容"),
        (["a"], "一组内容"),
        (7, "7"),
        (2.5, "2.5"),
        ("夜雨", "夜雨"),
    ],
)
def test_a_value_in_the_authors_words(value: object, said: str) -> None:
    assert json_values.describe(value) == said


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([{"a": 1}, 2, "x", None, {"b": 2}, [{"c": 3}]], [{"a": 1}, {"b": 2}]),
        ([], []),
        ({"a": 1}, []),
        ("text", []),
        (None, []),
    ],
)
def test_the_objects_of_a_list(value: object, expected: list[dict[str, int]]) -> None:
    assert json_values.objects(value) == expected


def test_every_string_of_a_value_with_its_keys_in_order() -> None:
    value = {"a": ["b", {"c": "d"}, 1, None], "e": True}
    assert [*json_values.strings(value)] == ["a", "b", "c", "d", "e"]
    assert [*json_values.strings("x")] == ["x"] and [*json_values.strings(1)] == []
