"""The table of protocol §2, row by row and in order, on real files through `novel next`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import RECORDS, Book, book
from planbook import plan_volume

from novel_hooks import layout
from novel_hooks.store.schema import schema

if TYPE_CHECKING:
    from pathlib import Path

ACTIVE = ("drafting", "drafted", "refined", "judged", "revising")
ALL = ("chapter", *RECORDS)
BROKEN: dict[str, Any] = {
    "chapter": "# 第 9 章 别的章\n\n正文。\n",
    "summary": "\n\n",
    "delta": {"chapter": 9, "base_state_version": 1, "storyline_id": "tower-line", "ops": []},
    "crossref": {"storyline_id": "tower-line", "cross_references": [], "leak_risk": "high"},
    "memory": "字" * 501,
}


def in_work(tmp_path: Path, stage: str, revisions: int = 0, staged: tuple[str, ...] = ALL) -> Book:
    """Chapter 2, no key chapter, at the stage, with these outputs found."""
    made = book(tmp_path)
    made.stage(stage, revisions)
    if "chapter" in staged:
        made.draft()
    made.records([key for key in staged if key != "chapter"])
    return made


def due(made: Book) -> str:
    """The phase that is due; `judge!` = recorded, `judge2` = by the second judge."""
    found = made.next()
    assert schema.problems("next", found, "next") == []
    assert found["step"] == made.step(found["phase"])
    assert (found["chapter"], found["volume"]) == (made.chapter, 1)
    assert found["stop"] is (found["phase"] == "review")
    if found["recorded"]:
        assert (found["phase"], found["agent"], found["model"]) == ("judge", None, None)
        return "judge!"
    return f"{found['phase']}{'2' if found['phase'] == 'judge' and found['model'] == 'opus' else ''}"


@pytest.mark.parametrize("stage", ACTIVE)
@pytest.mark.parametrize("rest", [(), RECORDS])
def test_no_chapter_is_draft(tmp_path: Path, stage: str, rest: tuple[str, ...]) -> None:
    assert due(in_work(tmp_path, stage, staged=rest)) == "draft"


@pytest.mark.parametrize("stage", ACTIVE)
def test_a_chapter_that_does_not_pass_is_no_chapter(tmp_path: Path, stage: str) -> None:
    made = in_work(tmp_path, stage)
    made.evaluation()
    made.write(made.staged("chapter"), BROKEN["chapter"])
    assert due(made) == "draft"


@pytest.mark.parametrize(
    ("overall", "violation", "stored", "phase"),
    [
        (3.7, None, "polish", "polish"),
        (3.7, None, None, "polish"),
        (3.2, None, "polish", "polish"),
        (3.7, None, "revise", "revise"),
        (3.2, None, None, "revise"),
        (4.5, None, None, "revise"),
        (4.5, "l1", None, "revise"),
        (1.0, None, "pause_for_user", "revise"),
    ],
)
@pytest.mark.parametrize("changed", [False, True])
@pytest.mark.parametrize("staged", [ALL, ("chapter",)])
def test_revising_with_an_evaluation(
    tmp_path: Path,
    overall: float,
    violation: str | None,
    stored: str | None,
    phase: str,
    changed: bool,
    staged: tuple[str, ...],
) -> None:
    """Whatever the hash, and whatever else is found: the stored decision, else the gate's."""
    made = in_work(tmp_path, "revising", revisions=1, staged=staged)
    made.evaluation(overall, violation, gate={"decision": stored} if stored else {})
    if changed:
        made.draft(version=2)
    assert due(made) == phase


def test_revising_without_an_evaluation_is_summarize(tmp_path: Path) -> None:
    made = in_work(tmp_path, "revising", revisions=1)
    assert due(made) == "summarize"
    made.evaluation("4.5")
    assert due(made) == "summarize"


@pytest.mark.parametrize("stage", ["drafting", "drafted", "refined", "judged"])
@pytest.mark.parametrize("key", RECORDS)
@pytest.mark.parametrize("broken", [False, True])
def test_a_record_that_is_not_found_is_summarize(tmp_path: Path, stage: str, key: str, broken: bool) -> None:
    made = in_work(tmp_path, stage)
    made.evaluation()
    if broken:
        made.write(made.staged(key), BROKEN[key])
    else:
        made.drop(made.staged(key))
    assert due(made) == "summarize"


@pytest.mark.parametrize("gate", [{}, {"accepted": {"by": "author"}}, {"polished": True}])
def test_judged_and_changed_since_is_summarize(tmp_path: Path, gate: dict[str, Any]) -> None:
    made = in_work(tmp_path, "judged")
    made.evaluation(gate=gate)
    assert due(made) == "commit"
    made.draft(version=2)
    assert due(made) == "summarize"


@pytest.mark.parametrize("stage", ["drafting", "drafted"])
@pytest.mark.parametrize("judged", [False, True])
def test_drafted_and_recorded_is_refine(tmp_path: Path, stage: str, judged: bool) -> None:
    made = in_work(tmp_path, stage)
    if judged:
        made.evaluation()
    assert due(made) == "refine"


ILLEGAL = [None, True, "4.5", 9.9, -1, [4]]


@pytest.mark.parametrize("stage", ["refined", "judged"])
@pytest.mark.parametrize("overall", ILLEGAL, ids=str)
def test_an_illegal_evaluation_is_judge(tmp_path: Path, stage: str, overall: Any) -> None:
    made = in_work(tmp_path, stage)
    assert due(made) == "judge"
    document = made.evaluation(4.5)
    document["overall"] = overall
    document["metadata"].pop("judges")
    made.write(made.staged("evaluation"), document)
    assert due(made) == "judge"


