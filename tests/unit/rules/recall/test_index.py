"""The index of names as rows, and the chapters of a word."""

from __future__ import annotations

import pytest

from novel_hooks.rules.recall import index as indexes
from novel_hooks.rules.recall.index import Entry, Index

WORDS = ("沈渡", "铜灯", "渡口")
ONE, TWELVE = Entry("9 1 1", "a" * 64, 3, " 0 2 "), Entry("", "b" * 64, 2, " ")
TWO = Index(WORDS, {1: indexes.entry_line(1, ONE), 12: indexes.entry_line(12, TWELVE)})


def test_places_are_the_numbers_of_the_words_in_the_bytes() -> None:
    data = "沈渡看见渡口。".encode()
    assert indexes.places(WORDS, data) == "0 2 "
    assert indexes.places(WORDS[1:], data, 1) == "2 "
    assert indexes.places(WORDS, b"") == ""


def test_a_words_number_is_found_as_a_whole() -> None:
    words = tuple(f"词{chr(0x4E00 + n)}" for n in range(13))
    held = f" {indexes.places(words, words[11].encode())}"
    assert indexes.numbers(words, [words[11], "没有"]) == [" 11 "] and " 11 " in held
    assert indexes.numbers(words, [words[1]])[0] not in held


def test_words_are_added_behind_until_there_are_too_many() -> None:
    assert indexes.with_words(TWO, ["铜灯", "新词", "新词"]) == (*WORDS, "新词")
    assert indexes.with_words(TWO, []) == WORDS
    full = Index(tuple(f"词{n}" for n in range(indexes.CAPACITY)), {})
    assert indexes.with_words(full, ["词1"]) == full.words
    assert indexes.with_words(full, ["词1", "新词"]) == ("词1", "新词")


def test_rows_are_read_back() -> None:
    assert indexes.parse(indexes.rows(TWO)) == TWO
    assert indexes.parse(indexes.rows(Index())) == Index()
    assert (TWO.entry(1), TWO.entry(12), TWO.entry(2)) == (ONE, TWELVE, None)


def test_a_chapter_is_put_into_the_rows() -> None:
    data = "铜灯在渡口。".encode()
    for chapter in (12, 2, 13):
        found = indexes.parse(indexes.with_chapter(indexes.rows(TWO), chapter, "c" * 64, data))
        assert found is not None and found.words == WORDS
        assert found.entry(chapter) == Entry("", "c" * 64, 3, " 1 2 ")
        assert set(found.lines) == {1, 12, chapter} and found.entry(1) == ONE
    numbered = indexes.rows(Index(("12", "铜灯"), {}))
    found = indexes.parse(indexes.with_chapter(numbered, 12, "", b"12"))
    assert found is not None and found.entry(12) == Entry("", "", 2, " 0 ")


@pytest.mark.parametrize("rows", [[], ["", "x\t\t\t"]])
def test_other_rows_are_none(rows: list[str]) -> None:
    assert indexes.parse(rows) is None


@pytest.mark.parametrize("row", ["1\t2", "1\t\t\t", "1\t\t\tx\t", "1\t\t\t\t\t"])
def test_another_line_is_no_entry(row: str) -> None:
    found = indexes.parse(["", row])
    assert found is not None and found.entry(1) is None
