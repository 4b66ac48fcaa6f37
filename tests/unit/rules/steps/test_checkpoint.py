"""The checkpoint: every field's domain, pairs that contradict each other, and what `retry` heals."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from novel_hooks.errors import DAMAGED, CheckpointBroken, CheckpointInconsistent, Problems
from novel_hooks.rules.steps import checkpoint as checkpoints
from novel_hooks.store.schema import schema

NOW = "2026-02-03T04:05:06Z"
PLAIN: dict[str, Any] = {
    "last_completed_chapter": 4,
    "current_volume": 1,
    "orchestrator_state": "WRITING",
    "pipeline_stage": None,
    "inflight_chapter": None,
    "revision_count": 0,
    "pending_actions": [],
}


def point(**changes: Any) -> checkpoints.Checkpoint:
    return checkpoints.parse({**PLAIN, **changes})


def test_what_the_seed_writes_is_enough() -> None:
    read = checkpoints.parse(
        {"last_completed_chapter": 0, "current_volume": 1, "orchestrator_state": "WRITING"}
    )
    assert (read.stage, read.inflight, read.revisions, read.active) == (None, None, 0, False)


ILLEGAL = [
    ("last_completed_chapter", value) for value in (-1, None, True, "4", 4.0, [])
] + [
    ("current_volume", value) for value in (0, -1, None, True, "1", 1.5)
] + [
    ("orchestrator_state", value) for value in ("writing", "", None, 7, ["WRITING"], "DONE")
] + [
    ("pipeline_stage", value) for value in ("", "done", "Drafting", 0, False, ["drafting"])
] + [
    ("inflight_chapter", value) for value in (0, -1, True, "5", 5.0)
] + [
    ("revision_count", value) for value in (-1, None, True, "0", 0.0)
] + [
    ("pending_actions", value) for value in (None, {}, "x")
]  # fmt: skip


@pytest.mark.parametrize(("field", "value"), ILLEGAL, ids=str)
def test_an_illegal_field_is_named(field: str, value: object) -> None:
    with pytest.raises(Problems) as refusal:
        point(**{field: value})
    (problem,) = refusal.value.problems
    assert isinstance(problem, CheckpointBroken)
    assert field in str(problem)
    assert problem.exit == DAMAGED


def test_every_illegal_field_at_once() -> None:
    with pytest.raises(Problems) as refusal:
        point(last_completed_chapter=-1, pipeline_stage="x", revision_count=None)
    assert len(refusal.value.problems) == 3


@pytest.mark.parametrize("document", [None, [], "x", 7])
def test_something_else_than_an_object(document: object) -> None:
    with pytest.raises(CheckpointBroken):
        checkpoints.parse(document)


def test_before_the_first_volume_there_is_none() -> None:
    assert point(current_volume=0, orchestrator_state="INIT").volume == 0
    assert point(current_volume=0, orchestrator_state="QUICK_START").volume == 0
    assert checkpoints.initial().state == "INIT"


def test_unknown_keys_survive_and_the_time_moves() -> None:
    moved = point(author_note={"kept": [1]}, last_checkpoint_time="1999-01-01").moved(
        NOW, pipeline_stage="drafting", inflight_chapter=5
    )
    assert moved.document["author_note"] == {"kept": [1]}
    assert moved.document["last_checkpoint_time"] == NOW
    assert schema.problems("checkpoint", dict(moved.document), ".checkpoint.json") == []


def test_a_move_to_something_illegal_is_refused() -> None:
    with pytest.raises(Problems):
        point().moved(NOW, pipeline_stage="finished")


ACTIVE = ("drafting", "drafted", "refined", "judged", "revising")
CONTRADICTIONS = [
    *[{"pipeline_stage": stage, "inflight_chapter": 5} for stage in (None, "committed")],
    *[{"pipeline_stage": stage, "inflight_chapter": None} for stage in ACTIVE],
    *[{"pipeline_stage": "drafting", "inflight_chapter": number} for number in (4, 6, 1)],
    *[
        {"pipeline_stage": "judged", "inflight_chapter": 5, "orchestrator_state": state}
        for state in ("VOL_REVIEW", "VOL_PLANNING", "INIT", "QUICK_START")
    ],
]


@pytest.mark.parametrize("changes", CONTRADICTIONS, ids=str)
def test_a_contradiction_names_both_and_is_healed(changes: dict[str, Any]) -> None:
    broken = point(**changes)
    found = checkpoints.contradiction(broken)
    assert isinstance(found, CheckpointInconsistent)
    assert found.exit == DAMAGED
    assert sum(field in str(found) for field in PLAIN) == 2
    assert "novel retry" in found.diagnostic().fix
    healed = checkpoints.repaired(broken, NOW)
    assert checkpoints.contradiction(healed) is None
    assert healed.last == broken.last
    assert healed.stage == broken.stage
    assert healed.inflight == (5 if broken.active else None)


def test_every_legal_pair_is_no_contradiction() -> None:
    for stage in ACTIVE:
        for state in ("WRITING", "CHAPTER_REWRITE", "ERROR_RETRY"):
            flying = point(pipeline_stage=stage, inflight_chapter=5, orchestrator_state=state)
            assert checkpoints.contradiction(flying) is None
    for state in checkpoints.STATES:
        assert checkpoints.contradiction(point(orchestrator_state=state)) is None


@pytest.mark.parametrize(
    ("stage", "revisions", "error", "restored"),
    [
        ("drafting", 0, {"from_state": "WRITING"}, "WRITING"),
        ("drafted", 1, {"from_state": "CHAPTER_REWRITE"}, "CHAPTER_REWRITE"),
        ("revising", 2, {}, "CHAPTER_REWRITE"),
        ("judged", 0, {"from_state": "CHAPTER_REWRITE"}, "WRITING"),
        (None, 0, {"from_state": "WRITING"}, "WRITING"),
        (None, 0, {"from_state": "VOL_PLANNING"}, "VOL_PLANNING"),
        (None, 0, {"from_state": "ERROR_RETRY"}, "WRITING"),
        (None, 0, {"from_state": "nonsense"}, "WRITING"),
        (None, 0, "not an object", "WRITING"),
    ],
)
def test_retry_restores_the_state(stage: str | None, revisions: int, error: Any, restored: str) -> None:
    failed = point(
        orchestrator_state="ERROR_RETRY",
        pipeline_stage=stage,
        inflight_chapter=5 if stage else None,
        revision_count=revisions,
        error=error,
        failures=[{"step": "chapter:005:draft"}],
    )
    healed = checkpoints.repaired(failed, NOW)
    assert (healed.state, healed.stage, healed.revisions) == (restored, stage, revisions)
    assert not {"error", "failures"} & set(healed.document)


def test_whatever_is_broken_healing_ends_consistent() -> None:
    numbers = (None, 1, 4, 5, 9)
    for state, stage, inflight in itertools.product(
        checkpoints.STATES, (None, "committed", *ACTIVE), numbers
    ):
        broken = point(orchestrator_state=state, pipeline_stage=stage, inflight_chapter=inflight)
        healed = checkpoints.repaired(broken, NOW)
        assert checkpoints.contradiction(healed) is None
        assert healed.state != "ERROR_RETRY"


def test_the_checkpoint_of_a_new_project() -> None:
    assert checkpoints.initial().document == {
        "last_completed_chapter": 0,
        "current_volume": 0,
        "orchestrator_state": "INIT",
        "pipeline_stage": None,
        "inflight_chapter": None,
        "revision_count": 0,
        "pending_actions": [],
    }
    later = checkpoints.initial(2, "WRITING")
    assert (later.volume, later.state, later.last, later.revisions) == (2, "WRITING", 0, 0)


def test_every_field_is_read() -> None:
    document = {
        "last_completed_chapter": 4,
        "current_volume": 2,
        "orchestrator_state": "CHAPTER_REWRITE",
        "pipeline_stage": "revising",
        "inflight_chapter": 5,
        "revision_count": 3,
        "pending_actions": [],
    }
    assert checkpoints.parse(document) == checkpoints.Checkpoint(
        4, 2, "CHAPTER_REWRITE", "revising", 5, 3, document
    )


@pytest.mark.parametrize("document", [None, [], "x"])
def test_something_else_than_an_object_names_the_whole_file(document: object) -> None:
    with pytest.raises(CheckpointBroken, match="整个文件") as refusal:
        checkpoints.parse(document)
    assert refusal.value.values["path"] == ".checkpoint.json"


@pytest.mark.parametrize("error", [None, "x", [], 7])
def test_an_error_that_is_no_object_is_empty(error: object) -> None:
    assert point(orchestrator_state="ERROR_RETRY", error=error).error == {}
    kept = {"step": "chapter:005:draft", "reason": "x"}
    assert point(orchestrator_state="ERROR_RETRY", error=kept).error == kept


def test_a_failure_while_setting_up_is_before_the_first_volume() -> None:
    failed = {"orchestrator_state": "ERROR_RETRY", "current_volume": 0}
    for state in ("INIT", "QUICK_START"):
        early = point(**failed, error={"from_state": state})
        assert early.volume == 0
        assert checkpoints.repaired(early, NOW).state == state
    for error in ({"from_state": "WRITING"}, {}, None, "INIT"):
        assert checkpoints.illegal_fields({**PLAIN, **failed, "error": error}) == {"current_volume"}
    plain = {**PLAIN, "current_volume": 0, "error": {"from_state": "INIT"}}
    assert checkpoints.illegal_fields(plain) == {"current_volume"}, "no failure, so the state counts"


def test_without_a_state_to_go_back_to_the_volume_says_which() -> None:
    odd = {"from_state": "CHAPTER_REWRITE"}
    assert checkpoints.repaired(point(orchestrator_state="ERROR_RETRY", error=odd), NOW).state == "WRITING"


@pytest.mark.parametrize(
    ("field", "least"),
    [("last_completed_chapter", 0), ("current_volume", 1), ("inflight_chapter", 1), ("revision_count", 0)],
)
def test_the_ends_of_the_whole_numbers(field: str, least: int) -> None:
    for value in (least, least + 1, 10**9 - 1):
        assert checkpoints.illegal_fields({**PLAIN, field: value}) == set()
    for value in (least - 1, 10**9):
        assert checkpoints.illegal_fields({**PLAIN, field: value}) == {field}


@pytest.mark.parametrize(("field", "value"), ILLEGAL, ids=str)
def test_an_illegal_fields_name_and_what_it_may_be(field: str, value: object) -> None:
    document = {**PLAIN, field: value}
    assert checkpoints.illegal_fields(document) == {field}
    with pytest.raises(Problems) as refusal:
        checkpoints.parse(document)
    (problem,) = refusal.value.problems
    assert problem.values["path"] == ".checkpoint.json" and "应是" in str(problem)


def test_fields_that_may_be_left_out() -> None:
    needed = ("last_completed_chapter", "current_volume", "orchestrator_state")
    assert checkpoints.illegal_fields({}) == set(needed)
    assert checkpoints.illegal_fields({key: PLAIN[key] for key in needed}) == set()


def test_a_move_drops_the_keys_it_names_and_leaves_the_old_checkpoint() -> None:
    before = point(failures=[1], sync={"chapter": 3})
    after = before.moved(NOW, drop=("failures", "not-there"), revision_count=2)
    assert "failures" not in after.document and after.document["sync"] == {"chapter": 3}
    assert (after.revisions, before.revisions) == (2, 0)
    assert "failures" in before.document and "drop" not in after.document


@pytest.mark.parametrize(
    ("changes", "parts"),
    [
        ({"inflight_chapter": 5}, ["pipeline_stage=None", "inflight_chapter=5"]),
        (
            {"pipeline_stage": "committed", "inflight_chapter": 5},
            ["pipeline_stage=committed", "inflight_chapter=5"],
        ),
        ({"pipeline_stage": "judged"}, ["pipeline_stage=judged", "inflight_chapter 为空"]),
        (
            {"pipeline_stage": "judged", "inflight_chapter": 6},
            ["last_completed_chapter=4", "第 6 章", "inflight_chapter=6"],
        ),
        (
            {"pipeline_stage": "judged", "inflight_chapter": 5, "orchestrator_state": "INIT"},
            ["pipeline_stage=judged", "orchestrator_state=INIT"],
        ),
    ],
)
def test_a_contradiction_tells_both_values(changes: dict[str, Any], parts: list[str]) -> None:
    found = checkpoints.contradiction(point(**changes))
    assert found is not None and found.values["path"] == ".checkpoint.json"
    assert all(part in str(found) for part in parts)


def test_healing_changes_only_what_contradicts() -> None:
    sound = point(pipeline_stage="judged", inflight_chapter=5)
    assert checkpoints.repaired(sound, NOW).document == {**sound.document, "last_checkpoint_time": NOW}
    idle = point(orchestrator_state="VOL_REVIEW", note="x")
    assert checkpoints.repaired(idle, NOW).document == {**idle.document, "last_checkpoint_time": NOW}
    rewriting = point(pipeline_stage="judged", inflight_chapter=5, revision_count=1)
    assert checkpoints.repaired(rewriting, NOW).state == "CHAPTER_REWRITE"