def test_refined_and_changed_since_is_judge(tmp_path: Path) -> None:
    made = in_work(tmp_path, "refined")
    made.evaluation()
    assert due(made) == "judge!"
    made.draft(version=2)
    assert due(made) == "judge"


@pytest.mark.parametrize("stage", ["refined", "judged"])
@pytest.mark.parametrize("key_by", ["first", "last", "convergence"])
def test_a_key_chapter_asks_only_for_the_verdict_that_is_missing(
    tmp_path: Path, stage: str, key_by: str
) -> None:
    made = in_work(tmp_path, stage)
    if key_by == "convergence":
        plan = made.json(layout.schedule(1))
        plan["convergence_events"] = [{"chapter_range": [2, 3], "involved_storylines": ["river-line"]}]
        made.write(layout.schedule(1), plan)
    else:
        blocks = made.at(layout.outline(1)).read_text("utf-8").split("### ")
        kept = blocks[2:] if key_by == "first" else blocks[1:3]
        made.write(layout.outline(1), "# 第 1 卷\n\n" + "".join(f"### {block}" for block in kept))
    assert due(made) == "judge"
    made.evaluation(4.5)
    assert due(made) == "judge2"
    both = made.evaluation(4.5, second=4.4)
    assert due(made) == ("judge!" if stage == "refined" else "commit")
    both["metadata"]["judges"]["primary"]["verdict"]["overall"] = "4.5"
    made.write(made.staged("evaluation"), both)
    assert due(made) == "judge"


def test_the_other_verdict_of_the_seeds_form_is_no_verdict(tmp_path: Path) -> None:
    """Seed 000 Step 3.5 keeps of the other judge only model and overall."""
    made = in_work(tmp_path, "refined")
    made.evaluation(4.5, second=4.1)
    assert due(made) == "judge!"
    plan = made.json(layout.schedule(1))
    plan["convergence_events"] = [{"chapter_range": [2, 2], "involved_storylines": ["river-line"]}]
    made.write(layout.schedule(1), plan)
    document = made.json(made.staged("evaluation"))
    for role in ("primary", "secondary"):
        document["metadata"]["judges"][role].pop("verdict")
    made.write(made.staged("evaluation"), document)
    assert due(made) == "judge"


@pytest.mark.parametrize(
    ("overall", "violation", "revisions", "phase"),
    [
        (4.0, None, 0, "commit"),
        (3.9999, None, 0, "polish"),
        (3.5, None, 2, "polish"),
        (3.4999, None, 1, "revise"),
        (3.0, None, 2, "commit"),
        (2.9999, None, 0, "review"),
        (1.5, None, 0, "review"),
        (2.5, None, 3, "review"),
        (4.5, "l1", 0, "revise"),
        (4.5, "l2", 1, "revise"),
        (4.5, "l3", 2, "review"),
        (4.5, "ls", 0, "revise"),
    ],
)
def test_judged_is_the_gate(
    tmp_path: Path, overall: float, violation: str | None, revisions: int, phase: str
) -> None:
    made = in_work(tmp_path, "judged", revisions)
    made.evaluation(overall, violation)
    assert due(made) == phase


@pytest.mark.parametrize("gate", [{"accepted": {"by": "author"}}, {"polished": True}])
@pytest.mark.parametrize("overall", [1.5, 3.7])
def test_judged_and_accepted_or_polished_is_commit(
    tmp_path: Path, gate: dict[str, Any], overall: float
) -> None:
    made = in_work(tmp_path, "judged", revisions=3)
    made.evaluation(overall, "l1", gate=gate)
    assert due(made) == "commit"


def test_a_stored_pass_does_not_outweigh_the_score(tmp_path: Path) -> None:
    made = in_work(tmp_path, "judged")
    made.evaluation(2.5, gate={"decision": "pass", "force_passed": True})
    assert due(made) == "review"


def test_bands_that_were_stored_are_used_again_before_that_the_authors_own(tmp_path: Path) -> None:
    made = in_work(tmp_path, "judged")
    stored = {"pass": 4.8, "polish": 4.6, "revise": 3.0, "pause": 2.0, "max_revisions": 2}
    made.evaluation(4.5, gate={"bands": stored})
    assert due(made) == "revise"
    made.evaluation(4.5)
    assert due(made) == "commit"
    made.write(layout.CONFIG, "gate:\n  pass: 4.6\n")
    assert due(made) == "polish"
    made.evaluation(4.5, gate={"decision": "revise", "bands": stored})
    assert due(made) == "revise"


def test_bands_that_are_nonsense_make_the_evaluation_illegal(tmp_path: Path) -> None:
    made = in_work(tmp_path, "judged")
    made.evaluation(4.5, gate={"bands": {"pass": 1.0, "polish": 4.0}})
    assert due(made) == "judge"


def test_an_evaluation_without_a_hash_goes_with_any_text(tmp_path: Path) -> None:
    """Another tool's evaluation, in the seeds' form."""
    made = in_work(tmp_path, "judged")
    document = made.evaluation(4.5)
    document.pop("metadata")
    made.write(made.staged("evaluation"), document)
    made.draft(version=2)
    assert due(made) == "commit"


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
