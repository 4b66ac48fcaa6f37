"""Setup and volume steps on real files: validated, advanced, landed; what stands in the way."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from planbook import plan_volume, sample_book

from novel_hooks import layout
from novel_hooks.store.files import assets
from unit.flows.planning.landed_plan import CARD, planned, set_up
from unit.flows.planning.landed_plan import staged as staged

if TYPE_CHECKING:
    from pathlib import Path

SETUP = ("setup:brief", "setup:world", "setup:characters", "setup:style")


# from nothing to the first chapter -------------------------------------------------------------------


def test_from_staging_to_the_first_chapter(staged: Book) -> None:
    held = {
        p: staged.at(layout.staged(p)).read_bytes()
        for p in (layout.BRIEF, layout.WORLD_RULES, layout.foreshadowing_plan(1))
    }
    for step in SETUP:
        found = staged.ok("advance", step)
        assert (found["changed"], found["orchestrator_state"]) == (True, "QUICK_START")
        assert staged.ok("advance", step)["changed"] is False
    assert staged.next()["step"] == "setup:commit"
    found = staged.ok("commit", "--setup")
    assert (found["orchestrator_state"], found["current_volume"], found["kept"]) == ("VOL_PLANNING", 1, [])
    assert layout.STORYLINES in found["paths"] and layout.character_profile("xu-er") in found["paths"]
    assert staged.next()["step"] == "volume:01:validate"
    planned(staged)
    assert staged.next()["step"] == "volume:01:commit"
    found = staged.ok("commit", "--volume", "1")
    assert (found["orchestrator_state"], found["current_volume"]) == ("WRITING", 1)
    for path, data in held.items():
        assert staged.at(path).read_bytes() == data
    assert not [p for p in staged.at(layout.STAGING).rglob("*") if p.is_file()]
    assert staged.next()["step"] == "chapter:001:draft"
    assert staged.ok("instructions", "chapter:001:draft")["agent"] == "chapter-writer"


def test_landing_twice_is_landing_once(staged: Book) -> None:
    set_up(staged)
    before = staged.tree()
    assert staged.ok("commit", "--setup")["repeat"] is True
    planned(staged)
    staged.ok("commit", "--volume", "1")
    after = staged.tree()
    assert before != after
    assert staged.ok("commit", "--volume", "1")["repeat"] is True
    assert staged.ok("commit", "--setup")["repeat"] is True
    assert staged.changed(after) == {}


def test_a_dry_run_writes_nothing(staged: Book) -> None:
    before = staged.tree()
    found = staged.ok("commit", "--setup", "--dry-run")
    assert found["dry_run"] is True and layout.BRIEF in found["paths"]
    assert staged.changed(before) == {}


def test_one_of_three_is_landed(staged: Book) -> None:
    assert staged.novel("commit").exit == 2
    assert staged.novel("commit", "--setup", "--chapter", "1").exit == 2


def without_beginnings(made: Book) -> None:
    """Cards that tell nothing of the state in which the book begins."""
    for card in made.root.glob("**/characters/active/*.json"):
        told = json.loads(card.read_text("utf-8"))
        told.pop("level", None)
        told.pop("starting", None)
        made.write(card.relative_to(made.root).as_posix(), told)


def test_the_authors_own_files_stand_for_staged_ones(tmp_path: Path) -> None:
    made = sample_book(tmp_path / "book")
    without_beginnings(made)
    for step in SETUP:
        made.ok("advance", step)
    before = {p: m for p, m in made.tree().items() if not p.startswith((".", "staging"))}
    found = made.ok("commit", "--setup")
    assert found["paths"] == []
    assert {p: m for p, m in made.tree().items() if not p.startswith((".", "staging"))} == before


# nothing is written over in silence ------------------------------------------------------------------


def test_a_landed_file_that_gives_way_is_kept_and_told(staged: Book) -> None:
    staged.write(layout.BRIEF, "# 立意\n\n作者自己改过的一稿。\n")
    own = staged.at(layout.BRIEF).read_bytes()
    found = staged.novel("commit", "--setup")
    assert found.exit == 0 and found.data is not None
    (kept,) = found.data["kept"]
    assert kept["path"] == layout.BRIEF and staged.at(kept["kept"]).read_bytes() == own
    assert [(d.code, d.path) for d in found.diagnostics] == [("PLAN_KEPT", layout.BRIEF)]


def test_what_is_told_of_a_landed_file_names_it_where_it_is(staged: Book) -> None:
    staged.write(layout.staged(layout.BRIEF), "# 立意\n\n## 一句话\n\n修桥。〔待填〕\n")
    staged.point(orchestrator_state="QUICK_START")
    (told,) = [d for d in staged.novel("commit", "--setup").diagnostics if d.code == "BRIEF_OPEN"]
    assert told.path == layout.BRIEF and layout.BRIEF in told.message and layout.STAGING not in told.message
    assert layout.STAGING not in told.fix


def test_what_a_step_told_is_not_told_again(staged: Book) -> None:
    """`validate` tells of a step's files; neither its `advance` nor the landing repeats it."""
    staged.write(layout.staged(layout.BRIEF), "# 立意\n\n## 一句话\n\n修桥。〔待填〕\n")
    card = staged.json(CARD)
    staged.write(CARD, {**card, "contracts": card["contracts"][:1]})
    said = [
        d.code
        for step in SETUP
        for command in ("validate", "advance")
        for d in staged.novel(command, step).diagnostics
    ]
    assert sorted(said) == ["BRIEF_OPEN", "PLAN_ODD"]
    assert staged.novel("commit", "--setup").diagnostics == ()
    assert not staged.at(layout.REPORTED).exists()


