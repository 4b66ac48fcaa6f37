"""A volume's foreshadowing plan by itself: ids, fields, ranges."""

from __future__ import annotations

from typing import Any

import pytest
from volumedraft import OUTLINE, Draft

from novel_hooks import layout
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.text.json_values import FAULTY
from novel_hooks.rules.volume import foreshadowing

PLAN = layout.staged(layout.foreshadowing_plan(2))
WITHIN = "第 4 章到第 6 章之间"


def told(draft: Draft, **plan: Any) -> list[tuple[str, str]]:
    """(detail, advice) of each problem."""
    found = list(foreshadowing.plan_item_problems(draft.plan()._replace(**plan)))
    assert {(p.code, p.path) for p in found} <= {("VOLUME_FORESHADOWING", PLAN)}
    return [(p.values["detail"], p.values["how"]) for p in found]


def one(name: str = "ring", **fields: Any) -> Draft:
    """A plan with one thread, new and whole but for these fields."""
    draft = Draft()
    whole = draft.thread(name, scope="long", planted_chapter=5, target_resolve_range=[20, 30])
    draft.threads = [{**whole, **fields}]
    return draft


def test_a_new_thread_that_is_whole() -> None:
    assert told(one()) == []


@pytest.mark.parametrize("name", ["ring", "r2", "2", "gold-ring", "gold_ring-2"])
def test_ids_as_they_are_written(name: str) -> None:
    assert told(one(name)) == []


@pytest.mark.parametrize("name", ["Ring", "gold ring", "-ring", "ring-", "gold--ring", "戒指", "ring\n"])
def test_ids_as_they_are_not_written(name: str) -> None:
    how = "编号只用小写英文字母、数字、连字符，如 double-seal；契约和大纲里的也一起改。"
    assert told(one(name)) == [(f"伏笔「{name}」的编号写法不对", how)]
    assert told(one(name), facts=None) == []  # an old one keeps its id


@pytest.mark.parametrize(
    ("fields", "detail", "how"),
    [
        ({"description": None}, "没有 description", "请写上埋的是什么、怎么收。"),
        ({"description": " "}, "没有 description", "请写上埋的是什么、怎么收。"),
        ({"scope": None}, "没有 scope", "请写成 short、medium、long 之一。"),
        ({"scope": "wide"}, "没有 scope", "请写成 short、medium、long 之一。"),
        ({"status": "advanced"}, "还没埋，status 却是 advanced", "请把 status 改成 planted。"),
        ({"status": "resolved"}, "还没埋，status 却是 resolved", "请把 status 改成 planted。"),
        ({"planted_chapter": None}, "没有 planted_chapter", f"请写上在哪一章埋，{WITHIN}。"),
        ({"planted_chapter": "5"}, "没有 planted_chapter", f"请写上在哪一章埋，{WITHIN}。"),
        ({"planted_chapter": 3}, "要在第 3 章埋，不在本卷里", f"请把 planted_chapter 改在{WITHIN}。"),
        ({"planted_chapter": 7}, "要在第 7 章埋，不在本卷里", f"请把 planted_chapter 改在{WITHIN}。"),
        (
            {"target_resolve_range": None},
            "没有可用的回收范围",
            "请把 target_resolve_range 写成 [起, 止] 两个章号，前小后大。",
        ),
        (
            {"target_resolve_range": [30, 20]},
            "没有可用的回收范围",
            "请把 target_resolve_range 写成 [起, 止] 两个章号，前小后大。",
        ),
        (
            {"target_resolve_range": [1, 4]},
            "第 5 章才埋，第 4 章就要收完",
            "请改好 planted_chapter 或 target_resolve_range。",
        ),
        (
            {"target_resolve_range": [4, 5]},
            "第 5 章才埋，第 4 章就可以收",
            "请改好 planted_chapter 或 target_resolve_range。",
        ),
        (
            {"scope": "short", "target_resolve_range": [6, 7]},
            "是短线（short），却要到第 7 章才收完，出了本卷",
            f"请把 target_resolve_range 的止章改在{WITHIN}，或把 scope 改成 medium、long。",
        ),
    ],
)
def test_a_new_thread_with_one_fault(fields: dict[str, Any], detail: str, how: str) -> None:
    assert told(one(**fields)) == [(f"伏笔「ring」{detail}", how)]


@pytest.mark.parametrize(
    "fields",
    [
        {"scope": "short", "target_resolve_range": [5, 6]},
        {"scope": "medium"},
        {"status": "planted"},
        {"status": None},
        {"status": "begun"},
        {"planted_chapter": 4},
        {"planted_chapter": 6},
        {"target_resolve_range": [5, 5]},
        {"description": FAULTY},
        {"scope": FAULTY},
        {"planted_chapter": FAULTY},
        {"target_resolve_range": FAULTY},
    ],
)
def test_a_new_thread_that_is_allowed(fields: dict[str, Any]) -> None:
    assert told(one(**fields)) == []


def test_a_thread_without_an_id_is_a_fault_of_shape() -> None:
    draft = one(id=FAULTY)
    draft.threads.append({"id": "coin"})
    assert {detail[:8] for detail, _ in told(draft)} == {"伏笔「coin」"}


def test_an_id_twice_is_that_and_nothing_more() -> None:
    draft = one()
    draft.threads += [{"id": "ring"}, {"id": "ring"}]
    wanted = ("伏笔「ring」写了两次", "请把两条并成一条，或给其中一条另起编号。")
    assert told(draft) == [wanted, wanted]


