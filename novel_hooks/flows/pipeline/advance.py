"""`novel advance STEP`: check the step's outputs, then move the checkpoint. Source: protocol §2."""

from __future__ import annotations

from novel_hooks import errors, layout, roles
from novel_hooks.annotations import Any
from novel_hooks.errors import Problem, refuse
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.briefing import due_step
from novel_hooks.flows.chapter import former_work, handout, kept_attempts, reported, staged, step_result
from novel_hooks.flows.chapter.desk import RECORDED, Desk
from novel_hooks.flows.chapter.step_result import Advanced
from novel_hooks.flows.chapter.view import View
from novel_hooks.flows.checks import break_points, evaluation, lint, output_checks
from novel_hooks.flows.session import fence
from novel_hooks.flows.session.session import Session
from novel_hooks.rules.evaluation import gate as gates
from novel_hooks.rules.evaluation.gate import Outcome
from novel_hooks.rules.steps import next_step
from novel_hooks.rules.steps.checkpoint import RECORDED as RECORDED_TEXT
from novel_hooks.rules.steps.checkpoint import RECORDS, REFINED, Checkpoint
from novel_hooks.rules.steps.step_name import Step
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change

_STAGE_AFTER = {"draft": "drafting", "summarize": "drafted", "refine": "refined", "revise": "drafting"}
_AGAIN = (gates.REVISE, gates.POLISH)


def run(session: Session, step: Step) -> Advanced:
    """Check the step's outputs and move the checkpoint.

    Raises StepNotNext, BreakPoint, WriteOutsideStaging, or the outputs' findings; then
    nothing has changed.
    """
    book = Book(session.project)
    view = _view(session, book)
    if step.kind == "sync" and view.sync is not None:
        from novel_hooks.flows.resync import advance

        return advance.run(session, view, step)
    if step.of_plan:
        return _advance_plan(session, book, view, step)
    out = handout.step_out(book, view.point.revisions)
    if _repeats(view, step, out):
        return Advanced(step, False, view.point, None, ())
    if view.paused and step.kind == "chapter":
        raise errors.BreakPoint(None, "made", what=view.due.reason)
    if not next_step.may_advance(view.point, step, view.due, out, view.staged):
        raise errors.StepNotNext(step=step.label, next=view.due.label)
    if step.kind != "chapter" or step.number is None:
        raise errors.StepNotConducted(step=step.label)
    if step.phase in ("review", "commit"):
        case = "by commit" if step.phase == "commit" else "by decide"
        raise errors.ChapterNotDue(chapter=step.number, case=case)
    desk = view.desk or Desk(book, view.point.volume, step.number)
    if view.due.step == step and break_points.is_unseen(desk, view.point, view.due):
        raise errors.BreakPoint(None, "unseen", what=break_points.describe_unchanged(desk, step.phase))
    _, problems = output_checks.outputs(desk, step.phase)
    refuse(problems)
    fence.check(session.project)
    if step.phase in roles.TEXT_PHASES:
        problems += tuple(step_result.mend_scene_breaks(desk, settings.scene_break(book)))
    fresh = problems if step.phase == "judge" else reported.fresh_problems(problems)
    return _move(session, book, desk, view, step, fresh)


def _advance_plan(session: Session, book: Book, view: View, step: Step) -> Advanced:
    """Advance a step of setting up or of a volume's plan; or its review, which lands as it advances."""
    if step.phase == "review" and view.due.step == step:
        return _land_review(session, book, view, step)
    from novel_hooks.flows.planning import advance as planning_advance

    return planning_advance.run(session, book, view, step)


def _view(session: Session, book: Book) -> View:
    """Return the view; broken settings that were changed since the hand-out are a breach first."""
    try:
        return due_step.view(book)
    except Problem as error:
        if any(problem.path == layout.CONFIG for problem in error.problems):
            fence.check(session.project)
        raise


def _repeats(view: View, step: Step, handed_out: str | None) -> bool:
    """Is it the step that advanced last, repeated? That is a success that changes nothing."""
    last = view.point.document.get("last_step") == str(step)
    return last and view.due.step != step and handed_out != str(step)


def _move(
    session: Session, book: Book, desk: Desk, view: View, step: Step, warnings: tuple[Problem, ...]
) -> Advanced:
    point = view.point.moved(session.caller.stamp, drop=(former_work.KEY, REFINED, RECORDED_TEXT))
    outcome = None
    if step.phase == "judge":
        point, changes, outcome = _after_judging(session, desk, point)
        warnings = (*warnings, *reported.unreported(book, step, step_result.verdict_warnings(desk)))
        changes += reported.forget_changes(book)
    elif step.phase == "polish":
        point, changes = _after_polish(session, desk, point)
    else:
        point, changes = _after_writing(session, desk, point, step)
    point = point.moved(session.caller.stamp, last_step=str(step), drop=("failures",))
    if step.phase in roles.TEXT_PHASES[:-1]:  # the refiner's and the judge's first packet is then quick
        lint.prepare_report(desk)
    changes += step_result.mended_changes(desk.phase_files(step.phase))
    changes += output_checks.note_length(desk, step)
    changes += step_result.bookkeeping(session, book, step)
    changes.append(journal.put(layout.CHECKPOINT, jsonio.dump(point.document)))
    session.land(changes, label=f"推进 {step.label}")
    if outcome is not None and outcome.decision in next_step.PAUSES:
        session.end()
    return Advanced(step, True, point, outcome, warnings)


