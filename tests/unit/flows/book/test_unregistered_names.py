"""`novel entities`: the noted names without a record, those ignored, those registered since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.rules.cast import unknown_names as cast_unknown_names
from tools import bookparts
from unit.flows.checks.noted_names import LOG, note, noted

if TYPE_CHECKING:
    from pathlib import Path


def mentions(made: Book) -> list[str]:
    return [one["mention"] for one in made.ok("entities", "--all")["entities"]]


# --- novel entities --------------------------------------------------------------------------


def test_the_most_frequent_come_first_with_their_chapters(tmp_path: Path) -> None:
    made = book(tmp_path)
    noted(
        made,
        note(1, "石婆"),
        note(2, "老周", suggested_type="item"),
        note(4, "铁匠铺", suggested_type="location"),
        note(3, "老周"),
        note(7, "老周", context="老周收了灯"),
    )
    before = made.tree()
    data = made.ok("entities", "--all")
    assert data["noted"] == 3 and made.changed(before) == {}
    assert [(one["mention"], one["chapters"]) for one in data["entities"]] == [
        ("老周", [2, 3, 7]),
        ("铁匠铺", [4]),
        ("石婆", [1]),
    ]
    assert data["entities"][0]["suggested_type"] == "character"
    assert data["entities"][0]["context"] == "老周在渡口"
    text = made.novel("entities").text
    assert "  老周　角色？　3 章：第 2-3、7 章　老周在渡口" in text.split("\n")


def test_a_passer_by_of_one_chapter_is_counted_and_not_listed(tmp_path: Path) -> None:
    made = book(tmp_path)
    smithy = note(2, "铁匠铺", suggested_type="location")
    noted(made, note(1, "石婆"), note(1, "老周"), note(2, "老周"), smithy)
    data = made.ok("entities")
    assert ([one["mention"] for one in data["entities"]], data["passing"]) == (["老周", "铁匠铺"], 1)
    text = made.novel("entities").text
    assert "石婆" not in text and "只在一章里露过面的人 1 个（加 --all 列出）" in text


def test_an_ignored_name_is_not_listed_until_it_is_listed_again(tmp_path: Path) -> None:
    made = book(tmp_path)
    noted(made, note(1, "老周"), note(2, "老周"), note(1, "石婆"))
    assert "不再列出：老周" in made.novel("entities", "--ignore", "老周").text
    data = made.ok("entities")
    assert (data["entities"], data["ignored"]) == ([], ["老周"])
    assert "早已不列" in made.novel("entities", "--ignore", "老周").text
    assert made.ok("entities", "--list-again", "老周")["ignored"] == []
    assert [one["mention"] for one in made.ok("entities")["entities"]] == ["老周"]


def test_a_name_that_nobody_noted_is_not_ignored(tmp_path: Path) -> None:
    made = book(tmp_path)
    noted(made, note(1, "老周头"), note(2, "老周头"))
    told = made.refused(2, "NAME_UNKNOWN", "entities", "--ignore", "老周头", "老周")
    assert "老周头" in told.fix
    assert "NAME_UNKNOWN" in made.novel("entities", "--list-again", "老周头").diagnostics[0].code


def test_an_ignored_name_warns_of_nothing_when_its_chapter_lands(tmp_path: Path) -> None:
    made = book(tmp_path)
    people = ("老周", "老李", "老王")
    noted(made, *(note(1, one) for one in people))
    made.ok("entities", "--ignore", *people)
    made.until("drafting")
    told = [{"mention": one, "context": "", "suggested_type": "character"} for one in people]
    made.records(unknown_entities=told)
    for phase in ("summarize", "refine"):
        made.advance(phase)
    made.judge(4.5)
    made.advance("judge")
    landed = made.novel("commit", "--chapter", "2")
    assert landed.exit == 0 and "ENTITIES_UNREGISTERED" not in {one.code for one in landed.diagnostics}


def test_those_registered_since_drop_out(tmp_path: Path) -> None:
    made = book(tmp_path)
    noted(
        made,
        note(1, "老周"),
        note(1, "shi-po"),
        note(1, "望川婆"),
        note(1, "望川塔"),
        note(1, "旧灯"),
        note(1, "无名客"),
    )
    card = made.json(layout.character_card("shen-du"))
    made.write(layout.character_card("lao-zhou"), {**card, "id": "lao-zhou", "display_name": "老周"})
    made.write(
        layout.character_card("shi-po"),
        {**card, "id": "shi-po", "display_name": "石婆", "aliases": ["望川婆"]},
    )
    state = made.json(layout.STATE)
    state["locations"] = {"tower": {"display_name": "望川塔"}}
    state["items"] = {"旧灯": {"owner": "shen-du"}}
    made.write(layout.STATE, state)
    assert mentions(made) == ["无名客"]
    assert made.ok("entities")["noted"] == 6


def test_when_everybody_has_a_record_or_nobody_was_noted(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.write(LOG, "")
    assert "还没有记下" in made.novel("entities").text
    noted(made, note(1, bookparts.CAST["shen-du"]))
    assert made.ok("entities") == {"entities": [], "passing": 0, "ignored": [], "noted": 1, "expected": []}
    assert "没有要建档的名字" in made.novel("entities").text


def test_a_torn_log_is_damage(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.write(LOG, '{"mention": "老')
    assert made.refused(5, "LOG_LINE_BROKEN", "entities").path == LOG


def test_what_a_commit_notes_is_listed(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.stage("refined")
    made.draft()
    made.records(unknown_entities=[{"mention": "水声", "context": "夜渡", "suggested_type": "location"}])
    made.judge(4.5)
    made.advance("judge")
    made.ok("commit", "--chapter", "2")
    assert mentions(made) == ["水声"]
    assert made.ok("entities")["entities"][0]["chapters"] == [2]


def test_the_order_of_equals_is_by_age_then_by_name() -> None:
    lines = [note(2, "乙"), note(2, "甲"), note(1, "丙"), {"mention": "丁"}]
    assert [one.mention for one in cast_unknown_names.unknown_names(lines, ())] == ["丙", "乙", "甲", "丁"]
