"""A character leaves the book, is kept in it with every reason, and comes back."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest
from builders import OTHER, Book, book
from builders import fast_disk as fast_disk
from planbook import plan_volume

from novel_hooks import layout
from tools import bookparts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SLUG, NAME = "bai-sui", "白穗"
CARD, PROFILE = layout.character_card(SLUG), layout.character_profile(SLUG)


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Three chapters landed, the fourth next; nothing to come needs 白穗."""
    return book(tmp_path, 3, 6)


def change(made: Book, path: str, edit: Callable[[Any], object]) -> None:
    document = made.json(path)
    edit(document)
    made.write(path, document)


# leaving and coming back -----------------------------------------------------------------------------


def test_he_leaves_and_comes_back_byte_for_byte(made: Book) -> None:
    before = made.tree()
    held = {path: made.at(path).read_bytes() for path in (CARD, PROFILE)}
    found = made.ok("retire", SLUG, "--yes")
    assert (found["id"], found["name"], found["changed"]) == (SLUG, NAME, True)
    for path, data in held.items():
        assert not made.at(path).exists() and made.at(layout.retired(path)).read_bytes() == data
    listed = made.ok("rollback", "--list")["archives"]
    assert [(one["id"], one["kind"]) for one in listed] == [("0001-retire-bai-sui", "retire")]
    assert SLUG in made.novel("rollback", "--list").text
    made.ok("restore", "1", "--yes")
    gone = {
        p: m for p, m in made.changed(before).items() if not p.startswith((layout.OWN, "characters/retired"))
    }
    assert gone == {} and made.names(layout.RETIRED) == []


def test_by_his_name_too_and_twice_is_once(made: Book) -> None:
    made.ok("retire", NAME, "--yes")
    before = made.tree()
    for told in (NAME, SLUG):
        assert made.ok("retire", told, "--yes")["changed"] is False
        assert made.ok("retire", told)["changed"] is False
    assert made.changed(before) == {}


def test_by_an_alias_and_of_two_bearers_none(made: Book) -> None:
    change(made, CARD, lambda card: card.update(aliases=["穗娘", "娘子"]))
    change(made, layout.character_card("shen-du"), lambda card: card.update(aliases=["娘子"]))
    told = made.refused(3, "PERSON_UNCLEAR", "retire", "娘子", "--yes")
    assert "白穗（bai-sui）" in told.message and "novel retire" in told.fix
    assert made.ok("retire", "穗 娘", "--yes")["id"] == SLUG


def test_what_was_changed_since_is_kept_when_he_comes_back(made: Book) -> None:
    made.ok("retire", SLUG, "--yes")
    made.write(CARD, {"id": SLUG, "display_name": "另一个人"})
    made.write(layout.retired(PROFILE), "退场以后改的。\n")
    found = made.ok("restore", "1", "--yes")
    assert found["replaced"] == sorted([CARD, layout.retired(PROFILE)])
    assert made.json(CARD)["display_name"] == NAME
    kept = layout.archived(found["kept"], CARD)
    assert made.json(kept)["display_name"] == "另一个人"
    made.ok("restore", "2", "--yes")
    assert made.json(CARD)["display_name"] == "另一个人"


def test_he_is_asked_for_before(made: Book) -> None:
    told = made.refused(3, "CONFIRMATION_NEEDED", "retire", SLUG)
    assert f"novel retire {SLUG} --yes" in told.fix


def test_who_has_left_is_in_no_packet_and_no_stranger(made: Book) -> None:
    made.ok("retire", SLUG, "--yes")
    packet = made.ok("instructions", "chapter:004:draft", "--embed")
    assert NAME not in str(packet["inputs"])
    line = {"ts": bookparts.TIME, "chapter": 2, "mention": NAME, "context": "", "suggested_type": "character"}
    import json

    made.write(layout.UNKNOWN_ENTITIES, json.dumps(line, ensure_ascii=False) + "\n")
    assert made.ok("entities")["entities"] == []


