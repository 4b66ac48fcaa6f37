"""First and last sentences, openings, repeats."""

from __future__ import annotations

import pytest

from novel_hooks.rules.report.phrases import SHOWN_CHAPTERS, Phrases, rate


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        ("“走吧。”他说。\n天黑了，灯一盏一盏灭下去。", ("对话", "叙述")),
        ("沈渡收了缆。\n\n“不走。”", ("人物", "对话")),
        ("第三天，船来了。\n是谁？", ("时间", "疑问")),
        ("清晨有雾。\n灯灭了……", ("时间", "省略")),
        ("水声不停。\n走！", ("叙述", "感叹")),
        ("水声不停。\n灯灭了。", ("叙述", "短句")),
        ("　　水声", ("叙述", "短句")),
        ("\n  \n", (None, None)),
        ("……", ("叙述", "省略")),
    ],
)
def test_how_a_chapter_begins_and_ends(body: str, kinds: tuple[str | None, str | None]) -> None:
    if body == "……":
        kinds = (None, None)  # marks alone are no sentence
    assert Phrases({"沈渡"}).add(1, body) == kinds


def test_sentence_openings_leave_names_out() -> None:
    book = Phrases({"沈渡", "舟"})
    book.add(1, "他没走。沈渡走了。“他没来。”\nAB。他。")
    assert book.openings(1000) == [{"text": "他没", "count": 2, "rate": 2.0}]


def test_the_most_frequent_opening_comes_first_and_of_equal_repeats_the_first_by_its_words() -> None:
    book = Phrases()
    book.add(1, "他没走。他没来。她又哭。她又笑。她又走。")
    assert [one["text"] for one in book.openings(1000)] == ["她又", "他没"]
    ships, lamps = "船一条一条地漂下去了。", "灯一盏一盏地灭下去了。"
    other = Phrases()
    for chapter, body in enumerate((ships, ships + lamps, lamps), start=1):
        other.add(chapter, body)
    assert [one["text"] for one in other.repeats()] == [lamps, ships]


def test_a_sentence_of_two_chapters_is_a_repeat_and_one_of_one_is_not() -> None:
    book = Phrases()
    twice, short = "灯一盏一盏地灭下去了。", "灯灭了。"
    book.add(1, f"{twice}{short}{twice}")
    assert book.repeats() == [] and book.repeated_counts() == {}
    book.add(2, f"“{twice}”{short}水从船底漫上来又退下去。")
    assert book.repeats() == [{"text": twice, "count": 2, "chapters": [1, 2]}]
    assert book.repeated_counts() == {1: 1, 2: 1}


def test_the_sentence_of_the_most_chapters_comes_first_and_its_list_is_cut() -> None:
    book = Phrases()
    for chapter in range(1, SHOWN_CHAPTERS + 6):
        book.add(chapter, "灯一盏一盏地灭下去了。" + ("水从船底漫上来又退下去。" if chapter < 3 else ""))
    first, second = book.repeats()
    assert first["count"] == SHOWN_CHAPTERS + 5 and first["chapters"] == list(range(1, SHOWN_CHAPTERS + 1))
    assert second["chapters"] == [1, 2]


def test_a_rate_is_per_thousand() -> None:
    assert (rate(3, 1500), rate(3, 0)) == (2.0, 0.0)
