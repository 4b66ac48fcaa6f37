"""The guard's JSON agrees with the standard library's, with and without the C part."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.hook.client import wire

TEXT = st.text(st.characters(), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@pytest.fixture(params=["C part", "json"], autouse=True)
def half(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With `_json`, and as where it does not exist."""
    if request.param == "json":
        monkeypatch.setitem(sys.modules, "_json", None)
    return str(request.param)


@given(value=VALUES, indent=st.sampled_from([None, 2]), ascii_only=st.booleans())
def test_reads_what_json_reads(value: Any, indent: int | None, ascii_only: bool) -> None:
    data = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    if "\\ud" not in data.decode("utf-8", "replace") and b"\xed" not in data:
        assert wire.loads(data) == json.loads(data)


def _no_constant(spelling: str) -> Any:
    raise ValueError(spelling)


@given(text=st.text(max_size=40))
def test_anything_else_is_a_value_error(text: str) -> None:
    try:
        wanted = json.loads(text.lstrip("\ufeff"), parse_constant=_no_constant)
    except ValueError:
        with pytest.raises(ValueError):  # noqa: PT011  (any of its kinds)
            wire.loads(text.encode())
    else:
        assert wire.loads(text.encode()) == wanted


@pytest.mark.parametrize(
    "broken", ["", " ", "{", '{"a":1', '{"a":1}}', "{} {}", "NaN", "-Infinity", '"a\nb"', "tru"]
)
def test_what_is_no_json(broken: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        wire.loads(broken.encode())


def test_nesting_without_end_is_refused() -> None:
    with pytest.raises((RecursionError, ValueError)):
        wire.loads(b"[" * 200_000)


def test_bytes_that_are_no_text_become_half_characters() -> None:
    assert wire.loads(b'"a\xffb"') == "a\udcffb"


@given(text=st.text(st.characters()))
def test_a_quoted_text_reads_back(text: str) -> None:
    assert json.loads(wire.quoted(text)) == text


@given(fields=st.dictionaries(st.text(st.characters(categories=["L", "P"])), st.none() | TEXT))
def test_a_record_is_canonical(fields: dict[str, str | None]) -> None:
    assert json.loads(wire.record(fields)) == fields
    assert "\n" not in wire.record(fields)


def test_a_record_is_as_every_other_line_of_a_log() -> None:
    from novel_hooks.store.formats import jsonio

    fields = {"ts": "x", "path": '章/"a".md', "agent_id": None}
    assert (wire.record(fields) + "\n").encode() == jsonio.dump_line(fields)
