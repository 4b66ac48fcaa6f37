"""Texts in an encoding that nobody named."""

from __future__ import annotations

import pytest

from novel_hooks.store.formats import detection

SIMPLE = "第一章 夜雨\n\n他从桥上走过来，没有说话。风很大，灯一盏一盏地灭了。\n" * 5
COMPLEX = "第一章 夜雨\n\n他從橋上走過來，沒有說話。風很大，燈一盞一盞地滅了。\n" * 5


@pytest.mark.parametrize(
    ("text", "encoding", "read_as"),
    [
        (SIMPLE, "utf-8", "utf-8"),
        (SIMPLE, "utf-8-sig", "utf-8"),
        (SIMPLE, "gb18030", "gb18030"),
        (SIMPLE, "gbk", "gb18030"),
        (COMPLEX, "gb18030", "gb18030"),
        (COMPLEX, "big5", "big5"),
        (f"{COMPLEX}佢哋喺邊度，睇吓㗎。\n", "big5hkscs", "big5hkscs"),
        (f"{SIMPLE}𠮷野来了，㐀。\n", "gb18030", "gb18030"),
        (SIMPLE.replace(" ", "").replace("\n", "\u3000"), "utf-16-le", "utf-16-le"),
        (SIMPLE, "utf-16", "utf-16"),
        (SIMPLE, "utf-16-le", "utf-16-le"),
        (SIMPLE, "utf-16-be", "utf-16-be"),
    ],
)
def test_encodings(text: str, encoding: str, read_as: str) -> None:
    assert detection.read(text.encode(encoding)) == detection.Read(text, read_as)


def test_line_ends_and_the_mark_of_old_editors() -> None:
    assert detection.read("甲。\r\n乙。\r丙。\x1a".encode()).text == "甲。\n乙。\n丙。"


def test_two_encodings_in_one_file_are_named_where_the_second_begins() -> None:
    first, second = (SIMPLE * 100).replace("\n", "\r\n").encode("gb18030"), (COMPLEX * 20).encode("big5")
    with pytest.raises(detection.Unread) as wrong:
        detection.read(first + second)
    assert (wrong.value.case, wrong.value.encoding) == ("marks", "gb18030")
    assert len(first) <= wrong.value.offset < len(first) + 1000


@pytest.mark.parametrize("encoding", ["gb18030", "big5"])
def test_a_zero_in_a_text_is_named_where_it_is(encoding: str) -> None:
    with pytest.raises(detection.Unread) as wrong:
        detection.read(COMPLEX.encode(encoding) + b"\0" + COMPLEX.encode(encoding))
    assert (wrong.value.case, wrong.value.encoding[:3]) == ("marks", "gb1")
    assert wrong.value.offset == len(COMPLEX.encode(encoding))


def test_the_authors_word_counts() -> None:
    assert detection.read(COMPLEX.encode("big5"), "big5").text == COMPLEX
    with pytest.raises(detection.Unread) as wrong:
        detection.read(SIMPLE.encode("gb18030"), "utf-8")
    assert (wrong.value.case, wrong.value.encoding, wrong.value.offset) == ("broken", "utf-8", 0)


def test_what_cannot_be_decoded_is_refused_with_its_place() -> None:
    head = SIMPLE[:40].encode("gb18030")
    with pytest.raises(detection.Unread) as wrong:
        detection.read(head + b"\xff\xff" + SIMPLE.encode("gb18030"))
    assert (wrong.value.case, wrong.value.encoding, wrong.value.offset) == ("broken", "gb18030", len(head))


@pytest.mark.parametrize(("text", "offset"), [("甲\ufffd乙", 3), ("甲\x00", 3), ("甲\n\x07", 4)])
def test_marks_that_no_text_has(text: str, offset: int) -> None:
    with pytest.raises(detection.Unread) as wrong:
        detection.read(text.encode("utf-8"))
    assert (wrong.value.case, wrong.value.offset) == ("marks", offset)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_a_mark_is_counted_in_bytes_of_the_file(encoding: str) -> None:
    head = SIMPLE.replace("\n", "\r\n")
    with pytest.raises(detection.Unread) as wrong:
        detection.read(f"{head}\x07".encode(encoding))
    assert wrong.value.offset == len(head.encode(encoding))


def test_two_readings_that_are_both_no_prose_are_asked_about() -> None:
    with pytest.raises(detection.Unread) as wrong:
        detection.read("罣喉".encode("big5"))
    assert wrong.value.case == "several"
    assert "gb18030" in wrong.value.readings
