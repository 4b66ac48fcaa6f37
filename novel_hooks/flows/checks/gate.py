"""`novel gate CHAPTER`: the gate's decision and its reasons. Reads only. Source: protocol §3."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Mapping
from novel_hooks.errors import Problems
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.flows.review import shown_names
from novel_hooks.record import Record
from novel_hooks.rules.evaluation import document as evaluations
from novel_hooks.rules.evaluation import gate as gates
from novel_hooks.rules.evaluation import gate_entry
from novel_hooks.rules.evaluation.gate import Outcome
from novel_hooks.rules.evaluation.gate_entry import Bands
from novel_hooks.rules.text.json_values import number

if TYPE_CHECKING:
    from novel_hooks.flows.chapter.view import View


class Round(Record):
    """The gate's decision in an earlier round of revision."""

    revisions: int
    overall_final: float | None
    decision: str


class GateRecord(Record):
    """The gate's outcome for a chapter in work, or the recorded one of a landed chapter.

    `earlier` are the rounds before it that were kept, the first one first.
    """

    chapter: int
    landed: bool
    outcome: Outcome
    revisions: int
    bands: Bands
    document: dict[str, Any]
    earlier: tuple[Round, ...] = ()


def run(book: Book, chapter: int) -> GateRecord:
    """Return the gate's outcome for the chapter, with its earlier rounds. Raises NoEvaluation."""
    found = _record_in_work(book, chapter)
    return found._replace(earlier=tuple(_earlier_rounds(book, chapter, found.revisions)))


def verdict_for_author(view: View) -> dict[str, Any] | None:
    """Return the verdict that the author is asked about when the next step stops over one; else None.

    `{overall, decision, faults, text}`: the lower score, the gate's decision, its lines on faults, and the
    path of the judged text. Source: seed 000 Step 3.5.
    """
    step, verdict = view.due.step, view.staged.verdict if view.staged is not None else None
    if not view.due.stop or step is None or step.kind != "chapter" or step.number is None:
        return None
    if step.phase not in ("review", "judge") or verdict is None or verdict.missing or not verdict.fresh:
        return None
    outcome = _record_in_work(view.book, step.number).outcome
    return {
        "overall": outcome.overall_final,
        "decision": outcome.decision,
        "faults": [*map(shown_names.in_words(view.book, step.number), outcome.faults)],
        "text": layout.staged(layout.chapter(step.number)),
    }


def _record_in_work(book: Book, chapter: int) -> GateRecord:
    point = book.checkpoint()
    if chapter <= point.last:
        return _landed_record(book, chapter)
    if chapter != point.inflight:
        raise errors.NoEvaluation(layout.staged(layout.evaluation(chapter)), chapter=chapter)
    desk = Desk(book, point.volume, chapter)
    found = desk.get("evaluation")
    if found.data is None:
        raise errors.NoEvaluation(found.path, chapter=chapter)
    if not found.ok:
        raise Problems(found.problems)
    key_chapter = book.key_chapter(point.volume, chapter)
    if evaluations.missing_roles(found.value, key_chapter):
        raise errors.NoEvaluation(found.path, chapter=chapter)
    gate = gate_entry.gate_of(found.value)
    bands = settings.recorded_bands(book, gate)
    count = _revisions(gate) if gate.get("decision") else point.revisions
    outcome = gates.gate_outcome(found.value, key_chapter, count, bands)
    return GateRecord(chapter, False, outcome, count, bands, found.value)


def _landed_record(book: Book, chapter: int) -> GateRecord:
    path = layout.evaluation(chapter)
    document = book.document(path, "chapter-eval", own=True)
    roles = evaluations.verdicts_of(document) if document else {}
    if not roles:
        moved_in = chapter <= book.adoption().last
        raise (errors.AdoptedNotJudged if moved_in else errors.NoEvaluation)(path, chapter=chapter)
    gate = gate_entry.gate_of(document)
    count, bands = _revisions(gate), Bands.from_json(gate.get("bands"), path)
    outcome = gates.weigh_verdicts(roles, count, bands, evaluations.fixes_of(document))
    return GateRecord(chapter, True, outcome, count, bands, document)


def _revisions(gate: Mapping[str, Any]) -> int:
    """Return how often the chapter had been revised when the gate decided."""
    found = gate.get("revisions")
    return found if isinstance(found, int) else 0


def _earlier_rounds(book: Book, chapter: int, count: int) -> list[Round]:
    """Collect one evaluation a round, from the newest attempt back; an older one is of an earlier life."""
    if not count:
        return []
    base, name = layout.attempts(chapter), layout.evaluation(chapter).rpartition("/")[2]
    found: list[Round] = []
    for folder in reversed(book.project.names(base)):
        document = book.plain_document(f"{base}/{folder}/{name}")  # a broken one is no part of the book
        gate = gate_entry.gate_of(document)
        wanted = count - 1 - len(found)
        decision = gate.get("decision")
        if isinstance(decision, str) and gate.get("revisions") == wanted >= 0:
            found.append(Round(wanted, number(document.get("overall_final")), decision))
    return found[::-1]
