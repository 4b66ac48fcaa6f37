"""`novel who`: a person from card, state, contracts, chapters and threads, in the author's words."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path

CARD = {
    "aliases": ["阿沈"],
    "age": "二十六",
    "looks": "左眉有疤",
    "voice": "一句话分两截说",
    "secret": "他是守塔人的儿子",
    "绰号来历": "小时候落过水",
    "sign": "属水",
    "level": "渡境一层",
    "status": "失踪",
    "starting": {"inventory": ["船牌"], "relationships": {"qiao-jiu": 40}, "weight": 104},
}
STATE = {
    "location": "北渡口",
    "emotional_state": "发闷",
    "inventory": ["铜灯", "半枚铜钱"],
    "level": "渡境二层",
    "injuries": ["左手烫伤", "断了一根肋骨"],
    "knows": ["塔上有人", "灯是假的"],
    "owes": [{"what": "三十两", "to": "qiao-jiu", "due": "第 12 章"}, "一条命"],
    "status": "在世",
    "goes_as": "陈九",
    "relationships": {"qiao-jiu": 60, "bai-sui": -5},
    "omen": "河水倒流",
    "points": 7,
}


@pytest.fixture
def made(tmp_path: Path) -> Book:
    found = book(tmp_path, 4, volume_size=8)
    for chapter in range(1, 5):
        found.write(layout.chapter(chapter), f"# 第 {chapter} 章 夜渡\n\n水声在船底响了一夜。\n")
    found.write(layout.chapter(2), "# 第 2 章 夜渡\n\n沈渡来了。\n\n阿沈没有回头。\n")
    card = found.json(layout.character_card("shen-du"))
    contracts = [
        {"id": "C-1", "rule": "不说谎", "valid_from_chapter": 1},
        {"id": "C-2", "rule": "不下水", "valid_from_chapter": 1, "valid_until": 9},
        {"id": "C-3", "rule": "不知道塔上有人", "valid_from_chapter": 1, "valid_until": 3},
        {"id": "C-4", "rule": "不认乔九", "valid_from_chapter": 1, "valid_until": "乔九报出真名"},
    ]
    found.write(layout.character_card("shen-du"), {**card, **CARD, "contracts": contracts})
    state = found.json(layout.STATE)
    state["characters"]["shen-du"] = STATE
    found.write(layout.STATE, state)
    return found


def page(made: Book, *argv: str) -> str:
    said = made.novel("who", *argv)
    assert (said.exit, said.diagnostics) == (0, ())
    return str(said.text)


def test_the_page_has_everything_and_no_key_and_no_id(made: Book) -> None:
    told = page(made, "沈渡")
    for line in (
        "别名　阿沈",
        "年纪　二十六",
        "样子　左眉有疤",
        "口吻　一句话分两截说",
        "秘密　他是守塔人的儿子",
        "绰号来历　小时候落过水",
        "另记　属水",
        "起始处境　随身之物 船牌，关系 乔九 40",
        "开书时的境界　渡境一层",
        "开书时的生死去向　失踪",
        "生死去向　在世",
        "化名　陈九",
        "所在　北渡口",
        "心情　发闷",
        "境界　渡境二层",
        "伤　左手烫伤、断了一根肋骨",
        "随身之物　铜灯、半枚铜钱",
        "所知　塔上有人、灯是假的",
        "所欠　欠乔九 三十两 期限第 12 章；一条命",
        "另记　河水倒流",
        "不说谎",
        "不下水（到第 9 章为止）",
        "不认乔九（直到乔九报出真名）",
        "第 2 章第 5 行　阿沈没有回头。",
    ):
        assert f"  {line}\n" in told + "\n", line
    assert "不知道塔上有人" not in told
    assert re.search(r"乔九 60，.* -5", told)
    bare = told.replace(layout.character_card("shen-du"), "")
    assert not re.search(r"[a-z_]{2,}", bare)


def test_the_data(made: Book) -> None:
    data = made.ok("who", "阿沈")
    assert (data["name"], data["typed"], data["retired"]) == ("沈渡", "阿沈", False)
    assert data["card"]["age"] == "二十六" and data["state"]["owes"][1] == "一条命"
    assert data["relationships"]["乔九"] == 60
    assert [one["id"] for one in data["contracts"]] == ["C-1", "C-2", "C-4"]
    assert data["last_seen"] == {"chapter": 2, "line": 5, "text": "阿沈没有回头。"}


def test_threads_that_name_him(made: Book) -> None:
    def thread(name: str, **fields: Any) -> dict[str, Any]:
        plain = {"id": name, "status": "planted", "scope": "short", "target_resolve_range": [5, 6]}
        return {**plain, "planted_chapter": 1, "last_updated_chapter": 1, "history": [], **fields}

    told = [
        thread("a-scar", description="阿沈左眉的疤"),
        thread("b-lamp", description="铜灯的来历"),
        thread("c-coin", history=[{"chapter": 1, "action": "planted", "detail": "沈渡捡到铜钱"}]),
        thread("d-oar", description="折断的桨", payoff="桨是沈渡折的", target_resolve_range=[6, 6]),
    ]
    made.write(layout.FORESHADOWING, {"foreshadowing": told})
    assert [one["id"] for one in made.ok("who", "沈渡")["threads"]] == ["a-scar", "c-coin", "d-oar"]
    shown = page(made, "沈渡")
    assert "阿沈左眉的疤　第 1 章已埋　计划第 5–6 章收" in shown
    assert "折断的桨　第 1 章已埋　计划第 6 章收" in shown


@pytest.mark.parametrize(
    ("typed", "near"),
    [("阿沈", False), (" 沈渡 ", False), ("shen-du", False), ("沈", True), ("沈渡儿", True), ("沈度", True)],
)
def test_any_name_and_a_near_one_lead_to_him(made: Book, typed: str, near: bool) -> None:
    """A near one may be another person's, of whom there is no card: that is said."""
    assert made.ok("who", typed)["name"] == "沈渡"
    assert (f"书里没有叫「{typed.strip()}」的人" in page(made, typed)) is near


