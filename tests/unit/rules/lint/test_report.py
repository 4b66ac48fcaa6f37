"""The lint's report of a chapter: its facts, its advice, its places."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.lint import report as lint_report
from novel_hooks.rules.lint.report import Comparison
from novel_hooks.rules.lint.residue.residue import blocking_residue
from novel_hooks.rules.text import length
from unit.rules.lint.samples import HEAD, PLAIN, advised, report, residue


@pytest.mark.parametrize("unit", ["TODO ", "a.md/", "上一章", "他说：", "a_", "信上写着：\n"])
def test_a_text_full_of_one_thing_is_read_in_a_moment(unit: str) -> None:
    """What is looked at around a place is bounded; else each of these takes minutes."""
    assert report(unit * (60000 // len(unit)))["chars"] > 40000


def test_a_heading_within_the_text_is_reported() -> None:
    (found,) = advised(f"{PLAIN}\n\n第八章 回头\n\n{PLAIN}", 47, "章名")
    assert found["places"] == [{"line": 5, "quote": "第八章 回头"}]
    assert residue(f"{PLAIN}\n\n第八章 回头\n\n{PLAIN}") == []
    assert advised("第八章那本旧账，他没翻。", 47, "章名") == []


def test_blacklist_hits_in_1000_字_with_their_lines() -> None:
    body = "他嘴角动了。“嘴角。”\n\n一股麻绳，一股寒气。嘴角沾着米。"
    found = report(body, words=("嘴角", "一股", "一股寒"), whitelist=("一股麻",))["blacklist"]
    assert found["words"] == [
        {"word": "嘴角", "count": 2, "lines": [3, 5]},
        {"word": "一股寒", "count": 1, "lines": [5]},
    ]
    assert found["count"] == 3
    assert found["per_1000"] == round(3000 / length.count(body).chars, 1)


def test_one_word_count_with_han_beside_it() -> None:
    body = "他走了 7 步，OK。"
    found = report(body)
    assert (found["chars"], found["han"]) == tuple(length.count(HEAD + body)) == (9, 4)


def test_a_report_has_all_its_parts() -> None:
    profile = {"sentence_length": 13, "dialogue_ratio": 0.2, "taboos": ["梦"]}
    ten = "他把半袋糙米埋在桥下"
    body = f"本章{ten}。\n\n“细纲。”他念。\n\n夜半，{ten}。"
    found = report(
        body, profile=profile, earlier=((6, HEAD + f"{ten}。"), (5, "别的")), plan=(("大纲", "别的"),)
    )
    assert list(found) == [
        *("chars", "han", "residue", "weight", "kinds_over", "advice", "blacklist", "measures", "wanted"),
        *("repeats", "copied", "seam", "compared"),
    ]
    assert found["residue"] == [{"rule": 50, "name": "写作术语", "line": 3, "quote": "本章他把半袋糙米"}]
    assert found["advice"] == [
        {
            "rule": 50,
            "kind": "复核",
            "name": "写作术语",
            "count": 1,
            "allowed": 0,
            "advice": "在台词、面板或书信里，多半是故事的一部分；不是，就删掉",
            "places": [{"line": 5, "quote": "“细纲。”他念。"}],
        }
    ]
    assert (found["weight"], found["kinds_over"]) == ("无", [])
    assert found["wanted"] == {"sentence_length": 13, "dialogue_ratio": 0.2}
    assert found["measures"]["paragraphs"] == 3
    assert found["compared"] == {"chapters": [6, 5], "plan": ["大纲"]}
    entry = {"text": ten, "chars": 10, "count": 1, "source": "第 6 章"}
    assert found["repeats"] == {
        "openings": [],
        "phrases": [],
        "earlier": [
            {**entry, "places": [{"line": 3, "quote": f"本章{ten}。"}]},
            {**entry, "places": [{"line": 7, "quote": f"夜半，{ten}。"}]},
        ],
    }
    assert found["copied"] == found["seam"] == []
    assert found["blacklist"] == {"count": 0, "per_1000": 0.0, "words": []}


def test_the_wanted_measures_are_those_of_the_profile() -> None:
    wanted = {"sentence_length": 1, "paragraph_chars": 2, "paragraph_length": 3, "dialogue_ratio": 0.4}
    assert report(PLAIN, profile={**wanted, "clause_length": 5})["wanted"] == wanted


def test_an_empty_chapter_has_a_report_too() -> None:
    found = lint_report.report("", Comparison(words=("走",), earlier=((1, ""),)))
    assert (found["chars"], found["han"], found["advice"], found["wanted"]) == (0, 0, [], {})
    assert found["blacklist"] == {"count": 0, "per_1000": 0.0, "words": []}


def test_advice_comes_in_the_order_of_its_numbers() -> None:
    lines = ["夜色渐浓，走,停，<Ctrl>。", "第八章 回头", "“走。", "走" * 201, "她不禁退了。" * 2]
    body = "\n\n".join([*lines, "他住F-012室。"])
    rules = [(one["rule"], one["kind"]) for one in report(body)["advice"]]
    assert rules == [
        *((1, "用词"), (21, "段落"), (22, "段落"), (47, "残留"), (48, "复核"), (48, "复核")),
        *((51, "标点"), (51, "标点")),
    ]


def test_advice_of_one_number_keeps_the_tables_order() -> None:
    names = [one["name"] for one in report("走——停——看,灯。“走。\n\n停")["advice"] if one["rule"] == 51]
    assert names == ["破折号", "半角标点、叠用标点", "引号不成对"]


def test_doubtful_and_spoken_residue_have_advice_of_their_own() -> None:
    body = "他按下<Ctrl>，又按下<Alt>。“细纲。”他念，“本章。”"
    (keys, terms) = [one for one in report(body)["advice"] if one["kind"] == "复核"]
    assert (keys["rule"], keys["name"], keys["count"], keys["allowed"]) == (48, "标签", 2, 0)
    assert keys["advice"] == "像是写作或程序留下的，也可能是故事里的东西；不是，就删掉"
    assert (terms["rule"], terms["name"], terms["count"]) == (50, "写作术语", 2)
    assert terms["advice"] == "在台词、面板或书信里，多半是故事的一部分；不是，就删掉"


def test_unpaired_quotes_are_named_at_their_lines() -> None:
    (found,) = advised("走。\n\n  “走。\n\n停。\n\n走』了。", 51, "引号")
    assert [place["line"] for place in found["places"]] == [5, 9]
    assert (found["kind"], found["count"], found["allowed"]) == ("标点", 2, 0)
    assert found["advice"] == "补齐引号；这几段里引号后面的话都当台词算了"
    assert found["places"][0]["quote"] == "“走。"


def test_a_heading_in_the_body_has_its_advice() -> None:
    (found,) = advised("走。\n\n　第八章 回头\n\n第九章 再来\n\n停。", 47, "章名")
    assert (found["kind"], found["count"], found["allowed"]) == ("残留", 2, 0)
    assert found["advice"] == "章名只在第一行；一章里混进了另一章，就拆开"
    assert [one["count"] for one in advised("走。\n\n第八章\n\n停。", 47, "章名")] == [1]
    assert advised("走。\n\n八章 回头\n\n卷一 第八章 回头\n\n停。", 47, "章名") == []


def test_five_places_are_named_and_all_are_counted() -> None:
    (found,) = advised("她不禁退了。\n" * 7, 1)
    assert (found["count"], [place["line"] for place in found["places"]]) == (7, [3, 4, 5, 6, 7])


def test_blacklisted_words_the_most_frequent_first_and_ten_lines_of_each() -> None:
    body = "\n".join(["灯走。"] * 12 + ["桥走。", "河走。", "桥走。", "河走。"])
    words = report(body, words=("河", "桥", "灯", "山"))["blacklist"]["words"]
    assert [(one["word"], one["count"]) for one in words] == [("灯", 12), ("桥", 2), ("河", 2)]
    assert words[0]["lines"] == list(range(3, 13))
    words = report("河桥走。", words=("河", "桥"))["blacklist"]["words"]
    assert [one["word"] for one in words] == ["桥", "河"]
    assert report("走" * 2999 + "灯", words=("灯",))["blacklist"]["per_1000"] == 0.3


def test_ten_repeats_are_listed_and_forty_characters_of_each() -> None:
    ten = "一二三四五六七八九十"
    found = report("。".join([ten] * 11), earlier=((6, f"{ten}。"),))["repeats"]["earlier"]
    assert len(found) == 10
    long = ten * 5
    (found,) = report(f"{long}。", earlier=((6, long),))["repeats"]["earlier"]
    assert (found["text"], found["chars"]) == (ten * 4, 50)
    phrase = report("那夜水声从船底漫。\n" * 7)["repeats"]["phrases"]
    assert [(one["count"], one["source"], len(one["places"])) for one in phrase] == [(7, None, 5)]


def test_allowed_texts_are_no_repeat_of_any_kind() -> None:
    ten = "一二三四五六七八九十"
    body = "。".join(f"{ten}{ten}{end}" for end in "走停看听摸")
    beside: dict[str, Any] = {"earlier": ((6, HEAD + ten * 2),), "plan": (("大纲", ten * 2),)}
    found = report(body, **beside)
    assert all([*found["repeats"].values(), found["copied"], found["seam"]])
    found = report(body, **beside, whitelist=(f"{ten}{ten}。",))
    assert not any([*found["repeats"].values(), found["copied"], found["seam"]])


def test_only_the_nearest_chapter_has_a_seam() -> None:
    twenty = "东南西北春夏秋冬梅兰竹菊琴棋书画诗酒花茶"
    assert report(twenty, earlier=((6, "别的"), (5, twenty)))["seam"] == []
    assert len(report(twenty, earlier=((6, twenty), (5, "别的")))["seam"]) == 1


def test_a_packet_has_fewer_places_and_no_advice() -> None:
    ten = "一二三四五六七八九十"
    body = "\n".join(["她不禁退了。"] * 3 + [f"本章{ten}。"] * 7)
    full = report(body, earlier=((6, HEAD + f"{ten}{ten}"),), profile={"sentence_length": 9}, words=("她",))
    brief = lint_report.packet_report(full)
    same = ("chars", "han", "residue", "weight", "kinds_over", "blacklist", "measures", "compared")
    assert {key: brief[key] for key in same} == {key: full[key] for key in same}
    assert set(brief) == {*same, "advice", "repeats", "copied", "seam"}
    first = next(one for one in full["advice"] if one["rule"] == 1)
    assert brief["advice"][0] == {
        **{key: first[key] for key in ("kind", "name", "count", "allowed")},
        "places": first["places"][:2],
    }
    assert len(brief["advice"]) == len(full["advice"])
    assert brief["repeats"]["earlier"] == [
        {"text": ten, "count": 1, "source": "第 6 章", "lines": [line]} for line in range(6, 11)
    ]
    phrase = full["repeats"]["phrases"][0]
    assert brief["repeats"]["phrases"][0] == {
        **{key: phrase[key] for key in ("text", "count", "source")},
        "lines": [place["line"] for place in phrase["places"]],
    }
    assert set(brief["repeats"]) == {"openings", "phrases", "earlier"}
    copied = [{**phrase, "source": "大纲"}] * 6
    brief = lint_report.packet_report({**full, "copied": copied, "seam": copied[:1]})
    assert (len(brief["copied"]), len(brief["seam"])) == (5, 1)
    assert brief["seam"][0]["source"] == "大纲" and "places" not in brief["seam"][0]


def test_residue_that_blocks_lets_allowed_words_pass() -> None:
    assert blocking_residue("本章的灯。“细纲。”") == [
        {"rule": 50, "name": "写作术语", "line": 1, "quote": "本章的灯。“细纲"}
    ]
    assert blocking_residue("本章的灯。", ("本章",)) == []


CLOCKS = "他三点十五分到，四点二十分走，五点零五分又来。"
PHRASES = "山高水长，风和日丽，柳暗花明，鸟语花香。"


@pytest.mark.parametrize(
    ("profile", "kept"),
    [
        ({}, False),
        ({"keep": ["精确到分的钟点"]}, True),
        ({"do": ["钟点写到分，一分不差"]}, False),
        ({"do": ["时间都写几点几分"]}, True),
        ({"do": ["少写几点几分"]}, False),
        ({"avoid": ["几点几分"]}, False),
        ({"keep": "精确到分的钟点", "do": 7}, False),
    ],
)
def test_what_the_profile_asks_for_is_no_fault(profile: dict[str, Any], kept: bool) -> None:
    found = [one["name"] for one in report(CLOCKS, profile=profile)["advice"]]
    assert ("精确到分的钟点" not in found) is kept


def test_nor_are_four_characters_in_a_row() -> None:
    named = [one["name"] for one in report(PHRASES)["advice"]]
    assert "四字语连排" in named
    found = report(PHRASES, profile={"keep": ["四字语连排"]})
    assert "四字语连排" not in [one["name"] for one in found["advice"]]
    assert "用词" not in found["kinds_over"]
