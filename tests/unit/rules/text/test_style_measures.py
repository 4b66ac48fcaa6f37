"""The numbers of a style sample: what is counted, and that it is counted right."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.text import length, style_measures
from novel_hooks.rules.text.style_measures import measure, paragraphs, sentences, style_facts

TEXT = """\
# 第 3 章 秤

老周把秤收了。秤砣还热。

“数过没有？”她问。
“数过。”
他认得那个“免”字，没吭声。

＊＊＊

“三斤，我能跑
"""


def test_headings_blank_lines_and_scene_breaks_are_no_paragraphs() -> None:
    assert [p.text for p in paragraphs(TEXT)] == [
        "老周把秤收了。秤砣还热。",
        "“数过没有？”她问。",
        "“数过。”",
        "他认得那个“免”字，没吭声。",
        "“三斤，我能跑",
    ]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("老周把秤收了。秤砣还热。", ["老周把秤收了。", "秤砣还热。"]),
        ("“数过没有？”她问。", ["“数过没有？”", "她问。"]),
        ("他走了……又回来", ["他走了……又回来"]),
        ("真的？！他不信——", ["真的？！", "他不信——"]),
        ("「去。」他说。", ["「去。」", "他说。"]),
        ("。。。", []),
    ],
)
def test_sentences(line: str, wanted: list[str]) -> None:
    assert sentences(line) == wanted


@pytest.mark.parametrize(
    ("line", "speech", "narration"),
    [
        ("“数过没有？”她问。", ("数过没有？",), ("她问。",)),
        ("他认得那个“免”字，没吭声。", (), ("他认得那个“免”字，没吭声。",)),
        ("「去。」他说，「这就去。」", ("去。", "这就去。"), ("他说，",)),
        ("“三斤，我能跑", ("三斤，我能跑",), ()),
        ("“他说‘走’就走，”她想。", ("他说‘走’就走，",), ("她想。",)),
        ('"走吧。"他说。', ("走吧。",), ("他说。",)),
        ("", (), ()),
    ],
)
def test_speech_is_what_ends_with_a_mark_inside_quotes(
    line: str, speech: tuple[str, ...], narration: tuple[str, ...]
) -> None:
    found = paragraphs(line)
    assert [(p.speech, p.narration) for p in found] == ([(speech, narration)] if line else [])


def test_the_numbers() -> None:
    found = style_facts([TEXT, "他走了。\n“走好。”\n"], ["免", "仿佛", ""])
    assert (found["samples"], found["paragraphs"], found["sentences"]) == (2, 7, 9)
    assert found["dialogue_ratio"] == {"all": 0.3, "samples": [0.29, 0.33]}
    assert found["quote_marks"] == {"“”": 5}
    assert found["blacklist_words"] == [{"word": "免", "count": 1}]
    assert found["sentence_length"]["min"] == 3 and found["sentence_length"]["max"] == 14
    assert found["per_1000"]["question"] == round(1000 / found["chars"], 1)


def test_openings_are_those_of_the_narration_and_three_at_least() -> None:
    told = "他把门关上。\n“他把门关上。”\n他把灯吹了。\n他把钥匙收好。她走。\n她走。\n"
    assert style_facts([told])["openings"] == [{"text": "他把", "count": 3}]
    many = "".join(f"{mark}了灯。" * 3 for mark in "甲乙丙丁戊己庚辛壬癸子丑寅卯")
    shown = [one["text"] for one in style_facts([many])["openings"]]
    assert len(shown) == style_measures.OPENINGS_SHOWN and shown == sorted(shown)


def test_nothing_to_measure() -> None:
    found = style_facts(["# 第 1 章\n\n＊＊＊\n"])
    assert found["sentence_length"] is None and found["dialogue_ratio"] == {"all": 0.0, "samples": [0.0]}
    assert style_facts([])["sentences"] == 0


def test_a_measure() -> None:
    assert measure([4, 1, 1, 2]) == {
        "mean": 2.0,
        "sd": 1.2,
        "min": 1,
        "max": 4,
        "p10": 1,
        "p50": 1,
        "p90": 4,
    }


MARKS = st.text(alphabet="他她走了灯。！？，…—“”「」『』\"'# \u3000\n免a1", max_size=80)


@given(st.lists(MARKS, max_size=4))
def test_every_character_is_in_one_sentence_and_in_speech_or_not(texts: list[str]) -> None:
    found = style_facts(texts)
    assert json.loads(json.dumps(found)) == found
    assert 0 <= found["dialogue_ratio"]["all"] <= 1
    for text in texts:
        for paragraph in paragraphs(text):
            whole = length.length(paragraph.text)
            parts = sum(map(length.length, (*paragraph.speech, *paragraph.narration)))
            assert parts <= whole
            assert sum(map(length.length, sentences(paragraph.text))) <= whole
            assert all(one in paragraph.text for one in (*paragraph.speech, *sentences(paragraph.text)))


@given(MARKS, MARKS)
def test_line_ends_make_no_difference(first: str, second: str) -> None:
    text = f"{first}\n{second}"
    assert style_facts([text]) == style_facts([text.replace("\n", "\r\n")])


@given(st.lists(st.integers(0, 500), min_size=1, max_size=60))
def test_a_measure_is_ordered_and_has_no_order_of_its_own(lengths: list[int]) -> None:
    found = measure(lengths)
    assert found is not None and found == measure(sorted(lengths, reverse=True))
    assert found["min"] <= found["p10"] <= found["p50"] <= found["p90"] <= found["max"]
    assert found["min"] - 0.1 <= found["mean"] <= found["max"] + 0.1
