"""`novel character add`: a valid card of plain words, noted like a change of the setting; no name twice."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from planbook import sample_book

from novel_hooks import layout
from novel_hooks.store.schema import schema

if TYPE_CHECKING:
    from pathlib import Path

ADD = ("character", "add")


@pytest.fixture
def made(tmp_path: Path) -> Book:
    found = book(tmp_path, 2)
    found.ok("changed", "--note")
    return found


def test_a_card_of_the_options_is_valid_and_known_at_once(made: Book) -> None:
    told = ("--alias", "唐家婆婆", "--age", "七十", "--looks", "缺一颗门牙", "--voice", "说话漏风", "--yes")
    data = made.ok(*ADD, "唐婆", *told)
    card = made.json(data["path"])
    assert schema.problems("character", card, data["path"]) == []
    wanted = {"display_name": "唐婆", "aliases": ["唐家婆婆"], "age": "七十", "looks": "缺一颗门牙"}
    assert {**card, **wanted} == card and card["id"] == "person-1" and card["contracts"] == []
    assert made.ok("who", "唐家婆婆")["name"] == "唐婆"
    assert made.ok("changed")["changes"] == [], "noted as a change of the setting"
    assert made.novel("doctor").exit == 0


def test_nothing_is_written_before_the_author_agrees(made: Book) -> None:
    before = made.tree()
    found = made.novel(*ADD, "唐婆", "--wants", "一碗粥")
    assert (found.exit, found.diagnostics[-1].code) == (3, "CONFIRMATION_NEEDED")
    assert "novel character add 唐婆 --wants 一碗粥 --yes" in found.diagnostics[-1].fix
    assert "想要　一碗粥" in found.text and "还没写的：年纪、样子、口吻、怕" in found.text
    assert made.changed(before) == {}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("沈渡",), "沈渡的名字"),
        (("沈　渡",), "沈渡的名字"),
        (("唐婆", "--alias", "沈渡"), "沈渡的名字"),
        (("唐婆", "--id", "shen-du"), "代号已经有人用"),
        (("唐婆", "--id", "唐婆"), "小写字母"),
        ((" ",), "名字是空的"),
    ],
)
def test_a_name_that_is_taken_is_refused(made: Book, words: tuple[str, ...], said: str) -> None:
    assert said in made.refused(3, "CHARACTER_TAKEN", *ADD, *words, "--yes").message


def test_a_retired_persons_name_says_how_he_comes_back(made: Book) -> None:
    made.ok("retire", "bai-sui", "--yes")
    told = made.refused(3, "CHARACTER_TAKEN", *ADD, "白穗", "--yes")
    assert "退场" in told.message and "novel restore" in told.fix


def test_a_like_name_is_told_and_not_refused(made: Book) -> None:
    data = made.ok(*ADD, "沈渡之", "--yes")
    assert data["alike"] == ["沈渡之和沈渡"]


def test_ids_are_free_ones(made: Book) -> None:
    assert made.ok(*ADD, "唐婆", "--yes")["card"]["id"] == "person-1"
    assert made.ok(*ADD, "高二", "--yes")["card"]["id"] == "person-2"
    assert made.ok(*ADD, "石匠", "--id", "mason", "--yes")["path"] == layout.character_card("mason")


def test_other_changes_are_left_to_the_author(made: Book) -> None:
    made.write(f"{layout.WORLD}/a.md", "# 渡口\n\n多了一座桥。\n")
    found = made.novel(*ADD, "唐婆", "--yes")
    assert "novel changed --note" in found.text
    assert made.ok("changed")["changes"], "nothing is noted behind his back"


def test_not_in_the_middle_of_a_chapter_nor_before_the_setup(made: Book, tmp_path: Path) -> None:
    made.until("drafting")
    made.refused(3, "BOOK_AT_WORK", *ADD, "唐婆", "--yes")
    begun = sample_book(tmp_path / "sample")
    begun.refused(3, "BOOK_AT_WORK", *ADD, "唐婆", "--yes")


def test_who_needs_a_card_before_he_is_written(tmp_path: Path) -> None:
    made = book(tmp_path, 1)
    path = layout.character_card("shen-du")
    bonds = {"qiao-jiu": 5, "wei-hao": -2}
    made.write(path, {**made.json(path), "starting": {"relationships": bonds}})
    for chapter in (1, 3, 4):
        held = made.json(layout.contract(1, chapter))
        held["objectives"][0].update(type="character", target="卫蒿")
        held["objectives"].append({"id": "O-9", "type": "plot", "target": "塔", "actor": "路人"})
        made.write(layout.contract(1, chapter), held)
    found = made.novel("entities")
    assert found.data["expected"] == [
        {"name": "卫蒿", "chapters": [3, 4], "known_to": []},
        {"name": "路人", "chapters": [3, 4], "known_to": []},
        {"name": "wei-hao", "chapters": [], "known_to": ["沈渡"]},
    ]
    assert "卫蒿　排好的第 3-4 章冲着他" in found.text and "沈渡的档案里写了和他的关系" in found.text
    made.ok("entities", "--ignore", "路人", "卫蒿")
    assert [one["name"] for one in made.ok("entities")["expected"]] == ["wei-hao"]
    assert made.ok("entities", "--list-again", "卫蒿")["expected"][0]["name"] == "卫蒿"
    made.ok("character", "add", "卫蒿", "--id", "wei-hao", "--yes")
    assert made.ok("entities")["expected"] == []


def test_a_form_of_address_is_somebodys_name_already(tmp_path: Path) -> None:
    made = book(tmp_path, 2)
    path = layout.character_card("shen-du")
    made.write(path, {**made.json(path), "called_by": {"塔上": "沈船头"}})
    lines = [
        {"ts": "2030-01-02T03:04:05Z", "chapter": n, "mention": mention, "suggested_type": "character"}
        for n in (1, 2)
        for mention in ("沈船头", "老周")
    ]
    made.write(layout.UNKNOWN_ENTITIES, "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines))
    assert [one["mention"] for one in made.ok("entities")["entities"]] == ["老周"]
    (taken,) = made.novel(*ADD, "沈船头", "--yes").diagnostics
    assert taken.code == "CHARACTER_TAKEN" and "沈渡" in taken.message
