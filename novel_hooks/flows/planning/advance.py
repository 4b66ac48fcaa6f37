"""`novel validate` and `novel advance` of planning steps. Source: protocol §2."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.errors import Problem, refuse
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter import handout, reported, step_result, work_log
from novel_hooks.flows.chapter.desk import StagedFile
from novel_hooks.flows.chapter.step_result import Advanced
from novel_hooks.flows.chapter.view import View
from novel_hooks.flows.planning import open_steps, questions
from novel_hooks.flows.planning.desk import PlanDesk
from novel_hooks.flows.session import fence
from novel_hooks.flows.session.session import Session
from novel_hooks.rules.steps import next_step
from novel_hooks.rules.steps.step_name import Step
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change


def outputs(book: Book, view: View, step: Step) -> tuple[tuple[StagedFile, ...], tuple[Problem, ...]]:
    """Return (the step's files, all their problems). Raises when it has none, or is not open now.

    A review that is due has no outputs and no planner: its command is run first.
    """
    if step.phase == "commit":
        setup = step.kind == "setup"
        command = "novel commit --setup" if setup else f"novel commit --volume {step.number}"
        raise errors.PlanningNotDue(case="by commit", what="推进它", step=step.label, command=command)
    if step.phase == "review":
        raise errors.StepNotNext(step=step.label, next=view.due.label)
    open_steps.check_open(view, step)
    return PlanDesk(book, step.number or view.point.volume).step_files(step)


def run(session: Session, book: Book, view: View, step: Step) -> Advanced:
    """Check a planning step's outputs and move the checkpoint.

    Raises StepNotNext, PlanningNotDue, WriteOutsideStaging, or the findings; then nothing has changed.
    """
    out = handout.step_out(book, 0)
    repeats = view.due.step != step or view.due.stop
    if view.point.document.get("last_step") == str(step) and repeats and out != str(step):
        return Advanced(step, False, view.point, None, ())
    files, problems = outputs(book, view, step)
    if not next_step.may_advance_plan(step, view.due, out):
        raise errors.StepNotNext(step=step.label, next=view.due.label)
    refuse(problems)
    changes: list[Change] = step_result.mended_changes(files)
    if step.phase != "brief" or out == str(step):  # his own brief the author writes outside of any hand-out
        fence.check(session.project)
        changes += work_log.closing_changes(book, session.caller.now, session.caller.stamp)
        changes += handout.clear_changes(book)
    state = "QUICK_START" if step.kind == "setup" else "VOL_PLANNING"
    now, last = session.caller.stamp, str(step)
    point = view.point.moved(now, orchestrator_state=state, last_step=last, drop=("failures",))
    changes += questions.carried_out_changes(book, step)
    changes += reported.report_changes(book, step, problems)
    changes += [*handout.learnt_changes(book), journal.put(layout.CHECKPOINT, jsonio.dump(point.document))]
    session.land(changes, label=f"推进 {step.label}")
    alone = step.phase == "validate"  # the plan is only advanced: nobody asks `validate` first
    fresh = reported.unreported(book, step, problems) if alone else reported.fresh_problems(problems)
    return Advanced(step, True, point, None, fresh)
