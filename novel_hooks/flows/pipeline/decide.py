"""`novel decide CHAPTER …`: the author's answer at review and at break points. Source: protocol §2."""

from __future__ import annotations

from novel_hooks import errors, layout, roles
from novel_hooks.errors import Problems
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.briefing import due_step
from novel_hooks.flows.chapter import former_work, handout, kept_attempts
from novel_hooks.flows.chapter.desk import RECORDED, Desk
from novel_hooks.flows.chapter.view import View
from novel_hooks.flows.checks import break_points, evaluation
from novel_hooks.flows.session.session import Session
from novel_hooks.record import Record
from novel_hooks.rules.evaluation import gate_entry
from novel_hooks.rules.steps import break_points as steps_break_points
from novel_hooks.rules.steps import chapter_notes
from novel_hooks.rules.steps import checkpoint as checkpoints
from novel_hooks.rules.steps import questions as steps_questions
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.rules.text import typed_words
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change

ANSWERS = ("accept", "revise", "rewrite", "skip-delta", *steps_break_points.ANSWERS)


class Decided(Record):
    """A decision of the author, and the checkpoint after it."""

    chapter: int
    answer: str
    point: Checkpoint


def run(session: Session, chapter: int, answer: str, note: str | None, reason: str | None) -> Decided:
    """Carry out the author's answer. Raises DecisionNotDue, DecisionLanded; then nothing has changed.

    A decision that was killed after its commit point has been taken. Repeated in the same words it succeeds;
    with other words it is not due any more, so that they are not lost unnoticed.
    """
    book = Book(session.project)
    label = f"第 {chapter} 章的决定：{typed_words.word_of(typed_words.DECISIONS, answer)}"
    if note or reason:
        label = f"{label}（{note or reason}）"
    if session.finished == label:
        if answer == steps_break_points.STOP:
            session.end()
        return Decided(chapter, answer, book.checkpoint())
    if chapter <= book.checkpoint().last:
        raise errors.DecisionLanded(layout.chapter(chapter), chapter=chapter, before=chapter - 1)
    if answer == "skip-delta":
        point, changes = _skip_delta(session, book, chapter, reason)
    elif answer in steps_break_points.ANSWERS:
        return _answer_at_break(session, book, chapter, answer, note, label)
    else:
        view = due_step.view(book)
        desk = _desk_at_review(view, chapter, answer)
        point, changes = _ANSWERS[answer](session, desk, view.point, note)
        changes = [*changes, *_note_changes(session, book, chapter, note)]
    checkpoint = journal.put(layout.CHECKPOINT, jsonio.dump(point.document))
    session.land([*changes, *handout.learnt_changes(book), checkpoint], label=label)
    return Decided(chapter, answer, point)


def _desk_at_review(view: View, chapter: int, answer: str) -> Desk:
    """Return the desk where the question is asked: at review; a revision also at a stop after the judge."""
    due = view.due.step
    if view.point.inflight != chapter:
        raise errors.DecisionNotDue(chapter=chapter, case="not in work")
    phases = ("review", "judge") if answer == steps_break_points.REVISE and view.paused else ("review",)
    if view.desk is None or due is None or due.phase not in phases:
        raise _none_due(view, chapter)
    return view.desk


def _none_due(view: View, chapter: int) -> errors.DecisionNotDue:
    due, case = view.due, "other step, why" if view.due.step else "no step"
    return errors.DecisionNotDue(case=case, chapter=chapter, due=due.label, reason=due.reason)


def _accept(
    session: Session, desk: Desk, point: Checkpoint, note: str | None
) -> tuple[Checkpoint, list[Change]]:
    document = evaluation.with_gate_decision(desk, desk.get("evaluation").value, point.revisions)
    over = gate_entry.gate_of(document).get("decision")
    accepted = {"by": "author", "at": session.caller.stamp, "over": over}
    put = evaluation.staged_change(desk, evaluation.with_gate(desk, document, accepted=accepted))
    return point.moved(session.caller.stamp, pipeline_stage="judged"), [put]


def _revise(
    session: Session, desk: Desk, point: Checkpoint, note: str | None
) -> tuple[Checkpoint, list[Change]]:
    """Open a revision: the note becomes the first fix, the gate's decision gives way to the author's."""
    document = evaluation.with_gate_decision(desk, desk.get("evaluation").value, point.revisions)
    document = evaluation.with_gate(desk, document, decision="revise", decided_by="author", note=note)
    put = evaluation.staged_change(desk, document)
    moved = point.moved(
        session.caller.stamp,
        pipeline_stage="revising",
        orchestrator_state="CHAPTER_REWRITE",
        revision_count=point.revisions + 1,
    )
    return moved, [*kept_attempts.copy(desk, ("chapter",), f"r{point.revisions}-revise"), put]


