"""The guard's JSON agrees with the standard library's, with and without the C part."""

from __future__ import annotations

import json
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from conftest import CHECKOUT
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
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        wire.loads(broken.encode())
    assert str(refused.value) not in ("", "None"), "it says what is wrong"


@pytest.mark.parametrize("around", [" {} ", "\t{}\r\n", "\ufeff{}", "\ufeff\ufeff \n{}"])
def test_a_byte_order_mark_and_white_space_around_are_passed_over(around: str) -> None:
    assert wire.loads(around.format('{"a":["河"]}').encode()) == {"a": ["河"]}


@pytest.mark.parametrize("around", ["{}\ufeff", "X{}", " \ufeff{}", "\u00a0{}", "{}\f"])
def test_other_marks_around_are_not(around: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        wire.loads(around.format('{"a":1}').encode())


def test_numbers_come_as_json_has_them() -> None:
    found = wire.loads(b"[1, 2.5, -3, 1e2, true, null]")
    assert found == [1, 2.5, -3, 100.0, True, None]
    assert isinstance(found, list) and [type(one) for one in found[:4]] == [int, float, int, float]


def served(respond: str, data: bytes) -> subprocess.CompletedProcess[bytes]:
    code = f"from novel_hooks.hook.client import wire; wire.serve({respond})"
    return subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, cwd=CHECKOUT)


def test_a_long_event_is_read_to_its_end_and_a_long_answer_written_to_its() -> None:
    data = bytes(range(256)) * 9000
    done = served("lambda data: data[::-1]", data)
    assert (done.returncode, done.stderr) == (0, b"") and done.stdout == data[::-1]


def test_what_breaks_is_told_by_the_exit_code_alone() -> None:
    done = served("lambda data: b'' if data else 1 // 0", b"")
    assert (done.returncode, done.stdout, done.stderr) == (wire.BROKEN, b"", b"")


@pytest.mark.parametrize("held", [None, b"{", b"\xff", b"[" * 60_000])
def test_a_file_without_a_value_holds_none(tmp_path: Path, held: bytes | None) -> None:
    place = tmp_path / "x.json"
    if held is not None:
        place.write_bytes(held)
    assert wire.read(str(place)) is None
    place.write_bytes(b'{"a":1}')
    assert wire.read(str(place)) == {"a": 1}


def test_nesting_without_end_is_refused() -> None:
    with pytest.raises((RecursionError, ValueError)):
        wire.loads(b"[" * 200_000)


def test_bytes_that_are_no_text_become_half_characters() -> None:
    assert wire.loads(b'"a\xffb"') == "a\udcffb"


@pytest.mark.parametrize(
    ("text", "quoted"),
    [("河", '"河"'), ('a"\\b', '"a\\"\\\\b"'), ("\n\x01", '"\\n\\u0001"'), ("\u2028", '"\u2028"')],
)
def test_nothing_is_escaped_that_need_not_be(text: str, quoted: str) -> None:
    assert wire.quoted(text) == quoted


@given(text=st.text(st.characters()))
def test_a_quoted_text_reads_back(text: str) -> None:
    assert json.loads(wire.quoted(text)) == text


@given(fields=st.dictionaries(st.text(st.characters(categories=["L", "P"])), st.none() | TEXT))
def test_a_record_is_canonical(fields: dict[str, str | None]) -> None:
    assert json.loads(wire.record(fields)) == fields
    assert "\n" not in wire.record(fields)


def test_a_record_is_sorted_by_key_and_compact() -> None:
    assert wire.record({"b": None, "a": "x y", "ab": ""}) == '{"a":"x y","ab":"","b":null}'
    assert wire.record({}) == "{}"


def test_without_the_c_part_there_is_no_scanner(half: str) -> None:
    assert (wire._scanner() is None) is (half == "json")


def test_with_a_c_part_of_another_interface_json_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for other in (types.SimpleNamespace(), types.SimpleNamespace(make_scanner=int)):
        monkeypatch.setitem(sys.modules, "_json", other)
        assert wire.loads(b'{"a": 1}') == {"a": 1}


def test_a_record_is_as_every_other_line_of_a_log() -> None:
    from novel_hooks.store.formats import jsonio

    fields = {"ts": "x", "path": '章/"a".md', "agent_id": None}
    assert (wire.record(fields) + "\n").encode() == jsonio.dump_line(fields)