@pytest.mark.parametrize(("stated", "wrong"), [(2, False), (None, False), ("3", False), (3, True), (0, True)])
def test_the_volume_that_the_plan_says(stated: object, wrong: bool) -> None:
    wanted = [(f"volume 写的是 {stated}，应是 2", "请把 volume 改成 2。")] if wrong else []
    assert told(one(), stated_volume=stated) == wanted


def test_without_a_plan_or_an_outline() -> None:
    assert told(one(), threads=None) == []
    bare = {"outline": outlines.parse("", OUTLINE)}
    assert told(one(planted_chapter=9), **bare) == []
    assert told(one(scope="short", target_resolve_range=[6, 9]), **bare) == []


@pytest.mark.parametrize(
    ("last", "chapter", "wrong"), [(4, 4, True), (5, 4, True), (6, 4, True), (4, 5, False), (7, 4, False)]
)
def test_a_chapter_that_is_written_plants_no_more(last: int, chapter: int, wrong: bool) -> None:
    detail = f"伏笔「ring」要在第 {chapter} 章埋，那一章已经写完，没有埋"
    how = f"请改到第 {last + 1} 章以后埋；其实埋过了，就用 `novel sync {chapter}` 补记。"
    assert told(one(planted_chapter=chapter), last=last) == ([(detail, how)] if wrong else [])


# threads that the book has already ----------------------------------------------------------------


def carried(fact: dict[str, Any], **fields: Any) -> list[tuple[str, str]]:
    draft = Draft()
    draft.facts = [{"id": "bell"}, {"id": "rope", **fact}]
    draft.threads = [{"id": "rope", **fields}]
    return told(draft)


@pytest.mark.parametrize(
    ("fact", "fields"),
    [
        ({}, {}),
        ({"planted_chapter": 1, "status": "advanced"}, {"planted_chapter": 1, "status": "advanced"}),
        ({"planted_chapter": 1, "status": "advanced"}, {"status": "planted"}),
        ({"status": "resolved"}, {"status": "resolved"}),
        ({"status": "odd"}, {"status": "resolved"}),
        ({}, {"status": "resolved"}),
        ({"status": "planted"}, {"status": "odd"}),
        ({"status": "planted"}, {"status": 3}),
        ({"planted_chapter": None}, {"planted_chapter": 2}),
        ({"planted_chapter": 2}, {"planted_chapter": None}),
        ({"planted_chapter": 2}, {"target_resolve_range": [2, 9]}),
        ({"status": "resolved"}, {"target_resolve_range": [2, 3]}),
        ({}, {"target_resolve_range": []}),
        ({}, {"scope": "long", "target_resolve_range": [6, 9]}),
    ],
    ids=str,
)
def test_a_carried_thread_that_agrees_with_the_facts(fact: dict[str, Any], fields: dict[str, Any]) -> None:
    assert carried(fact, **fields) == []


@pytest.mark.parametrize(
    ("fact", "fields", "detail", "how"),
    [
        (
            {"planted_chapter": 1},
            {"planted_chapter": 2},
            "是第 1 章埋的，planted_chapter 却是 2",
            "请把 planted_chapter 改成 1。",
        ),
        (
            {"status": "planted"},
            {"status": "advanced"},
            "已有的记录是 planted，status 却是 advanced",
            "请照 foreshadowing/global.json 里的写。",
        ),
        (
            {"status": "advanced"},
            {"status": "resolved"},
            "已有的记录是 advanced，status 却是 resolved",
            "请照 foreshadowing/global.json 里的写。",
        ),
        (
            {},
            {"target_resolve_range": "2-9"},
            "没有可用的回收范围",
            "请把 target_resolve_range 写成 [起, 止] 两个章号，前小后大。",
        ),
        (
            {"planted_chapter": 3},
            {"target_resolve_range": [2, 9]},
            "第 3 章才埋，第 2 章就可以收",
            "请改好 planted_chapter 或 target_resolve_range。",
        ),
        (
            {"planted_chapter": 3, "status": "resolved"},
            {"target_resolve_range": [1, 2]},
            "第 3 章才埋，第 2 章就要收完",
            "请改好 planted_chapter 或 target_resolve_range。",
        ),
        (
            {},
            {"target_resolve_range": [1, 3]},
            "到第 3 章就该收完，书已写到第 3 章",
            "请把 target_resolve_range 改到后面去。",
        ),
        (
            {},
            {"scope": "short", "target_resolve_range": [4, 7]},
            "是短线（short），却要到第 7 章才收完，出了本卷",
            f"请把 target_resolve_range 的止章改在{WITHIN}，或把 scope 改成 medium、long。",
        ),
    ],
)
def test_a_carried_thread_that_does_not(
    fact: dict[str, Any], fields: dict[str, Any], detail: str, how: str
) -> None:
    assert carried(fact, **fields) == [(f"伏笔「rope」{detail}", how)]


def test_a_range_is_over_where_the_book_has_come_that_far_in_the_volume() -> None:
    assert len(told(one(planted_chapter=1, target_resolve_range=[2, 5]), facts=None, last=6)) == 1
    assert told(one(planted_chapter=1, target_resolve_range=[2, 5]), facts=None, last=7) == []
    assert told(one(planted_chapter=9, target_resolve_range=[8, 9]), facts=None) == []


def test_the_facts_of_a_thread() -> None:
    plan = Draft().plan()
    assert foreshadowing.find_fact(plan, "rope") == {"id": "rope", "status": "advanced", "planted_chapter": 1}
    assert foreshadowing.find_fact(plan, "bell") is None
    assert (foreshadowing.may_be_fact(plan, "rope"), foreshadowing.may_be_fact(plan, "bell")) == (True, False)
    unread = plan._replace(facts=None)
    assert foreshadowing.find_fact(unread, "rope") is None and foreshadowing.may_be_fact(unread, "bell")
