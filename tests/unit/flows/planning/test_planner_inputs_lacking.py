"""What stops a planner's packet, what it says is missing, and when it is open at all."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from planbook import STEPS, ready_for

from novel_hooks import layout, roles
from novel_hooks.rules.planning import planner_tasks
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.store.schema import schema
from unit.flows.planning.planned_sample import packet, paths, said, template
from unit.flows.planning.planned_sample import sample as sample

if TYPE_CHECKING:
    from pathlib import Path

# what may be absent, what may not, what is broken ------------------------------------------------------


@pytest.mark.parametrize("step", [s for s in STEPS if s != "setup:brief"])
def test_nothing_is_planned_on_a_blank_brief(sample: Book, step: str) -> None:
    ready_for(sample, step)
    sample.write(layout.BRIEF, b"\xef\xbb\xbf" + template("brief.md").replace(b"\n", b"\r\n"))
    assert said(sample, step, 3) == [("BRIEF_BLANK", layout.BRIEF)]
    sample.drop(layout.BRIEF)
    assert said(sample, step, 3) == [("FILE_MISSING", layout.BRIEF)]


@pytest.mark.parametrize("step", ["setup:style", "setup:world"])
def test_who_learns_the_style_gets_no_answers_of_the_brief(sample: Book, step: str) -> None:
    sample.write(layout.BRIEF, "# 立意\n\n一个人。\n\n## 谜底\n\n他是他爹。\n")
    given = str(packet(ready_for(sample, step), step, "--embed"))
    assert "一个人。" in given and ("他是他爹" in given) is (step == "setup:world")


@pytest.mark.parametrize("step", STEPS[1:])
def test_open_places_of_the_brief_are_not_told_again(sample: Book, step: str) -> None:
    """They were when the brief was made; the page itself shows them."""
    sample.write(layout.BRIEF, "# 立意\n\n一个人。〔待填〕〔待填〕\n")
    assert not [told for told in packet(ready_for(sample, step), step)["warnings"] if "待填" in told]


@pytest.mark.parametrize("step", STEPS)
def test_the_bare_minimum(sample: Book, step: str) -> None:
    for folder in (layout.RESEARCH, "world", "storylines", "volumes", "foreshadowing"):
        shutil.rmtree(sample.at(folder))
    for path in (layout.STYLE_PROFILE, layout.BLACKLIST, layout.CONFIG):
        sample.drop(path)
    found = packet(ready_for(sample, step), step)
    assert schema.problems("packet", found, "packet") == []


def test_everything_that_stops_it_is_told_at_once(sample: Book) -> None:
    ready_for(sample, "volume:01:outline")
    broken = (
        layout.WORLD_RULES,
        layout.STORYLINES,
        layout.STORYLINE_SPEC,
        layout.FORESHADOWING,
        layout.schedule(1),
        layout.foreshadowing_plan(1),
        layout.character_card("xu-er"),
    )
    sample.drop(layout.BRIEF)
    for path in broken:
        sample.write(path, b'{"a": 1,\n "b": }')
    sample.write(layout.CONFIG, "tilte: 桥\n")
    told = said(sample, "volume:01:outline", 3)
    assert {path for _, path in told} == {layout.BRIEF, layout.CONFIG, *broken} and len(told) == 9


def test_its_own_broken_draft_is_no_obstacle(sample: Book) -> None:
    sample.write(layout.staged(layout.WORLD_RULES), b"{")
    found = packet(sample, "setup:world")
    assert paths(found, "world_rules") == []
    (warning,) = found["warnings"]
    assert "staging/world/rules.json" in warning


def test_the_broken_draft_of_an_earlier_step_goes_back_to_its_maker(sample: Book) -> None:
    sample.write(layout.staged(layout.WORLD_RULES), b"{")
    found = sample.novel("instructions", "setup:characters")
    assert (found.exit, [d.code for d in found.diagnostics]) == (1, ["OUTPUT_BROKEN"])
    assert "世界观设计师" in found.diagnostics[0].fix


def test_two_landed_people_of_one_name_stop_it(sample: Book) -> None:
    sample.write(layout.character_card("xu-er-2"), {"display_name": "絮儿"})
    sample.refused(3, "CHARACTER_DUPLICATE_NAME", "instructions", "setup:characters")


# when --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["INIT", "QUICK_START"])
@pytest.mark.parametrize("phase", planner_tasks.CONDUCTED["setup"])
def test_setting_up_is_open_while_the_book_is_set_up(sample: Book, state: str, phase: str) -> None:
    sample.point(orchestrator_state=state)
    packet(sample, f"setup:{phase}")
    told = sample.refused(3, "PLANNING_NOT_DUE", "instructions", "volume:01:outline")
    assert "初始设定" in told.message and "「定设定 · 入库」" in told.fix


@pytest.mark.parametrize("state", ["VOL_PLANNING", "WRITING", "VOL_REVIEW", "ERROR_RETRY"])
@pytest.mark.parametrize("phase", planner_tasks.CONDUCTED["setup"])
def test_setting_up_is_over_afterwards(tmp_path: Path, state: str, phase: str) -> None:
    made = book(tmp_path)
    made.point(orchestrator_state=state)
    told = made.refused(3, "PLANNING_NOT_DUE", "instructions", f"setup:{phase}")
    assert roles.PHASE_TITLES[phase] in told.message and "novel next" in told.fix


@pytest.mark.parametrize(
    ("state", "step", "detail"),
    [
        ("VOL_PLANNING", "volume:02:outline", "现在规划的是第 1 卷"),
        ("WRITING", "volume:01:outline", "第 1 卷正在写"),
        ("WRITING", "volume:02:outline", "第 1 卷正在写"),
        ("VOL_REVIEW", "volume:02:outline", "卷末回顾"),
        ("ERROR_RETRY", "volume:01:outline", "上一步失败了"),
    ],
)
def test_another_volume_is_not_planned(tmp_path: Path, state: str, step: str, detail: str) -> None:
    made = book(tmp_path)
    made.point(orchestrator_state=state)
    assert detail in made.refused(3, "PLANNING_NOT_DUE", "instructions", step).message


def test_a_plan_may_be_asked_for_again_when_its_draft_is_there(sample: Book) -> None:
    ready_for(sample, "volume:01:outline")
    sample.write(layout.staged(layout.outline(1)), "### 第 1 章: 重来\n")
    assert sample.next()["step"] == "volume:01:outline"
    found = packet(sample, "volume:01:outline")
    assert paths(found, "outline") == [layout.staged(layout.outline(1))]


@pytest.mark.parametrize(
    "step", ["setup:commit", "volume:01:validate", "volume:01:commit", "volume:01:review"]
)
def test_a_step_without_a_packet_is_said(sample: Book, step: str) -> None:
    ready_for(sample, step)
    told = sample.refused(3, "STEP_NOT_CONDUCTED", "instructions", step)
    assert f"「{steps.parse(step).label}」" in told.message


@pytest.mark.parametrize("step", STEPS)
def test_next_and_the_packet_agree(sample: Book, step: str) -> None:
    """Each step becomes due when its output is gone; `next` names whom the packet names."""
    gone = {
        "setup:brief": layout.BRIEF,
        "setup:world": layout.WORLD_RULES,
        "setup:style": layout.STYLE_PROFILE,
    }
    if step in gone:
        sample.drop(gone[step])
    elif step == "setup:characters":
        shutil.rmtree(sample.at(layout.CHARACTERS))
    due = ready_for(sample, step).next()
    found = packet(sample, step)
    assert due["step"] == step
    assert (due["agent"], due["model"]) == (found["agent"], found["model"])


def test_a_new_project_begins_with_its_brief(tmp_path: Path) -> None:
    made = Book(tmp_path / "新书", 1)
    made.ok("init", str(made.root))
    assert made.next()["step"] == "setup:brief"
    made.write(layout.BRIEF, "# 立意\n\n守桥的人放走了一个孩子。\n")
    assert made.next()["step"] == "setup:world"
    made.write(layout.staged(layout.WORLD_RULES), {"rules": []})
    made.write(layout.staged(layout.character_card("a")), {"display_name": "甲"})
    assert made.next()["step"] == "setup:characters", "a card without a profile"
    made.write(layout.staged(layout.character_profile("a")), "甲，守桥人。\n")
    assert made.next()["step"] == "setup:style", "the style profile is the template still"
    made.write(layout.staged(layout.STYLE_PROFILE), {"voice": "像守桥的老人"})
    assert made.next()["step"] == "setup:commit"
