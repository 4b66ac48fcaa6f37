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