def _after_writing(
    session: Session, desk: Desk, point: Checkpoint, step: Step
) -> tuple[Checkpoint, list[Change]]:
    """Move the stage behind draft, summarize, refine or revise; outputs that describe another text go."""
    gone = ("evaluation", *RECORDED) if step.phase in roles.WRITING_PHASES else ("evaluation",)
    changes = kept_attempts.move(desk, gone, f"r{point.revisions}-before-{step.phase}")
    recorded = any(desk.get(key).data for key in RECORDED) and gone != ("evaluation",)
    moved: dict[str, Any] = {"pipeline_stage": _STAGE_AFTER[step.phase], "inflight_chapter": desk.number}
    if step.phase == "refine":
        moved[REFINED] = desk.prose_sha256()
    if step.phase in roles.WRITING_PHASES:
        point = point.moved(session.caller.stamp, drop=(RECORDS,))
    if step.phase == "summarize":
        moved[RECORDS] = staged.records_marks(desk)
        moved[RECORDED_TEXT] = _recorded_text(desk, step, point.revisions)
    if not point.active:
        moved["revision_count"] = 0
    if step.phase == "revise" and point.stage == "judged":
        moved.update(revision_count=point.revisions + 1, orchestrator_state="CHAPTER_REWRITE")
    if recorded:  # whoever records the new text begins with what he wrote of the old one
        rounds = moved.get("revision_count", point.revisions)
        moved.update(former_work.aside_mark(desk.number, "summarize", rounds, changes))
    return point.moved(session.caller.stamp, **moved), changes


def _land_review(session: Session, book: Book, view: View, step: Step) -> Advanced:
    """Land the volume's review; the next volume is due to be planned. Source: protocol §2, §5."""
    from novel_hooks.flows.review import volume_review  # loaded only here

    found = volume_review.run(book, step.number)
    puts = [
        journal.put(layout.volume_review(found.volume), found.text.encode("utf-8")),
        journal.put(layout.volume_review_data(found.volume), jsonio.dump(found.document)),
    ]
    kept = kept_attempts.replaced_texts(book, step, puts[:1])
    point = view.point.moved(
        session.caller.stamp,
        orchestrator_state="VOL_PLANNING",
        current_volume=found.volume + 1,
        inflight_chapter=None,
        revision_count=0,
        last_step=str(step),
        drop=("failures",),
    )
    changes: list[Change] = [
        *(journal.put(where, book.read(path) or b"") for path, where in kept),
        *puts,
        *handout.learnt_changes(book),
        journal.put(layout.CHECKPOINT, jsonio.dump(point.document)),
    ]
    session.land(changes, label=f"第 {found.volume} 卷回顾")
    told = [*found.unread, *(errors.PlanKept(path, kept=where) for path, where in kept)]
    return Advanced(step, True, point, None, tuple(told))


def _recorded_text(desk: Desk, step: Step, revisions: int) -> str | None:
    """Return the hash of the text that the records describe: of the one that was handed out for them."""
    out = handout.read(desk.book)
    same = (out.step, out.revisions) == (str(step), revisions)
    return out.text_sha256 if same and out.text_sha256 else desk.prose_sha256()


def _after_polish(session: Session, desk: Desk, point: Checkpoint) -> tuple[Checkpoint, list[Change]]:
    """Move behind a polish: the text is not judged again, and the evaluation is of the polished text."""
    document = evaluation.with_gate_decision(desk, desk.get("evaluation").value, point.revisions)
    put = evaluation.staged_change(desk, evaluation.with_gate(desk, document, polished=True))
    return point.moved(session.caller.stamp, pipeline_stage="judged"), [put]


def _after_judging(
    session: Session, desk: Desk, point: Checkpoint
) -> tuple[Checkpoint, list[Change], Outcome]:
    """Ask the gate; its decision, limits and the text's hash go into the evaluation."""
    document = dict(desk.get("evaluation").value)
    key_chapter = desk.book.key_chapter(desk.volume, desk.number)
    bands = settings.bands(desk.book)
    outcome = gates.gate_outcome(document, key_chapter, point.revisions, bands)
    gated = evaluation.with_outcome(desk, document, outcome, point.revisions, bands)
    changes = [evaluation.staged_change(desk, gated)]
    if outcome.decision in _AGAIN:  # the agent will write over the text
        changes += kept_attempts.copy(desk, ("chapter",), f"r{point.revisions}-{outcome.decision}")
    return point.moved(session.caller.stamp, **_after_gate(point, outcome)), changes, outcome


def _after_gate(point: Checkpoint, outcome: Outcome) -> dict[str, Any]:
    moved: dict[str, Any] = {"pipeline_stage": "judged" if outcome.decision not in _AGAIN else "revising"}
    if outcome.decision == gates.REVISE:
        moved.update(orchestrator_state="CHAPTER_REWRITE", revision_count=point.revisions + 1)
    return moved