@pytest.mark.parametrize("same", [True, False])
def test_a_template_and_the_same_text_are_not_kept(staged: Book, same: bool) -> None:
    template = assets.load(assets.package_path("templates/brief.md"))
    staged.write(layout.BRIEF, staged.at(layout.staged(layout.BRIEF)).read_bytes() if same else template)
    assert staged.ok("commit", "--setup")["kept"] == []


def test_what_is_staged_beside_stays(staged: Book) -> None:
    other = layout.staged("notes/想法.md")
    staged.write(other, "一句话")
    set_up(staged)
    assert staged.at(other).read_text("utf-8") == "一句话"
    assert staged.at(layout.staged(layout.outline(1))).is_file()


def test_contracts_of_an_earlier_plan_go_aside(staged: Book) -> None:
    set_up(staged)
    staged.write(layout.contract(1, 9), {"chapter": 9, "storyline_id": "a", "objectives": []})
    planned(staged)
    found = staged.ok("commit", "--volume", "1")
    assert [k["path"] for k in found["kept"]] == [layout.contract(1, 9)]
    assert not staged.at(layout.contract(1, 9)).exists() and staged.at(found["kept"][0]["kept"]).is_file()


# what the cards tell of people ------------------------------------------------------------------------

TOLD = {"level": "第二层", "owes": [{"what": "三十两", "to": "账房"}], "inventory": ["船灯"]}


def tell(made: Book, slug: str = "xu-er", **more: Any) -> None:
    path = layout.staged(layout.character_card(slug))
    path = path if made.at(path).exists() else layout.character_card(slug)
    made.write(path, {**made.json(path), **(more or TOLD)})


def test_the_setup_begins_state_and_log_with_what_the_cards_tell(staged: Book) -> None:
    without_beginnings(staged)
    tell(staged)
    set_up(staged)
    state = staged.json(layout.STATE)
    assert state["characters"] == {"xu-er": {"display_name": "絮儿", **TOLD}}
    assert (state["state_version"], state["last_updated_chapter"]) == (1, 0)
    assert [line["chapter"] for line in staged.lines(layout.CHANGELOG)] == [0]
    before = staged.at(layout.STATE).read_bytes()
    staged.drop(layout.STATE)
    assert staged.ok("rebuild", "state")["chapters"] == 0
    assert staged.at(layout.STATE).read_bytes() == before
    assert not [d for d in staged.novel("doctor").diagnostics if d.path in (layout.STATE, layout.CHANGELOG)]


def test_cards_that_tell_nothing_begin_nothing(staged: Book) -> None:
    without_beginnings(staged)
    set_up(staged)
    assert not staged.at(layout.STATE).exists() and not staged.at(layout.CHANGELOG).exists()


def test_a_packet_holds_it_from_the_first_chapter_on(staged: Book) -> None:
    tell(staged)
    planned(set_up(staged)).ok("commit", "--volume", "1")
    given = staged.ok("instructions", "chapter:001:draft")["inputs"]
    assert [one["path"] for one in given if one["key"] == "current_state"] == [layout.STATE]


def test_a_state_of_old_is_not_begun_again(staged: Book) -> None:
    tell(staged)
    old = {"schema_version": 1, "state_version": 0, "characters": {}}
    staged.write(layout.STATE, old)
    set_up(staged)
    assert staged.json(layout.STATE) == old and not staged.at(layout.CHANGELOG).exists()


def test_a_level_or_a_possession_is_no_contract(staged: Book) -> None:
    rules = ["心法只有第二层", "手里有半张盐引", "手里有刀的时候不笑", "不说谎"]
    contracts = [{"id": f"C-{n}", "rule": rule} for n, rule in enumerate(rules)]
    tell(staged, contracts=contracts, level=["第二层"])
    found = [d for d in staged.novel("validate", "setup:characters").diagnostics if d.path == CARD]
    assert {d.severity for d in found} == {"warning"}
    (rule,) = [d for d in found if "不是约定" in d.message]
    assert "「心法只有第二层」「手里有半张盐引」" in rule.message and "不说谎" not in rule.message
    assert "手里有刀" not in rule.message
    assert any("境界" in d.message for d in found)


# volumes behind the first, and a lost plan -----------------------------------------------------------


def test_the_second_volume(tmp_path: Path) -> None:
    made = book(tmp_path, 6)
    shutil.rmtree(made.at(layout.volume_dir(2)))
    made.point(orchestrator_state="VOL_PLANNING", current_volume=2)
    plan_volume(made, 2)
    made.ok("advance", "volume:02:outline")
    made.ok("advance", "volume:02:validate")
    assert made.ok("commit", "--volume", "2")["current_volume"] == 2
    assert made.next()["step"] == "chapter:007:draft"
    assert made.ok("commit", "--volume", "1")["repeat"] is True


def test_a_lost_outline_is_not_planned_anew_over_landed_chapters(tmp_path: Path) -> None:
    made = book(tmp_path, 2)
    outline = made.at(layout.outline(1)).read_bytes()
    made.drop(layout.outline(1))
    plan_volume(made, 1)
    for argv in (
        ("next",),
        ("instructions", "volume:01:outline"),
        ("advance", "volume:01:outline"),
        ("commit", "--volume", "1"),
    ):
        assert "从备份取回" in made.refused(3, "LOST_FILE", *argv).fix, argv
    made.write(layout.outline(1), outline)
    assert made.next()["step"] == "chapter:003:draft"
