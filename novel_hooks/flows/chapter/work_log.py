"""A chapter's work log: a line for each stage, with its agent's duration and cost. Source: protocol §1.

It is kept under `.novel/` until the chapter lands. An unknown value is null, never 0. Stages of steps that
write no chapter (setup, volume, sync) have a log of their own too, for the budget of a run.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Mapping, Sequence
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.chapter import handout
from novel_hooks.flows.chapter.handout import Handout, Run
from novel_hooks.rules.settings.prices import AMOUNTS
from novel_hooks.rules.steps import agents
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.step_name import Step
from novel_hooks.rules.text.json_values import objects
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change

_BEHIND = {"draft": ("summarize", "refine"), "summarize": ("refine",)}
"""Phases that are found by their outputs, and what then comes next."""
OTHER_KEPT = 40
"""So many stages of steps that write no chapter outlast their run: later steps are estimated by them."""


def add_stages(book: Book, chapter: int, entries: Sequence[Mapping[str, Any]], now: str) -> Change:
    """Return the change that adds these stages to the chapter's work log; `now` begins a new one."""
    log = read(book, chapter)
    started = log.get("started_at") or now
    stages = [*log.get("stages", ()), *map(dict, entries)]
    document = {"chapter": chapter, "started_at": started, "stages": stages}
    return journal.put(layout.work_log(chapter), jsonio.dump(document))


def step_changes(book: Book, step: Step, entries: Sequence[Mapping[str, Any]], now: str) -> list[Change]:
    """Return the changes that add these stages of a step to the logs that it belongs in."""
    if step.kind == "chapter" and step.number is not None:
        return [add_stages(book, step.number, entries, now)]
    named = [{**entry, "step": str(step)} for entry in entries]
    own = [add_stages(book, step.number, named, now)] if step.kind == "sync" and step.number else []
    return [*own, other_change([*other_stages(book), *named])]


def other_stages(book: Book) -> list[dict[str, Any]]:
    """Return the stages of steps that write no chapter, oldest first; [] when the file is not `novel`'s."""
    found, _ = attempt(lambda: book.own(layout.OTHER_WORK))
    return [dict(one) for one in objects(found.get("stages"))] if isinstance(found, dict) else []


def other_change(stages: Sequence[Mapping[str, Any]]) -> Change:
    """Return the change that writes the log of steps that write no chapter."""
    return journal.put(layout.OTHER_WORK, jsonio.dump({"stages": list(stages)}))


def closing_changes(book: Book, now: float, stamp: str) -> list[Change]:
    """Return the changes that log the step that is handed out, before its hand-out is removed.

    [] for a chapter's step, one that no agent got, and a judge whose recorded verdict has its line already.
    """
    out = handout.read(book)
    step, _ = attempt(lambda: steps.parse(out.step or ""))
    if step is None or step.kind == "chapter" or agents.agent_of(step) is None or out.recorded:
        return []
    if not out.busy and not out.runs:
        return []
    return step_changes(book, step, [stage_entry(book, str(step), step.phase, now)], stamp)


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
    return _stage(name, model or out.model, duration, out.runs)


def passed_stages(book: Book, step: str, revisions: int) -> list[dict[str, Any]]:
    """Return the stage that is handed out while `step` is at hand; [] in most cases.

    A draft and a summary count as done as soon as they are found. When their `advance` was killed, `next`
    goes on without it, and only the hand-out names their maker.
    """
    chapter, _, phase = (handout.step_out(book, revisions) or "").rpartition(":")
    now, _, at_hand = step.rpartition(":")
    if chapter != now or not now.startswith("chapter:") or at_hand not in _BEHIND.get(phase, ()):
        return []
    out = handout.read(book)
    return [_stage(phase, out.model, None, out.runs)]


def run_changes(book: Book, run: Run) -> list[Change]:
    """Return the hand-out with an agent's run; [] when the run is known already, or nothing is handed out.

    The stage's line is made when the step advances. A judge's line exists by then, so it is written again.
    """
    out = handout.read(book)
    if out.step is None or any(known.get("id") == run.id for known in out.runs):
        return []
    noted = out.changed(runs=(*out.runs, {"id": run.id, "model": run.model, **run.amounts}), done=True)
    return [handout.handout_change(noted), *_judge_line_changes(book, noted)]


def _judge_line_changes(book: Book, out: Handout) -> list[Change]:
    """Return the logs with their last line renewed, where it is that of a judge whose verdict was taken."""
    chapter = steps.parse(str(out.step)).number
    if not out.recorded or chapter is None:
        return []
    log, other = read(book, chapter), other_stages(book)
    stages = list(log.get("stages", ()))
    changes: list[Change] = []
    if stages and stages[-1].get("name") == "judge":
        stages[-1] = {**stages[-1], **_run_totals(out.runs)}
        changes.append(journal.put(layout.work_log(chapter), jsonio.dump({**log, "stages": stages})))
    if other and other[-1].get("step") == out.step:
        other[-1] = {**other[-1], **_run_totals(out.runs)}
        changes.append(other_change(other))
    return changes


def _stage(
    name: str, model: str | None, duration: int | None, runs: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    unknown = dict.fromkeys(("input_tokens", "output_tokens"))
    return {"name": name, "model": model, "duration_ms": duration, **unknown, **_run_totals(runs)}


def _run_totals(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what the runs add to a stage's line: the last model, and the sums of all amounts."""
    models = [run["model"] for run in runs if run.get("model")]
    line: dict[str, Any] = {"model": models[-1]} if models else {}
    for key in AMOUNTS:
        known = [run[key] for run in runs if isinstance(run.get(key), int)]
        if known:
            line[key] = sum(known)
    return line
