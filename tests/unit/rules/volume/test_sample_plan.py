"""The sample's own volume, one thing changed: what contradicts is told once, with file, place and fix.

Each mutation is one change of one file, as a planner's or an author's slip would make it. A slip that reaches
one rule in one way stands with the rule, in the test of its module.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from novel_hooks import layout
from unit.rules.volume.sample_changes import (
    CARD,
    CAST,
    CHAIN,
    CONTRACT,
    HINT,
    LINE,
    OUTLINE,
    PLAN,
    SCHEDULE,
    SHAPE,
    THREAD,
    WHO,
    WORLD,
    Change,
    blank,
    check_told_once,
    deal,
    document,
    event,
    line,
    renamed,
    rules,
    states,
    text,
    thread,
    told,
    updates,
)
from unit.rules.volume.sample_changes import made as made
from unit.rules.volume.sample_changes import whole as whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from builders import Book


def test_the_sample_passes(made: Book) -> None:
    assert told(made) == []


def blocks(*order: int) -> Callable[[Book], None]:
    """The outline's blocks, by their place from 1, in another order."""

    def make(made: Book) -> None:
        head, *parts = re.split(r"(?m)^(?=### )", made.at(OUTLINE).read_text("utf-8"))
        made.at(OUTLINE).write_text(head + "".join(parts[n - 1] for n in order), "utf-8")

    return make


def move(old: str, new: str) -> Callable[[Book], None]:
    return lambda made: made.at(old).rename(made.at(new))


def exchange(one: int, other: int) -> Callable[[Book], None]:
    def make(made: Book) -> None:
        held = made.at(deal(one)).read_bytes()
        made.at(deal(one)).write_bytes(made.at(deal(other)).read_bytes())
        made.at(deal(other)).write_bytes(held)

    return make


def added(path: str, *keys: str | int, value: Any) -> Callable[[Book], None]:
    def make(d: Any) -> None:
        for key in keys:
            d = d[key]
        d.append(value)

    return document(path, make)


KEYS = ("POV", "Location", "Conflict", "Arc", "Foreshadowing", "StateChanges")


EVERY_KEY = ("Storyline", *KEYS, "TransitionHint")


