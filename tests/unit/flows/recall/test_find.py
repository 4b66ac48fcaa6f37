"""`novel find`: chapter, line, storyline and sentence of a name or a word."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book, killed_landing
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.recall import find
from novel_hooks.store.fence import marks

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Six chapters in which nothing is said; 沈渡 is also called 阿沈."""
    found = book(tmp_path, 6, volume_size=12)
    for chapter in range(1, 7):
        found.write(layout.chapter(chapter), f"# 第 {chapter} 章 夜渡\n\n水声在船底响了一夜。\n")
    card = found.json(layout.character_card("shen-du"))
    found.write(layout.character_card("shen-du"), {**card, "aliases": ["阿沈"]})
    return found


def say(made: Book, chapter: int, text: str) -> None:
    made.write(layout.chapter(chapter), f"# 第 {chapter} 章 夜渡\n\n{text}\n")


def places(data: dict[str, Any]) -> list[tuple[int, int, str]]:
    return [(hit["chapter"], hit["line"], hit["text"]) for hit in data["hits"]]


def test_a_plain_word_newest_first_with_its_line(made: Book) -> None:
    say(made, 2, "铜灯裂了。\n\n他把铜灯放下。天亮了。")
    say(made, 5, "没有铜灯。")
    data = made.ok("find", "铜灯")
    assert places(data) == [(5, 3, "没有铜灯。"), (2, 3, "铜灯裂了。"), (2, 5, "他把铜灯放下。")]
    assert (data["chapters"], data["more"], data["words"], data["name"]) == ([2, 5], 0, ["铜灯"], None)
    said = made.novel("find", "铜灯").text
    assert "第 5 章第 3 行" in said and "没有【铜灯】。" in said and "第 2 章到第 5 章之间的 2 章" in said


def test_the_storyline_by_its_name(made: Book) -> None:
    lines = made.json(layout.STORYLINES)
    lines["storylines"][0]["name"] = "渡船"
    made.write(layout.STORYLINES, lines)
    say(made, 1, "铜灯。")
    assert made.ok("find", "铜灯")["hits"][0]["storyline"] == "渡船"
    made.drop(layout.crossref(1))
    assert made.ok("find", "铜灯")["hits"][0]["storyline"] is None


def test_a_person_by_all_his_names_or_by_the_word_alone(made: Book) -> None:
    say(made, 2, "阿沈来了。")
    say(made, 3, "沈渡走了。")
    data = made.ok("find", "阿沈")
    assert places(data) == [(3, 3, "沈渡走了。"), (2, 3, "阿沈来了。")] and data["name"] == "沈渡"
    assert "连「沈渡」一起找" in made.novel("find", "阿沈").text
    assert places(made.ok("find", "阿沈", "--exact")) == [(2, 3, "阿沈来了。")]


def test_a_word_that_two_bear(made: Book) -> None:
    card = made.json(layout.character_card("qiao-jiu"))
    made.write(layout.character_card("qiao-jiu"), {**card, "aliases": ["阿沈"]})
    say(made, 2, "阿沈来了。沈渡没有来。")
    data = made.ok("find", "阿沈")
    assert places(data) == [(2, 3, "阿沈来了。")] and sorted(data["shared"]) == ["乔九", "沈渡"]
    assert "都叫「阿沈」" in made.novel("find", "阿沈").text


def test_the_last_thirty_and_how_many_more(made: Book) -> None:
    for chapter in range(1, 7):
        say(made, chapter, "\n".join(f"铜灯亮了{n}回。" for n in range(7)))
    data = made.ok("find", "铜灯")
    assert len(data["hits"]) == find.SHOWN and data["hits"][-1]["chapter"] == 2 and data["more"] == 5
    said = made.novel("find", "铜灯").text
    assert "第 2 章另有 5 句，更早的还有 1 章（最早第 1 章）；全部列出加 --all。" in said
    whole = made.ok("find", "铜灯", "--all")
    assert len(whole["hits"]) == 42 and whole["more"] == 0
    assert "--all" not in made.novel("find", "铜灯", "--all").text


def test_places_in_the_setting_and_the_outline(made: Book) -> None:
    made.write(f"{layout.WORLD}/docks.md", "# 渡口\n\n铜灯挂在桅上。\n")
    made.write(layout.BRIEF, "# 十三渡\n\n一盏铜灯的事。\n")
    card = made.json(layout.character_card("qiao-jiu"))
    made.write(layout.character_card("qiao-jiu"), {**card, "starting": {"inventory": ["铜灯"]}})
    found = [(one["where"], one["line"], one["text"]) for one in made.ok("find", "铜灯")["pages"]]
    assert found == [
        ("立意", 3, "一盏铜灯的事。"),
        ("世界设定", 3, "铜灯挂在桅上。"),
        ("角色档案", None, "铜灯"),
    ]
    said = made.novel("find", "铜灯").text
    assert "写好的章里没有「铜灯」" in said and "inventory" not in said
    assert [one["where"] for one in made.ok("find", "沈渡")["pages"]][:1] == ["第 1 卷大纲"]


def test_nothing_found_offers_the_nearest_name(made: Book) -> None:
    data = made.ok("find", "沈度")
    assert (data["hits"], data["pages"], data["near"]) == ([], [], "沈渡")
    assert "都没有「沈度」。是不是「沈渡」？" in made.novel("find", "沈度").text
    assert made.ok("find", "彩虹桥")["near"] is None
    assert made.refused(2, "CLI_USAGE", "find", " ").fix


