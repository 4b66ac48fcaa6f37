"""Two versions compared phrase by phrase."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.review import difference
from novel_hooks.rules.review.difference import GONE, NEW, SAME, Amount, Line, Piece

TEXTS = st.text("甲乙丙。！”，\n", max_size=60)


def shape(before: str, after: str) -> list[tuple[str, str]]:
    return [(piece.kind, piece.text) for piece in difference.pieces(before, after)]


@given(TEXTS, TEXTS)
def test_the_pieces_are_both_versions(before: str, after: str) -> None:
    found = difference.pieces(before, after)
    assert "".join(one.text for one in found if one.kind != NEW) == before
    assert "".join(one.text for one in found if one.kind != GONE) == after
    assert all(one.text for one in found)
    assert all(one.kind != other.kind for one, other in zip(found, found[1:]))


def test_a_phrase_is_shown_and_not_its_marks() -> None:
    assert shape("他提起灯，慢慢走进巷子。", "他举高了灯，走进巷子。") == [
        (SAME, "他"),
        (GONE, "提起"),
        (NEW, "举高了"),
        (SAME, "灯，"),
        (GONE, "慢慢"),
        (SAME, "走进巷子。"),
    ]


def test_a_new_paragraph_does_not_tear_the_changed_one_behind_it() -> None:
    assert shape("雨下得很大，他偏了偏伞。\n", "门开了一条缝。\n雨很大，他偏了偏伞。\n") == [
        (NEW, "门开了一条缝。\n"),
        (SAME, "雨"),
        (GONE, "下得"),
        (SAME, "很大，他偏了偏伞。\n"),
    ]


def test_a_sentence_written_anew_is_replaced_whole() -> None:
    before, after = "他想起了从前的那条河。", "楼下有人敲了三遍更。"
    assert shape(before, after) == [(GONE, before), (NEW, after)]


@pytest.mark.parametrize("length", [601, 4000])
def test_a_long_piece_without_a_stop_is_not_compared_mark_by_mark(length: int) -> None:
    before, after = "甲" * length, "甲" * length + "乙"
    assert shape(before, after) == [(GONE, before), (NEW, after)]


def test_the_lines_that_changed_have_their_numbers_in_the_newer_text() -> None:
    found = difference.pieces("一。\n二。\n三。\n四。\n", "一。\n三。\n四五。\n")
    assert difference.changed_lines(found) == [
        Line(2, (Piece(GONE, "二。"),)),
        Line(3, (Piece(SAME, "四"), Piece(NEW, "五"), Piece(SAME, "。"))),
    ]


def test_what_is_kept_far_from_a_change_is_left_out() -> None:
    line = Line(1, (Piece(SAME, "甲" * 30), Piece(GONE, "乙"), Piece(SAME, "丙" * 30), Piece(NEW, "丁")))
    assert [piece.text for piece in difference.shortened(line, 5).pieces] == [
        "……" + "甲" * 5,
        "乙",
        "丙" * 5 + "……" + "丙" * 5,
        "丁",
    ]


def test_the_amount_counts_places_and_characters_without_blanks() -> None:
    found = difference.pieces("他 提起灯，慢慢走。", "他举高灯，走。\n完。")
    assert difference.amount(found)._asdict() == {"places": 3, "removed": 4, "added": 4}
    assert difference.amount(()) == (0, 0, 0)


def test_a_change_is_marked_in_its_paragraph() -> None:
    found = difference.pieces("一。\n他怕黑，不敢走。\n", "一。\n他怕水，不敢走。\n二。\n")
    assert difference.numbered_lines(found, 1) == (["第 2 行　他怕〔删：黑〕〔增：水〕，不敢走。"], 1)
    assert difference.numbered_lines(found, 9)[1] == 0
    assert difference.words_text("他怕黑，不走。", "他怕水，不走。") == "他怕〔删：黑〕〔增：水〕，不走。"
    assert difference.words_text("他怕黑 。", "他怕黑。") == ""


def test_the_amount_in_words() -> None:
    assert difference.counted_text(Amount(2, 1200, 3)) == "改了 2 处：删 1,200 字，增 3 字"
    assert difference.counted_text(Amount(0, 0, 0)) == "一个字也没有改"