CHANGES = [
    # the outline
    Change("blocks 5 and 6 exchanged", blocks(1, 2, 3, 4, 6, 5), (SHAPE, "6（第 55 行，应在第 5 章之后）")),
    Change("blocks 1 and 2 exchanged", blocks(2, 1, 3, 4, 5, 6), (SHAPE, "2（第 15 行，应在第 1 章之后）")),
    Change("block 6 in front", blocks(6, 1, 2, 3, 4, 5), (SHAPE, "6（第 15 行，应在第 5 章之后）")),
    Change(
        "block 1 away", blocks(2, 3, 4, 5, 6), ("VOLUME_RANGE", "应从第 1 章起"), (CONTRACT, "没有第 1 章")
    ),
    Change("block 6 away", blocks(1, 2, 3, 4, 5), (CONTRACT, "大纲里没有第 6 章")),
    Change(
        "6 becomes 7",
        text(OUTLINE, "### 第 6 章", "### 第 7 章"),
        (SHAPE, "缺少：6"),
        (CONTRACT, "第 7 章没有契约"),
    ),
    Change(
        "3 becomes 2", text(OUTLINE, "### 第 3 章", "### 第 2 章"), (SHAPE, "重复：2"), (SHAPE, "缺少：3")
    ),
    Change("heading of another level", text(OUTLINE, "### 第 3 章", "## 第 3 章"), (SHAPE, "写法不对")),
    Change("heading in Chinese", text(OUTLINE, "### 第 3 章", "### 第三章"), (SHAPE, "写法不对")),
    *(Change(f"{key} misspelt", blank(key, "*"), (SHAPE, f"没有「{key}」这一行")) for key in EVERY_KEY),
    *(Change(f"{key} blank", blank(key), ("VOLUME_OUTLINE", f"{key} 空着")) for key in KEYS),
    Change("Storyline blank", blank("Storyline"), (SHAPE, "空着「Storyline」")),
    Change(
        "a storyline misspelt",
        text(OUTLINE, "**: rope-chaser", "**: rope-chser"),
        (CONTRACT, "大纲写的是「rope-chser」"),
    ),
    Change("another POV", text(OUTLINE, "POV**: 鲁墩", "POV**: 蔺婆"), (CAST, "「蔺婆」")),
    Change(
        "an id away",
        text(OUTLINE, "埋 loose-tooth（灯花显摆松动的门牙）；", ""),
        (THREAD, "大纲的 Foreshadowing 里没有"),
    ),
    Change(
        "another act",
        text(OUTLINE, "埋 loose-tooth", "收 loose-tooth"),
        (THREAD, "大纲写的是收，契约写的是埋"),
    ),
    Change(
        "one id more",
        text(OUTLINE, "埋 loose-tooth", "推 four-ten；埋 loose-tooth"),
        (THREAD, "（four-ten）第 2 章的大纲里有"),
    ),
    # contracts
    *(
        Change(f"contract {n} away", lambda made, n=n: made.drop(deal(n)), (CONTRACT, f"第 {n} 章没有契约"))
        for n in (1, 3, 6)
    ),
    Change(
        "contract 6 as 7",
        move(deal(6), deal(7)),
        (CONTRACT, "第 6 章没有契约"),
        (CONTRACT, "大纲里没有第 7 章"),
    ),
    Change("contract 6 misnamed", move(deal(6), deal(6).replace("006", "6")), (CONTRACT, "文件名不是章号")),
    Change(
        "contract 6 beside a misnamed one",
        lambda made: made.write(deal(6).replace("006", "6"), made.at(deal(6)).read_bytes()),
        (CONTRACT, "chapter-006.json 也已经有了"),
    ),
    Change(
        "contract 6 misnamed after a name of another's",
        lambda made: made.write(deal(6).replace("006", "六"), made.json(deal(5))),
        (CONTRACT, "chapter-005.json 也已经有了"),
    ),
    Change(
        "contracts 5 and 6 exchanged",
        exchange(5, 6),
        (CONTRACT, "契约写的是第 6 章，应是第 5 章"),
        (CONTRACT, "契约写的是第 5 章，应是第 6 章"),
        (WORLD, "「W-012」"),
    ),
    Change(
        "chapter in words", document(deal(3), lambda d: d.update(chapter="3")), (SHAPE, "chapter 应为整数")
    ),
    Change(
        "storyline misspelt",
        document(deal(3), lambda d: d.update(storyline_id="seventh-spn")),
        (CONTRACT, "seventh-spn"),
    ),
    Change(
        "storyline no slug",
        document(deal(3), lambda d: d.update(storyline_id="Seventh")),
        (SHAPE, "storyline_id"),
    ),
    Change(
        "storyline away", document(deal(3), lambda d: d.pop("storyline_id")), (SHAPE, "storyline_id 缺少")
    ),
    Change("no objective", document(deal(3), lambda d: d.update(objectives=[])), (CONTRACT, "必达目标")),
    Change("objectives away", document(deal(3), lambda d: d.pop("objectives")), (SHAPE, "objectives 缺少")),
    Change(
        "required in words",
        document(deal(3), lambda d: d["objectives"][0].update(required="yes")),
        (SHAPE, "objectives[0].required"),
    ),
    Change(
        "an objective's id away",
        document(deal(3), lambda d: d["objectives"][1].pop("id")),
        (SHAPE, "objectives[1].id"),
    ),
    Change(
        "絮儿 not held",
        document(deal(3), lambda d: states(d).pop("絮儿")),
        (CHAIN, "「絮儿」：第 2 章改变了他"),
    ),
    Change(
        "苗禾 not held",
        document(deal(3), lambda d: states(d).pop("苗禾")),
        (CHAIN, "「苗禾」：第 2 章改变了他"),
    ),
    Change("桑准 not held", document(deal(3), lambda d: states(d).pop("桑准")), (CAST, "「桑准」")),
    Change("闵守中 not held", document(deal(1), lambda d: states(d).pop("闵守中")), (CAST, "「闵守中」")),
    Change(
        "nobody held",
        document(deal(3), lambda d: d["preconditions"].pop("character_states")),
        (CHAIN, "「苗禾」"),
        (CHAIN, "「絮儿」"),
    ),
    Change(
        "states as a list",
        document(deal(3), lambda d: d["preconditions"].update(character_states=["桑准"])),
        (SHAPE, "character_states 应为对象"),
    ),
    Change(
        "a name misspelt", document(deal(3), lambda d: renamed(states(d), "苗禾", "苗和")), (WHO, "「苗和」")
    ),
    Change(
        "a change misspelt",
        document(deal(3), lambda d: renamed(d["postconditions"]["state_changes"], "苗禾", "苗和")),
        (WHO, "「苗和」"),
    ),
    Change(
        "one who was elsewhere changes, by id",
        document(deal(3), lambda d: d["postconditions"]["state_changes"].update({"lu-dun": {}})),
        (CHAIN, "「鲁墩」"),
    ),
    Change(
        "one who was elsewhere acts in an objective",
        document(deal(4), lambda d: d["objectives"][0].update(actor="苗禾")),
        (CHAIN, "目标 OBJ-4-1 的 actor"),
    ),
    Change(
        "one who was elsewhere is a target, by alias",
        document(deal(4), lambda d: d["objectives"][0].update(target="絮哥儿")),
        (CHAIN, "「絮儿」"),
    ),
    Change(
        "a rule that is none",
        added(deal(3), "preconditions", "required_world_rules", value="W-099"),
        (WORLD, "「W-099」"),
    ),
    Change(
        "a rule misspelt", document(deal(3), lambda d: rules(d).__setitem__(0, "W-02")), (WORLD, "「W-02」")
    ),
    Change(
        "a rule as a number",
        added(deal(3), "preconditions", "required_world_rules", value=12),
        (SHAPE, "required_world_rules[6]"),
    ),
    Change(
        "next storyline misspelt",
        document(deal(3), lambda d: d[HINT].update(next_storyline="rope-chasr")),
        (LINE, "「rope-chasr」没有定义"),
    ),
    Change(
        "meanwhile misspelt",
        document(
            deal(3), lambda d: renamed(d["storyline_context"]["concurrent_state"], "vine-yard", "vineyard")
        ),
        (LINE, "concurrent_state"),
    ),
    Change("a planting away", document(deal(3), lambda d: updates(d).pop(0)), (THREAD, "那一章的契约没有写")),
    Change(
        "a step away",
        document(deal(3), lambda d: updates(d).pop(2)),
        (THREAD, "契约的 foreshadowing_updates 里没有"),
    ),
    Change(
        "no updates",
        document(deal(3), lambda d: d["postconditions"].pop("foreshadowing_updates")),
        (THREAD, "（wrapped-beam）计划在第 3 章埋"),
        (THREAD, "（silent-span）计划在第 3 章埋"),
    ),
    Change(
        "another action",
        document(deal(3), lambda d: updates(d)[0].update(action="advanced")),
        (THREAD, "那一章的契约没有写"),
    ),
    Change(
        "ended early",
        added(
            deal(4),
            "postconditions",
            "foreshadowing_updates",
            value={"id": "wrapped-beam", "action": "resolved"},
        ),
        (THREAD, "第 4 章收了"),
    ),
    # the schedule
    Change(
        "a line away",
        document(SCHEDULE, lambda d: d["active_storylines"].pop()),
        (LINE, "第 2、4 章的故事线「rope-chaser」"),
    ),
    Change(
        "a line misspelt",
        line(1, storyline_id="rope-chasr"),
        (LINE, "「rope-chasr」没有定义"),
        (LINE, "第 2、4 章的故事线「rope-chaser」"),
    ),
    Change("asleep and awake", added(SCHEDULE, "newly_activated", value="vine-yard"), (LINE, "又活跃又休眠")),
    Change(
        "five lines",
        document(SCHEDULE, lambda d: d["active_storylines"].extend([{"storyline_id": "vine-yard"}] * 3)),
        (SHAPE, "最多 4 项"),
        (LINE, "写了两次"),
        (LINE, "又活跃又休眠"),
    ),
    Change("a role that is none", line(0, volume_role="main"), ("OUTPUT_MENDED", "volume_role")),
    Change("they meet backwards", event(chapter_range=[6, 5]), (SHAPE, "chapter_range")),
    Change("a range of three", event(chapter_range=[4, 5, 6]), (SHAPE, "chapter_range")),
    Change(
        "one misspelt",
        event(involved_storylines=["seventh-span", "rope-chase"]),
        (LINE, "「rope-chase」没有定义"),
    ),
    # the foreshadowing plan
    Change(
        "a thread away",
        document(PLAN, lambda d: d["foreshadowing"].pop(0)),
        (THREAD, "「under-the-chair」没有人立过"),
    ),
    Change("a thread misspelt", thread("cut-tail", id="cut-tale"), (THREAD, "「cut-tail」没有人立过")),
    Change(
        "a thread badly named",
        thread("cut-tail", id="Cut Tail"),
        (THREAD, "编号写法不对"),
        (THREAD, "「cut-tail」没有人立过"),
    ),
    Change(
        "a thread without id",
        document(PLAN, lambda d: d["foreshadowing"][0].pop("id")),
        (SHAPE, "foreshadowing[0].id"),
    ),
    Change("planted nowhere", thread("cut-tail", planted_chapter=None), (THREAD, "没有 planted_chapter")),
    Change(
        "range backwards", thread("loose-tooth", target_resolve_range=[6, 4]), (SHAPE, "target_resolve_range")
    ),
    Change("a scope that is none", thread("loose-tooth", scope="mid"), (SHAPE, "scope")),
    # what the plan leans on
    Change("a card away", lambda made: made.drop(CARD), (WHO, "「鲁墩」没有档案")),
    Change(
        "a card of another name",
        document(CARD, lambda d: d.update(display_name="鲁大")),
        (WHO, "「鲁墩」没有档案"),
    ),
    Change(
        "a card without a name", document(CARD, lambda d: d.pop("display_name")), ("SCHEMA_VIOLATION", CARD)
    ),
    Change("a card that is no JSON", text(CARD, "{", "["), ("JSON_BROKEN", CARD)),
    Change(
        "a rule away",
        document(layout.WORLD_RULES, lambda d: d["rules"].pop(1)),
        (WORLD, "第 2、3、4、5、6 章的契约也是"),
    ),
    Change(
        "a rule introduced later",
        document(layout.WORLD_RULES, lambda d: d["rules"][1].update(introduced_chapter=4)),
        (WORLD, "第 1、2、3 章就用上了"),
    ),
    Change(
        "a rule of no shape",
        document(layout.WORLD_RULES, lambda d: d["rules"][1].pop("rule")),
        ("SCHEMA_VIOLATION", "rules[1].rule"),
    ),
    Change(
        "a storyline away",
        document(layout.STORYLINES, lambda d: d["storylines"].pop(1)),
        (LINE, "「rope-chaser」没有定义"),
    ),
    Change(
        "a storyline renamed",
        document(layout.STORYLINES, lambda d: d["storylines"][1].update(id="rope-chase")),
        (LINE, "「rope-chase」"),
    ),
]


@pytest.mark.parametrize("change", CHANGES, ids=[change.name for change in CHANGES])
def test_what_contradicts_is_told_once_with_file_place_and_fix(made: Book, change: Change) -> None:
    check_told_once(made, change)
