"""The checkpoint: the last landed chapter, the chapter in work and its stage. Source: protocol §1, §2.

`novel` alone writes `.checkpoint.json`; keys that it does not know survive every rewrite.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any
from novel_hooks import errors, layout
from novel_hooks.errors import Problems
from novel_hooks.record import Record

STATES = (
    "INIT",
    "QUICK_START",
    "VOL_PLANNING",
    "WRITING",
    "CHAPTER_REWRITE",
    "VOL_REVIEW",
    "ERROR_RETRY",
)
IDLE_STAGES = (None, "committed")
ACTIVE_STAGES = ("drafting", "drafted", "refined", "judged", "revising")
WRITING_STATES = ("WRITING", "CHAPTER_REWRITE")
_BEFORE_VOLUMES = ("INIT", "QUICK_START")


class Checkpoint(Record):
    """A checkpoint whose every field is legal by itself (`contradiction` compares fields).

    `last` is the last landed chapter, `stage` the pipeline's, `inflight` the chapter in work, `revisions` how
    often it was revised. `document` is the JSON object of the file.
    """

    last: int
    volume: int
    state: str
    stage: str | None
    inflight: int | None
    revisions: int
    document: Mapping[str, Any]

    @property
    def active(self) -> bool:
        """Tell whether a chapter is in work."""
        return self.stage not in IDLE_STAGES

    @property
    def error(self) -> Mapping[str, Any]:
        """The failure that led to ERROR_RETRY, as `{step, reason, from_state}`; else empty."""
        found = self.document.get("error")
        return found if isinstance(found, dict) else {}

    def moved(self, now: str, **changes: Any) -> Checkpoint:
        """Return the checkpoint with these keys of its document changed, and those in `drop` removed.

        Keys are those of the file (`pipeline_stage="judged"`). `now` is the time in ISO-8601 UTC. Raises
        Problems when a changed field is illegal.
        """
        drop = changes.pop("drop", ())
        document = {**self.document, **changes, "last_checkpoint_time": now}
        for key in drop:
            document.pop(key, None)
        return parse(document)


def initial(volume: int = 0, state: str = "INIT") -> Checkpoint:
    """Return the checkpoint of a project that has none yet."""
    return parse(
        {
            "last_completed_chapter": 0,
            "current_volume": volume,
            "orchestrator_state": state,
            "pipeline_stage": None,
            "inflight_chapter": None,
            "revision_count": 0,
            "pending_actions": [],
        }
    )


def parse(document: object) -> Checkpoint:
    """Parse a checkpoint document.

    Raises CheckpointBroken when it is no object, Problems that name every illegal field.
    """
    if not isinstance(document, dict):
        raise errors.CheckpointBroken(layout.CHECKPOINT, field="整个文件", detail="应是一个对象")
    problems = [*_field_problems(document)]
    if problems:
        raise Problems(problems)
    return Checkpoint(
        last=document["last_completed_chapter"],
        volume=document["current_volume"],
        state=document["orchestrator_state"],
        stage=document.get("pipeline_stage"),
        inflight=document.get("inflight_chapter"),
        revisions=document.get("revision_count", 0),
        document=document,
    )


def _field_problems(document: Mapping[str, Any]) -> list[errors.CheckpointBroken]:
    state = document.get("orchestrator_state")
    error = document.get("error")
    if state == "ERROR_RETRY" and isinstance(error, dict):
        state = error.get("from_state")  # a failure while setting up is still before the first volume
    least_volume = 0 if state in _BEFORE_VOLUMES else 1
    state = document.get("orchestrator_state")
    inflight = document.get("inflight_chapter")
    stage = document.get("pipeline_stage")
    rules = (
        (
            "last_completed_chapter",
            _is_whole(document.get("last_completed_chapter"), 0),
            "应是 0 或更大的整数",
        ),
        ("orchestrator_state", state in STATES, f"应是 {'、'.join(STATES)} 之一"),
        (
            "current_volume",
            _is_whole(document.get("current_volume"), least_volume),
            f"应是 {least_volume} 或更大的整数",
        ),
        (
            "pipeline_stage",
            stage is None or stage in (*ACTIVE_STAGES, "committed"),
            f"应是空、{'、'.join(ACTIVE_STAGES)} 或 committed",
        ),
        ("inflight_chapter", inflight is None or _is_whole(inflight, 1), "应是空或从 1 起的整数"),
        ("revision_count", _is_whole(document.get("revision_count", 0), 0), "应是 0 或更大的整数"),
        ("pending_actions", isinstance(document.get("pending_actions", []), list), "应是一个列表"),
    )
    return [
        errors.CheckpointBroken(layout.CHECKPOINT, field=field, detail=detail)
        for field, legal, detail in rules
        if not legal
    ]


def illegal_fields(document: Mapping[str, Any]) -> set[str]:
    """Return the names of the document's illegal fields."""
    return {str(problem.values["field"]) for problem in _field_problems(document)}


def _is_whole(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value < 10**9


def contradiction(point: Checkpoint) -> errors.CheckpointInconsistent | None:
    """Return the problem of two fields that cannot both be true, else None. `repaired` makes them agree."""
    stage, inflight = point.stage, point.inflight
    if not point.active and inflight is not None:
        detail = f"流水线空闲（pipeline_stage={stage}），却有进行中的章（inflight_chapter={inflight}）"
    elif point.active and inflight is None:
        detail = f"流水线进行到一半（pipeline_stage={stage}），却没有进行中的章（inflight_chapter 为空）"
    elif point.active and inflight != point.last + 1:
        landed = f"已完成到第 {point.last} 章（last_completed_chapter={point.last}）"
        detail = f"{landed}，进行中的却是第 {inflight} 章（inflight_chapter={inflight}）"
    elif point.active and point.state not in (*WRITING_STATES, "ERROR_RETRY"):
        state = f"orchestrator_state={point.state}"
        detail = f"流水线进行到一半（pipeline_stage={stage}），全书状态却不在写作中（{state}）"
    else:
        return None
    return errors.CheckpointInconsistent(layout.CHECKPOINT, detail=detail)


def repaired(point: Checkpoint, now: str) -> Checkpoint:
    """Return the checkpoint as `retry` writes it: without contradiction, out of ERROR_RETRY (protocol §2)."""
    changes: dict[str, Any] = {}
    if not point.active:
        changes["inflight_chapter"] = None
    elif point.inflight != point.last + 1:
        changes["inflight_chapter"] = point.last + 1
    if point.active:
        changes["orchestrator_state"] = "CHAPTER_REWRITE" if point.revisions > 0 else "WRITING"
    elif point.state == "ERROR_RETRY":
        changes["orchestrator_state"] = _state_before_error(point)
    return point.moved(now, drop=("error", "failures"), **changes)


def _state_before_error(point: Checkpoint) -> str:
    """Return the state in which the failure happened, as far as an idle book may be in it."""
    origin = point.error.get("from_state")
    if origin in STATES and origin not in ("ERROR_RETRY", "CHAPTER_REWRITE"):
        return str(origin)
    return "WRITING"  # before the first volume `from_state` is legal: else the checkpoint is broken
