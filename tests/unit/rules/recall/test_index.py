"""The index of names as rows, and the chapters of a word."""

from __future__ import annotations

import pytest

from novel_hooks.rules.recall import index as indexes
from novel_hooks.rules.recall.index import Entry, Index

WORDS = ("沈渡", "铜灯", "渡口")
TWO = Index(WORDS, {1: Entry("9 1 1", "a" * 64, " 0 2 "), 12: Entry("", "b" * 64, " ")})


def test_places_are_the_numbers_of_the_words_in_the_bytes() -> None:
    data = "沈渡看见渡口。".encode()
    assert indexes.places(WORDS, data) == "0 2 "
    assert indexes.places(WORDS[1:], data, 1) == "2 "
    assert indexes.places(WORDS, b"") == ""


def test_chapters_of_words_in_both_orders() -> None:
    entries = {n: Entry("", "", f" {indexes.places(WORDS, text.encode())}") for n, text in TEXTS.items()}
    index = Index(WORDS, entries)
    assert list(indexes.chapters_of(index, ["铜灯"])) == [2, 11]
    assert list(indexes.chapters_of(index, ["铜灯", "沈渡"], newest_first=True)) == [11, 2, 1]
    assert list(indexes.chapters_of(index, ["没有"])) == []


TEXTS = {1: "沈渡。", 2: "沈渡的铜灯。", 11: "铜灯。", 3: "渡口。"}


def test_a_word_numbered_one_is_not_one_numbered_eleven() -> None:
    words = tuple(f"词{chr(0x4E00 + n)}" for n in range(13))
    index = Index(words, {1: Entry("", "", f" {indexes.places(words, words[11].encode())}")})
    assert list(indexes.chapters_of(index, [words[1]])) == []
    assert list(indexes.chapters_of(index, [words[11]])) == [1]


def test_words_are_added_behind_until_there_are_too_many() -> None:
    assert indexes.with_words(TWO, ["铜灯", "新词", "新词"]) == (*WORDS, "新词")
    assert indexes.with_words(TWO, []) == WORDS
    full = Index(tuple(f"词{n}" for n in range(indexes.CAPACITY)), {})
    assert indexes.with_words(full, ["词1"]) == full.words
    assert indexes.with_words(full, ["词1", "新词"]) == ("词1", "新词")


def test_rows_are_read_back() -> None:
    assert indexes.parse(indexes.rows(TWO)) == TWO
    assert indexes.parse(indexes.rows(Index())) == Index()


def test_a_chapter_is_put_into_the_rows() -> None:
    data = "铜灯在渡口。".encode()
    new = Entry("", "c" * 64, " 1 2 ")
    for chapter in (12, 2, 13):
        found = indexes.parse(indexes.with_chapter(indexes.rows(TWO), chapter, "c" * 64, data))
        assert found == Index(WORDS, {**TWO.entries, chapter: new})
    numbered = indexes.rows(Index(("12", "铜灯"), {}))
    assert indexes.parse(indexes.with_chapter(numbered, 12, "", b"12")) == Index(
        ("12", "铜灯"), {12: Entry("", "", " 0 ")}
    )


@pytest.mark.parametrize("rows", [[], ["", "1\t2"], ["", "x\t\t\t"], ["", "1\t\t\t\t"]])
def test_other_rows_are_none(rows: list[str]) -> None:
    assert indexes.parse(rows) is None