def _rewrite(
    session: Session, desk: Desk, point: Checkpoint, note: str | None
) -> tuple[Checkpoint, list[Change]]:
    """Move everything staged for the chapter to an attempt; the chapter starts again."""
    keys = ("chapter", "hints", *RECORDED, "evaluation")
    changes = kept_attempts.move(desk, keys, f"r{point.revisions}-rewrite")
    moved = point.moved(
        session.caller.stamp,
        pipeline_stage="drafting",
        orchestrator_state="WRITING",
        revision_count=0,
        **former_work.aside_mark(desk.number, "draft", 0, changes),
    )
    kept = handout.Handout(step=str(steps.chapter_step(desk.number, "draft")), revisions=0, note=note)
    return moved, [*changes, *([handout.handout_change(kept)] if note else [])]


def _answer_at_break(
    session: Session, book: Book, chapter: int, answer: str, note: str | None, label: str
) -> Decided:
    """Carry out the answer to a stop after a step. Source: seed 004.

    go-on: the outputs as they are now are taken, what the author changed by hand included. again: they are
    put aside, the agent gets the text that he was given before, and the note. stop: the lock goes, and the
    next run takes the step up here.
    """
    view = due_step.view(book)
    desk, phase = _desk_at_break(view, chapter)
    point, step = view.point, str(view.due.step)
    changes: list[Change] = []
    if answer == steps_break_points.AGAIN:
        changes = _put_back(desk, point, phase)
        aside = former_work.aside_mark(chapter, phase, point.revisions, changes)
        point = point.moved(session.caller.stamp, drop=(former_work.KEY,))
        point = point.moved(session.caller.stamp, **aside)
        changes += _note_changes(session, book, chapter, note if phase in roles.WRITING_PHASES else None)
    over = break_points.outputs_digest(desk, phase)
    changes.append(handout.answer_change(book, step, point.revisions, answer, over, note))
    if answer == steps_break_points.AGAIN:
        changes.append(journal.put(layout.CHECKPOINT, jsonio.dump(point.document)))
    session.land([*handout.learnt_changes(book), *changes], label=label)
    if answer == steps_break_points.STOP:
        session.end()
    return Decided(chapter, answer, point)


def _desk_at_break(view: View, chapter: int) -> tuple[Desk, str]:
    """Return (desk, phase) at a break point.

    Raises DecisionNotDue, and what is wrong with outputs that the author has broken by hand.
    """
    due, desk = view.due, view.desk
    if view.point.inflight != chapter or desk is None:
        raise errors.DecisionNotDue(chapter=chapter, case="not in work")
    if due.step is None or not (view.paused or break_points.is_unseen(desk, view.point, due)):
        broken = [p for p in desk.present("chapter") if p.severity == "error"]
        raise Problems([_none_due(view, chapter), *broken])
    return desk, due.step.phase


def _note_changes(session: Session, book: Book, chapter: int, note: str | None) -> list[Change]:
    """Keep what the author says of a chapter's text among his notes for it, for every later round."""
    known = book.decisions() if note else []
    if not note or any(one.text == note for one in chapter_notes.of_chapter(known, chapter)):
        return []
    now, _ = chapter_notes.with_note(known, chapter, note, session.caller.stamp)
    return [journal.put(layout.DECISIONS, jsonio.dump(steps_questions.document(now)))]


def _put_back(desk: Desk, point: Checkpoint, phase: str) -> list[Change]:
    """Move the step's outputs to the attempts; a rewritten text is again what it was before."""
    label = f"r{point.revisions}-again-{phase}"
    keys = tuple(output.key for output in roles.CHAPTER_OUTPUTS[phase])
    if phase in ("draft", "summarize", "judge"):
        return kept_attempts.move(desk, keys, label)
    changes = kept_attempts.copy(desk, keys, label)
    kept = handout.read(desk.book).before
    before = desk.book.read(kept) if kept is not None else None
    if before is not None:
        changes.append(journal.put(desk.get("chapter").path, before))
    return changes


_ANSWERS = {"accept": _accept, "revise": _revise, "rewrite": _rewrite}


def _skip_delta(
    session: Session, book: Book, chapter: int, reason: str | None
) -> tuple[Checkpoint, list[Change]]:
    """Stage a stub that counts as the delta; also out of the error state that a broken one led to."""
    point = book.checkpoint()
    failed = point.state == "ERROR_RETRY" and str(point.error.get("step", "")).endswith(":summarize")
    if failed and checkpoints.contradiction(point) is None:
        point = checkpoints.repaired(point, session.caller.stamp)
    else:
        due = due_step.view(book).due.step
        if due is None or due.phase != "summarize":
            raise errors.DecisionNotDue(chapter=chapter, case="delta not broken")
    if point.inflight != chapter:
        raise errors.DecisionNotDue(chapter=chapter, case="not in work")
    desk = Desk(book, point.volume, chapter)
    if desk.get("delta").ok:
        raise errors.DecisionNotDue(chapter=chapter, case="delta written")
    stub = {"chapter": chapter, "skipped": True, "reason": reason or "作者决定跳过本章的状态增量"}
    changes = kept_attempts.copy(desk, ("delta",), f"r{point.revisions}-skip-delta")
    changes.append(journal.put(desk.get("delta").path, jsonio.dump(stub)))
    if handout.step_out(book, point.revisions) == str(steps.chapter_step(chapter, "summarize")):
        changes.append(journal.remove(layout.HANDOUT))  # what had failed of it is what he lets go
    return point.moved(session.caller.stamp), changes
