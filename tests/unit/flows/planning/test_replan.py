"""The rest of a volume planned anew: what is written stays, what is not replaced stays."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from tools import bookparts

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Three of six chapters landed."""
    return book(tmp_path, 3, 6)


def stage(made: Book, *chapters: int, end: int = 6) -> None:
    """A new outline of the whole volume, and contracts of these chapters."""
    blocks = "".join(bookparts.outline_block(n) for n in range(1, end + 1))
    made.write(layout.staged(layout.outline(1)), f"# 第 1 卷\n\n{blocks}")
    for path in (layout.schedule(1), layout.foreshadowing_plan(1)):
        made.write(layout.staged(path), made.at(path).read_bytes())
    for chapter in chapters:
        contract = {**bookparts.contract(chapter), "acceptance_criteria": ["改过"]}
        made.write(layout.staged(layout.contract(1, chapter)), contract)


def land(made: Book) -> None:
    made.ok("advance", "volume:01:outline")
    made.ok("advance", "volume:01:validate")
    made.ok("commit", "--volume", "1")


def test_two_contracts_are_planned_anew_and_the_others_stay(made: Book) -> None:
    rules = made.json(layout.WORLD_RULES)
    made.ok("changed", "--note")
    rules["rules"][0]["rule"] = "灯灭之后可以回头"
    made.write(layout.WORLD_RULES, rules)
    made.ok("changed", "--note")
    found = made.ok("replan", "--yes")
    assert (found["volume"], found["first_chapter"], found["changed"]) == (1, 4, True)
    assert made.next()["step"] == "volume:01:outline"
    packet = made.ok("instructions", "volume:01:outline")
    assert any("第 1 章到第 3 章已经写了" in rule for rule in packet["rules"])
    touched = [one["path"] for one in packet["inputs"] if one["key"] == "touched_contracts"]
    assert touched == [layout.contract(1, n) for n in (4, 5, 6)]
    before = made.tree()
    stage(made, 5, 6)
    land(made)
    assert made.next()["step"] == "chapter:004:draft"
    changed = {p for p in made.changed(before) if p.startswith(("volumes", "chapters", "summaries"))}
    assert changed == {layout.contract(1, 5), layout.contract(1, 6)}
    point = made.point()
    assert (point["current_volume"], point["last_completed_chapter"], point["pending_actions"]) == (1, 3, [])


def test_a_volume_may_become_shorter_and_longer(made: Book) -> None:
    made.ok("replan", "--yes")
    stage(made, end=5)
    land(made)
    assert not made.at(layout.contract(1, 6)).exists() and made.at(layout.contract(1, 2)).is_file()
    made.ok("replan", "--yes")
    stage(made, 6, 7, end=7)
    land(made)
    assert made.at(layout.contract(1, 7)).is_file()


def test_what_is_written_is_not_planned_again(made: Book) -> None:
    made.ok("replan", "--yes")
    stage(made, 2, 5)
    found = made.novel("validate", "volume:01:outline")
    assert [(d.code, d.path) for d in found.diagnostics] == [
        ("VOLUME_CONTRACT", layout.staged(layout.contract(1, 2)))
    ]
    made.write(layout.staged(layout.contract(1, 2)), made.at(layout.contract(1, 2)).read_bytes())
    land(made)


def test_a_plan_that_drops_written_chapters_is_refused(made: Book) -> None:
    made.ok("replan", "--yes")
    stage(made, end=2)
    codes = [d.code for d in made.novel("validate", "volume:01:outline").diagnostics]
    assert "VOLUME_RANGE" in codes


def test_cancelled_it_goes_on_as_planned(made: Book) -> None:
    made.ok("replan", "--yes")
    made.ok("instructions", "volume:01:outline")
    found = made.ok("replan", "--cancel")
    assert (found["orchestrator_state"], made.next()["step"]) == ("WRITING", "chapter:004:draft")
    assert made.ok("replan", "--cancel")["changed"] is False


