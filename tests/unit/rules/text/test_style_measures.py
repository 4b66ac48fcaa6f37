"""The numbers of a style sample: what is counted, and that it is counted right."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.text import length, style_measures
from novel_hooks.rules.text.style_measures import (
    measure,
    paragraphs,
    profile_differences,
    sentences,
    style_facts,
)

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
        ("他说：“走。”", ("走。",), ("他说：",)),
        ("他认得“免”字，“走。”他说。", ("走。",), ("他认得“免”字，", "他说。")),
        ("『“走。”』她念。", ("“走。”",), ("她念。",)),
        ("「走 」。“去！ ”", ("去！ ",), ("「走 」。",)),
        ("“走。”，“去。”", ("走。", "去。"), ()),
        ("“”他说“", (), ("“”他说",)),
        ("他“去", ("去",), ("他",)),
        ("a“b.”", ("b.",), ("a",)),
        ("他说“走~”就走", ("走~",), ("他说", "就走")),
        ('"走吧。"他说。', ("走吧。",), ("他说。",)),
        ("", (), ()),
    ],
)
def test_speech_is_what_ends_with_a_mark_inside_quotes(
    line: str, speech: tuple[str, ...], narration: tuple[str, ...]
) -> None:
    found = paragraphs(line)
    assert [(p.speech, p.narration) for p in found] == ([(speech, narration)] if line else [])


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_paragraph_is_a_line_however_it_ends(end: str) -> None:
    assert [p.text for p in paragraphs(f"甲。{end}{end} 乙。{end}丙")] == ["甲。", "乙。", "丙"]


def test_the_numbers() -> None:
    found = style_facts([TEXT, "他走了。\n“走好。”\n"], ["免", "仿佛", ""])
    assert (found["samples"], found["paragraphs"], found["sentences"]) == (2, 7, 9)
    assert found["dialogue_ratio"] == {"all": 0.3, "samples": [0.29, 0.33]}
    assert found["quote_marks"] == {"“”": 5}
    assert found["blacklist_words"] == [{"word": "免", "count": 1}]
    assert found["sentence_length"]["min"] == 3 and found["sentence_length"]["max"] == 14
    assert found["per_1000"]["question"] == round(1000 / found["chars"], 1)


def test_every_number_of_a_sample() -> None:
    """Counted by hand: two texts of three lines; a heading and a scene break are none."""
    first = "# 第 1 章\n他走了，没回头。他像一盏灯！\n＊＊＊\n“真的？”她问；“真的……”"
    second = "「走——」\r\n他走了。"
    assert style_facts([first, second], ["走", "灯", "雨", ""]) == {
        "samples": 2,
        "chars": 37,
        "paragraphs": 4,
        "sentences": 6,
        "sentence_length": measure([8, 6, 5, 9, 5, 4]),
        "clause_length": measure([3, 3, 5, 2, 2, 2, 1, 3]),
        "paragraph_chars": measure([14, 14, 5, 4]),
        "speech_length": measure([3, 4, 3]),
        "dialogue_ratio": {"all": 0.27, "samples": [0.25, 0.33]},
        "quote_marks": {"“”": 2, "「」": 1},
        "per_1000": {
            "exclamation": 27.0,
            "question": 27.0,
            "semicolon": 27.0,
            "ellipsis": 27.0,
            "dash": 27.0,
            "simile": 27.0,
        },
        "openings": [],
        "blacklist_words": [{"word": "走", "count": 3}, {"word": "灯", "count": 1}],
    }


@pytest.mark.parametrize(
    ("text", "count"),
    [("他像灯", 1), ("画像", 0), ("像话", 0), ("好像灯", 0), ("如同灯，仿佛雨", 2), ("像素 头像 像她", 1)],
)
def test_similes(text: str, count: int) -> None:
    found = style_facts([text])
    assert found["per_1000"]["simile"] == round(count * 1000 / found["chars"], 1)


def test_words_are_listed_by_how_often_they_are_used_then_by_themselves() -> None:
    found = style_facts(["乙甲丙丙甲乙乙"], ["丙", "甲", "乙", "丁"])["blacklist_words"]
    assert [(entry["word"], entry["count"]) for entry in found] == [("乙", 3), ("丙", 2), ("甲", 2)]


def test_openings_are_those_of_the_narration_and_three_at_least() -> None:
    told = "他把门关上。\n“他把门关上。”\n他把灯吹了。\n他把钥匙收好。她走。\n她走。\n"
    assert style_facts([told])["openings"] == [{"text": "他把", "count": 3}]
    assert style_facts(["——他，把灯灭了。他把门关上。「他把」灯。"])["openings"] == [
        {"text": "他把", "count": 3}
    ]
    many = "".join(f"{mark}了灯。" * 3 for mark in "甲乙丙丁戊己庚辛壬癸子丑寅卯")
    shown = [one["text"] for one in style_facts([many])["openings"]]
    assert len(shown) == style_measures.OPENINGS_SHOWN and shown == sorted(shown)


def test_nothing_to_measure() -> None:
    found = style_facts(["# 第 1 章\n\n＊＊＊\n"])
    assert found["sentence_length"] is None and found["dialogue_ratio"] == {"all": 0.0, "samples": [0.0]}
    assert style_facts([])["sentences"] == 0
    assert set(found["per_1000"].values()) == {0.0} and found["chars"] == 0


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


@pytest.mark.parametrize(
    ("lengths", "measured"),
    [
        ([5], {"mean": 5.0, "sd": 0.0, "min": 5, "max": 5, "p10": 5, "p50": 5, "p90": 5}),
        ([3, 1], {"mean": 2.0, "sd": 1.0, "min": 1, "max": 3, "p10": 1, "p50": 1, "p90": 3}),
        (range(10, 0, -1), {"mean": 5.5, "sd": 2.9, "min": 1, "max": 10, "p10": 1, "p50": 5, "p90": 9}),
        (range(1, 12), {"mean": 6.0, "sd": 3.2, "min": 1, "max": 11, "p10": 2, "p50": 6, "p90": 10}),
        ([1, 1, 2], {"mean": 1.3, "sd": 0.5, "min": 1, "max": 2, "p10": 1, "p50": 1, "p90": 2}),
        (range(1, 201), {"mean": 100.5, "sd": 57.7, "min": 1, "max": 200, "p10": 20, "p50": 100, "p90": 180}),
        (range(1, 21), {"mean": 10.5, "sd": 5.8, "min": 1, "max": 20, "p10": 2, "p50": 10, "p90": 18}),
    ],
)
def test_percentiles_go_by_nearest_rank(lengths: list[int], measured: dict[str, float]) -> None:
    assert measure(lengths) == measured


PROFILED = "他走了。\n“走好。”\n她没再回头，灯一盏一盏灭了。\n"
COUNTED = style_facts([PROFILED, "“来。”他说。"])


def differences(**profile: object) -> list[tuple[str, object, object]]:
    return list(profile_differences(profile, COUNTED, [PROFILED, "“来。”他说。"]))


def test_what_the_profile_is_compared_with() -> None:
    assert COUNTED["sentence_length"] == {
        "mean": 6.0,
        "sd": 4.0,
        "min": 3,
        "max": 14,
        "p10": 3,
        "p50": 4,
        "p90": 14,
    }
    assert COUNTED["paragraph_chars"]["mean"] == 7.5
    assert COUNTED["dialogue_ratio"] == {"all": 0.17, "samples": [0.13, 0.29]}


@pytest.mark.parametrize("key", ["sentence_length", "paragraph_chars"])
def test_a_length_differs_from_more_than_half_a_character_on(key: str) -> None:
    right = COUNTED[key]
    mean = right["mean"]
    for same in (mean, mean + 0.5, mean - 0.5, round(mean), None, "七", {"sd": None, "other": 9}, {}, []):
        assert differences(**{key: same}) == []
    assert differences(**{key: mean + 0.6}) == [(f"{key}.mean", mean + 0.6, mean)]
    assert differences(**{key: mean - 0.6}) == [(f"{key}.mean", mean - 0.6, mean)]
    assert differences(**{key: dict(right)}) == []
    wrong = {"mean": mean, "max": right["max"] + 1, "p50": right["p50"] - 1}
    assert differences(**{key: wrong}) == [
        (f"{key}.max", right["max"] + 1, right["max"]),
        (f"{key}.p50", right["p50"] - 1, right["p50"]),
    ]
    assert differences(**{key: [right["min"], right["max"]]}) == []
    assert differences(**{key: [9, 1]}) == [(f"{key}.min", 9, right["min"]), (f"{key}.max", 1, right["max"])]


@pytest.mark.parametrize(
    "ratio", [None, 0.17, 0.175, 0.13, 0.29, [0.13, 0.29], {"mean": 0.17}, [0.135, 0.285]]
)
def test_a_share_of_speech_that_is_right(ratio: object) -> None:
    """That of all samples, or an end of their range; a hundredth is no difference."""
    assert differences(dialogue_ratio=ratio) == []


@pytest.mark.parametrize(
    ("ratio", "found"),
    [
        (0.2, [("dialogue_ratio.mean", 0.2, 0.17)]),
        (0.14, [("dialogue_ratio.mean", 0.14, 0.17)]),
        (0.28, [("dialogue_ratio.mean", 0.28, 0.17)]),
        (0.177, [("dialogue_ratio.mean", 0.177, 0.17)]),
        ([0.1, 0.29], [("dialogue_ratio.min", 0.1, 0.13)]),
        ([0.29, 0.13], [("dialogue_ratio.min", 0.29, 0.13), ("dialogue_ratio.max", 0.13, 0.29)]),
        ({"max": 0.5, "mean": 0.17}, [("dialogue_ratio.max", 0.5, 0.29)]),
    ],
)
def test_a_share_of_speech_that_is_not(ratio: object, found: list[tuple[str, object, object]]) -> None:
    assert differences(dialogue_ratio=ratio) == found


def test_without_a_sentence_no_length_differs() -> None:
    counted = style_facts(["＊＊＊"])
    assert list(profile_differences({"sentence_length": 7}, counted, [""])) == []


def test_a_passage_that_is_in_no_text_is_named_by_its_place_and_beginning() -> None:
    passages = [
        "他走了。",
        {"text": "她没再回头， 灯一盏\n一盏灭了。"},
        "他没走。雨下了一整夜没有停。",
        {"text": "没再"},
        "走了。“走好。”她没再",
        {"text": "她走了"},
    ]
    assert differences(samples=passages) == [
        ("samples[3]", "他没走。雨下了一整夜…", None),
        ("samples[6]", "她走了…", None),
    ]
    assert differences(samples=[{"text": 7}, {}, 7, ""]) == differences(samples=None) == []


def test_all_differences_in_order() -> None:
    found = differences(samples=["雨"], dialogue_ratio=0.9, paragraph_chars=1, sentence_length=1)
    assert [place for place, _, _ in found] == [
        "sentence_length.mean",
        "paragraph_chars.mean",
        "dialogue_ratio.mean",
        "samples[1]",
    ]


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
    for end in ("\r\n", "\r"):
        assert style_facts([text]) == style_facts([text.replace("\n", end)])


@given(st.lists(st.integers(0, 500), min_size=1, max_size=60))
def test_a_measure_is_ordered_and_has_no_order_of_its_own(lengths: list[int]) -> None:
    found = measure(lengths)
    assert found is not None and found == measure(sorted(lengths, reverse=True))
    assert found["min"] <= found["p10"] <= found["p50"] <= found["p90"] <= found["max"]
    assert found["min"] - 0.1 <= found["mean"] <= found["max"] + 0.1
