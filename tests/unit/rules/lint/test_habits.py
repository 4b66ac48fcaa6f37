"""Habits of a chapter: how often, how many are allowed, and what weighs."""

from __future__ import annotations

import pytest

from novel_hooks.rules.lint import habit_table, habits
from novel_hooks.rules.lint.habit_table import Row
from novel_hooks.rules.lint.sheet import Sheet
from unit.rules.lint.samples import HEAD, PLAIN, advised, report


def test_limits_grow_with_the_length_and_never_fall_below_one() -> None:
    short, long = "她不禁退了。" * 2, "她不禁退了。" * 2 + PLAIN * 110
    assert advised(short, 1)[0]["allowed"] == 1.0
    assert advised(long, 1) == []


def test_four_kinds_over_their_limits_are_grave() -> None:
    assert report(PLAIN)["weight"] == "无"
    assert report("夜色渐浓。")["weight"] == "轻"
    assert report("夜色渐浓。首先，要粮；其次，要人。")["weight"] == "中"
    grave = report("夜色渐浓。首先，要粮；其次，要人。没有风，没有人，只有灯。殊不知，井空。")
    assert (grave["weight"], grave["kinds_over"]) == ("重", ["句式", "段落", "数字清单", "结尾升华"])


def row(number: int) -> Row:
    return next(row for row in habit_table.ROWS if row.number == number)


@pytest.mark.parametrize(
    ("number", "chars", "allowed"),
    [
        (1, 0, 1.0),
        (1, 1000, 1.0),
        (1, 1060, 1.1),
        (1, 2500, 2.5),
        (2, 500, 3.0),
        (2, 2000, 6.0),
        (9, 5000, 1),
        (11, 5000, 0),
        (16, 0, 4.0),
        (16, 500, 4.0),
        (16, 834, 5.0),
        (16, 1000, 5.0),
        (16, 1001, 6.0),
        (16, 2000, 11.0),
    ],
)
def test_a_rate_grows_with_the_length(number: int, chars: int, allowed: float) -> None:
    assert habits.allowed_count(row(number), chars) == allowed


@pytest.mark.parametrize(
    ("count", "weight"), [(0, "无"), (1, "轻"), (2, "中"), (3, "中"), (4, "重"), (9, "重")]
)
def test_weight_of_so_many_kinds(count: int, weight: str) -> None:
    assert habits.weight(["用词"] * count) == weight


def test_words_are_found_in_order_the_longest_first() -> None:
    text = "灯芯灯油灯芯"
    assert habits.find_words(text, ["灯", "灯芯", "灯芯", "", " "]) == [(0, 2), (2, 3), (4, 6)]
    assert habits.find_words(text, ["灯"], 1) == [(2, 3), (4, 5)]
    assert habits.find_words(text, ["灯", "油"], 0, ["灯油"]) == [(0, 1), (4, 5)]
    assert habits.find_words("走走走", ["走走"]) == [(0, 2)]
    assert habits.find_words("走", ["停"]) == []


def test_a_finding_has_its_row_and_its_places() -> None:
    sheet = Sheet(f"{HEAD}她不禁退了。\n他忍不住，也不由得笑。")
    (found,) = habits.findings(sheet, 20)
    assert found[:6] == (1, "用词", "不禁、忍不住", 3, 1.0, row(1).advice)
    assert [sheet.text[start:end] for start, end in found.places] == ["不禁", "忍不住", "不由得"]


def test_a_habit_at_its_limit_is_let_alone() -> None:
    assert advised("她不禁退了。", 1) == []
    assert [one["count"] for one in advised("她不禁退了。" * 2, 1)] == [2]


HALF = [
    *(f"他走{mark}停。" for mark in ",.!?;:"),
    *(f"一{mark}停。" for mark in ",.!?;:"),
    *(f"\u9fff{mark}停。" for mark in ",.!?;:"),
    "他走！！",
    "他走。。",
    '他说"走',
    "他说'走",
]


@pytest.mark.parametrize("text", HALF)
def test_half_width_and_doubled_marks(text: str) -> None:
    (found,) = advised(f"{text}", 51, "半角")
    assert (found["count"], found["allowed"], found["kind"]) == (1, 0, "标点")
    assert found["advice"] == "换成全角，只用一个"


@pytest.mark.parametrize(
    "text", ["a,b。", "3.5。", "走:3点。", "他 3,000 文。", "ぁ,停。", "！?", "走…", '"a"', "走。\n.停"]
)
def test_a_half_width_mark_beside_other_letters_is_let_alone(text: str) -> None:
    assert advised(text, 51, "半角") == []


def test_every_half_width_mark_is_a_place_in_order() -> None:
    sheet = Sheet(f'{HEAD}走,停.走！！停,"走"')
    (found,) = habits.findings(sheet, 10)
    assert [sheet.text[start:end] for start, end in found.places] == [",", ".", "！！", ",", '"']
    assert [start for start, _ in found.places] == sorted(start for start, _ in found.places)
    assert (found.rule, found.kind, found.name, found.times, found.allowed) == (
        51,
        "标点",
        "半角标点、叠用标点",
        5,
        0,
    )
    assert habits.findings(Sheet("# 第 7 章 走,停"), 0) == []
    assert habits.findings(Sheet(",停。走"), 0) == []


def test_streams_have_the_offsets_of_the_sheet() -> None:
    sheet = Sheet("# 章\n　他走，“停！”她停。\n\n走！")
    streams = habits.Streams(sheet)
    hidden = "\n" * 5
    assert streams.text(habit_table.CLAUSES)[sheet.body :] == f"　他走\n{hidden[1:]}她停\n\n\n走\n"
    assert streams.text(habit_table.ENDING) == streams.text(habit_table.CLAUSES)
    assert streams.text(habit_table.SENTENCES)[sheet.body :] == f"　他走，{hidden[1:]}她停\n\n\n走\n"
    for stream in (habit_table.BODY, habit_table.DIALOGUE, habit_table.OPENING):
        assert streams.text(stream) == sheet.plain
    for stream in (habit_table.NARRATION, habit_table.PARAGRAPHS):
        assert streams.text(stream) == sheet.narration
    assert streams.text(habit_table.CLAUSES) is streams.text(habit_table.CLAUSES)
    assert [streams.start(stream) for stream in ("narration", "opening", "ending")] == [4, 5, 4]
    assert habits.Streams(Sheet("")).start(habit_table.OPENING) == 0


def test_the_ending_is_a_hundred_and_twenty_characters_of_narration() -> None:
    for count, times in ((116, [1]), (117, [])):
        body = f"才刚开始{'走' * (count - 1)}。"
        assert [one["count"] for one in advised(body, 44)] == times
        assert [one["count"] for one in advised(f"{body}\n\n“{'停' * 50}”　", 44)] == times


def test_a_pattern_is_tried_only_where_a_sign_of_it_is() -> None:
    assert habits.findings(Sheet(f"{HEAD}某种感觉，某种情绪。"), 10) != []
    rows = [one for one in habit_table.ROWS if one.pattern and one.stream != habit_table.OPENING]
    assert all(one.signs for one in rows)
