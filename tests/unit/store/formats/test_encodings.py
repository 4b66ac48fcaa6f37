"""What a text that is not UTF-8 may be: proved by its mark, else shown to the author, never guessed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks import errors
from novel_hooks.store.formats import encodings
from novel_hooks.store.formats.encodings import Unreadable
from novel_hooks.store.formats.text import decode

PLAIN = "# 第一章 桥头\n\n　　他走了，没有回头。“够吃吗？”她问。\n"
FULL = "# 第一章 橋頭\n\n　　他走了，沒有回頭。「夠吃嗎？」她問。一路上沒有燈。\n"
CASES = {
    "gb18030": PLAIN.encode("gb18030"),
    "big5": FULL.encode("big5"),
    "utf-16": PLAIN.encode("utf-16"),
    "utf-32": PLAIN.encode("utf-32"),
    "utf-16-le": PLAIN.encode("utf-16-le"),
    "utf-16-be": PLAIN.encode("utf-16-be"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_it_is_is_among_what_it_may_be(name: str) -> None:
    found = {one.encoding: one.begins for one in encodings.possible_readings(CASES[name])}
    text = FULL if name == "big5" else PLAIN
    assert found[name] == encodings.beginning(text) == text.splitlines()[0]
    assert encodings.decode(CASES[name], name) == text
    assert encodings.bom_encoding(CASES[name]) == (name if name in ("utf-16", "utf-32") else None)


def test_big5_is_not_called_gb18030() -> None:
    assert [one.encoding for one in encodings.possible_readings(CASES["big5"])] == ["big5"]
    with pytest.raises(Unreadable) as caught:
        encodings.decode(CASES["big5"], "gb18030")
    assert caught.value.offset == len("# 第".encode("big5"))


def test_utf16_is_not_called_gb18030() -> None:
    for name in ("utf-16", "utf-16-le", "utf-16-be"):
        assert [one.encoding for one in encodings.possible_readings(CASES[name])] == [name]


@pytest.mark.parametrize("name", ["utf-16", "utf-32"])
def test_without_its_mark_the_order_of_its_bytes_is_not_known(name: str) -> None:
    with pytest.raises(Unreadable) as caught:
        encodings.decode(PLAIN.encode(f"{name}-be"), name)
    assert caught.value.offset is None


def test_a_mark_and_rubbish_is_nothing() -> None:
    assert encodings.possible_readings(b"\xff\xfe\x00") == []
    assert encodings.possible_readings(b"\xff\xff\xff") == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gb18030", ("gb18030（读作「# 第一章 桥头」）",)),
        ("big5", ("big5（读作「# 第一章 橋頭」）",)),
        ("utf-16", ("开头的记号说它是 utf-16",)),
        ("utf-16-be", ("utf-16-be（读作「# 第一章 桥头」）",)),
    ],
)
def test_a_file_that_is_refused_says_what_it_may_be_and_what_to_do(name: str, words: tuple[str, ...]) -> None:
    with pytest.raises(errors.TextNotUtf8) as caught:
        decode(CASES[name], "research/samples/旧文.txt")
    told = caught.value.diagnostic()
    assert all(word in told.message for word in words), told.message
    assert "另存为 UTF-8" in told.fix
    if name != "gb18030":
        assert "gb18030" not in told.message


@given(st.binary(max_size=40))
def test_any_bytes_have_readings_that_hold(data: bytes) -> None:
    for one in encodings.possible_readings(data):
        assert encodings.beginning(encodings.decode(data, one.encoding)) == one.begins


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", []),
        ("桥头".encode("gb18030"), ["gb18030", "big5"]),
        ("a桥".encode("utf-16-le"), ["utf-16-le", "utf-16-be"]),
        (b"\0" + "桥".encode("gb18030"), []),
        ("\ufeff桥".encode("utf-16-be"), ["utf-16"]),
        ("\ufeff桥".encode("utf-32-le"), ["utf-32"]),
        ("\ufeff桥".encode("utf-32-be"), ["utf-32"]),
        (b"\xff\xfe", []),
    ],
)
def test_readings_are_named_by_what_speaks_for_them(data: bytes, found: list[str]) -> None:
    assert [one.encoding for one in encodings.possible_readings(data)] == found


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("a\tb\r\n\f\x1a", None),
        ("字\U0001f600\U00020000\U000effff", None),
        ("字\x07", 2),
        ("ab字\x00", 4),
        ("\ue000", 0),
        ("a\U000f0000", 1),
        ("a\U0010ffff", 1),
        ("a\u0378", 1),
        ("a\u200b", None),
    ],
)
def test_a_text_has_characters_only(text: str, offset: int | None) -> None:
    data = text.encode("gb18030")
    if offset is None:
        assert encodings.decode(data, "gb18030") == text
        return
    with pytest.raises(Unreadable) as caught:
        encodings.decode(data, "gb18030")
    assert caught.value.offset == offset


@pytest.mark.parametrize(
    ("data", "name", "offset"), [(b"ab\xff", "gb18030", 2), (b"\xff", "big5", 0), (b"a\0b", "utf-16-le", 2)]
)
def test_bytes_that_are_no_text_are_told_by_their_place(data: bytes, name: str, offset: int) -> None:
    with pytest.raises(Unreadable) as caught:
        encodings.decode(data, name)
    assert caught.value.offset == offset


def test_one_mark_at_the_beginning_is_no_text() -> None:
    assert encodings.decode("\ufeff字\ufeff".encode("utf-16-le"), "utf-16-le") == "字\ufeff"
    assert encodings.decode("\ufeff字".encode("utf-16-le"), "utf-16") == "字"


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("", ""),
        ("\n \n  一二三四五六七八九十 \n尾", "一二三四五六七八九十"),
        ("一二三四五六七八九十甲", "一二三四五六七八九十…"),
        ("短\n长", "短"),
    ],
)
def test_a_text_begins_with_ten_characters(text: str, begins: str) -> None:
    assert encodings.beginning(text) == begins


def test_readings_are_told_in_a_row() -> None:
    readings = [encodings.Reading("gb18030", "桥头"), encodings.Reading("big5", "x")]
    assert encodings.describe(readings) == "gb18030（读作「桥头」）或 big5（读作「x」）"
    assert encodings.describe(readings[:1]) == "gb18030（读作「桥头」）"
