"""A character leaves, and what still needs him is settled in the same landing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SLUG, NAME = "bai-sui", "白穗"
RING = {"id": "ring", "description": f"{NAME}的戒指", "scope": "long", "status": "planted"}


def change(made: Book, path: str, edit: Callable[[Any], object]) -> None:
    document = made.json(path)
    edit(document)
    made.write(path, document)


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Three chapters landed; a thread, a storyline, a bond of two and the fifth chapter need 白穗."""
    found = book(tmp_path, 3, 6)
    change(found, layout.FORESHADOWING, lambda d: d["foreshadowing"].append(RING))
    bond = {"from": "river-line", "to": "tower-line", "bridges": {"shared_characters": [NAME, "沈渡"]}}

    def told_by_her(document: Any) -> None:
        document["storylines"][0]["pov_characters"] = ["沈渡", SLUG]
        document["relationships"] = [bond]

    change(found, layout.STORYLINES, told_by_her)
    change(found, layout.contract(1, 5), lambda d: d["objectives"][0].update(target=NAME))
    return found


def test_the_reasons_come_with_the_offer_in_words(made: Book) -> None:
    found = made.novel("retire", NAME, "--yes")
    assert (found.exit, found.diagnostics[-1].code) == (3, "RETIRE_OFFER")
    for told in (f"伏笔「{NAME}的戒指」放下不收", "故事线「", "第 5 章跟着", f"novel retire {NAME} --settle"):
        assert told in found.diagnostics[-1].message + found.diagnostics[-1].fix


def test_all_is_settled_at_once_and_asked_for_before(made: Book) -> None:
    before = made.tree()
    asked = made.novel("retire", NAME, "--settle")
    assert [d.code for d in asked.diagnostics] == ["CONFIRMATION_NEEDED"] and made.changed(before) == {}
    assert "放下不收" in asked.text and "重排好之前不能往下写" in asked.text
    found = made.ok("retire", NAME, "--settle", "--yes")
    assert (found["changed"], found["threads"], found["chapters"], found["replan_from"]) == (
        True,
        {"ring": f"{NAME}的戒指"},
        [5],
        4,
    )
    assert made.json(layout.DROPPED_THREADS)["ring"]["reason"] == f"「{NAME}」退场"
    lines = made.json(layout.STORYLINES)
    assert lines["storylines"][0]["pov_characters"] == ["沈渡"]
    assert lines["relationships"][0]["bridges"]["shared_characters"] == ["沈渡"]
    assert made.next()["step"] == "volume:01:outline"
    assert any(NAME in str(one["answer"]["note"]) for one in made.json(layout.DECISIONS)["decisions"])
    assert made.ok("retire", NAME, "--settle", "--yes")["changed"] is False


def test_threads_may_stay_open(made: Book) -> None:
    found = made.ok("retire", SLUG, "--settle", "--keep-threads", "--yes")
    assert found["threads"] == {} and not made.at(layout.DROPPED_THREADS).exists()
    made.refused(2, "CLI_USAGE", "retire", SLUG, "--keep-threads")


def test_the_old_plan_waits_until_he_is_back_and_then_all_is_as_before(made: Book) -> None:
    before = made.tree()
    made.ok("retire", SLUG, "--settle", "--yes")
    told = made.refused(3, "REPLAN_NOT_NOW", "replan", "--cancel")
    assert f"第 5 章要「{NAME}」出场" in told.message
    made.ok("restore", NAME, "--yes")
    made.ok("replan", "--cancel")
    gone = {path for path in made.changed(before) if not path.startswith((layout.OWN, layout.RETIRED))}
    assert gone <= {layout.CHECKPOINT}
    assert layout.DECISIONS not in made.changed(before) or not made.json(layout.DECISIONS)["decisions"]


def test_what_was_changed_since_stays_when_he_comes_back(made: Book) -> None:
    made.ok("retire", SLUG, "--settle", "--yes")
    change(made, layout.STORYLINES, lambda d: d["storylines"][0].update(name="长河"))
    made.ok("restore", NAME, "--yes")
    assert made.json(layout.STORYLINES)["storylines"][0] == {
        **made.json(layout.STORYLINES)["storylines"][0],
        "name": "长河",
        "pov_characters": ["沈渡"],
    }
    assert made.at(layout.character_card(SLUG)).is_file()


def test_what_only_the_author_can_settle_stops_it_whole(made: Book) -> None:
    made.write(layout.staged(layout.character_card(SLUG)), {"id": SLUG, "display_name": NAME})
    assert "RETIRE_OFFER" not in [d.code for d in made.novel("retire", SLUG).diagnostics]
    made.refused(3, "RETIRE_NEEDED", "retire", SLUG, "--settle", "--yes")
    made.drop(layout.staged(layout.character_card(SLUG)))
    made.write(layout.staged(layout.chapter(4)), "# 第 4 章\n\n一稿。\n")
    made.refused(3, "REPLAN_NOT_NOW", "retire", SLUG, "--settle", "--yes")


def test_where_nothing_needs_him_he_only_leaves(tmp_path: Path) -> None:
    made = book(tmp_path, 3, 6)
    found = made.ok("retire", SLUG, "--settle", "--yes")
    assert (found["changed"], found["chapters"], found["replan_from"]) == (True, [], None)
    assert made.next()["step"] == "chapter:004:draft"


def test_a_name_like_it_is_offered(made: Book) -> None:
    assert f"是不是「{NAME}」" in made.refused(3, "CHARACTER_NOT_ACTIVE", "retire", "白惠").fix
