"""Two kinds of book, from `init` to going back, in short texts: what real ones showed stays mended.

A suspense on one line: nicknames, a misspelt name, things by name, a thread nobody recorded, a contract
that ends, a revision, a hand edit. A xianxia on three lines: levels, rules of later chapters, a hidden
hand, a sentence of long ago, the line that was away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import fast_disk as fast_disk
from smallbook import SmallBook, started, told

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "那年开闸放水的人就是他自己"
PAYOFF = "借条上的手印是死人按的"


def rule(number: int, text: str, chapter: int = 1) -> dict[str, Any]:
    fields = {"category": "规矩", "constraint_type": "hard", "exceptions": [], "last_verified": None}
    return {"id": f"W-{number:03d}", "rule": text, "introduced_chapter": chapter, **fields}


def contract(name: str, text: str, until: Any = None) -> dict[str, Any]:
    end = {"valid_from_chapter": 1, "valid_until": until, "exceptions": [], "update_requires": "写到那一章"}
    return {"id": name, "type": "knowledge", "rule": text, **end}


def thread(name: str, chapter: int, signal: str, payoff: str, until: int) -> dict[str, Any]:
    fields = {"scope": "short", "status": "planted", "history": [], "planted_chapter": chapter}
    shown = {"description": signal, "signal": signal, "payoff": payoff}
    return {"id": name, "target_resolve_range": [chapter, until], **fields, **shown}


def move(name: str, action: str) -> dict[str, str]:
    return {"id": name, "action": action, "detail": "露了一面"}


@pytest.fixture
def suspense(tmp_path: Path) -> SmallBook:
    """Three chapters on one line."""
    cards = [
        {
            "id": "he-peishan",
            "display_name": "何佩珊",
            "aliases": ["小何"],
            "called_by": {"同事": "老幺"},
            "looks": "左手少半截小指",
            "secret": SECRET,
            "contracts": [contract("C-HP-1", "以为闸是自己坏的。", "她看见闸门的锁")],
        },
        {
            "id": "du-ming",
            "display_name": "杜铭",
            "owes": [{"what": "三千块", "to": "何佩珊", "due": "月底"}],
        },
    ]
    people = {"何佩珊": {"location": "水务所"}, "杜铭": {"location": "水务所"}}
    row = {"line": "gate", "pov": "何佩珊", "place": "水务所，半夜", "people": people}
    rows = [
        {**row, "conflict": "何佩珊要看借条，杜铭不给", "threads": [move("iou", "planted")]},
        {
            **row,
            "conflict": "何佩珊要去看闸，杜铭锁着门",
            "threads": [move("iou", "advanced")],
            "after": {"closes": ["C-HP-1"]},
        },
        {**row, "conflict": "杜铭要走，何佩珊不让", "threads": [move("iou", "resolved")]},
    ]
    page = "# 水务所\n\n两层楼，闸在后院。\n\n## 钱\n\n夜班一晚八十。\n\n## 旧案\n\n沈老闸死在闸下。\n"
    plan = [thread("iou", 1, "借条上有个红手印", PAYOFF, 3)]
    return started(tmp_path / "u", cards, [rule(1, "闸一开要一刻钟才合得上。")], rows, plan, page)


def test_a_suspense_on_one_line(suspense: SmallBook) -> None:
    made = suspense
    made.ok("lock", "acquire")
    first = made.packet("draft")
    assert "老幺" in told(first["people"]) and "左手少半截小指" in told(first["people"])
    assert "夜班一晚八十" in told(first["world_pages"]), "prices name nobody"
    assert SECRET not in told(first) and PAYOFF not in told(first)
    made.draft("# 第 1 章 名1\n\n何佩姗把借条翻过来，杜铭伸手去抢。\n")
    assert "何佩珊" in made.refused(1, "NAME_MISSPELT", "advance", "chapter:001:draft").message
    item = {"op": "set", "path": "items.借条.location", "value": "何佩珊兜里"}
    planted = {"op": "foreshadow", "path": "iou", "value": "planted", "detail": "红手印"}
    made.land(1, "何佩珊把借条翻过来，红手印还在。杜铭伸手去抢。", item, planted)
    state = made.json(layout.STATE)
    assert state["items"]["借条"]["location"] == "何佩珊兜里"
    assert state["characters"]["du-ming"]["owes"][0]["what"] == "三千块"

    made.chapter = 2
    made.ok("lock", "acquire")
    second = made.packet("draft")
    assert "红手印还在" in told(second["previous_text"])
    assert "何佩珊要看借条" not in told(second["current_volume_outline"]), (
        "what is written is planned no more"
    )
    assert second["foreshadowing_tasks"][0][0]["todo"] == "advanced"
    made.draft("# 第 2 章 名2\n\n老幺看见闸门的锁是新的，借条湿了一角。\n")
    made.advance("draft")
    recorder = made.packet("summarize")
    assert "老幺" in told(recorder["entity_id_map"]) and PAYOFF not in told(recorder)
    made.recorded({"op": "set", "path": "characters.he-peishan.location", "value": "闸门前"})
    found = made.novel("validate", "chapter:002:summarize")
    assert "FORESHADOWING_UNRECORDED" in [one.code for one in found.diagnostics]
    made.advance("summarize")
    made.advance("refine")
    fix = {"target": "老幺", "instruction": "锁是旧的", "kind": "fact", "quote": "老幺看见闸门的锁是新的"}
    assert made.judged(required_fixes=[fix]) == "revise", "a wrong fact is mended whatever the score"
    assert "锁是旧的" in told(made.packet("revise")["required_fixes"])
    made.draft("# 第 2 章 名2\n\n老幺看见闸门的锁是旧的，借条湿了一角。\n")
    made.advance("revise")
    assert "闸门前" in told(made.packet("summarize")["previous_output"])
    made.recorded({"op": "foreshadow", "path": "iou", "value": "advanced", "detail": "湿了一角"})
    made.advance("summarize")
    made.advance("refine")
    assert made.judged() == "pass"
    made.ok("commit", "--chapter", "2")
    (closed,) = made.json(layout.character_card("he-peishan"))["contracts"]
    assert closed["valid_until"] == 2
    edited_and_taken_back(made)


def edited_and_taken_back(made: SmallBook) -> None:
    """The author edits chapter 1, thinks better of it, and goes back before chapter 2."""
    made.ok("lock", "release")
    text = made.at(layout.chapter(1)).read_text("utf-8")
    made.write(layout.chapter(1), text.replace("翻过来", "折起来"))
    made.ok("sync", "1")
    made.chapter = 1
    again = made.packet("summarize", "sync")
    assert "何佩珊兜里" in told(again["previous_output"]), "an edited word does not lose the record"
    made.ok("sync", "--cancel")
    made.ok("rollback", "1", "--yes")
    (opened,) = made.json(layout.character_card("he-peishan"))["contracts"]
    assert (made.point()["last_completed_chapter"], opened["valid_until"]) == (1, "她看见闸门的锁")


@pytest.fixture
def xianxia(tmp_path: Path) -> SmallBook:
    """Five chapters on three lines."""
    cards = [
        {"id": "a-lin", "display_name": "阿蔺", "level": "炼气三层", "injuries": ["左耳听不清"]},
        {"id": "shi-xiong", "display_name": "韩照夜", "secret": SECRET},
        {"id": "lao-gui", "display_name": "老桂"},
        {"id": "qing-he", "display_name": "青禾"},
    ]
    hill = {"line": "hill", "pov": "阿蔺", "place": "后山，入夜", "people": {"阿蔺": {}, "韩照夜": {}}}
    town = {"line": "town", "pov": "老桂", "place": "镇上，早市", "people": {"老桂": {}}}
    gate = {"line": "gate", "pov": "青禾", "place": "山门，雨天", "people": {"青禾": {}}}
    rows = [
        {**hill, "conflict": "阿蔺要取灯，韩照夜守着", "threads": [move("lamp", "planted")]},
        {**town, "conflict": "老桂要卖灯油，没有人买"},
        {**town, "conflict": "老桂要还灯油，掌柜不收"},
        {**gate, "conflict": "青禾要进山门，守门的不认她的牌子"},
        {**hill, "conflict": "阿蔺要还灯，韩照夜不接", "threads": [move("lamp", "resolved")]},
    ]
    rules = [rule(1, "炼气不满四层的人提不动青灯。"), rule(2, "青灯灭了就再点不着。", 5)]
    plan = [thread("lamp", 1, "青灯的灯芯是白的", PAYOFF, 5)]
    return started(tmp_path / "x", cards, rules, rows, plan, "# 后山\n\n只有一条石阶。\n")


def test_a_xianxia_on_three_lines(xianxia: SmallBook) -> None:
    made = xianxia
    assert made.json(layout.STATE)["characters"]["a-lin"]["level"] == "炼气三层"
    made.ok("lock", "acquire")
    first = told(made.packet("draft"))
    assert "提不动青灯" in first and "再点不着" not in first, "no rule of a later chapter"
    assert SECRET not in first and PAYOFF not in first
    lamp = "阿蔺把青灯藏进石阶第七级底下，拿苔藓盖好，韩照夜没有看见。"
    planted = {"op": "foreshadow", "path": "lamp", "value": "planted", "detail": "灯芯是白的"}
    level = {"op": "set", "path": "characters.a-lin.level", "value": "炼气四层"}
    made.land(1, lamp, planted, level)
    made.land(2, "老桂挑着灯油走过早市，一担也没有卖掉。")
    made.land(3, "老桂把灯油挑回去，掌柜关着门。")
    assert made.json(layout.STATE)["characters"]["a-lin"]["level"] == "炼气四层"

    made.land(4, "青禾把牌子递进去，守门的看也不看。")

    made.chapter = 5
    made.ok("lock", "acquire")
    last = made.packet("draft")
    assert "青禾把牌子递进去" in told(last["previous_text"]), "the chapter before, of another line"
    assert all(f"第 {n} 章的事" in told(last["recent_3_summaries"]) for n in (2, 3, 4)), "of the other lines"
    assert "石阶第七级" in told([last.get("line_text"), last["recall"]]), "the line's own words of long ago"
    assert "再点不着" in told(last["hard_rules_list"]) and PAYOFF in told(last["foreshadowing_tasks"])
    assert SECRET not in told(last)
    made.ok("lock", "release")
    made.ok("rollback", "2", "--yes")
    assert made.json(layout.STATE)["last_updated_chapter"] == 2
    assert made.next()["step"] == "chapter:003:draft"
