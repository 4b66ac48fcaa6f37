"""The result of an advance, and the changes that every advance makes. Source: protocol §2 (`advance`)."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Iterable
from novel_hooks.errors import Problem
from novel_hooks.flows.chapter import handout, work_log
from novel_hooks.record import Record
from novel_hooks.rules.evaluation import gate_entry
from novel_hooks.rules.text import scene_breaks
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change

if TYPE_CHECKING:
    from novel_hooks.flows.book.book import Book
    from novel_hooks.flows.chapter.desk import Desk, StagedFile
    from novel_hooks.flows.session.session import Session
    from novel_hooks.rules.evaluation.gate import Outcome
    from novel_hooks.rules.steps.checkpoint import Checkpoint
    from novel_hooks.rules.steps.step_name import Step


class Advanced(Record):
    """An advance: `changed` is False for a repeat, `outcome` the gate's after judge; no warning blocks."""

    step: Step
    changed: bool
    point: Checkpoint
    outcome: Outcome | None
    warnings: tuple[Problem, ...]


def verdict_warnings(desk: Desk) -> list[Problem]:
    """Return the warnings noted with the verdicts, which perhaps nobody has read yet."""
    noted = gate_entry.metadata(desk.get("evaluation").value).get("warnings")
    return notes(desk.number, noted if isinstance(noted, list) else ())


def notes(chapter: int, warnings: Iterable[str]) -> list[Problem]:
    """Return the oddities of a chapter's verdicts as notes for the author."""
    return [errors.EvidenceNote(None, note=one, chapter=chapter) for one in warnings]


def mend_scene_breaks(desk: Desk, own: str) -> list[Problem]:
    """Put the book's own scene break in the place of another on the desk; return the notes on that."""
    found = desk.get("chapter")
    mended = scene_breaks.mend(found.value, own)
    if not mended.changed or b"<!--" in (found.data or b""):  # what is written must keep his comments
        return []
    desk.rewrite("chapter", mended.text)
    return [errors.OutputMended(found.path, case="scene breaks", count=mended.changed)]


def mended_changes(files: Iterable[StagedFile]) -> list[Change]:
    """Return the changes that write the mended files of a step that advances."""
    return [journal.put(found.path, found.data or b"") for found in files if found.mended]


def without_slips(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the problems without the mended slips, which the advance tells."""
    return tuple(problem for problem in problems if not isinstance(problem, errors.OutputMended))


def bookkeeping(session: Session, book: Book, step: Step) -> list[Change]:
    """Return the changes of the work log, the hand-out and the cache of valid documents."""
    changes: list[Change] = []
    if step.phase != "judge" and step.number is not None:
        revisions = book.checkpoint().revisions
        line = work_log.stage_entry(book, str(step), step.phase, session.caller.now)
        lines = [*work_log.passed_stages(book, str(step), revisions), line]
        changes += work_log.step_changes(book, step, lines, session.caller.stamp)
    if book.read(layout.HANDOUT) is not None:
        changes.append(journal.remove(layout.HANDOUT))
    return changes + handout.learnt_changes(book)
