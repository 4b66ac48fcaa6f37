"""`novel foreshadow drop` and `revive`: everything that reads threads agrees on one that was given up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import OWNER, Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.chapter.landed_desk import BookBefore
from novel_hooks.flows.review.recent_chapters import RecentChapters
from novel_hooks.rules.foreshadowing.item import merge_plan
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from unit.rules.foreshadowing.test_seed_002 import item

if TYPE_CHECKING:
    from pathlib import Path

FACTS, PLAN = layout.FORESHADOWING, layout.foreshadowing_plan(1)
LAMP = item("lamp", description="灯草烧不完", target_resolve_range=[1, 1])
PLANNED = item("door", description="门后有人", planted_chapter=3, history=[], target_resolve_range=[3, 4])


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """A book of two chapters with an overdue thread, a resolved one and a planned one."""
    made = book(tmp_path, 2)
    held = [LAMP, item("shut", status="resolved", description="锁上了")]
    made.write(FACTS, jsonio.dump({"foreshadowing": held}))
    made.write(PLAN, {"volume": 1, "foreshadowing": [PLANNED]})
    return made


def tasks(made: Book) -> list[str]:
    return [one["id"] for one in made.ok("foreshadow", "query", "3")["items"]]


def late(made: Book) -> list[str]:
    return [one["id"] for one in made.ok("foreshadow", "overdue")["items"]]


def test_a_thread_given_up_is_asked_for_no_more(made: Book) -> None:
    assert tasks(made) == ["door", "lamp"] and late(made) == ["lamp"]
    facts = made.at(FACTS).read_bytes()
    found = made.ok("foreshadow", "drop", "灯草", "--reason", "这条线不写了")
    assert (found["id"], found["changed"]) == ("lamp", True)
    assert found["dropped"]["reason"] == "这条线不写了"
    assert (found["dropped"]["by"], found["dropped"]["chapter"]) == (OWNER, 2)
    assert tasks(made) == ["door"] and late(made) == []
    assert made.at(FACTS).read_bytes() == facts
    recent = RecentChapters(Reading(Project(str(made.root))), 2, 1)
    assert recent.threads()["threads"] == [] and recent.overdue() == []
    assert made.ok("foreshadow", "list", "--status", "放下")["items"][0]["id"] == "lamp"
    assert made.ok("foreshadow", "list", "--status", "open")["items"] == []
    shown = made.novel("foreshadow", "show", "lamp")
    assert "已放下" in (shown.text or "") and "这条线不写了" in (shown.text or "")


def test_the_packet_and_the_checkup_agree(made: Book) -> None:
    before = made.novel("doctor").diagnostics
    made.ok("foreshadow", "drop", "lamp")
    given = made.ok("instructions", made.step("draft"))
    (threads,) = [one["value"] for one in given["inputs"] if one["key"] == "foreshadowing_tasks"]
    assert [one["id"] for one in threads] == ["door"]
    assert made.novel("doctor").diagnostics == before


def test_said_twice_is_as_good_as_once_and_revive_takes_it_up_again(made: Book) -> None:
    made.ok("foreshadow", "drop", "lamp")
    before = made.tree()
    assert made.ok("foreshadow", "drop", "lamp", "--reason", "又一次")["changed"] is False
    assert made.changed(before) == {}
    assert made.ok("foreshadow", "revive", "灯草")["changed"] is True
    assert late(made) == ["lamp"]
    assert made.ok("foreshadow", "revive", "灯草")["changed"] is False


def test_a_thread_that_is_only_planned_can_be_given_up(made: Book) -> None:
    made.ok("foreshadow", "drop", "door")
    assert tasks(made) == ["lamp"]
    assert "已放下" in (made.novel("foreshadow", "show", "door").text or "")


def test_what_is_resolved_or_unknown_is_refused(made: Book) -> None:
    made.refused(3, "FORESHADOWING_CLOSED", "foreshadow", "drop", "锁上了")
    assert (
        "是不是「灯草烧不完」（lamp）"
        in made.refused(3, "FORESHADOWING_UNKNOWN", "foreshadow", "drop", "lam").fix
    )


def test_a_chapter_that_landed_before_is_looked_at_with_its_threads(made: Book) -> None:
    made.ok("foreshadow", "drop", "door")
    now = Reading(Project(str(made.root)))
    assert list(BookBefore(now, 3).dropped_threads()) == ["door"] == list(now.dropped_threads())
    assert BookBefore(now, 2).dropped_threads() == {}


@pytest.mark.parametrize("broken", ["[]", '{"door": {}}', '{"door": {"chapter": "1", "at": "x"}}', "{"])
def test_a_broken_list_is_damage(made: Book, broken: str) -> None:
    made.write(layout.DROPPED_THREADS, broken)
    assert made.novel("foreshadow", "list").exit == 5
    assert made.novel("doctor").exit == 5


def test_a_chapter_that_resolves_it_after_all_is_right(made: Book) -> None:
    made.ok("foreshadow", "drop", "lamp")
    made.write(FACTS, jsonio.dump({"foreshadowing": [{**LAMP, "status": "resolved"}]}))
    assert made.ok("foreshadow", "list", "--status", "resolved")["items"][0]["id"] == "lamp"


def test_contracts_that_still_move_it_are_named(made: Book) -> None:
    contract = made.json(layout.contract(1, 4))
    contract["postconditions"]["foreshadowing_updates"] = {"lamp": "advanced"}
    made.write(layout.contract(1, 4), contract)
    (told,) = made.novel("foreshadow", "drop", "lamp").diagnostics
    assert told.code == "FORESHADOWING_STILL_USED" and "第 4 章" in told.message
    assert f"「{LAMP['description']}」" in told.message and "lamp" not in told.message


def test_going_back_leaves_the_authors_word(made: Book) -> None:
    made.ok("foreshadow", "drop", "lamp")
    made.ok("rollback", "1", "--yes")
    assert made.json(layout.DROPPED_THREADS)["lamp"]["chapter"] == 2


def test_the_plan_fills_a_thread_without_waking_it() -> None:
    assert merge_plan(None, {**PLANNED, "status": "dropped"})["status"] == "dropped"


def test_several_words_need_no_quotes(made: Book) -> None:
    assert made.ok("foreshadow", "drop", "烧不完", "灯草")["id"] == "lamp"
    assert made.ok("foreshadow", "show", "烧不完", "灯草")["item"]["id"] == "lamp"
    assert "缺少伏笔" in made.refused(2, "CLI_USAGE", "foreshadow", "drop").message
