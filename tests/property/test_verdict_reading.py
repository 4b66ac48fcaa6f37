"""Any object comes back unchanged from its wrappings; no part of one is ever taken for the whole."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.errors import VerdictUnreadable
from novel_hooks.rules.evaluation import json_from_text
from novel_hooks.rules.text.json_values import same

marks = st.text(st.sampled_from('{}[]",:`~<>/\\think\n\t 他走了“”'), max_size=12)
words = st.one_of(
    marks, st.sampled_from(["<think>", "</think>", "```json\n{", "\n```\n", '{"a": 1}', "overall"])
)
scalars = st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.floats(0, 5, allow_nan=False), words)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(words, values, min_size=1, max_size=4)
wrappings = st.sampled_from(
    [
        "{}",
        "\ufeff{}",
        "```json\n{}\n```",
        "```\n{}\n```\n",
        "~~~JSON\n{}\n~~~",
        "评审如下：\n{}\n以上。",
        '<think>{{"overall": 1}} ``` [</think>\n{}',
        "```ts\nconst a = {{ x: 1 }}\n```\n说明 {{占位}}\n```json\n{}\n```",
        "见 `{{` 与 [1]：{}",
    ]
)
layouts = st.sampled_from([{}, {"indent": 2}, {"ensure_ascii": True}, {"separators": (",", ":")}])


@given(objects, wrappings, layouts)
def test_an_object_comes_back_from_its_wrapping(
    value: dict[str, Any], wrapping: str, layout: dict[str, Any]
) -> None:
    text = json.dumps(value, **{"ensure_ascii": False, **layout})
    assert same(json_from_text.parse(wrapping.format(text)), value)


@given(objects, wrappings, st.data())
def test_a_cut_object_is_never_read(value: dict[str, Any], wrapping: str, data: st.DataObject) -> None:
    text = json.dumps(value, ensure_ascii=False)
    cut = text[: data.draw(st.integers(1, len(text) - 1))]
    before = wrapping.format("\0").split("\0")[0]
    with pytest.raises(VerdictUnreadable):
        json_from_text.parse(before + cut)


@given(objects, st.data())
def test_an_object_without_its_beginning_is_never_read(value: dict[str, Any], data: st.DataObject) -> None:
    value = {
        "overall": 4.1,
        "scores": {"pacing": {"score": 4}},
        **{f"n{key}": held for key, held in value.items()},
    }
    text = json.dumps(value)
    start = data.draw(st.integers(1, text.index('"score"')))
    try:
        found = json_from_text.parse(text[start:])
    except VerdictUnreadable:
        return
    assert "overall" not in found, "a piece in its inside is no whole verdict"


@given(st.lists(words, max_size=12).map("".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        value = json_from_text.parse(text)
    except VerdictUnreadable:
        return
    json.dumps(value, allow_nan=False).encode("ascii")


@given(objects, objects)
def test_two_objects_are_read_only_when_they_are_equal(one: dict[str, Any], other: dict[str, Any]) -> None:
    text = f"{json.dumps(one)}\n{json.dumps(other)}"
    if same(one, other):
        assert same(json_from_text.parse(text), one)
    else:
        with pytest.raises(VerdictUnreadable):
            json_from_text.parse(text)
