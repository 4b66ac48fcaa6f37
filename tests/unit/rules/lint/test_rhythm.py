"""The rhythm of a chapter: too even, too uneven, far from the style profile."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.lint import habits, rhythm
from novel_hooks.rules.lint.sheet import Sheet
from novel_hooks.rules.text import style_measures
from unit.rules.lint.samples import HEAD, PLAIN, advised, report


def test_even_lengths_count_from_forty_sentences_on() -> None:
    even = "\n".join(["老何把缆绳绕了三圈。"] * 40)
    assert {one["rule"] for one in report(even)["advice"]} >= {14, 17}
    assert not {one["rule"] for one in report(even[: len(even) // 2])["advice"]} & {14, 17}


def test_a_long_paragraph_without_speech() -> None:
    assert advised(PLAIN * 11, 21)[0]["places"][0]["line"] == 3
    assert advised(PLAIN * 11 + "“走。”", 21) == []


def test_lengths_are_held_against_the_style_profile() -> None:
    body = "\n\n".join(["老何把灯提起来。", "他没有回头，只听见水声从船底漫上来。"] * 20)
    near: dict[str, Any] = {
        "sentence_length": {"mean": 13},
        "paragraph_chars": 13,
        "dialogue_ratio": [0, 0.4],
    }
    far: dict[str, Any] = {"sentence_length": 40, "paragraph_chars": [60, 90], "dialogue_ratio": 0.6}
    assert [a for a in report(body, profile=near)["advice"] if a["kind"] == "文风"] == []
    names = [a["name"] for a in report(body, profile=far)["advice"] if a["kind"] == "文风"]
    assert names == ["平均句长离文风档案远", "平均段长离文风档案远", "对话的比例离文风档案远"]
    assert report(body, profile=far)["wanted"] == far


def findings(body: str, profile: dict[str, Any] | None = None) -> list[tuple[int, str, int]]:
    """(number, name, times) of each finding about the rhythm of a body."""
    sheet = Sheet(HEAD + body)
    found = rhythm.findings(sheet, rhythm.measures(sheet), profile or {})
    return [(one.rule, one.name, one.times) for one in found]


def named(body: str, name: str) -> list[str]:
    """The pieces of the body that a finding of this name is about."""
    sheet = Sheet(HEAD + body)
    found = [one for one in rhythm.findings(sheet, rhythm.measures(sheet), {}) if one.name == name]
    return [sheet.text[start:end] for one in found for start, end in one.places]


def test_measures_are_those_of_the_style() -> None:
    sheet = Sheet(f"{HEAD}老何走了。他停。\n\n“走！”她说。")
    numbers = rhythm.measures(sheet)
    assert list(numbers) == [
        "paragraphs",
        "sentences",
        "sentence_length",
        "paragraph_chars",
        "dialogue_ratio",
    ]
    assert (numbers["paragraphs"], numbers["sentences"]) == (2, 4)
    assert (numbers["sentence_length"]["mean"], numbers["paragraph_chars"]["mean"]) == (3.8, 7.5)
    assert numbers["dialogue_ratio"] == style_measures.dialogue_ratio(style_measures.paragraphs(sheet.text))


DOCUMENTS = (
    (
        "他拆开信，信上写着：",
        "父亲大人膝下：\n\n儿在外一切都好，只是冬衣薄了些。\n\n船停了半月，年底怕回不来。\n\n儿 阿武 敬上",
    ),
    ("帖子底下跟着几条评论：", "1. 楼主人呢，说好的更新\n2. 坐等\n3. 我家也停水了，一样"),
    ("他打开面板。", "【力量：5】"),
    ("他打开面板。", "【姓名：何铁\n力量：5】\n敏捷：6"),
)


@pytest.mark.parametrize(("before", "document"), DOCUMENTS)
def test_letters_threads_and_panels_are_neither_told_nor_said(before: str, document: str) -> None:
    whole = f"{HEAD}“走！”她说。\n\n{before}\n\n{document}\n\n老何走了。他停。\n"
    without = f"{HEAD}“走！”她说。\n\n{before.replace('：', '。')}\n\n老何走了。他停。\n"
    assert rhythm.measures(Sheet(whole)) == rhythm.measures(Sheet(without))


def test_speech_of_several_paragraphs_is_no_letter() -> None:
    told = f"{HEAD}“走。\n\n“快走！”她说。\n\n老何停了。\n"
    assert rhythm.measures(Sheet(told))["paragraphs"] == 3


def numbers(**more: Any) -> dict[str, Any]:
    """Measures of a chapter whose lengths are neither even nor far from anything."""
    length = {"mean": 20.0, "sd": 10.0}
    plain = {"paragraphs": 9, "sentences": 40, "sentence_length": length, "paragraph_chars": length}
    return {**plain, "dialogue_ratio": 0.3, **more}


def advice(profile: dict[str, Any], **more: Any) -> list[tuple[int, str, str, int, float, str]]:
    return [tuple(one[:6]) for one in rhythm.findings(Sheet(HEAD), numbers(**more), profile)]


def test_even_sentences_have_a_deviation_below_six() -> None:
    assert advice({}, sentence_length={"mean": 20.0, "sd": 6.0}) == []
    assert advice({}, sentence_length={"mean": 20.0, "sd": 5.9}) == [
        (
            14,
            "句式",
            "句子差不多长",
            1,
            0,
            "句长的标准差只有 5.9（宜 8 到 18）：紧要处放一句长的，过门一句就完",
        )
    ]


def test_even_paragraphs_vary_by_less_than_three_tenths() -> None:
    assert advice({}, paragraph_chars={"mean": 20.0, "sd": 6.0}) == []
    assert advice({}, paragraph_chars={"mean": 0, "sd": 0}) == []
    assert advice({}, paragraph_chars={"mean": 30.0, "sd": 8.5}) == [
        (17, "段落", "段落差不多长", 1, 0, "段长的变异系数只有 0.28（宜 0.4 到 1.2）：并成一大一小")
    ]


def test_thirty_nine_sentences_say_nothing_of_evenness_or_profile() -> None:
    even = {"mean": 20.0, "sd": 1.0}
    assert advice({"sentence_length": 90}, sentence_length=even, paragraph_chars=even, sentences=39) == []


@pytest.mark.parametrize(
    ("wanted", "near", "text"),
    [
        (20, True, ""),
        (14.9, True, ""),
        (14.8, False, "14.8"),
        (30.7, True, ""),
        (30.8, False, "30.8"),
        ({"mean": 30.7}, True, ""),
        ({"mean": 30.8, "sd": 1}, False, "30.8"),
        ([10, 20], True, ""),
        ([20, 30], True, ""),
        ([10, 19.9], False, "10 到 19.9"),
        ([20.1, 30], False, "20.1 到 30"),
        (None, True, ""),
        (True, True, ""),
        ("90", True, ""),
        ([90], True, ""),
        ([90, 99, 100], True, ""),
        ([90, "99"], True, ""),
        ([True, 2], True, ""),
        ({}, True, ""),
        ({"mean": None}, True, ""),
    ],
)
@pytest.mark.parametrize(
    ("key", "name"),
    [("sentence_length", "平均句长"), ("paragraph_chars", "平均段长"), ("paragraph_length", "平均段长")],
)
def test_a_mean_is_near_within_thirty_five_hundredths(
    key: str, name: str, wanted: Any, near: bool, text: str
) -> None:
    far = (0, "文风", f"{name}离文风档案远", 1, 0, f"现在 20.0，档案里是 {text}")
    assert advice({key: wanted}) == ([] if near else [far])


def test_numbers_that_only_the_template_gave_are_no_measure() -> None:
    ours: dict[str, Any] = {"dialogue_ratio": [0.25, 0.5], "sentence_length": {"mean": 22, "sd": 11}}
    body = "\n\n".join(["老何走了。"] * 45)
    found = report(body, profile={**ours, "samples": []})
    assert (found["wanted"], [a for a in found["advice"] if a["kind"] == "文风"]) == ({}, [])
    measured = report(body, profile={**ours, "samples": [{"text": "他走。"}]})
    assert measured["wanted"] == ours and len([a for a in measured["advice"] if a["kind"] == "文风"]) == 2


def test_paragraphs_are_held_against_their_first_key() -> None:
    assert advice({"paragraph_chars": 20, "paragraph_length": 90}) == []


@pytest.mark.parametrize(
    ("wanted", "near"), [(0.3, True), (0.16, True), (0.14, False), (0.44, True), (0.46, False), (None, True)]
)
def test_a_share_of_speech_is_near_within_fifteen_hundredths(wanted: float | None, near: bool) -> None:
    far = (0, "文风", "对话的比例离文风档案远", 1, 0, f"现在 0.3，档案里是 {wanted}")
    assert advice({"dialogue_ratio": wanted}) == ([] if near else [far])


def test_a_range_or_a_mean_of_the_share_of_speech() -> None:
    assert advice({"dialogue_ratio": [0.1, 0.3]}) == advice({"dialogue_ratio": {"mean": 0.4}}) == []
    assert advice({"dialogue_ratio": [0.34, 0.5]}) == [], "a little outside is not far"
    assert advice({"dialogue_ratio": [0.4, 0.5]})[0][5] == "现在 0.3，档案里是 0.4 到 0.5"


def test_sentences_of_the_narration_without_speech_and_marks() -> None:
    sheet = Sheet(f"{HEAD}他走。她停！灯？“走。”油…尽—了\n\n桥!河?岸")
    found = [sheet.text[start:end] for start, end in rhythm.sentence_spans(sheet)]
    assert found == ["他走", "她停", "灯", "油", "尽", "了", "桥", "河", "岸"]


ALIKE = "分句连着同一个字开头"


def test_clauses_that_begin_alike_in_two_places() -> None:
    one, two = "他走，他停，他看。", "灯亮，灯暗，灯灭，灯尽。"
    assert named(f"{one}河平。{two}", ALIKE) == ["他走，他停，他看", "灯亮，灯暗，灯灭，灯尽"]
    assert findings(f"{one}河平。{two}") == [(12, ALIKE, 2)]
    assert findings(one) == findings("他走，他停。灯亮，灯灭。") == []
    assert findings(f"{one}河平。a走，a停，a看。") == findings(f"{one}河平。“灯亮，灯暗，灯灭。”") == []
    assert findings(f"{one}河平。灯亮，“走”灯暗，灯灭。") == []
    assert findings(f"{one}河平。灯亮，\n灯暗，灯灭。") == []
    assert named(f"{one}河平。\u9fff走，\u9fff停，\u9fff看。", ALIKE)[1:] == ["\u9fff走，\u9fff停，\u9fff看"]
    assert named(f"{one}\n\n他走，他停，他看。", ALIKE) == ["他走，他停，他看"] * 2
    (found,) = [one for one in report(f"{one}河平。{two}")["advice"] if one["name"] == ALIKE]
    assert (found["kind"], found["allowed"], found["advice"]) == ("句式", 1, "留一条，其余换个起法")


@pytest.mark.parametrize("mark", "，。！？；：,!?;:…—、")
def test_a_clause_ends_at_every_mark(mark: str) -> None:
    run = mark.join(["他走", "他停", "他看"])
    assert named(f"{run}。河平。{run}。", ALIKE) == [run, run]


FOUR = "四字语连排"


def test_set_phrases_side_by_side() -> None:
    assert named("他看，山崩石裂，鬼哭神嚎，飞沙走石。走。", FOUR) == ["山崩石裂，鬼哭神嚎，飞沙走石"]
    assert findings("山崩石裂，鬼哭神嚎，飞沙走石。") == [(7, FOUR, 1)]
    assert findings("山崩石裂，鬼哭神嚎。") == findings("山崩石裂，走，鬼哭神嚎，停，飞沙走石。") == []
    assert findings("山崩石裂，鬼哭神嚎，飞沙走石啊。") == findings("山崩石裂，鬼哭神嚎，飞沙走z。") == []
    assert findings("山崩石裂，鬼哭神嚎，“飞沙走石。”") == findings("三号库房，四号库房，五号库房。") == []
    body = "山崩石裂，鬼哭神嚎，飞沙走石，山崩石裂。停下，天昏地暗，日月无光，飞沙走石。"
    assert named(body, FOUR) == ["山崩石裂，鬼哭神嚎，飞沙走石，山崩石裂", "天昏地暗，日月无光，飞沙走石"]
    (found,) = [one for one in report("山崩石裂，鬼哭神嚎，飞沙走石。")["advice"] if one["name"] == FOUR]
    assert (found["kind"], found["allowed"], found["advice"]) == ("用词", 0, "留一个，或换成一件事")


@pytest.mark.parametrize("mark", "了着过的得他她它我你在把被就也又都还没是说到个才这那")
def test_an_everyday_word_makes_no_set_phrase(mark: str) -> None:
    assert findings(f"山崩石裂，鬼哭神嚎，飞沙走{mark}。") == []
    assert findings("山崩石裂，鬼哭神嚎，四十一号。") == []


SHORT = "短句连成一串"


def test_short_sentences_in_a_row() -> None:
    assert named("河水平得像一面镜。走。停。看。听。摸。笑了一大声。河水平得像一面镜。", SHORT) == [
        "走。停。看。听。摸。笑了一大声"
    ]
    assert findings("走。停。看。听。摸。笑了一声。") == [(15, SHORT, 1)]
    assert findings("走。停。看。听。摸。笑了一大声啊。") == findings("走。停。看。听。摸。") == []
    assert findings("走。停。看。“走。”听。摸。笑。") == []
    assert findings("走。停。看。河水平得像一面镜。听。摸。笑。") == []
    assert named("走。停。看。“走。”听。摸。笑。坐。站。跑。", SHORT) == ["听。摸。笑。坐。站。跑"]
    assert named("走。停。看。\n\n听。摸。笑。", SHORT) == ["走。停。看。\n\n听。摸。笑"]
    assert named("走！停？看…听。摸。笑abc。", SHORT) == ["走！停？看…听。摸。笑abc"]
    (found,) = [one for one in report("走。停。看。听。摸。笑。")["advice"] if one["name"] == SHORT]
    assert (found["kind"], found["allowed"], found["advice"]) == ("句式", 0, "并成带逗号的长句")


LONG = "没有对话的长段"


def test_a_paragraph_of_more_than_two_hundred_characters() -> None:
    assert named("走" * 200 + "。", LONG) == ["走" * 200 + "。"]
    assert named("走" * 199 + "。", LONG) == named("走 " * 199 + "。", LONG) == []
    assert named("走" * 200 + "“停”", LONG) == []
    assert named(f"“停”\n\n{'走' * 201}\n\n{'看' * 201}", LONG) == ["走" * 201, "看" * 201]
    (found,) = [one for one in report("走" * 201)["advice"] if one["name"] == LONG]
    assert (found["rule"], found["kind"], found["allowed"]) == (21, "段落", 0)
    assert found["advice"] == "手机上看不完：按镜头断开"


def lines_named(body: str, name: str, profile: dict[str, Any]) -> tuple[int, list[int]]:
    (found,) = [one for one in report(body, profile=profile)["advice"] if one["name"] == name]
    return found["count"], [place["line"] for place in found["places"]]


def test_advice_on_lengths_and_speech_says_where_to_begin() -> None:
    """One finding about the chapter; its places are the first paragraphs on the far side."""
    short, long = "老何把灯提起来。", "他没有回头，只听见水声从船底漫上来，一直漫到灯下。"
    body = "\n".join([short, long, f"“{short}”", long] * 12)
    assert lines_named(body, "平均段长离文风档案远", {"paragraph_chars": [60, 90]}) == (1, [3, 4, 5, 6, 7])
    shorter = {"paragraph_chars": [8, 12]}
    assert lines_named(body, "平均段长离文风档案远", shorter) == (1, [4, 6, 8, 10, 12])
    assert lines_named(body, "对话的比例离文风档案远", {"dialogue_ratio": [0.6, 0.8]}) == (1, [3, 4, 6, 7, 8])
    assert lines_named(body, "对话的比例离文风档案远", {"dialogue_ratio": [0, 0.02]}) == (
        1,
        [5, 9, 13, 17, 21],
    )
    # What stands on the border of the profile is far too: 7 and 24 characters here, 8 with the mark.
    assert lines_named(body, "平均句长离文风档案远", {"sentence_length": [24, 30]})[1] == [3, 4, 6, 7, 8]
    assert lines_named(body, "平均句长离文风档案远", {"sentence_length": [20, 24]})[1] == [3, 7, 11, 15, 19]
    assert lines_named(body, "平均段长离文风档案远", {"paragraph_chars": [5, 8]})[1] == [3, 4, 5, 6, 7]
    even = "\n".join([short] * 48)
    assert lines_named(even, "段落差不多长", {}) == (1, [3, 4, 5, 6, 7])


def test_line_ends_stand_for_marks_and_hidden_words() -> None:
    assert habits.with_line_breaks("走，停\x01。", "，") == "走\n停\n。"
    assert list(rhythm.line_spans("头\n 走 \n\n停", 1)) == [(3, 4), (7, 8)]
