"""The changes of a staged evaluation: recorded, gated, accepted. Source: protocol §1, §3."""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Any, Mapping
from novel_hooks.flows.book import settings
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.rules.evaluation import document as evaluations
from novel_hooks.rules.evaluation import fixes as fix_lists
from novel_hooks.rules.evaluation import gate as gates
from novel_hooks.rules.evaluation import gate_entry
from novel_hooks.rules.evaluation.document import Verdict
from novel_hooks.rules.evaluation.fixes import refiner_fixes
from novel_hooks.rules.evaluation.gate import Outcome
from novel_hooks.rules.evaluation.gate_entry import Bands

if TYPE_CHECKING:
    from novel_hooks.store.journal.changes import Change


def staged_change(desk: Desk, document: Mapping[str, Any]) -> Change:
    """Return the change that stages the evaluation.

    Its shape is checked here and remembered with the other valid documents, so that no `next` behind
    it loads a schema.
    """
    from novel_hooks.store.formats import jsonio
    from novel_hooks.store.journal import journal

    path, data = desk.get("evaluation").path, jsonio.dump(document)
    desk.book.validity.judge("chapter-eval", data, document, path)
    return journal.put(path, data)


def verdicts(document: Mapping[str, Any]) -> dict[str, Verdict]:
    """Return the whole verdicts of an evaluation with their models, by role."""
    judges = gate_entry.metadata(document).get("judges")
    entries = judges if isinstance(judges, dict) else {}
    found = {}
    for role, verdict in evaluations.verdicts_of(document).items():
        entry = entries.get(role)
        model = entry.get("model") if isinstance(entry, dict) else None
        found[role] = Verdict(model if isinstance(model, str) else None, verdict)
    return found


def fixes(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the fixes for the writer; the author's own note comes first (`decide revise --note`).

    With such a note no fixes are made from good scores: the author has said what he wants.
    """
    verdicts = evaluations.verdicts_of(document)
    if not verdicts:
        return []
    note = gate_entry.gate_of(document).get("note")
    own = [{"target": "作者的意见", "instruction": note}] if isinstance(note, str) and note else []
    listed = evaluations.fixes_of(document)
    return [*own, *fix_lists.fixes(evaluations.in_order(verdicts), listed, told=bool(own))]


def text_fixes(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the fixes for the refiner: those of the words alone."""
    verdicts = evaluations.verdicts_of(document)
    return refiner_fixes(evaluations.in_order(verdicts), evaluations.fixes_of(document)) if verdicts else []


def with_gate_decision(desk: Desk, document: Mapping[str, Any], revisions: int) -> dict[str, Any]:
    """Return the evaluation with the gate's decision; it is made now when another tool left none."""
    gate = gate_entry.gate_of(document)
    if gate.get("decision"):
        return {"overall_final": document["overall"], **document}
    key_chapter = desk.book.key_chapter(desk.volume, desk.number)
    bands = settings.recorded_bands(desk.book, gate)
    outcome = gates.gate_outcome(document, key_chapter, revisions, bands)
    kept = {mark: gate[mark] for mark in ("accepted", "polished") if gate.get(mark)}
    return with_gate(desk, with_outcome(desk, document, outcome, revisions, bands), **kept)


def with_outcome(
    desk: Desk, document: Mapping[str, Any], outcome: Outcome, revisions: int, bands: Bands
) -> dict[str, Any]:
    """Return the evaluation with the gate's decision; other keys of its metadata stay."""
    before = gate_entry.metadata(document)
    composed = evaluations.compose(
        dict(verdicts(document)),
        chapter=desk.number,
        text_sha256=desk.text_sha256(),
        gate={
            "decision": outcome.decision,
            "revisions": revisions,
            "force_passed": outcome.force_passed,
            "polished": False,
            "accepted": None,
            "bands": bands.to_json(),
            "reasons": list(outcome.reasons),
        },
        warnings=before.get("warnings") or (),
    )
    composed["metadata"] = {**before, **composed["metadata"]}
    return composed


def with_gate(desk: Desk, document: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    """Return the evaluation with these keys of `metadata.gate` changed, for the present text."""
    gate = {**gate_entry.gate_of(document), **changes}
    metadata = {**gate_entry.metadata(document), "gate": gate, "text_sha256": desk.text_sha256()}
    return {**document, "metadata": metadata}