def test_next_says_that_it_is_planned_anew(made: Book) -> None:
    made.ok("replan", "--yes")
    assert made.next()["reason"] == "第 1 卷从第 4 章起重排"
    shutil.rmtree(made.at(layout.volume_dir(1)))
    assert made.next()["reason"] == "第 1 卷还没有规划"


def test_the_menu_offers_to_think_better_of_it(made: Book) -> None:
    keys = [entry["key"] for entry in made.ok("status")["menu"]]
    assert "keep-plan" not in keys
    made.ok("replan", "--yes")
    entries = {entry["key"]: entry["do"] for entry in made.ok("status")["menu"]}
    made.ok(*entries["keep-plan"].split()[1:])
    assert [entry["key"] for entry in made.ok("status")["menu"]] == keys
    made.point(orchestrator_state="VOL_PLANNING", current_volume=2)
    shutil.rmtree(made.at(layout.volume_dir(2)), ignore_errors=True)
    assert "keep-plan" not in [entry["key"] for entry in made.ok("status")["menu"]]


def test_a_plan_that_was_given_up_is_set_aside(made: Book) -> None:
    """Else the next replan would find it done, and offer to land it unasked."""
    made.ok("replan", "--yes")
    stage(made, 4, 5, 6)
    assert made.next()["step"] == "volume:01:validate"
    text = made.at(layout.staged(layout.outline(1))).read_bytes()
    made.write(layout.questions("volume-01-outline"), {"questions": [], "conflicts": []})
    made.write(f"{layout.STAGING}/别的.md", "作者的便条")
    kept = made.ok("replan", "--cancel")["kept"]
    assert made.at(f"{kept}/{layout.outline(1)}").read_bytes() == text
    assert made.at(f"{kept}/{layout.contract(1, 5)}").is_file()
    assert (
        not made.at(layout.staged(layout.outline(1))).exists()
        and made.at(f"{layout.STAGING}/别的.md").exists()
    )
    assert not made.at(layout.questions("volume-01-outline")).exists()
    made.ok("replan", "--yes")
    assert made.next()["step"] == "volume:01:outline"
    assert made.ok("replan", "--cancel")["kept"] is None


def test_said_again_it_changes_nothing(made: Book) -> None:
    made.ok("replan", "--yes")
    before = made.tree()
    assert made.ok("replan", "--yes")["changed"] is False
    assert made.changed(before) == {}


def test_not_in_the_middle_of_a_chapter(made: Book) -> None:
    made.ok("lock", "acquire")
    made.draft()
    made.advance("draft")
    told = made.refused(3, "REPLAN_NOT_NOW", "replan", "--yes")
    command = re.search("`novel (.*?)`", told.fix)
    assert command is not None
    made.ok(*command.group(1).split(), "--yes")
    assert made.ok("replan", "--yes")["changed"] is True


def test_a_chapter_that_a_session_only_opened_is_not_in_work(made: Book) -> None:
    made.ok("lock", "acquire")
    assert made.point()["inflight_chapter"] == 4
    made.ok("instructions", "chapter:004:draft", "--write-manifest")
    told = made.refused(3, "REPLAN_NOT_NOW", "replan", "--yes")
    assert "已经交给代理去做" in told.message and "写到一半" not in told.message
    made.ok("fail", "chapter:004:draft", "--reason", "重排")
    assert made.ok("replan", "--yes")["changed"] is True
    point = made.point()
    assert (point["inflight_chapter"], point["pipeline_stage"]) == (None, "committed")
    assert made.next()["step"] == "volume:01:outline"
    made.ok("replan", "--cancel")
    made.ok("lock", "acquire")
    assert (made.next()["step"], made.point()["pipeline_stage"]) == ("chapter:004:draft", "drafting")
    made.draft()
    assert "写到一半" in made.refused(3, "REPLAN_NOT_NOW", "replan", "--yes").message


def test_a_packet_that_was_only_read_is_no_work(made: Book) -> None:
    made.ok("instructions", "chapter:004:draft")
    assert made.ok("replan", "--yes")["changed"] is True
    assert made.next()["step"] == "volume:01:outline"


