"""The former output of a step that is done again, and its problems, given beside the step's inputs.

Source: protocol §7. Any other step gets neither.
"""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import Any
from novel_hooks.flows.book import logs
from novel_hooks.flows.chapter import former_work
from novel_hooks.flows.packet import held_back
from novel_hooks.flows.packet.gathering import Gathering
from novel_hooks.rules.packet import packet

_MAKING = ("draft", "summarize")
"""Phases whose outputs are no inputs of theirs; the others write over a text that they are given anyway."""


def add(g: Gathering, phase: str) -> None:
    """Add `previous_output` and `previous_problems` when the phase is done again."""
    if g.desk.landed:
        _add_output(g, _landed_records(g) if phase == "summarize" else {})
    if g.desk.landed or g.ahead:
        return
    point = g.book.checkpoint()
    failed = former_work.failure(point, g.desk.number, phase)
    problems = g.attempt(_problems, g, phase, failed is not None) or []
    place = former_work.folder(point, g.desk.number, phase)
    if place is not None and not (failed or problems):
        _add_put_aside(g, phase, place)
        return
    stale = phase == "summarize" and point.stage in (
        "refined",
        "judged",
    )  # the text has changed since it was recorded
    if phase in _MAKING and (failed is not None or problems or stale):
        _add_output(g, former_work.in_staging(g.desk, former_work.required_keys(phase)))
    if not problems and failed:
        problems = [{"path": None, "problem": failed, "fix": ""}]
    if problems:
        g.add(packet.value_input("previous_problems", problems, "list"))


def _add_put_aside(g: Gathering, phase: str, place: str) -> None:
    """Add what the author had put aside, and what the judge found in a draft that is written anew."""
    _add_output(g, former_work.put_aside(g.desk, place, former_work.required_keys(phase)))
    kept = former_work.put_aside(g.desk, place, ("evaluation",)) if phase == "draft" else {}
    from novel_hooks.flows.checks import evaluation

    judged = kept.get("evaluation")
    fixes = evaluation.fixes(judged) if isinstance(judged, dict) else []
    told = [
        {"path": None, "problem": f"{one['target']}：{one['instruction']}", "fix": ""}
        for one in held_back.from_writer(g, fixes)
    ]
    if told:
        g.add(packet.value_input("previous_problems", told, "list"))


def _landed_records(g: Gathering) -> dict[str, Any]:
    """Return what was recorded of a landed chapter, as far as it is there: summary, delta, crossref."""
    number = g.desk.number
    found = former_work.contents(
        g.book, {"summary": layout.summary(number), "crossref": layout.crossref(number)}
    )
    lines = g.attempt(logs.lines, g.book, layout.CHANGELOG) or ()
    ops = next((one.get("ops") for one in lines if one.get("chapter") == number), None)
    return {**found, "delta": {"chapter": number, "ops": ops}} if isinstance(ops, list) else found


def _add_output(g: Gathering, found: dict[str, Any]) -> None:
    """Add a chapter as a text, other outputs as one value by their keys."""
    if set(found) == {"chapter"}:
        g.add(packet.excerpt_input("previous_output", "chapter_content", str(found["chapter"])))
    elif found:
        g.add(packet.value_input("previous_output", found))


def _problems(g: Gathering, phase: str, failed: bool) -> list[dict[str, Any]]:
    """Return what `validate` says of the outputs that are there now.

    A text that is to be written over counts as the phase's output only when the phase has failed.
    """
    keys = former_work.required_keys(phase)
    if not (failed or phase in _MAKING) or not any(g.desk.get(key).data for key in keys):
        return []
    from novel_hooks.flows.checks import output_checks

    files, problems = output_checks.outputs(g.desk, phase)
    if failed and all(one.ok for one in files):
        from novel_hooks.flows.checks import unknown_references

        problems += tuple(unknown_references.problems(g.desk, phase))
    grave = [p.diagnostic() for p in problems if p.severity == "error" or (failed and p.for_its_agent())]
    return [{"path": one.path, "problem": one.message, "fix": one.fix} for one in grave]
