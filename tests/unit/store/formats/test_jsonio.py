"""Strict JSON in: what is refused, where, and in which words; canonical JSON out."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks import errors
from novel_hooks.store.formats import jsonio

PATH = "state/current-state.json"

REFUSED = [
    ('{"a": 1,\n "a": 2}', 2, 2, "「a」"),
    ('{"a": {"b": 1},\n "c": [{"b": 1, "b": 2}]}', 2, 17, "「b」"),
    ('{"\\u0061": 1, "a": 2}', 1, 15, "「a」"),
    ('{"a":\nNaN}', 2, 1, "NaN"),
    ('["NaN", Infinity]', 1, 9, "Infinity"),
    ("[-Infinity]", 1, 2, "-Infinity"),
    ("[1, 1e999]", 1, 5, "太大"),
    ("[-1E+999]", 1, 2, "太大"),
    ('["1e999", ' + "9" * 301 + "]", 1, 11, "300 位"),
    ("[\n" + "[" * 200 + "]" * 200 + "]", 2, 100, "100 层"),
    ('{"a":' * 3000 + "1" + "}" * 3000, 1, 501, "100 层"),
    ("[" * 100_000, 1, 101, "100 层"),
    ('["ok", "\\ud800"]', 1, 8, "代理"),
    ('{"\\udc00x": 1}', 1, 2, "代理"),
    ('{"a": 1 , }', 1, 9, "多了一个逗号"),
    ('{"a": [1,\n]}', 1, 9, "多了一个逗号"),
    ('{"a": 1, b}', 1, 10, "键名"),
    ("[,]", 1, 2, "逗号"),
    ('{"a" 1}', 1, 6, "冒号"),
    ("[1 2]", 1, 4, "逗号"),
    ('{"a": 1} x', 1, 10, "多余"),
    ('{"a": "b', 1, 7, "双引号收尾"),
    ('"a\nb"', 1, 3, "换行"),
    ('"\\x"', 1, 2, "反斜杠"),
    ("[1,\r\n\r\nx]", 3, 1, "一个值"),
    ("{'a': 1}", 1, 2, "双引号"),
]


@pytest.mark.parametrize(("text", "line", "column", "words"), REFUSED)
def test_what_is_refused_is_told_with_its_place(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(errors.JsonBroken) as caught:
        jsonio.parse(text.encode(), PATH)
    told = caught.value
    found = told.values["line"], told.values["column"], words in str(told.values["fault"])
    assert found == (line, column, True), told
    assert told.exit == errors.REFUSED and told.path == PATH


def test_a_file_of_our_own_is_damage() -> None:
    with pytest.raises(errors.OwnJsonBroken) as caught:
        jsonio.parse(b"{", PATH, own=True)
    assert caught.value.exit == errors.DAMAGED


def test_every_syntax_message_of_this_python_is_chinese() -> None:
    for text in (
        "[",
        "{",
        '{"a"',
        '{"a":',
        "[1",
        "[1,",
        "[1,]",
        '{"a":1',
        '{"a":1,}',
        '"',
        '"\\',
        '"\\u12',
        "tru",
    ):
        with pytest.raises(errors.JsonBroken) as caught:
            jsonio.parse(text.encode(), PATH)
        detail = str(caught.value.values["fault"])
        assert not any(word in detail for word in ("Expect", "Invalid", "Unterminated", "Illegal")), detail


def test_bom_and_crlf_are_read() -> None:
    assert jsonio.parse(b'\xef\xbb\xbf{"a":\r\n[1, 2.5, null, true]}\r\n', PATH) == {
        "a": [1, 2.5, None, True]
    }


def test_not_utf8_is_told_with_the_byte() -> None:
    with pytest.raises(errors.TextNotUtf8) as caught:
        jsonio.parse('{"书": "'.encode() + b"\xff\xfe", PATH)
    assert caught.value.values["offset"] == 9


def test_whole_surrogate_pairs_and_big_numbers_within_bounds_pass() -> None:
    assert jsonio.parse(b'["\\ud83d\\ude00", 1e308, ' + b"9" * 300 + b"]", PATH) == [
        "😀",
        1e308,
        int("9" * 300),
    ]


def test_dump_is_canonical() -> None:
    assert jsonio.dump({"b": [1], "a": "书"}) == '{\n  "a": "书",\n  "b": [\n    1\n  ]\n}\n'.encode()
    assert jsonio.dump_line({"b": 1, "a": ["\n"]}) == b'{"a":["\\n"],"b":1}\n'


@pytest.mark.parametrize("value", [math.nan, math.inf, {"a": -math.inf}, "\ud800", {"\udfff": 1}])
def test_dump_refuses_what_parse_refuses(value: object) -> None:
    for dump in (jsonio.dump, jsonio.dump_line):
        with pytest.raises(ValueError, match=r"."):
            dump(value)


_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(_json)
def test_what_is_dumped_is_parsed_back_to_the_same_bytes(value: object) -> None:
    for dump in (jsonio.dump, jsonio.dump_line):
        data = dump(value)
        assert b"\r" not in data and data.endswith(b"\n")
        assert dump(jsonio.parse(data, PATH)) == data
    assert jsonio.dump_line(value).count(b"\n") == 1


@given(st.binary(max_size=60) | st.text('{}[]",:\\u0d8e1-.NaInfty \n', max_size=60).map(str.encode))
def test_any_bytes_give_a_value_or_a_problem(data: bytes) -> None:
    try:
        value = jsonio.parse(data, PATH)
    except (errors.JsonBroken, errors.TextNotUtf8):
        return
    jsonio.dump(value)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100 + "]" * 100,
        '{"a":' * 100 + "1" + "}" * 100,
        "[1, " + '{"a": [' * 49 + "[]" + "]}" * 49 + "]",
    ],
)
def test_a_text_has_100_levels_at_most(text: str) -> None:
    value = jsonio.parse(text.encode(), PATH)
    assert jsonio.parse(jsonio.dump(value), PATH) == value
    with pytest.raises(errors.JsonBroken, match="100 层"):
        jsonio.parse(f"[0, {text}]".encode(), PATH)


def test_levels_that_are_closed_do_not_count() -> None:
    value = [[[1], {"a": {}}]] * 300
    assert jsonio.parse(jsonio.dump(value), PATH) == value
    assert [jsonio.parse(text, PATH) for text in (b"7", b'"x"', b"null")] == [7, "x", None]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"\\uD83D\\uDE00"', "😀"),
        ('"\\\\ud800"', "\\ud800"),
        ('"\\\\uD800"', "\\uD800"),
        ("-" + "9" * 299, -int("9" * 299)),
        ("-0.0", -0.0),
        ("1e-999", 0.0),
    ],
)
def test_what_only_looks_odd_passes(text: str, value: object) -> None:
    assert jsonio.parse(text.encode(), PATH) == value


@pytest.mark.parametrize("text", ['"\\uD800"', '["\\uDC00\\uD800"]', "-" + "9" * 300, '{"a": "\\uDBFFx"}'])
def test_what_is_odd_is_refused(text: str) -> None:
    with pytest.raises(errors.JsonBroken) as caught:
        jsonio.parse(text.encode(), PATH)
    assert caught.value.path == PATH


def test_trusted_bytes_give_the_same_value() -> None:
    for data in (b"\xef\xbb\xbf[1, 2.5]\r\n", '{"书": [null, true]}'.encode()):
        assert jsonio.parse_trusted(data) == jsonio.parse(data, PATH)


@pytest.mark.parametrize("data", [b"\xff", "[1]".encode("utf-16"), "[1]".encode("utf-16-le"), b"[1"])
def test_bytes_that_parse_would_not_take_are_no_value_either(data: bytes) -> None:
    with pytest.raises((UnicodeDecodeError, json.JSONDecodeError)):
        jsonio.parse_trusted(data)


@pytest.mark.parametrize("data", [b"", b" \n", b"\xef\xbb\xbf\r\n"])
def test_a_file_with_nothing_in_it_is_taken_back_not_mended(data: bytes) -> None:
    """A cloud drive leaves it. What an agent staged is written again; `novel`'s own has its own advice."""
    with pytest.raises(errors.JsonBlank) as caught:
        jsonio.parse(data, PATH)
    assert "从备份取回" in (caught.value.diagnostic().fix or "")
    for path, own in ((f"staging/{PATH}", False), (PATH, True)):
        with pytest.raises(errors.JsonBroken) as other:
            jsonio.parse(data, path, own)
        assert not isinstance(other.value, errors.JsonBlank)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_line_of_a_log_holds_no_number_that_json_has_not(value: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        jsonio.dump_line({"a": value})


@pytest.mark.parametrize(("own", "kind"), [(False, errors.GitConflict), (True, errors.OwnGitConflict)])
def test_a_conflict_in_json_is_the_authors_or_our_own(own: bool, kind: type[errors.GitConflict]) -> None:
    with pytest.raises(errors.GitConflict) as refused:
        jsonio.parse(b"<<<<<<< HEAD\n{}\n=======\n[]\n>>>>>>> x\n", "p.json", own)
    assert type(refused.value) is kind
