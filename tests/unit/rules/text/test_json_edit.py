"""One value of a JSON text changed: all else stays as it was written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.text import json_edit

CARD = """{ "id" : "cen-si",
   "contracts": [ {"id":"C-1", "rule": "a, \\"b\\" }]{"},
  {
    "id": "C-2",
    "rule":"到渡口为止"
  }],  "note":"x" }
"""


def test_a_value_is_replaced_where_it_stands() -> None:
    found = json_edit.with_value(CARD, ("contracts", 0, "rule"), "短")
    assert found == CARD.replace('"a, \\"b\\" }]{"', '"短"')


def test_a_new_key_comes_behind_the_last_in_the_way_of_its_neighbours() -> None:
    found = json_edit.with_value(CARD, ("contracts", 1, "valid_until"), 7)
    assert found == CARD.replace('"到渡口为止"', '"到渡口为止",\n    "valid_until":7')
    assert json_edit.without_value(found, ("contracts", 1, "valid_until")) == CARD
    flat = json_edit.with_value(CARD, ("contracts", 0, "valid_until"), None)
    assert '}]{", "valid_until": null}' in flat


@pytest.mark.parametrize(("key", "left"), [("a", '{"b": 2, "c": 3}'), ("c", '{"a": 1, "b": 2}')])
def test_the_first_and_the_last_key_go(key: str, left: str) -> None:
    assert json_edit.without_value('{"a": 1, "b": 2, "c": 3}', (key,)) == left


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=4), values, min_size=1, max_size=4), values, st.data())
def test_any_object_says_what_was_set_and_nothing_else(
    document: dict[str, Any], value: Any, data: st.DataObject
) -> None:
    key = data.draw(st.sampled_from(sorted(document)) | st.just("valid_until"))
    indent = data.draw(st.sampled_from([None, 0, 2]))
    text = json.dumps({"contracts": [document]}, ensure_ascii=False, indent=indent)
    found = json_edit.with_value(text, ("contracts", 0, key), value)
    assert json.loads(found) == {"contracts": [{**document, key: value}]}
    if key not in document:
        assert json_edit.without_value(found, ("contracts", 0, key)) == text


def test_a_list_without_blanks_and_a_key_in_chinese() -> None:
    assert json_edit.with_value('{"a":[1,2,3]}', ("a", 2), 9) == '{"a":[1,2,9]}'
    assert json_edit.with_value('{"a":1}', ("灯",), "亮") == '{"a":1,"灯":"亮"}'
