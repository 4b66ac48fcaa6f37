"""The judges' own fixes: their kinds, what they quote, two lists as one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from verdicts import legal_verdict

from novel_hooks.rules.evaluation import required_fixes

TEXT = "# 第 7 章 夜渡\n\n沈渡数了三天，灯是初八灭的。\n\n“到底欠几文？”乔九问。十二加九是二十二，他说。\n"


def fix(target: str = "第一段", instruction: str = "改掉", **more: Any) -> dict[str, Any]:
    return {"target": target, "instruction": instruction, **more}


def merged(*lists: list[Any], text: str = TEXT) -> list[dict[str, Any]]:
    return required_fixes.merge_fixes([legal_verdict(required_fixes=listed) for listed in lists], text)


@pytest.mark.parametrize(
    ("kind", "read"),
    [
        ("text", "text"),
        (" Fact ", "fact"),
        ("STORY", "story"),
        ("plot", "story"),
        ("", "story"),
        (None, "story"),
        (7, "story"),
    ],
)
def test_a_kind_that_is_missing_or_unknown_is_the_story(kind: object, read: str) -> None:
    (found,) = required_fixes.own_fixes(legal_verdict(required_fixes=[fix(kind=kind)]))
    assert found["kind"] == read
    assert next(required_fixes.own_fixes(legal_verdict(required_fixes=[fix()])))["kind"] == "story"


@pytest.mark.parametrize(("kind", "told"), [("plot", 1), (3, 1), ("", 1), ("Text", 0), (None, 0)])
def test_an_unknown_kind_is_told(kind: object, told: int) -> None:
    verdict = legal_verdict(required_fixes=[fix(kind=kind)])
    lines = list(required_fixes.warnings(verdict, TEXT))
    assert len(lines) == told
    assert all(f"「{kind}」" in line for line in lines)


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"quote": "灯是初八灭的"}, True),
        ({"quote": "初八"}, True),
        ({"quote": "灯是，初八灭的！"}, True),
        ({"quote": "「灯是初八灭的」"}, True),
        ({"quote": "灯是初八灭的。\n“到底欠几文？”"}, True),
        ({"quote": "沈渡数了……灭的"}, True),
        ({"quote": "灭的……沈渡数了"}, False),
        ({"instruction": "“十二……二十二”改对"}, True),
        ({"quote": "灯是初九灭的"}, False),
        ({"target": "“到底欠几文？”那一句"}, True),
        ({"instruction": "把「十二加九是二十二」改对"}, True),
        ({"target": "灯是初八灭的"}, False),
        ({"quote": "天"}, False),
        ({}, False),
    ],
)
def test_a_quotation_stands_in_the_text_or_not(changes: dict[str, str], found: bool) -> None:
    (one,) = merged([{**fix(kind="fact"), **changes}])
    assert one["found"] is found
    assert bool(required_fixes.proven_facts([one])) is found
    verdict = legal_verdict(required_fixes=[{**fix(kind="fact"), **changes}])
    assert len(list(required_fixes.warnings(verdict, TEXT))) == (not found)


def test_two_judges_name_a_place_once_and_the_more_precise_instruction_stays() -> None:
    one = [fix("数账那段", "算错了。", kind="text"), fix("结尾", "太满", kind="story")]
    two = [fix("数账那段", "“十二加九是二十二”应是二十一。", kind="fact"), fix("开头", "慢", kind="text")]
    found = merged(one, two)
    assert [(f["target"], f["kind"]) for f in found] == [
        ("数账那段", "fact"),
        ("结尾", "story"),
        ("开头", "text"),
    ]
    assert found[0]["instruction"] == "“十二加九是二十二”应是二十一。" and found[0]["found"]


def test_the_same_quotation_is_the_same_place() -> None:
    found = merged(
        [fix("第二段", "把数改对", quote="十二加九是二十二，他说", kind="fact")],
        [fix("乔九那句", "改", quote="十二加九是二十二", kind="text")],
    )
    assert [(f["target"], f["kind"]) for f in found] == [("第二段", "fact")]


def test_the_graver_kind_stays_whatever_the_order_of_the_words() -> None:
    kinds = [fix("数账", kind="text")], [fix("数账", "“十二加九是二十二”改对", kind="story")]
    assert [f["kind"] for f in merged(*kinds)] == ["story"] == [f["kind"] for f in merged(*kinds[::-1])]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # The first quotation of each is the same, and too short to be found within another.
        ({"quote": "初八", "instruction": "“到底欠几文”也改"}, {"quote": "初八"}),
        # Within another, whichever of them sorts first.
        ({"quote": "灯是初八灭的"}, {"quote": "了三天，灯是初八灭的"}),
        ({"quote": "十二加九是二十二"}, {"quote": "九是二十二"}),
    ],
)
def test_what_is_quoted_is_the_place(one: dict[str, str], other: dict[str, str]) -> None:
    assert len(merged([{**fix("甲"), **one}], [{**fix("乙"), **other}])) == 1
    assert len(merged([{**fix("乙"), **other}], [{**fix("甲"), **one}])) == 1


def test_a_fix_that_asks_for_nothing_hides_no_other() -> None:
    given = [fix(instruction=" "), fix("末句", "短些", kind="text")]
    assert [f["target"] for f in merged(given)] == ["末句"]
    assert required_fixes.parse(given) == given[1:]
    assert required_fixes.parse([{"target": "末句"}, {"instruction": "短些"}]) == []


def test_two_quotations_of_one_scene_are_two_places() -> None:
    found = merged(
        [fix("第一场", "改日子", quote="灯是初八灭的")], [fix("第一场", "改数", quote="十二加九是二十二")]
    )
    assert len(found) == 2


def test_one_judges_list_and_what_is_about_the_whole_chapter_stay_whole() -> None:
    assert len(merged([fix("结尾", "短些"), fix("结尾", "轻些"), fix("结尾", "轻些")])) == 2
    assert len(merged(["删掉独白"], ["补一句"])) == 2


def test_whoever_mends_gets_the_fixes_without_our_mark() -> None:
    found = merged([fix(kind="fact", quote="初八"), fix("末句", "短些", kind="text")])
    assert required_fixes.of_kind(found, "text") == [
        {"target": "末句", "instruction": "短些", "kind": "text"}
    ]
    assert required_fixes.place(found[0]) == "初八" and required_fixes.place(found[1]) == "末句"


@pytest.mark.parametrize("kept", [None, "x", {}, [1], [None]])
def test_an_evaluation_without_the_list_is_of_an_older_version(kept: object) -> None:
    assert required_fixes.parse(kept) is None
    assert required_fixes.parse([]) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["target", "instruction", "kind", "quote"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSON, JSON, st.text(max_size=20))
def test_any_lists_are_merged_and_read_back(one: Any, two: Any, text: str) -> None:
    verdicts = [{"required_fixes": one}, {"required_fixes": two}]
    found = required_fixes.merge_fixes(verdicts, text)
    assert required_fixes.parse(found) == found
    assert all(f["kind"] in required_fixes.KINDS for f in found)
    for verdict in verdicts:
        list(required_fixes.warnings(verdict, text))