def test_an_edit_by_hand_counts_at_once_and_a_draft_does_not(made: Book) -> None:
    made.ok("find", "铜灯")
    made.write(layout.chapter(4), "# 第 4 章 改过\r\n\r\n铜灯还在。\r\n")
    made.write(layout.staged(layout.chapter(7)), "# 第 7 章 稿\n\n铜灯。\n")
    assert places(made.ok("find", "铜灯")) == [(4, 3, "铜灯还在。")]


def test_a_landing_that_is_not_through_is_seen_as_it_will_be(
    made: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "# 第 3 章 夜渡\n\n沈渡数铜灯。\n"
    made.ok("instructions", made.step("draft"))
    monkeypatch.setattr(marks, "SETTLED_NS", -(10**12))  # the stat of before would be relied on
    made.ok("instructions", made.step("draft"))
    killed_landing(made, monkeypatch, {layout.chapter(3): text.encode()})
    assert places(made.ok("find", "铜灯")) == [(3, 3, "沈渡数铜灯。")]
    (recall,) = [i for i in made.ok("context", "chapter-writer", "--full")["inputs"] if i["key"] == "recall"]
    assert "沈渡数铜灯。" in json.dumps(recall, ensure_ascii=False)


def test_what_cannot_be_read_is_a_warning(made: Book) -> None:
    say(made, 2, "铜灯裂了。")
    made.write(layout.chapter(3), b"\xff\xfe\xff")
    made.drop(layout.chapter(4))
    made.write(f"{layout.WORLD}/docks.md", b"\xff\xfe\xff")
    made.write(layout.character_card("qiao-jiu"), "坏")
    said = made.novel("find", "铜灯")
    assert said.exit == 0 and places(said.data) == [(2, 3, "铜灯裂了。")]
    assert {d.severity for d in said.diagnostics} == {"warning"}
    spoilt = {layout.chapter(3), layout.chapter(4), "world/docks.md", layout.character_card("qiao-jiu")}
    assert {d.path for d in said.diagnostics} == spoilt
    assert len({d.message for d in said.diagnostics}) == len(said.diagnostics)


def test_who_knows_it_and_who_has_it(made: Book) -> None:
    state = made.json(layout.STATE)
    people = {
        "shen-du": {"display_name": "沈渡", "knows": ["灯数对不上", "乔九会凫水"], "location": "岸上"},
        "qiao-jiu": {"inventory": ["铜灯"], "owes": [{"to": "shen-du", "what": "灯"}]},
    }
    made.write(layout.STATE, {**state, "characters": {**state["characters"], **people}})
    assert made.ok("find", "灯数")["facts"] == [{"person": "沈渡", "key": "knows", "text": "灯数对不上"}]
    told = made.novel("find", "灯数").text or ""
    assert "谁知道、谁有（人物的现状）：\n  沈渡　所知　【灯数】对不上" in told
    assert made.ok("find", "铜灯")["facts"] == [{"person": "乔九", "key": "inventory", "text": "铜灯"}]
    assert [one["text"] for one in made.ok("find", "沈渡")["facts"]] == ["沈渡，灯"], "an id is its name"


def test_nothing_is_written(made: Book) -> None:
    before = made.tree()
    made.ok("find", "沈渡")
    made.ok("who", "沈渡")
    assert made.changed(before) == {}


@pytest.mark.slow
def test_a_plain_word_in_two_thousand_chapters(tmp_path: Path) -> None:
    made = book(tmp_path, 2000, volume_size=50)
    began = time.process_time()
    assert len(made.ok("find", "没有回头")["chapters"]) == 2000
    assert time.process_time() - began < 2


def test_a_name_that_stands_in_its_card_alone(made: Book) -> None:
    card = made.json(layout.character_card("shen-du"))
    made.write(layout.character_card("shen-du"), {**card, "aliases": ["灯下客"]})
    data = made.ok("find", "灯下客", "--exact")
    assert [one["path"] for one in data["pages"]] == [layout.character_card("shen-du")]
    told = made.novel("find", "灯下客", "--exact").text or ""
    assert "角色档案" in told and "都没有" not in told


def test_a_name_that_stands_in_the_state_alone(made: Book) -> None:
    made.write(layout.STATE, {**made.json(layout.STATE), "items": {"乌木匣": {"display_name": "乌木匣"}}})
    assert made.ok("find", "乌木匣")["recorded"] == "故事状态"
    assert "「乌木匣」只记在故事状态里" in (made.novel("find", "乌木匣").text or "")


def test_a_thing_of_a_persons_name_does_not_hide_him(made: Book) -> None:
    """The recorder made an entry of him: the name still means the person, with all his names."""
    say(made, 2, "阿沈来了。")
    made.write(layout.STATE, {**made.json(layout.STATE), "items": {"阿沈": {"display_name": "沈渡"}}})
    data = made.ok("find", "沈渡")
    assert (data["name"], data["shared"], places(data)) == ("沈渡", [], [(2, 3, "阿沈来了。")])


def test_a_thing_in_two_sections_is_one(made: Book) -> None:
    box = {"display_name": "乌木匣", "aliases": ["匣子"]}
    made.write(layout.STATE, {**made.json(layout.STATE), "items": {"box": box}, "locations": {"a-box": box}})
    say(made, 2, "匣子开了。")
    assert places(made.ok("find", "乌木匣")) == [(2, 3, "匣子开了。")]