def test_a_plan_that_needs_him_again_is_told(made: Book) -> None:
    made.ok("retire", SLUG, "--yes")
    made.point(orchestrator_state="VOL_PLANNING", current_volume=2, last_completed_chapter=6)
    plan_volume(made, 2)
    contract = layout.staged(layout.contract(2, 9))
    change(made, contract, lambda d: d["preconditions"]["character_states"].update({NAME: {}}))
    found = made.novel("validate", "volume:02:outline")
    assert [(d.code, d.path) for d in found.diagnostics] == [("VOLUME_RETIRED", contract)]


def test_a_plan_cannot_bring_him_back_by_the_back_door(made: Book) -> None:
    made.ok("retire", SLUG, "--yes")
    made.point(orchestrator_state="VOL_PLANNING", current_volume=2, last_completed_chapter=6)
    plan_volume(made, 2)
    made.write(layout.staged(CARD), {"display_name": "新来的"})
    found = made.novel("validate", "volume:02:outline")
    assert [(d.code, d.path) for d in found.diagnostics] == [("PLAN_BROKEN", layout.staged(CARD))]


def test_a_rollback_does_not_bring_him_back(made: Book) -> None:
    made.ok("retire", SLUG, "--yes")
    made.ok("rollback", "2", "--yes")
    assert not made.at(CARD).exists() and made.at(layout.retired(CARD)).is_file()


# reasons against it ----------------------------------------------------------------------------------


def _thread(made: Book) -> None:
    item = {"id": "ring", "description": f"{NAME}的戒指", "scope": "long", "status": "planted"}
    change(made, layout.FORESHADOWING, lambda d: d["foreshadowing"].append(item))


def _history(made: Book) -> None:
    item = {"id": "ring", "description": "戒指", "scope": "long", "status": "planted"}
    told = {**item, "history": [{"chapter": 1, "action": "planted", "detail": f"戴在{NAME}手上"}]}
    change(made, layout.FORESHADOWING, lambda d: d["foreshadowing"].append(told))


def _planned_thread(made: Book) -> None:
    item = {"id": "ring", "description": f"{NAME}的戒指", "scope": "long"}
    change(made, layout.foreshadowing_plan(1), lambda d: d["foreshadowing"].append(item))


def _storyline(made: Book) -> None:
    change(made, layout.STORYLINES, lambda d: d["storylines"][0].update(pov_characters=[NAME]))


def _asleep(made: Book) -> None:
    change(
        made, layout.STORYLINES, lambda d: d["storylines"][0].update(status="dormant", pov_characters=[SLUG])
    )


def _bridge(made: Book) -> None:
    ends = {"from": "river-line", "to": "tower-line", "bridges": {"shared_characters": [NAME]}}
    change(made, layout.STORYLINES, lambda d: d.update(relationships=[ends]))


def _meeting(made: Book) -> None:
    event = {"chapter_range": [3, 5], "involved_storylines": [], "trigger": f"{NAME}上船"}
    change(made, layout.schedule(1), lambda d: d.update(convergence_events=[event]))


def _cast(made: Book) -> None:
    change(
        made,
        layout.contract(1, 6),
        lambda d: d["preconditions"]["character_states"].update({NAME: {"location": "塔"}}),
    )


def _objective(made: Book) -> None:
    change(made, layout.contract(1, 6), lambda d: d["objectives"][0].update(target=NAME))


def _point_of_view(made: Book) -> None:
    place = made.at(layout.outline(1))
    text = place.read_text("utf-8")
    head, tail = text.split("### 第 5 章", 1)
    place.write_text(f"{head}### 第 5 章{tail.replace('沈渡', NAME, 1)}", "utf-8")


def _staged_contract(made: Book) -> None:
    folder = made.at(layout.staged(layout.volume_dir(2)))
    contract = bookparts.contract(7)
    contract["preconditions"]["character_states"][NAME] = {}
    made.write(layout.staged(layout.contract(2, 7)), contract)
    assert folder.is_dir()


def _alias(made: Book) -> None:
    change(made, CARD, lambda d: d.update(aliases=["穗娘"]))
    change(made, layout.contract(1, 5), lambda d: d["objectives"][0].update(target="穗娘"))


def _described(made: Book) -> None:
    told = f"过河的人把灯还给{NAME}"
    change(made, layout.contract(1, 5), lambda d: d["objectives"][0].update(target=None, description=told))


