"""The staged files of the chapter in work, as `next` needs them. Reads only. Source: protocol §2."""

from __future__ import annotations

from novel_hooks import errors, sha2
from novel_hooks.annotations import Any
from novel_hooks.errors import Problem
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter import handout
from novel_hooks.flows.chapter.desk import RECORDED, WHAT, Desk
from novel_hooks.rules.evaluation.gate_entry import gate_of, metadata
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.checkpoint import RECORDED as RECORDED_TEXT
from novel_hooks.rules.steps.checkpoint import RECORDS, REFINED, Checkpoint
from novel_hooks.rules.steps.next_step import Staged, StagedVerdict
from novel_hooks.store.formats import jsonio

__all__ = ("Desk", "has_nothing", "staged", "verdict", "work_problems")
_WRITTEN = ("chapter", "hints", *RECORDED, "evaluation")


def has_nothing(book: Book, point: Checkpoint) -> bool:
    """Tell whether nothing is written of the chapter in work, so that at most a lock was taken for it.

    A note of the author's on it counts as written.
    """
    if point.inflight is None or not point.active:
        return True
    desk = Desk(book, point.volume, point.inflight)
    begun = point.stage != "drafting" or point.revisions or handout.read(book).note
    return not begun and all(desk.get(key).data is None for key in _WRITTEN)


def work_problems(book: Book, what: str) -> list[Problem]:
    """Refuse to do `what` (the author's words) while a chapter is in work or a step is out; [] when none is.

    A chapter that a lock alone opened is none.
    """
    point, out = book.checkpoint(), handout.step_at_work(book)
    if not has_nothing(book, point):
        return [errors.BookAtWork(None, "chapter begun", what=what, chapter=point.inflight)]
    return [errors.BookAtWork(None, "step out", what=what, label=steps.label(out))] if out else []


def staged(desk: Desk, point: Checkpoint) -> Staged:
    """Return the found outputs in staging, as far as the rows of the step table need them."""
    if not desk.get("chapter").ok:
        return Staged(False, False, None)
    recorded = all(desk.get(key).ok for key in RECORDED)
    changed = _is_changed(desk, point)
    return Staged(True, recorded, verdict(desk, point), changed)


def _is_changed(desk: Desk, point: Checkpoint) -> bool:
    """Is the text another one than the refiner left, or than the records describe before he has it?"""
    left = {"refined": REFINED, "drafted": RECORDED_TEXT}.get(str(point.stage))
    if left is None or point.document.get(left) in (None, desk.prose_sha256()):
        return False
    refining = str(steps.chapter_step(desk.number, "refine"))
    return left == REFINED or handout.step_out(desk.book, point.revisions) != refining


def _is_changed_before_polish(desk: Desk, point: Checkpoint) -> bool:
    """Is the text that waits for its polishing another one than the judges had?"""
    found = verdict(desk, point) if point.stage == "revising" else None
    if found is None or found.fresh or found.stored != "polish":
        return False
    return handout.step_out(desk.book, point.revisions) != str(steps.chapter_step(desk.number, "polish"))


def records_marks(desk: Desk) -> dict[str, str]:
    """Return output → hash of each record's content; line ends and the layout of JSON do not matter."""
    found = {key: desk.get(key) for key in RECORDED}
    return {key: sha2.digest(jsonio.dump(one.value)) for key, one in found.items() if one.ok}


def records_problems(desk: Desk, point: Checkpoint) -> list[Problem]:
    """Warn of records that differ from the summarizer's, and of a text that they do not describe.

    Nothing is compared while the summarizer has the files again or the refiner has the text.
    """
    if _is_changed_before_polish(desk, point):
        return [errors.TextSinceJudged(desk.get("chapter").path, chapter=desk.number)]
    left = point.document.get(RECORDS)
    summarizing = str(steps.chapter_step(desk.number, "summarize"))
    out = handout.step_out(desk.book, point.revisions)
    if not isinstance(left, dict) or out == summarizing or _is_changed(desk, point):
        return []
    now = records_marks(desk)
    keys = [key for key in now if left.get(key) not in (None, now[key])]
    keys = [key for key in keys if not (key == "delta" and desk.has_skipped_delta())]
    paths, what = [desk.get(key).path for key in keys], "、".join(WHAT[key] for key in keys)
    told: dict[str, Any] = {"paths": "、".join(paths), "what": what, "chapter": desk.number}
    return [errors.RecordsChanged(paths[0], case="waiting", **told)] if paths else []


def verdict(desk: Desk, point: Checkpoint) -> StagedVerdict | None:
    """Return the staged evaluation for the step table; None when there is no legal one."""
    found = desk.get("evaluation")
    if not found.ok:
        return None
    from novel_hooks.rules.evaluation import document as evaluations
    from novel_hooks.rules.evaluation import gate as gates

    gate = gate_of(found.value)
    key_chapter = desk.book.key_chapter(desk.volume, desk.number)
    missing = tuple(evaluations.missing_roles(found.value, key_chapter))
    outcome = None
    if not missing and point.stage in ("judged", "revising"):  # elsewhere nothing hangs on it
        bands = settings.recorded_bands(desk.book, gate)
        outcome = gates.gate_outcome(found.value, key_chapter, point.revisions, bands)
    stored = gate.get("decision") if isinstance(gate.get("decision"), str) else None
    kept = point.stage == "revising" and stored is not None  # the round that it opened counts no more
    reasons = gate.get("reasons") if kept else outcome.reasons if outcome else None
    return StagedVerdict(
        missing=missing,
        fresh=metadata(found.value).get("text_sha256") in (None, desk.text_sha256()),
        stored=stored,
        outcome=outcome.decision if outcome else None,
        accepted=bool(gate.get("accepted")),
        polished=gate.get("polished") is True,
        by_author=gate.get("decided_by") == "author",
        why="；".join(str(one) for one in reasons) if isinstance(reasons, list) else "",
    )
