"""The step that is due outside a chapter, and the choices where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import book
from planbook import plan_volume

from novel_hooks import layout
from novel_hooks.store.schema import schema
from unit.rules.steps.chapter_in_work import in_work

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("state", ["INIT", "QUICK_START"])
def test_setup_goes_phase_by_phase(tmp_path: Path, state: str) -> None:
    made = book(tmp_path)
    made.point(orchestrator_state=state, current_volume=0)
    card = layout.character_card("shen-du")
    for slug in ("qiao-jiu", "mo-lan", "he-tie", "bai-sui"):
        made.drop(layout.character_card(slug))
    places = (layout.BRIEF, layout.WORLD_RULES, card, layout.STYLE_PROFILE)
    held = {place: made.at(place).read_bytes() for place in places}
    for place in places:
        made.drop(place)
    agents = {"world": "world-builder", "characters": "character-weaver", "style": "style-analyzer"}
    for phase, place in zip(("brief", "world", "characters", "style"), places):
        found = made.next()
        assert (found["step"], found["agent"]) == (f"setup:{phase}", agents.get(phase))
        made.write(layout.staged(place), "{}" if place.endswith("json") else " ")
        assert made.next()["step"] == f"setup:{phase}", "what does not pass is not found"
        made.write(layout.staged(place), held[place])
    assert made.next()["step"] == "setup:commit"


def test_volume_planning_goes_phase_by_phase(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.point(orchestrator_state="VOL_PLANNING", current_volume=2)
    found = made.next()
    assert (found["step"], found["agent"]) == ("volume:02:outline", "plot-architect")
    made.write(layout.staged(layout.outline(2)), "### 第 7 章\n")
    found = made.next()
    assert found["step"] == "volume:02:outline" and "还有不对的地方" in found["reason"]
    plan_volume(made, 2)
    found = made.next()
    assert (found["step"], found["agent"], found["recorded"]) == ("volume:02:validate", None, True)
    made.point(last_step="volume:02:validate")
    assert made.next()["step"] == "volume:02:commit"


@pytest.mark.parametrize("stage", [None, "committed"])
def test_writing_is_the_draft_of_the_next_chapter_until_the_volume_ends(
    tmp_path: Path, stage: str | None
) -> None:
    made = book(tmp_path)
    made.point(pipeline_stage=stage)
    assert made.next()["step"] == "chapter:002:draft"
    made.point(last_completed_chapter=5)
    assert made.next()["step"] == "chapter:006:draft"
    made.point(last_completed_chapter=6)
    assert made.next()["step"] == "volume:01:review"
    made.drop(layout.outline(1))
    assert "LOST_FILE" in [one.code for one in made.novel("next").diagnostics]
    made.write(layout.outline(1), "# 第 1 卷\n\n还没有想好。\n")
    made.refused(3, "OUTLINE_EMPTY", "next")  # never planned anew over what has landed


def test_a_heading_that_is_nearly_one_does_not_end_the_volume(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.point(last_completed_chapter=6)
    text = made.at(layout.outline(1)).read_text("utf-8")
    made.write(layout.outline(1), text + "\n## 第七章：归灯\n")
    assert made.next()["step"] == "chapter:007:draft"
    told = made.refused(5, "OUTLINE_HEADING_NEAR", "instructions", "chapter:7:draft")
    assert "### 第 7 章: 归灯" in told.fix and layout.outline(1) in told.message


def test_a_volume_review_ends_the_volume(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.point(orchestrator_state="VOL_REVIEW", last_completed_chapter=6)
    assert made.next()["step"] == "volume:01:review"


@pytest.mark.parametrize(
    ("stage", "failed"), [(None, "draft"), ("drafting", "summarize"), ("judged", "commit")]
)
def test_an_error_has_no_step_only_choices(tmp_path: Path, stage: str | None, failed: str) -> None:
    made = book(tmp_path)
    error = {"step": f"chapter:002:{failed}", "reason": "代理没有交稿", "from_state": "WRITING"}
    made.stage(stage, orchestrator_state="ERROR_RETRY", error=error)
    found = made.next()
    assert schema.problems("next", found, "next") == []
    assert (found["step"], found["phase"], found["stop"]) == (None, None, True)
    keys = [choice["key"] for choice in found["choices"]]
    assert keys == (["retry", "skip-delta"] if failed == "summarize" else ["retry"])
    assert "代理没有交稿" in found["reason"]


def test_the_choices_at_review_are_commands_that_work(tmp_path: Path) -> None:
    made = in_work(tmp_path, "judged")
    made.evaluation(2.5)
    choices = made.next()["choices"]
    assert [c["key"] for c in choices] == ["revise", "accept", "rewrite"]
    for number, choice in enumerate(choices):
        other = in_work(tmp_path / str(number), "judged")
        other.evaluation(2.5)
        assert choice["command"].startswith("novel decide 2 ")
        other.ok(*choice["command"].split()[1:])


def test_a_pause_says_score_faults_and_place(tmp_path: Path) -> None:
    made = in_work(tmp_path, "judged")
    document = made.evaluation(2.5)
    document["required_fixes"] = [{"target": "第二场", "instruction": "让她先看见\n灯"}]
    document["metadata"]["judges"]["primary"]["verdict"]["required_fixes"] = document["required_fixes"]
    made.write(made.staged("evaluation"), document)
    found = made.next()
    assert schema.problems("next", found, "next") == []
    told = found["verdict"]
    assert (told["overall"], told["decision"]) == (2.5, "pause_for_user")
    assert told["faults"][0] == "第二场：让她先看见 灯"
    assert len(told["faults"]) <= 3
    assert made.at(told["text"]).is_file()
    assert made.ok("status")["next"]["verdict"] == told
    page = made.novel("next").text
    assert all(part in page for part in ("2.5", told["faults"][0], told["text"]))


def test_where_nothing_is_asked_there_is_no_verdict(tmp_path: Path) -> None:
    made = in_work(tmp_path, "judged")
    made.evaluation(4.5)
    assert made.next()["verdict"] is None


def test_the_number_comes_from_the_checkpoint_never_from_a_text(tmp_path: Path) -> None:
    made = book(tmp_path)
    for path in (layout.chapter(1), layout.summary(1), layout.BRIEF):
        made.write(path, "# 第 1981 章 旧账\n\n1981年，第三章写的正是第九百九十九回，chapter-500。\n")
    made.write(layout.chapter(7), "# 第 7 章\n\n别处来的草稿。\n")
    assert made.next()["step"] == "chapter:002:draft"
    made.ok("lock", "acquire")
    made.draft("# 第二章 一九八一\n\n1981年的第三章里，他抄下第12章。\n")
    assert made.next()["step"] == "chapter:002:summarize"


def test_next_changes_nothing(tmp_path: Path) -> None:
    made = in_work(tmp_path, "judged")
    made.evaluation(3.7)
    before = made.tree()
    made.next()
    made.novel("status")
    assert made.changed(before) == {}
    assert not made.at(layout.LOCK_DIR).exists()


def test_an_older_checkpoint_never_lands_a_chapter_again(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=3)
    made.point(last_completed_chapter=1, pipeline_stage="committed")
    for words in (
        ("next",),
        ("lock", "acquire"),
        ("instructions", "chapter:2:draft"),
        ("commit", "--chapter", "2"),
    ):
        said = made.refused(5, "CHECKPOINT_BEHIND", *words)
        assert "novel rollback 1" in said.fix
