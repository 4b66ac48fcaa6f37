"""What stops a chapter's packet, and what is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from tools import bookparts
from unit.flows.packet.phase_packets import AGENTS, KEYS, at_phase

if TYPE_CHECKING:
    from pathlib import Path

# what stops a step -------------------------------------------------------------------------------------


def test_what_a_draft_cannot_do_without_is_told_at_once(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    needed = (layout.BRIEF, layout.STYLE_PROFILE, layout.outline(1), layout.contract(1, 5))
    for path in needed:
        made.drop(path)
    found = made.novel("instructions", made.step("draft"))
    assert found.exit == 3
    assert {d.path for d in found.diagnostics} == set(needed)
    assert {d.code for d in found.diagnostics} == {"FILE_MISSING", "LOST_FILE"}
    assert len(found.diagnostics) == len(needed)


@pytest.mark.parametrize(
    "path",
    [
        layout.STYLE_PROFILE,
        layout.BLACKLIST,
        layout.WORLD_RULES,
        layout.schedule(1),
        layout.STORYLINE_SPEC,
        layout.contract(1, 5),
        layout.character_card("shen-du"),
        layout.FORESHADOWING,
        layout.foreshadowing_plan(1),
    ],
)
@pytest.mark.parametrize("phase", AGENTS)
def test_a_file_that_does_not_parse_stops_who_would_read_it(tmp_path: Path, path: str, phase: str) -> None:
    made = at_phase(tmp_path, phase)
    reads = set(KEYS[phase])
    made.write(path, b'{"a": 1,\n "b": }')
    needed = {
        layout.STYLE_PROFILE: {"style_profile"},
        layout.BLACKLIST: {"ai_blacklist", "ai_blacklist_top10"},
        layout.WORLD_RULES: {"world_rules"},
        layout.schedule(1): reads,
        layout.STORYLINE_SPEC: {"storyline_spec"},
        layout.contract(1, 5): reads,
        layout.character_card("shen-du"): {"character_contracts", "entity_id_map", "required_fixes"},
        layout.FORESHADOWING: {"foreshadowing_tasks", "required_fixes"},
        layout.foreshadowing_plan(1): {"foreshadowing_tasks", "required_fixes"},
    }[path]
    found = made.novel("instructions", made.step(phase))
    if not needed & reads:
        assert found.exit == 0
        return
    assert (found.exit, [d.path for d in found.diagnostics]) == (3, [path])
    assert "第 2 行" in found.diagnostics[0].message


def test_two_characters_of_one_name_stop_it(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    made.write(layout.character_card("shen-er"), {"display_name": "沈渡"})
    made.refused(3, "CHARACTER_DUPLICATE_NAME", "instructions", made.step("draft"))


def test_contract_and_outline_must_agree(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    made.write(layout.contract(1, 5), bookparts.contract(4))
    found = made.novel("instructions", made.step("draft"))
    assert {d.code for d in found.diagnostics} == {"CONTRACT_MISMATCH"} and len(found.diagnostics) == 2


@pytest.mark.parametrize("phase", AGENTS)
def test_near_misses_stop_a_new_draft_only(tmp_path: Path, phase: str) -> None:
    made = at_phase(tmp_path, phase)
    text = made.at(layout.outline(1)).read_text("utf-8")
    made.write(layout.outline(1), text + "## 第 9 章\n### 第10章\n")
    found = made.novel("instructions", made.step(phase))
    if phase == "draft":
        assert (found.exit, [d.code for d in found.diagnostics]) == (3, ["OUTLINE_HEADING_NEAR"] * 2)
    else:
        assert found.exit == 0


def test_a_chapter_with_two_blocks_is_not_guessed(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    text = made.at(layout.outline(1)).read_text("utf-8")
    made.write(layout.outline(1), text + bookparts.outline_block(5))
    made.refused(3, "OUTLINE_NUMBERING", "instructions", made.step("draft"))


def test_a_missing_block_or_key_line(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    text = made.at(layout.outline(1)).read_text("utf-8")
    made.write(layout.outline(1), text.replace("### 第 5 章", "### 别的"))
    made.refused(3, "OUTLINE_CHAPTER_MISSING", "instructions", made.step("draft"))
    made.write(layout.outline(1), text.replace("- **POV**", "- **视角**"))
    told = made.refused(3, "OUTLINE_KEY_MISSING", "instructions", made.step("draft"))
    assert "POV" in told.fix


@pytest.mark.parametrize("step", ["chapter:004:draft", "chapter:006:draft", "chapter:1000:judge"])
def test_only_the_chapter_in_work_has_packets(tmp_path: Path, step: str) -> None:
    made = at_phase(tmp_path, "refine")
    told = made.refused(3, "CHAPTER_NOT_DUE", "instructions", step).message
    assert f"「第 {made.chapter} 章 · 润色」" in told
    made.refused(3, "CHAPTER_NOT_DUE", "validate", step)


@pytest.mark.parametrize(("phase", "key"), [("summarize", "hints"), ("judge", "crossref")])
def test_a_broken_file_of_the_crews_is_told_where_it_is_left_out(
    tmp_path: Path, phase: str, key: str
) -> None:
    made = at_phase(tmp_path, phase)
    made.write(made.staged(key), "{")
    found = made.novel("instructions", made.step(phase))
    told = [*(found.data or {}).get("warnings", ()), *(d.message for d in found.diagnostics)]
    assert any(made.staged(key) in one and "读不懂" in one for one in told)


@pytest.mark.parametrize("state", ["INIT", "QUICK_START", "VOL_PLANNING", "VOL_REVIEW"])
def test_between_volumes_no_chapter_has_a_packet(tmp_path: Path, state: str) -> None:
    """No file of a volume that is not there is asked for."""
    made = book(tmp_path)
    made.point(orchestrator_state=state, current_volume=0 if state in ("INIT", "QUICK_START") else 1)
    told = made.refused(3, "CHAPTER_NOT_DUE", "instructions", made.step("draft"))
    assert "当前该做的是" in told.message and "第 0 卷" not in told.message


def test_after_a_volume_the_next_chapter_waits_for_its_plan(tmp_path: Path) -> None:
    made = book(tmp_path, 5, volume_size=6)
    made.point(orchestrator_state="VOL_REVIEW")
    assert "第 1 卷" in made.refused(3, "CHAPTER_NOT_DUE", "context", "chapter-writer").message


@pytest.mark.parametrize(
    "step", ["setup:commit", "volume:01:validate", "volume:01:commit", "volume:01:review"]
)
def test_steps_that_are_not_conducted(tmp_path: Path, step: str) -> None:
    made = at_phase(tmp_path, "refine")
    made.refused(3, "STEP_NOT_CONDUCTED", "instructions", step)
    code = "STEP_NOT_NEXT" if step.endswith("review") else "PLANNING_NOT_DUE"
    made.refused(3, code, "validate", step)


def test_validate_says_which_files_and_how_long(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "summarize")
    before = made.tree()
    assert made.ok("validate", made.step("draft"))["chars"] == 45
    found = made.novel("validate", made.step("summarize"))
    assert (found.exit, found.data["ok"]) == (1, False)
    assert [o["found"] for o in found.data["outputs"]] == [False] * 4
    made.records()
    assert made.ok("validate", made.step("summarize"))["ok"] is True
    assert set(made.changed(before)) == {made.staged(k) for k in ("summary", "delta", "crossref")} | {
        "staging/storylines/river-line",
        made.staged("memory"),
    }
