"""`novel fail STEP` and `novel retry`: a failure counted, and the book taken up behind it.

`rules.steps.failures` decides how many there may be before the author is asked.
Source: protocol §2, seed 000 Step 1.6.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.briefing import due_step
from novel_hooks.flows.chapter import handout
from novel_hooks.flows.pipeline import validate
from novel_hooks.flows.session.session import Session
from novel_hooks.record import Record
from novel_hooks.rules.steps import checkpoint as checkpoints
from novel_hooks.rules.steps import failures
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.rules.steps.step_name import Step
from novel_hooks.store.formats import jsonio
from novel_hooks.store.host import moment
from novel_hooks.store.journal import journal
from novel_hooks.store.lock import lock


class Failed(Record):
    """A failure. `again`: try once more; else the author decides (ERROR_RETRY)."""

    step: Step
    again: bool
    point: Checkpoint


def run(session: Session, step: Step, reason: str) -> Failed:
    """Count a failure of this step in this round of revision. Raises StepNotNext for another step.

    A failure that was killed after its commit point, or while it released its lock, has been counted. A
    repetition changes nothing.
    """
    label = f"记下「{step.label}」的失败"
    book = Book(session.project)
    point = book.checkpoint()
    if point.state == "ERROR_RETRY" and point.error.get("step") != str(step):
        raise errors.StepNotNext(step=step.label, next="等作者决定")
    if point.state == "ERROR_RETRY":
        return Failed(step, False, point)
    if _is_counted(session, point, step, reason, label):
        return Failed(step, True, point)
    _check_due(book, step)
    form = _is_form(book, step)
    again = not failures.is_last(point, step, form)
    moved = _counted(session, point, step, reason, form) if again else _stopped(session, point, step, reason)
    checkpoint = journal.put(layout.CHECKPOINT, jsonio.dump(moved.document))
    session.land([*handout.undone_changes(book, str(step)), checkpoint], label=label)
    if not again:
        session.end()
    return Failed(step, again, moved)


def _is_counted(session: Session, point: Checkpoint, step: Step, reason: str, label: str) -> bool:
    """Has a command that was killed counted this failure: at its landing, or when it gave its lock back?"""
    if session.finished == label:
        return any(failures.count(point, step, form) for form in (True, False))
    last = failures.known_failures(point)[-1:]
    same = [(one.get("step"), one.get("revision_count"), one.get("reason")) for one in last]
    if session.cut_off_since is None or same != [(str(step), point.revisions, reason)]:
        return False
    noted = moment.epoch(point.document.get("last_checkpoint_time"))
    return noted is not None and noted >= int(session.cut_off_since)


def _check_due(book: Book, step: Step) -> None:
    """Refuse a step that is neither due nor handed out; one whose output is found is due no more."""
    view = due_step.view(book)
    rounds = view.point.revisions if step.kind == "chapter" else 0
    if view.due.step != step and handout.step_out(book, rounds) != str(step):
        raise errors.StepNotNext(step=step.label, next=view.due.label)


def _is_form(book: Book, step: Step) -> bool:
    """Tell whether nothing but form is wrong with what the step's agent left in staging.

    A judge's words that could not be read are kept, and are all that there is of him.
    """
    found, _ = attempt(lambda: validate.run(book, step))
    if found is None:
        return False
    if step.phase == "judge" and step.number is not None and not found.ok:
        out = handout.read(book)
        said = layout.raw_verdict(step.number, book.checkpoint().revisions, out.role or "primary", 1)
        return not out.recorded and book.project.has(said)
    return failures.only_form(found.problems)


def _counted(session: Session, point: Checkpoint, step: Step, reason: str, form: bool) -> Checkpoint:
    failed = [*failures.known_failures(point), failures.entry(point, step, reason, form)]
    return point.moved(session.caller.stamp, failures=failed)


def _stopped(session: Session, point: Checkpoint, step: Step, reason: str) -> Checkpoint:
    error, now = {"step": str(step), "reason": reason, "from_state": point.state}, session.caller.stamp
    return point.moved(now, orchestrator_state="ERROR_RETRY", error=error, drop=("failures",))


def retry(session: Session) -> Checkpoint:
    """Leave ERROR_RETRY, and repair a checkpoint whose fields contradict each other. Raises NothingToRetry.

    The failure has released the lock. The session that goes on takes it again and keeps it until it releases
    it.
    """
    book = Book(session.project)
    point = book.checkpoint()
    if point.state != "ERROR_RETRY" and checkpoints.contradiction(point) is None:
        raise errors.NothingToRetry(layout.CHECKPOINT)
    healed = checkpoints.repaired(point, session.caller.stamp)
    failed = point.state == "ERROR_RETRY"
    changes = handout.undone_changes(book, str(point.error.get("step"))) if failed else []
    session.land([*changes, journal.put(layout.CHECKPOINT, jsonio.dump(healed.document))], label="恢复进度")
    if failed:
        lock.acquire(session.project, session.caller.owner, healed.inflight, session.caller.now)
        session.keep = True
    return healed
