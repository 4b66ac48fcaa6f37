"""Marks of passages: whoever shares a long one shares a mark, and rows say of which chapter it is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.recall import passages

HAN = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x4E40), min_size=0, max_size=300)


@given(
    HAN,
    HAN,
    HAN,
    HAN,
    st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FA0), min_size=passages.SURE, max_size=200),
)
def test_two_texts_that_share_a_long_passage_share_a_mark(
    before: str, behind: str, other: str, last: str, shared: str
) -> None:
    one = passages.passage_marks(before + shared + behind)
    two = passages.passage_marks(other + shared + last)
    assert set(one) & set(two)


def test_a_short_text_has_no_row() -> None:
    body = "灯灭了船靠岸"
    assert passages.row(7, "夜渡", body * 33) is None
    made = passages.row(7, "夜渡", body * 34)
    assert made is not None and made.startswith(f"7\t{passages.title_mark('夜渡')}\t")


def test_a_title_is_known_by_its_words() -> None:
    assert passages.title_mark("夜渡 二") == passages.title_mark("夜·渡二") != passages.title_mark("夜渡")
    rows = ["7\t" + passages.title_mark("夜渡 二") + "\t00000000", "9\t-\t00000001"]
    assert passages.with_title(rows, "夜渡·二", 8) == [7]
    assert passages.with_title(rows, "夜渡二", 7) == []
    assert passages.with_title(rows, "……", 99) == []


def test_a_row_takes_the_place_of_its_chapters_own() -> None:
    rows = ["7\ta\tb", "77\ta\tb"]
    assert passages.with_row(rows, 7, "7\tc\td") == ["77\ta\tb", "7\tc\td"]
    assert passages.with_row(rows, 77, None) == ["7\ta\tb"]
    assert passages.indexed_chapters([*rows, "x", ""]) == {7, 77}


def test_who_shares_most_comes_first_and_later_chapters_do_not_count() -> None:
    text = "".join(chr(0x4E00 + at * 7 % 5000) for at in range(600))
    rows = [
        passages.row(number, "", body) or ""
        for number, body in ((3, text[:250] + "灯" * 300), (5, text), (8, text), (9, "灯" * 300))
    ]
    assert passages.find_sharing(rows, text, 8) == [5, 3]
    assert passages.find_sharing(rows, "灯" * 100, 8) == []