def test_several_are_asked_about(made: Book) -> None:
    card = made.json(layout.character_card("qiao-jiu"))
    made.write(layout.character_card("qiao-jiu"), {**card, "aliases": ["阿沈"]})
    found = made.refused(3, "PERSON_UNCLEAR", "who", "阿沈")
    assert "乔九" in found.message and "沈渡" in found.message and "novel who" in found.fix
    assert made.refused(3, "PERSON_UNCLEAR", "who", "阿")


def test_nobody_and_a_thing(made: Book) -> None:
    found = made.refused(3, "PERSON_UNKNOWN", "who", "彩虹桥")
    assert "沈渡" in found.fix and "novel find 彩虹桥" in found.fix
    state = made.json(layout.STATE)
    state["items"] = {"青石碑": {}}
    made.write(layout.STATE, state)
    assert "别的东西" in made.refused(3, "PERSON_UNKNOWN", "who", "青石碑").message
    noted = {"ts": "2026-01-01T00:00:00Z", "chapter": 3, "mention": "更夫老魏", "context": None}
    made.write(layout.UNKNOWN_ENTITIES, json.dumps(noted, ensure_ascii=False) + "\n")
    told = made.refused(3, "PERSON_UNKNOWN", "who", "更夫老魏")
    assert "还没有档案" in told.message and "novel character add 更夫老魏" in told.fix
    assert made.refused(2, "CLI_USAGE", "who", " ")


def test_a_person_who_left_and_one_of_whom_little_is_known(made: Book) -> None:
    card = made.json(layout.character_card("bai-sui"))
    made.at(layout.RETIRED).mkdir()
    made.drop(layout.character_card("bai-sui"))
    made.write(layout.retired(layout.character_card("bai-sui")), card)
    told = page(made, card["display_name"])
    assert "已退场" in told and layout.RETIRED in told and "写好的章里还没有写到" in told
    state = made.json(layout.STATE)
    state["characters"] = {}
    made.write(layout.STATE, state)
    assert "正文里还没有记下" in page(made, "沈渡")


def test_a_name_of_one_character_and_odd_aliases_are_no_crash(made: Book) -> None:
    card = made.json(layout.character_card("shen-du"))
    made.write(layout.character_card("shen-du"), {**card, "display_name": "墨", "aliases": []})
    assert made.ok("who", "墨")["name"] == "墨"
    made.write(layout.character_card("shen-du"), {**card, "aliases": 5})
    assert made.novel("who", str(card["display_name"])).exit == 0
