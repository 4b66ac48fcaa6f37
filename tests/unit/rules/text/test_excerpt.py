"""The end of a text, from the start of a paragraph."""

from __future__ import annotations

import pytest

from novel_hooks.rules.text import excerpt, length

BODY = "\n\n".join(f"　　第{n:02d}段。" + "字" * 10 for n in range(10))
TEXT = f"# 第 3 章 夜渡\n\n{BODY}\n"


def test_what_is_not_longer_stays_as_it_is() -> None:
    assert excerpt.ending(TEXT, length.chars(TEXT)) == TEXT
    assert excerpt.ending("", 5) == ""


def test_the_end_begins_with_a_paragraph_under_the_heading() -> None:
    found = excerpt.ending(TEXT, 40)
    assert found == "# 第 3 章 夜渡\n\n　　第08段。" + "字" * 10 + "\n\n　　第09段。" + "字" * 10 + "\n"
    assert excerpt.ending(BODY, 40) == found.partition("\n\n")[2], "a text without a heading has none"


@pytest.mark.parametrize("most", range(1, 160, 7))
def test_it_is_the_texts_own_end_and_never_more_than_asked(most: int) -> None:
    for text in (TEXT, BODY, "一句话没有停顿" * 30, "他走了。" * 40, f"短。\n{'他走了，又回来。' * 30}"):
        found = excerpt.ending(text, most)
        body = found.partition("\n\n")[2] if found.startswith("#") else found
        assert 0 < length.chars(found) <= most
        assert "".join(text.split()).endswith("".join(body.split()))


def test_a_last_paragraph_that_is_longer_begins_with_a_sentence() -> None:
    text = "开头。\n" + "".join(f"第{n}句走到河边。" for n in range(50))
    assert excerpt.ending(text, 20) == "第48句走到河边。第49句走到河边。\n"
    spoken = "开头。\n" + "“你去不去？”" * 20
    assert excerpt.ending(spoken, 16) == "“你去不去？”" * 2 + "\n"
    assert excerpt.ending("无" * 50, 7) == "无" * 7 + "\n"


def test_a_line_is_shortened_and_a_list_cut_short() -> None:
    assert excerpt.shorten("灯下 \n 一封信", 10) == "灯下 一封信"
    assert (excerpt.shorten("一二三四", 4), excerpt.shorten("一二三四五", 4)) == ("一二三四", "一二三…")
    names = ["甲", "乙", "丙"]
    assert (excerpt.join_first(names, 3, "个"), excerpt.join_first(names, 2, "个")) == (
        "甲、乙、丙",
        "甲、乙 等 3 个",
    )
    assert excerpt.join_first(["「甲」", "「乙」"], 1, "句", "；") == "「甲」等 2 句"


def test_of_a_long_list_the_first_ones_are_shown() -> None:
    assert excerpt.first_of(["甲", "乙"], 2) == "甲、乙"
    assert excerpt.first_of(["甲", "乙", "丙"], 2) == "甲、乙…"
