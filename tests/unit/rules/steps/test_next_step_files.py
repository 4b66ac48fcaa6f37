"""The table of protocol §2, row by row and in order, on real files through `novel next`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import RECORDS, Book

from novel_hooks import layout
from novel_hooks.store.schema import schema
from unit.rules.steps.chapter_in_work import ALL, in_work

if TYPE_CHECKING:
    from pathlib import Path

ACTIVE = ("drafting", "drafted", "refined", "judged", "revising")


BROKEN: dict[str, Any] = {
    "chapter": "# 第 9 章 别的章\n\n正文。\n",
    "summary": "\n\n",
    "delta": {"chapter": 9, "base_state_version": 1, "storyline_id": "tower-line", "ops": []},
    "crossref": {"storyline_id": "tower-line", "cross_references": [], "leak_risk": "high"},
    "memory": "字" * 501,
}


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