@pytest.mark.parametrize("how", ["--write-manifest", "--embed"])
@pytest.mark.parametrize("read_before", [False, True])
def test_an_agent_at_work_is_waited_for_or_given_up(made: Book, how: str, read_before: bool) -> None:
    if read_before:
        made.ok("instructions", "chapter:004:draft")
    made.ok("instructions", "chapter:004:draft", how)
    made.ok("instructions", "chapter:004:draft")
    told = made.refused(3, "REPLAN_NOT_NOW", "replan", "--yes")
    assert "第 4 章 · 写初稿" in told.message
    command = re.search("`novel (.*?)`", told.fix)
    assert command is not None
    made.ok(*command.group(1).split())
    assert made.ok("replan", "--yes")["changed"] is True


def test_a_draft_that_waits_in_staging_is_told(made: Book) -> None:
    made.draft()
    told = made.refused(3, "REPLAN_NOT_NOW", "replan", "--yes")
    assert told.path == made.staged("chapter") and made.staged("chapter") in told.fix
    made.drop(made.staged("chapter"))
    made.ok("replan", "--yes")


@pytest.mark.parametrize("state", ["VOL_REVIEW", "ERROR_RETRY", "QUICK_START"])
def test_only_while_a_volume_is_written(made: Book, state: str) -> None:
    made.point(orchestrator_state=state)
    made.refused(3, "REPLAN_NOT_NOW", "replan", "--yes")
    made.refused(3, "REPLAN_NOT_NOW", "replan", "--cancel")


def test_nothing_left_to_plan(tmp_path: Path) -> None:
    made = book(tmp_path, 6, 6)
    made.point(current_volume=1)
    made.refused(3, "REPLAN_NOT_NOW", "replan", "--yes")
    made.point(orchestrator_state="VOL_PLANNING", current_volume=2)
    shutil.rmtree(made.at(layout.volume_dir(2)))
    made.refused(3, "REPLAN_NOT_NOW", "replan", "--cancel")


def test_not_while_a_chapter_is_recorded_anew(made: Book) -> None:
    made.ok("sync", "3")
    assert "正在记录一章" in made.refused(3, "REPLAN_NOT_NOW", "replan", "--yes").message


@pytest.mark.parametrize(("stage", "revisions"), [("drafted", 0), ("judged", 0), ("drafting", 1)])
def test_a_chapter_whose_draft_is_lost_is_still_in_work(made: Book, stage: str, revisions: int) -> None:
    made.stage(stage, revisions)
    assert "第 4 章正写到一半" in made.refused(3, "REPLAN_NOT_NOW", "replan", "--yes").message


def test_a_packet_that_was_only_read_is_taken_back(made: Book) -> None:
    made.ok("instructions", "chapter:004:draft")
    assert made.at(layout.HANDOUT).is_file()
    made.ok("replan", "--yes")
    assert not made.at(layout.HANDOUT).exists()
    made.ok("instructions", "volume:01:outline")
    made.ok("replan", "--cancel")
    assert not made.at(layout.HANDOUT).exists()


def test_the_new_contract_counts_and_not_the_one_that_it_replaces(made: Book) -> None:
    made.ok("replan", "--yes")
    stage(made, 5)
    path = layout.staged(layout.contract(1, 5))
    made.write(path, {**made.json(path), "storyline_id": "river-line-2"})
    found = made.novel("validate", "volume:01:outline")
    assert path in [d.path for d in found.diagnostics if d.severity == "error"]


def test_it_says_what_it_would_do_and_does_nothing_until_the_author_agrees(made: Book) -> None:
    before = made.tree()
    found = made.novel("replan")
    assert (found.exit, [d.code for d in found.diagnostics]) == (3, ["CONFIRMATION_NEEDED"])
    assert "从第 4 章起重排（到第 6 章）" in found.text and "写好的章不动" in found.text
    assert found.data == {"volume": 1, "first_chapter": 4, "changed": False}
    assert "`novel replan --yes`" in found.diagnostics[0].fix
    assert made.changed(before) == {}
    made.ok("replan", "--yes")
    again = made.novel("replan")
    assert again.exit == 0 and "正在重排" in again.text and again.data["changed"] is False
