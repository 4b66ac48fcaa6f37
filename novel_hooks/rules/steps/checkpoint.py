"""The checkpoint: the last landed chapter, the chapter in work and its stage. Source: protocol §1, §2.

`novel` alone writes `.checkpoint.json`; keys that it does not know survive every rewrite.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Mapping
from novel_hooks.errors import Problems
from novel_hooks.record import Record

STATES = ("INIT", "QUICK_START", "VOL_PLANNING", "WRITING", "CHAPTER_REWRITE", "VOL_REVIEW", "ERROR_RETRY")
IDLE_STAGES = (None, "committed")
ACTIVE_STAGES = ("drafting", "drafted", "refined", "judged", "revising")
WRITING_STATES = ("WRITING", "CHAPTER_REWRITE")
PLACE = (
    "last_completed_chapter",
    "current_volume",
    "orchestrator_state",
    "pipeline_stage",
    "inflight_chapter",
    "revision_count",
)
"""The keys that tell where the book stands."""
FORMER, REFINED, RECORDED = "former", "refined_sha256", "recorded_sha256"
"""Keys of the outputs that a redone step had before, of the text's hash as the refiner left it, and of the
hash of the text that the records describe."""
RECORDS = "records_sha256"
"""Key of the hashes of the records as the summarizer left them, by output."""
UNFINISHED = ("error", "failures", FORMER, REFINED, RECORDED, RECORDS, "sync")
"""The keys of work that is not done: going back, and a checkpoint made anew, leave them out."""
SETTING_UP = ("INIT", "QUICK_START")


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
    def setting_up(self) -> bool:
        """Tell whether the setting is not settled yet: nothing of a volume is planned."""
        return self.state in SETTING_UP

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
        raise errors.CheckpointBroken(layout.CHECKPOINT, case="no object", field="整个文件")
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
    least_volume = 0 if state in SETTING_UP else 1
    state = document.get("orchestrator_state")
    inflight = document.get("inflight_chapter")
    stage = document.get("pipeline_stage")
    last, volume = document.get("last_completed_chapter"), document.get("current_volume")
    staged = stage is None or stage in (*ACTIVE_STAGES, "committed")
    rules = (
        ("last_completed_chapter", _is_whole(last, 0), "no number", "0"),
        ("orchestrator_state", state in STATES, "unknown state", "、".join(STATES)),
        ("current_volume", _is_whole(volume, least_volume), "no number", least_volume),
        ("pipeline_stage", staged, "unknown stage", "、".join(ACTIVE_STAGES)),
        ("inflight_chapter", inflight is None or _is_whole(inflight, 1), "no chapter", ""),
        ("revision_count", _is_whole(document.get("revision_count", 0), 0), "no number", "0"),
        ("pending_actions", isinstance(document.get("pending_actions", []), list), "no list", ""),
    )
    return [
        errors.CheckpointBroken(layout.CHECKPOINT, case, field=field, fitting=fitting)
        for field, legal, case, fitting in rules
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
        case = "idle"
    elif point.active and inflight is None:
        case = "no chapter"
    elif point.active and inflight != point.last + 1:
        case = "not the next"
    elif point.active and point.state not in (*WRITING_STATES, "ERROR_RETRY"):
        case = "not writing"
    else:
        return None
    values = {"stage": stage, "inflight": inflight, "last": point.last, "state": point.state}
    return errors.CheckpointInconsistent(layout.CHECKPOINT, case, **values)


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
