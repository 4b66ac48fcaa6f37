"""`novel advance sync:CCC:PHASE`: the new records of a landed chapter, step by step. Source: protocol §2."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.errors import refuse
from novel_hooks.flows.chapter import kept_attempts, reported, step_result
from novel_hooks.flows.chapter.step_result import Advanced
from novel_hooks.flows.chapter.view import Sync, View
from novel_hooks.flows.checks import output_checks
from novel_hooks.flows.resync.view import require_sync
from novel_hooks.flows.session import fence
from novel_hooks.flows.session.session import Session
from novel_hooks.rules.steps.step_name import Step
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change


def run(session: Session, view: View, step: Step) -> Advanced:
    """Check the outputs of a sync's step and move the sync.

    Raises SyncNotOpen, SyncTextChanged, StepNotNext, or the findings; then nothing has changed.
    """
    sync = require_sync(view, step)
    if view.point.document.get("last_step") == str(step) and view.due.step != step:
        return Advanced(step, False, view.point, None, ())
    if sync.changed:
        raise errors.SyncTextChanged(layout.chapter(sync.opened.chapter), chapter=sync.opened.chapter)
    if view.due.step != step:
        raise errors.StepNotNext(step=step.label, next=view.due.label)
    if step.phase == "commit":
        raise errors.ChapterNotDue(chapter=step.number, case="by commit")
    files, problems = output_checks.outputs(sync.desk, step.phase)
    refuse(problems)
    book, judged = sync.desk.book.now, step.phase == "judge"
    noted = reported.unreported(book, step, step_result.verdict_warnings(sync.desk)) if judged else ()
    fresh = problems if judged else reported.fresh_problems(problems)
    moved = _move(session, view, sync, step, step_result.mended_changes(files))
    return moved._replace(warnings=(*fresh, *noted))


def _move(session: Session, view: View, sync: Sync, step: Step, mended: list[Change]) -> Advanced:
    """Make the next phase due; a verdict does not outlive the records that its judge was given."""
    book = sync.desk.book.now
    fence.check(session.project)
    changes = mended
    if step.phase == "summarize":
        changes += kept_attempts.move(sync.desk, ("evaluation",), "before-sync-summarize")
    changes += step_result.bookkeeping(session, book, step)
    changes += reported.forget_changes(book) if step.phase == "judge" else []
    opened = sync.opened.advanced(step.phase).document()
    point = view.point.moved(session.caller.stamp, last_step=str(step), drop=("failures",), sync=opened)
    changes.append(journal.put(layout.CHECKPOINT, jsonio.dump(point.document)))
    session.land(changes, label=f"推进 {step.label}")
    return Advanced(step, True, point, None, ())
