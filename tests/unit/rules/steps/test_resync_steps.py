"""The steps of a sync: read from the checkpoint, one phase after the other, stopped when the text changes."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.steps import checkpoint as checkpoints
from novel_hooks.rules.steps import resync_steps
from novel_hooks.rules.steps.next_step import StagedVerdict
from novel_hooks.rules.steps.resync_steps import OpenSync

SHA = "ab" * 32
OPEN: dict[str, Any] = {"chapter": 3, "stage": "judge", "text_sha256": SHA}


def point(found: Any, stage: str | None = None, last: int = 4) -> checkpoints.Checkpoint:
    return checkpoints.parse(
        {
            "last_completed_chapter": last,
            "current_volume": 1,
            "orchestrator_state": "WRITING",
            "pipeline_stage": stage,
            "inflight_chapter": last + 1 if stage not in (None, "committed") else None,
            "sync": found,
        }
    )


@pytest.mark.parametrize("stage", [None, "committed"])
@pytest.mark.parametrize("phase", ["summarize", "judge", "commit"])
@pytest.mark.parametrize("chapter", [1, 3, 4])
def test_an_open_sync_is_read_and_written(stage: str | None, phase: str, chapter: int) -> None:
    found = resync_steps.open_sync(point({**OPEN, "chapter": chapter, "stage": phase}, stage))
    assert found == OpenSync(chapter, phase, SHA)
    assert found.document() == {"chapter": chapter, "stage": phase, "text_sha256": SHA}
    assert resync_steps.open_sync(point(found.document())) == found


@pytest.mark.parametrize(
    "found",
    [
        None,
        [],
        "x",
        {},
        *({**OPEN, "chapter": value} for value in (None, True, "3", 3.0, 0, -1, 5)),
        *({**OPEN, "stage": value} for value in (None, "draft", "", 7)),
        *({**OPEN, "text_sha256": value} for value in (None, 7)),
    ],
    ids=str,
)
def test_what_is_no_sync(found: Any) -> None:
    assert resync_steps.open_sync(point(found)) is None


@pytest.mark.parametrize("stage", ["drafting", "revising"])
def test_while_a_chapter_is_in_work_no_sync_is_open(stage: str) -> None:
    assert resync_steps.open_sync(point(OPEN, stage)) is None


def test_one_phase_follows_the_other() -> None:
    begun = OpenSync(3, "summarize", SHA)
    assert begun.advanced("summarize") == OpenSync(3, "judge", SHA)
    assert begun.advanced("judge") == OpenSync(3, "commit", SHA)


def verdict(*missing: str, fresh: bool = True) -> StagedVerdict:
    return StagedVerdict(missing, fresh, None, None)


@pytest.mark.parametrize(
    ("stage", "recorded", "found", "step", "role", "done"),
    [
        ("summarize", False, None, "sync:003:summarize", None, False),
        ("summarize", True, verdict(), "sync:003:summarize", None, True),
        ("judge", False, verdict(), "sync:003:summarize", None, False),
        ("commit", False, verdict(), "sync:003:summarize", None, False),
        ("judge", True, None, "sync:003:judge", "primary", False),
        ("judge", True, verdict(fresh=False), "sync:003:judge", "primary", False),
        ("judge", True, verdict("secondary", fresh=False), "sync:003:judge", "primary", False),
        ("judge", True, verdict("secondary"), "sync:003:judge", "secondary", False),
        ("commit", True, verdict("primary", "secondary"), "sync:003:judge", "primary", False),
        ("judge", True, verdict(), "sync:003:judge", None, True),
        ("commit", True, None, "sync:003:judge", "primary", False),
        ("commit", True, verdict(), "sync:003:commit", None, False),
    ],
)
def test_the_next_step_of_a_sync(
    stage: str, recorded: bool, found: StagedVerdict | None, step: str, role: str | None, done: bool
) -> None:
    due = resync_steps.next_sync_step(OpenSync(3, stage, SHA), False, recorded, found)
    assert (str(due.step), due.role, due.recorded) == (step, role, done)
    assert due.reason and not due.stop and not due.choices


def test_the_reason_says_whose_verdict_is_missing() -> None:
    said = {
        missing: resync_steps.next_sync_step(OpenSync(3, "judge", SHA), False, True, verdict(*missing)).reason
        for missing in ((), ("primary",), ("secondary",))
    }
    assert "另一位评审" in said[("secondary",)] and "还没有评审" in said[("primary",)]
    assert "已记下" in said[()]


@pytest.mark.parametrize("stage", ["summarize", "judge", "commit"])
@pytest.mark.parametrize("recorded", [False, True])
def test_a_text_that_changed_meanwhile_is_the_authors_to_explain(stage: str, recorded: bool) -> None:
    due = resync_steps.next_sync_step(OpenSync(3, stage, SHA), True, recorded, verdict())
    assert (str(due.step), due.stop, due.recorded) == ("sync:003:summarize", True, False)
    assert "第 3 章" in due.reason
    assert [(choice.key, choice.command) for choice in due.choices] == [
        ("restart", "novel sync 3"),
        ("cancel", "novel sync --cancel"),
    ]


@pytest.mark.parametrize(
    ("left", "kept"), [(1, 1), (28, 28), (0, None), (-1, None), (True, None), ("3", None), (None, None)]
)
def test_a_chapter_that_moved_in_is_one_of_so_many(left: Any, kept: int | None) -> None:
    found = resync_steps.open_sync(point({**OPEN, "left": left}))
    assert found == OpenSync(3, "judge", SHA, kept)
    assert found.document() == ({**OPEN, "left": kept} if kept else OPEN)
