"""The author's names for ids: in a judge's words, a review, a refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.book import book as books
from novel_hooks.flows.review import shown_names
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from pathlib import Path

RULE = "竹筹离了水三天就不作数。"


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """A book with a world rule, a contract, a thread and a storyline that have names; 13 is a thread's id."""
    found = book(tmp_path, 1)
    rules = found.json(layout.WORLD_RULES)
    rules["rules"][0].update(id="W-001", rule=RULE)
    found.write(layout.WORLD_RULES, rules)
    card = found.json(layout.character_card("shen-du"))
    card["contracts"] = [{"id": "C-SD-1", "rule": "不回头。", "type": "bottom_line"}]
    found.write(layout.character_card("shen-du"), card)
    threads = [
        {"id": "clue-009", "description": "第三盏灯没有油。收：塔里。", "status": "planted", "scope": "long"},
        {"id": "13", "description": "十三渡", "status": "planted", "scope": "long"},
    ]
    found.write(layout.FORESHADOWING, {"foreshadowing": threads})
    lines = found.json(layout.STORYLINES)
    lines["storylines"][0]["name"] = "河上"
    found.write(layout.STORYLINES, lines)
    return found


def names(made: Book) -> dict[str, str]:
    return shown_names.read(books.Book(Project(str(made.root))))


def test_each_kind_has_its_name(made: Book) -> None:
    found = names(made)
    line = made.json(layout.STORYLINES)["storylines"][0]["id"]
    wanted = {
        "W-001": "「竹筹离了水三天就不作数」",
        "C-SD-1": "「沈渡：不回头」",
        "clue-009": "「第三盏灯没有油」",
        "shen-du": "沈渡",
        line: "河上",
    }
    assert {name: found[name] for name in wanted} == wanted
    assert "13" not in found, "a number in a text is a number"


def test_one_contract_id_of_two_people_names_nobody(made: Book) -> None:
    card = made.json(layout.character_card("bai-sui"))
    card["contracts"] = [{"id": "C-SD-1", "rule": "不下水。"}]
    made.write(layout.character_card("bai-sui"), card)
    assert "C-SD-1" not in names(made)


def test_what_cannot_be_read_costs_its_own_names(made: Book) -> None:
    made.write(layout.WORLD_RULES, "{")
    found = names(made)
    assert "W-001" not in found and found["clue-009"] == "「第三盏灯没有油」"


def test_the_gate_and_the_log_say_what_an_id_is(made: Book) -> None:
    document = made.json(layout.evaluation(1))
    doubt = "角色契约 C-SD-1：评审觉得可能不符：「C-SD-1」和 W-001 相抵。"
    document["metadata"]["warnings"] = [doubt]
    document["metadata"]["gate"]["reasons"] = ["C-SD-1 只差一句"]
    made.write(layout.evaluation(1), document)
    shown = made.novel("gate", "1")
    assert (
        "角色契约「沈渡：不回头」：评审觉得可能不符：「沈渡：不回头」和「竹筹离了水三天就不作数」相抵"
        in shown.text
    )
    assert shown.data["notes"] == [doubt]
    assert "「沈渡：不回头」只差一句" in made.novel("log", "1").text


def test_a_refusal_says_what_an_id_that_it_quotes_is(made: Book) -> None:
    told = made.novel("foreshadow", "show", "clue-00").diagnostics[0]
    assert "「第三盏灯没有油」（clue-009）" in told.fix
    assert "「没有的」" in made.novel("foreshadow", "show", "没有的").diagnostics[0].message


def test_pages_of_the_setting_are_named(made: Book) -> None:
    made.write(f"{layout.WORLD}/place.md", "# 十三渡\n\n渡口有铜灯油铺。\n")
    found = made.novel("find", "铜灯油铺").text
    assert f"世界设定「十三渡」（{layout.WORLD}/place.md 第 3 行）" in found
    found = made.novel("find", "不回头", "--all").text
    assert f"角色档案「沈渡」（{layout.character_card('shen-du')}）" in found