def _staged_card(made: Book) -> None:
    made.write(layout.staged(CARD), {"id": SLUG, "display_name": NAME})


NEEDS = (
    (_thread, "的戒指」"),
    (_history, "「戒指」"),
    (_planned_thread, "的戒指」"),
    (_storyline, "river-line"),
    (_asleep, "river-line"),
    (_bridge, "tower-line"),
    (_meeting, "第 3 章到第 5 章"),
    (_cast, "第 6 章"),
    (_objective, "第 6 章"),
    (_point_of_view, "第 5 章"),
    (_staged_contract, "第 7 章"),
    (_alias, "第 5 章"),
    (_described, "第 5 章"),
    (_staged_card, "暂存区"),
)


@pytest.mark.parametrize(("need", "said"), NEEDS, ids=[need.__name__ for need, _ in NEEDS])
def test_who_is_needed_stays_and_the_reason_is_told(made: Book, need: Any, said: str) -> None:
    need(made)
    for more in ((), ("--yes",)):
        told = made.refused(3, "RETIRE_NEEDED", "retire", SLUG, *more)
        assert said in told.message
        assert told.path in told.fix


def test_all_reasons_come_at_once(made: Book) -> None:
    for need in (_thread, _storyline, _bridge, _meeting, _cast):
        need(made)
    found = made.novel("retire", SLUG, "--yes")
    assert [d.code for d in found.diagnostics] == [*["RETIRE_NEEDED"] * 5, "RETIRE_OFFER"]


def _over(made: Book) -> None:
    change(
        made,
        layout.STORYLINES,
        lambda d: d["storylines"][0].update(status="completed", pov_characters=[NAME]),
    )


def _resolved(made: Book) -> None:
    item = {"id": "ring", "description": f"{NAME}的戒指", "scope": "long", "status": "resolved"}
    change(made, layout.FORESHADOWING, lambda d: d["foreshadowing"].append(item))


def _past_meeting(made: Book) -> None:
    event = {"chapter_range": [1, 3], "involved_storylines": [], "trigger": f"{NAME}上船"}
    change(made, layout.schedule(1), lambda d: d.update(convergence_events=[event]))


def _written(made: Book) -> None:
    change(made, layout.contract(1, 3), lambda d: d["objectives"][0].update(target=NAME))


@pytest.mark.parametrize("past", [_over, _resolved, _past_meeting, _written])
def test_what_is_over_needs_nobody(made: Book, past: Any) -> None:
    past(made)
    assert made.ok("retire", SLUG, "--yes")["changed"] is True


# when not --------------------------------------------------------------------------------------------


def test_not_while_a_step_is_out(made: Book) -> None:
    made.ok("retire", SLUG, "--yes")
    other = made.ok("restore", "1", "--yes")
    assert other["changed"] is True
    made.ok("instructions", "chapter:004:draft", "--write-manifest")
    made.refused(3, "BOOK_AT_WORK", "retire", SLUG, "--yes")
    made.refused(3, "BOOK_AT_WORK", "restore", "1", "--yes")
    made.ok("lock", "acquire")
    made.refused(3, "BOOK_AT_WORK", "retire", SLUG, "--yes")


@pytest.mark.parametrize(
    ("told", "near"), [("bai-su", "bai-sui"), ("谁", layout.CHARACTERS), ("谁", f"{NAME}（{SLUG}）")]
)
def test_nobody_of_that_name(made: Book, told: str, near: str) -> None:
    assert near in made.refused(3, "CHARACTER_NOT_ACTIVE", "retire", told).fix


def test_a_broken_plan_is_told_and_nothing_moves(made: Book) -> None:
    made.write(layout.contract(1, 5), "{")
    made.refused(3, "JSON_BROKEN", "retire", SLUG, "--yes")


def test_a_packet_that_was_only_read_keeps_nobody(made: Book) -> None:
    made.ok("instructions", "chapter:004:draft")
    assert made.ok("retire", SLUG, "--yes")["changed"] is True


def test_busy_elsewhere(made: Book) -> None:
    made.ok("lock", "acquire")
    made.stage(None)
    assert made.novel("retire", SLUG, "--yes", owner=OTHER).exit == 4
    shutil.rmtree(made.at(layout.LOCK_DIR))
