"""A chapter's work log: a line for each stage, its agent's duration and cost. Source: protocol §1.

Kept under `.novel/` until the chapter lands. An unknown value is null, never 0.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

from novel_hooks import errors, layout
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter import handout
from novel_hooks.flows.chapter.handout import Handout, Run
from novel_hooks.rules.settings.prices import AMOUNTS
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change

_BEHIND = {"draft": ("summarize", "refine"), "summarize": ("refine",)}
"""Phases that are found by their outputs, and what then comes next."""


def add_stages(book: Book, chapter: int, entries: Sequence[Mapping[str, Any]], now: str) -> Change:
    """Return the change that adds these stages to the chapter's work log; `now` begins a new one."""
    log = read(book, chapter)
    started = log.get("started_at") or now
    stages = [*log.get("stages", ()), *map(dict, entries)]
    document = {"chapter": chapter, "started_at": started, "stages": stages}
    return journal.put(layout.work_log(chapter), jsonio.dump(document))


def read(book: Book, chapter: int) -> Mapping[str, Any]:
    """Read `{chapter, started_at, stages[]}`; {} before the first stage. Raises OwnFileDamaged."""
    path = layout.work_log(chapter)
    found = book.own(path)
    if found is None:
        return {}
    if not isinstance(found, dict) or not isinstance(found.get("stages", []), list):
        raise errors.OwnFileDamaged(path, case="no stages")
    return found


def stage_entry(book: Book, step: str, name: str, now: float, model: str | None = None) -> dict[str, Any]:
    """Return one stage of the log. An unknown value is null, never 0."""
    out = handout.read(book)
    out = out if out.step == step else handout.NOTHING
    duration = round((now - out.at) * 1000) if out.at is not None and now >= out.at else None
    return {**_stage(name, model or out.model, duration), **_run_totals(out.runs)}


def passed_stages(book: Book, step: str, revisions: int) -> list[dict[str, Any]]:
    """Return the stage that is handed out while `step` is at hand: [] as a rule.

    A draft and a summary are done as soon as they are found. When their `advance` was killed, `next` goes on
    without it, and only the hand-out names their maker.
    """
    chapter, _, phase = (handout.step_out(book, revisions) or "").rpartition(":")
    now, _, at_hand = step.rpartition(":")
    if chapter != now or not now.startswith("chapter:") or at_hand not in _BEHIND.get(phase, ()):
        return []
    out = handout.read(book)
    return [{**_stage(phase, out.model, None), **_run_totals(out.runs)}]


def run_changes(book: Book, run: Run) -> list[Change]:
    """Return the hand-out with an agent's run noted; [] when it is known already, or nothing is handed out.

    The stage's line is made when the step advances. A judge's is there by then: it is written again.
    """
    out = handout.read(book)
    if out.step is None or any(known.get("id") == run.id for known in out.runs):
        return []
    noted = out.changed(runs=(*out.runs, {"id": run.id, "model": run.model, **run.amounts}), done=True)
    return [handout.handout_change(noted), *_judge_line_changes(book, noted)]


def _judge_line_changes(book: Book, out: Handout) -> list[Change]:
    """Return the log with its last line renewed, when that is the judge's whose verdict has been taken."""
    chapter = steps.parse(str(out.step)).number
    if not out.recorded or chapter is None:
        return []
    log = read(book, chapter)
    stages = list(log.get("stages", ()))
    if not stages or stages[-1].get("name") != "judge":
        return []
    stages[-1] = {**stages[-1], **_run_totals(out.runs)}
    return [journal.put(layout.work_log(chapter), jsonio.dump({**log, "stages": stages}))]


def _stage(name: str, model: str | None, duration: int | None) -> dict[str, Any]:
    return {
        "name": name,
        "model": model,
        "duration_ms": duration,
        "input_tokens": None,
        "output_tokens": None,
    }


def _run_totals(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what the runs add to a stage's line: the last model, and the sums of all amounts."""
    models = [run["model"] for run in runs if run.get("model")]
    line: dict[str, Any] = {"model": models[-1]} if models else {}
    for key in AMOUNTS:
        known = [run[key] for run in runs if isinstance(run.get(key), int)]
        if known:
            line[key] = sum(known)
    return line
