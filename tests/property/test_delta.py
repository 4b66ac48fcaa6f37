"""Deltas of any content: nothing given is changed, and the log rebuilds the state byte for byte."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from novel_hooks import layout
from novel_hooks.rules.state import changelog, delta
from novel_hooks.rules.text.json_values import deep_copy

_PLAIN = ["lin-feng", "su-yan", "剑", "a", "inventory", "level", "0", "aliases", "owes", "display_name"]
_ODD = ["__proto__", "constructor", "", " x", "石 埠", "石\u200b埠", "\ud800", "长" * 20, "长" * 21]
names = st.sampled_from([*_PLAIN, *_ODD, "e\u0301", "\u00e9"])
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(allow_nan=True, width=16),
    st.sampled_from(["剑", "1", "", "a", "e\u0301"]),
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)
sections = st.sampled_from(["characters", "items", "locations", "factions", "world_state", "nowhere"])
paths = st.builds(
    lambda head, rest: ".".join([head, *rest]), sections, st.lists(names, min_size=0, max_size=4)
)
state_ops = st.fixed_dictionaries(
    {"op": st.sampled_from(["set", "inc", "add", "remove"]), "path": paths, "value": values}
)
foreshadow_ops = st.fixed_dictionaries(
    {
        "op": st.just("foreshadow"),
        "path": st.sampled_from(["jade", "sword", "well", ""]),
        "value": st.sampled_from(["planted", "advanced", "resolved", "gone", None]),
    }
)
ops = st.one_of(
    state_ops, state_ops, foreshadow_ops, values, st.fixed_dictionaries({"op": scalars, "path": scalars})
)
chapters = st.lists(st.lists(ops, max_size=8), max_size=5)


def bytes_of(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


@given(chapters)
def test_the_log_rebuilds_the_state_byte_for_byte(book: list[list[Any]]) -> None:
    state, lines, resolved = delta.empty_state(), [], set[str]()
    for chapter, listed in enumerate(book, start=1):
        step = delta.apply(state, {"chapter": chapter, "ops": listed}, resolved=resolved)
        resolved |= {
            one["path"] for one in step.ops if one["op"] == "foreshadow" and one["value"] == "resolved"
        }
        base, state = state["state_version"], step.state
        lines.append(
            changelog.log_line("t", chapter, "main", base, state["state_version"], step.ops, step.dropped)
        )
    stored = json.loads(json.dumps(lines))
    assert bytes_of(changelog.replay(stored)) == bytes_of(state)
    assert changelog.resolved_ids(stored) == resolved
    assert not resolved & set(state["active_foreshadowing"])


@given(st.lists(ops, max_size=10), st.lists(ops, max_size=10))
def test_every_op_is_applied_or_dropped_and_nothing_given_changes(
    first: list[Any], second: list[Any]
) -> None:
    before = delta.apply(None, {"chapter": 1, "ops": first}).state
    kept, told = bytes_of(before), repr(second)
    after = delta.apply(before, {"chapter": 2, "ops": second})
    assert (bytes_of(before), repr(second)) == (kept, told)
    dropped = [repr(one["op"]) for one in after.dropped]
    for op in second:  # each alone, for one op may become several
        dropped.remove(repr(op)) if repr(op) in dropped else None
    assert dropped == []
    assert all(entry["reason"] for entry in after.dropped)
    json.dumps(after.state, allow_nan=False)


@given(st.lists(ops, max_size=10))
def test_dropped_ops_leave_no_trace(listed: list[Any]) -> None:
    whole = delta.apply(None, {"chapter": 1, "ops": listed})
    rest = delta.apply(None, {"chapter": 1, "ops": deep_copy(whole.ops)})
    assert bytes_of(rest.state) == bytes_of(whole.state)
    assert rest.dropped == []


@given(st.lists(ops, max_size=10))
def test_no_entry_is_made_twice_and_each_by_name_bears_it(listed: list[Any]) -> None:
    state = delta.apply(None, {"chapter": 1, "ops": listed}).state
    for section in ("items", "locations", "factions"):
        keys = list(state[section])
        assert len({unicodedata.normalize("NFC", key) for key in keys}) == len(keys)
        for key in keys:
            if not layout.SLUG.match(key):
                assert key == unicodedata.normalize("NFC", key)
                assert len(key) <= 20 and key.isprintable() and not any(map(str.isspace, key))
                assert isinstance(state[section][key]["display_name"], str)


@given(st.lists(ops, max_size=10), st.lists(ops, max_size=10))
def test_a_name_is_one_in_either_form(first: list[Any], second: list[Any]) -> None:
    def in_form(form: Any, listed: list[Any]) -> list[Any]:
        def told(op: Any) -> Any:
            return {**op, "path": unicodedata.normalize(form, op["path"])} if _has_path(op) else op

        return [told(op) for op in listed]

    made = []
    for form in ("NFC", "NFD"):
        state = delta.apply(None, {"chapter": 1, "ops": in_form("NFC", first)}).state
        one = delta.apply(state, {"chapter": 2, "ops": [o for o in in_form(form, second) if _is_named(o)]})
        made.append(bytes_of([{key: sorted(one.state[key]) for key in one.state if key in NAMED}]))
    assert made[0] == made[1]


NAMED = ("items", "locations", "factions")


def _has_path(op: Any) -> bool:
    return isinstance(op, dict) and isinstance(op.get("path"), str)


def _is_named(op: Any) -> bool:
    return _has_path(op) and op["path"].split(".")[0] in NAMED
