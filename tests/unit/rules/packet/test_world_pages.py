"""The sections of the world's pages that name what is in a chapter."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.packet import world_pages
from novel_hooks.rules.text import length

PAGE = (
    "开篇的话，说盐仓。\n\n# 盐镇\n\n## 盐仓\n\n盐仓有三道门。\n\n### 账房\n账房管钥匙。\n\n"
    "## 渡口\n\n渡口天黑不开。\n\n## 空的\n\n## 节令\n腊月祭盐。\n```\n# 不是标题\n```\n"
)


def choose(names: Any = (), phrases: Any = (), plan: str = "", pages: Any = (PAGE,)) -> list[str]:
    return world_pages.choose(pages, names, phrases, plan)


def named(names: Any = (), phrases: Any = (), plan: str = "", pages: Any = (PAGE,)) -> list[str]:
    """The sections that name something: every other tells of somebody."""
    return world_pages.choose(pages, names, phrases, plan, [""])


def test_sections_by_heading_of_any_level_without_empty_ones() -> None:
    assert world_pages.sections(PAGE) == [
        "开篇的话，说盐仓。",
        "## 盐仓\n\n盐仓有三道门。",
        "### 账房\n账房管钥匙。",
        "## 渡口\n\n渡口天黑不开。",
        "## 节令\n腊月祭盐。\n```\n# 不是标题\n```",
    ]


def test_what_names_nothing_is_given_last_while_all_is_short() -> None:
    rest = ["开篇的话，说盐仓。", "### 账房\n账房管钥匙。", "## 渡口\n\n渡口天黑不开。"]
    assert choose(["腊月祭盐"])[0].startswith("## 节令")
    assert [one for one in choose(["腊月祭盐"]) if one in rest] == rest
    assert choose(["岑"], ["盐"]) == choose(), "one mark is no name"
    assert choose(["腊月祭盐"], pages=(PAGE, "# 城志\n" + "长" * world_pages.OTHERS))[-1] == rest[-1]


def test_a_section_on_somebody_is_given_only_when_it_is_named() -> None:
    page = "## 钱\n\n一块换三百。\n\n## 幕后\n\n岑四开的仓。\n"
    assert world_pages.choose([page], [], [], "他走了", ["岑四"]) == ["## 钱\n\n一块换三百。"]
    assert len(world_pages.choose([page], ["岑四"], [], "他走了", ["岑四"])) == 2


def test_a_heading_that_is_named_goes_before_a_text_that_names() -> None:
    assert named(["盐仓"]) == ["## 盐仓\n\n盐仓有三道门。", "开篇的话，说盐仓。"]
    assert named(plan="他在渡口等到天黑") == ["## 渡口\n\n渡口天黑不开。"]


def test_of_a_phrase_the_longest_pieces_that_a_page_has() -> None:
    assert named(phrases=["渡口石阶、账房"]) == ["### 账房\n账房管钥匙。", "## 渡口\n\n渡口天黑不开。"]
    assert named(phrases=["镇外三道门旁"]) == ["## 盐仓\n\n盐仓有三道门。"]


def test_a_section_of_two_pages_is_given_once() -> None:
    assert named(["渡口"], pages=(PAGE, PAGE)) == ["## 渡口\n\n渡口天黑不开。"]


def test_no_more_than_the_limit_and_of_a_long_section_the_paragraphs_that_name() -> None:
    long = "# 城志\n\n" + "\n\n".join(("井水苦。" if n % 3 else "渡口有灯。") + "长" * 195 for n in range(60))
    found = named(["渡口"], pages=(long, PAGE))
    assert found[0] == "## 渡口\n\n渡口天黑不开。"
    assert found[1].startswith("# 城志\n\n渡口有灯。") and "井水" not in found[1]
    assert world_pages.LIMIT - 300 < sum(map(length.length, found)) <= world_pages.LIMIT


def test_of_a_long_text_without_a_heading_the_paragraphs_that_name() -> None:
    long = "\n".join(("渡口 有灯。" if n % 3 else "井水苦。") + "长" * 195 for n in range(60))
    (found,) = named(["渡口"], pages=(long,))
    assert found.startswith("渡口 有灯。长") and "井水" not in found


def test_of_a_long_section_that_only_its_heading_names_nothing_is_given() -> None:
    long = "# 渡口\n\n" + "\n\n".join("井水苦。" + "长" * 195 for n in range(20))
    assert named(["渡口"], pages=(long,)) == []


@pytest.mark.parametrize("states", [None, [], {"岑四": None}, {"岑四": {"location": None}}, "x"])
def test_places_and_things_of_contract_and_outline(states: Any) -> None:
    document = {"chapter": 1, "storyline_id": "a", "preconditions": {"character_states": states}}
    held = contracts.parse(document, "c.json")
    assert world_pages.place_phrases(held, {"Location": "盐仓后院，腊月二十，黄昏"}) == ["盐仓后院"]
    assert world_pages.place_phrases(held, {}) == [""]


def test_where_people_are_and_what_they_hold() -> None:
    people = {"岑四": {"location": "渡口", "holds": "盐引", "knows": "账房起疑", "inventory": ["灯", "绳"]}}
    document = {"chapter": 1, "storyline_id": "a", "preconditions": {"character_states": people}}
    found = world_pages.place_phrases(contracts.parse(document, "c.json"), {})
    assert found == ["", "渡口", "盐引", "灯", "绳"]
