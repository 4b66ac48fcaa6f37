"""The brief after every fifth chapter and the reminder after every tenth, as facts and as sentences."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.review import periodic


def scored(**scores: Any) -> dict[str, Any]:
    return {"scores": {name: {"score": value} for name, value in scores.items()}}


def row(
    chapter: int, overall: float | None = 4.0, revisions: int | None = 0, forced: bool = False
) -> dict[str, Any]:
    return {"chapter": chapter, "overall": overall, "revisions": revisions, "force_passed": forced}


@pytest.mark.parametrize(
    ("chapter", "brief", "consistency"),
    [
        (-10, False, False),
        (0, False, False),
        (1, False, False),
        (4, False, False),
        (5, True, False),
        (6, False, False),
        (10, True, True),
        (15, True, False),
        (2000, True, True),
    ],
)
def test_when_what_is_due(chapter: int, brief: bool, consistency: bool) -> None:
    assert (periodic.is_brief_due(chapter), periodic.is_consistency_due(chapter)) == (brief, consistency)


# the brief ------------------------------------------------------------------------------------------


def test_a_brief_in_full() -> None:
    rows = [row(6), row(7, 3.2, 2, True), row(8, 3.6)]
    evaluations = [scored(pacing=3.0, character=4.0), {**scored(pacing=3.5), "risk_flags": ["钥匙有两把"]}]
    assert periodic.quality_brief(rows, 4.2, evaluations, 3.5) == {
        "from_chapter": 6,
        "to_chapter": 8,
        "average": 3.6,
        "low": [{"chapter": 7, "overall": 3.2}],
        "weakest": {"dimension": "pacing", "title": "节奏", "average": 3.25},
        "risks": [
            "均分在下降",
            "勉强放行：第 7 章",
            "修订了两轮以上：第 7 章",
            "最弱的一维是节奏（平均 3.25）",
            "评审提到：钥匙有两把",
        ],
    }


def test_a_brief_of_no_chapters() -> None:
    found = periodic.quality_brief([], None, [], 3.5)
    assert found == {
        "from_chapter": None,
        "to_chapter": None,
        "average": None,
        "low": [],
        "weakest": None,
        "risks": [],
    }


def test_the_weakest_of_the_eight() -> None:
    documents = [
        {"scores": 7},
        {},
        scored(pacing=3, character=4),
        {"scores": {"pacing": 7, "character": {"points": 1}}},
        scored(pacing=3.5, character=2, other=1),
    ]
    assert periodic.weakest_dimension(documents) == {
        "dimension": "character",
        "title": "人物",
        "average": 3.0,
    }
    assert periodic.weakest_dimension([{}, scored(pacing="3", immersion=True)]) is None
    found = periodic.weakest_dimension([scored(pacing=3), scored(pacing=3), scored(pacing=4)])
    assert found is not None and found["average"] == 3.33


def test_equal_scores_go_by_the_order_of_the_eight() -> None:
    found = periodic.weakest_dimension([scored(pacing=3, plot_logic=3, character=3)])
    assert found is not None and found["dimension"] == "plot_logic"


@pytest.mark.parametrize("direction", ["up", "level", None])
def test_without_anything_wrong_there_are_no_risks(direction: str | None) -> None:
    weakest = {"title": "节奏", "average": 3.5}
    assert periodic.risks([row(1, revisions=1), row(2, revisions=None)], direction, weakest, [{}]) == []


def test_several_chapters_are_named_one_by_one() -> None:
    rows = (one for one in [row(1, forced=True), row(2, revisions=3), row(4, revisions=2, forced=True)])
    assert periodic.risks(rows, None, None, []) == [
        "勉强放行：第 1 章、第 4 章",
        "修订了两轮以上：第 2 章、第 4 章",
    ]


def test_flags_the_newest_evaluation_first_each_once_three_at_most() -> None:
    evaluations = [
        {"risk_flags": ["旧的", "第四"]},
        {"risk_flags": "没有"},
        {"risk_flags": ["二\n  行", 7, "  ", "旧的"]},
        {"risk_flags": ["一", "一"]},
    ]
    assert periodic.risks([], None, None, evaluations) == [
        "评审提到：一",
        "评审提到：二 行",
        "评审提到：旧的",
    ]


@pytest.mark.parametrize(("length", "shown"), [(60, "长" * 60), (61, "长" * 59 + "…")])
def test_a_long_flag_is_cut_to_sixty(length: int, shown: str) -> None:
    assert periodic.risks([], None, None, [{"risk_flags": ["长" * length]}]) == [f"评审提到：{shown}"]


def test_a_brief_in_lines() -> None:
    low = [{"chapter": 7, "overall": 3.296}, {"chapter": 8, "overall": None}]
    brief = {"from_chapter": 6, "to_chapter": 10, "average": 3.6, "low": low, "risks": ["甲", "乙"]}
    assert periodic.brief_text(brief) == [
        "质量简报：第 6-10 章均分 3.60，偏低：第 7 章 3.29、第 8 章",
        "  · 甲",
        "  · 乙",
        "  想看看方向、改改路子，随时可以叫停。",
    ]
    assert periodic.brief_text({**brief, "average": None, "low": [], "risks": []}) == [
        "质量简报：第 6-10 章没有评分，没有偏低的章",
        "  · 没有看到明显的风险",
        "  想看看方向、改改路子，随时可以叫停。",
    ]


# the reminder ---------------------------------------------------------------------------------------


def line(name: str, late: bool = False, unsure: bool = False) -> dict[str, Any]:
    return {"id": name, "name": f"{name} 线", "late": late, "unsure": unsure, "asleep": False}


OVERDUE = [{"id": "bell", "description": "第三根绳", "due": 6, "scope": "short"}]


def test_what_the_author_should_check() -> None:
    found = periodic.consistency_facts(("阿蛮",), OVERDUE, [line("a", True), line("b"), line("c", True)])
    assert found == {
        "unknown_entities": ["阿蛮"],
        "overdue": [{"id": "bell", "description": "第三根绳", "due": 6}],
        "storylines": [{"id": "a", "name": "a 线"}, {"id": "c", "name": "c 线"}],
    }


@pytest.mark.parametrize("part", [0, 1, 2])
def test_a_part_that_could_not_be_read_is_none(part: int) -> None:
    parts: list[Any] = [[], [], []]
    parts[part] = None
    found = periodic.consistency_facts(*parts)
    assert [value is None for value in found.values()] == [n == part for n in range(3)]
    text = periodic.consistency_text(found)
    assert [one.endswith("：读不出来，请运行 `novel doctor`") for one in text[1:]] == [
        n == part for n in range(3)
    ]


def test_with_one_storyline_unsure_none_is_called_late() -> None:
    found = periodic.consistency_facts([], [], [line("a", True), line("b", unsure=True)])
    assert found["storylines"] is None


def test_the_reminder_in_lines() -> None:
    many = [{"id": f"t-{n}", "description": f"t-{n}", "due": None} for n in range(7)]
    facts = {
        "unknown_entities": ["阿蛮", "瘸腿六"],
        "overdue": many,
        "storylines": [{"id": "a", "name": "塔线"}],
    }
    assert periodic.consistency_text(facts) == [
        "该回头核对一遍前后是否一致了（人物、时间、伏笔）：",
        "  · 还没有登记的名字：阿蛮、瘸腿六",
        "  · 过了期还没收的伏笔：t-0、t-1、t-2、t-3、t-4、t-5 等 7 个",
        "  · 近 10 章没出现的故事线：塔线",
    ]
    six = {"unknown_entities": [], "overdue": many[:6], "storylines": []}
    assert periodic.consistency_text(six)[1:] == [
        "  · 还没有登记的名字：没有",
        "  · 过了期还没收的伏笔：t-0、t-1、t-2、t-3、t-4、t-5",
        "  · 近 10 章没出现的故事线：没有",
    ]
