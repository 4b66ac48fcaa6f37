"""`novel validate STEP`: every finding about the step's outputs, at once."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.briefing import due_step
from novel_hooks.flows.chapter import step_result
from novel_hooks.flows.chapter.desk import Desk, StagedFile
from novel_hooks.flows.chapter.view import View
from novel_hooks.flows.checks import output_checks, unknown_references
from novel_hooks.record import Record
from novel_hooks.rules.steps import failures
from novel_hooks.rules.steps.step_name import Step
from novel_hooks.rules.text import length


class Validated(Record):
    """A validation. `ok` when no file has an error.

    `chars` is the chapter's length when the step writes one. `again`: messages of warnings that only the
    step's agent can mend and that are worth a second run; empty when the step failed before in this round,
    and when there is an error.
    """

    step: Step
    ok: bool
    files: tuple[StagedFile, ...]
    problems: tuple[Problem, ...]
    chars: int | None
    again: tuple[str, ...] = ()


def run(book: Book, step: Step) -> Validated:
    """Check the step's outputs; reads only. Raises for a step without any, or of a chapter not in work."""
    if step.kind == "sync" and step.phase != "commit":
        return _validate_sync(book, step)
    if step.of_plan:
        return _validate_planning(book, step)
    if step.kind != "chapter" or step.number is None or step.phase in ("review", "commit"):
        raise errors.StepNotConducted(step=step.label)
    view = due_step.view(book)
    chapter = view.point.inflight if view.point.active else view.point.last + 1
    if step.number != chapter:
        raise errors.ChapterNotDue(chapter=step.number, case="other step", due=view.due.label)
    desk = view.desk or Desk(book, view.point.volume, step.number)
    files, problems = output_checks.outputs(desk, step.phase)
    text = next((f.value for f in files if f.key == "chapter" and f.ok), None)
    chars = length.count(text).chars if isinstance(text, str) else None
    if chars is not None:
        problems += output_checks.new_length_problems(desk, step, chars)
    problems += tuple(unknown_references.problems(desk, step.phase))
    return _result(view, step, files, problems, chars)


def _result(
    view: View, step: Step, files: tuple[StagedFile, ...], problems: tuple[Problem, ...], chars: int | None
) -> Validated:
    ok = all(p.severity != "error" for p in problems)
    once = ok and not failures.has_failed(view.point, step)
    again = tuple(str(p) for p in problems if once and p.for_its_agent())
    return Validated(step, ok, files, step_result.without_slips(problems), chars, again)


def _validate_planning(book: Book, step: Step) -> Validated:
    """Check a step of setting up, or of a volume's plan; its review has no files before it lands."""
    view = due_step.view(book)
    if step.phase == "review" and view.due.step == step:
        from novel_hooks.flows.review import volume_review

        volume_review.run(book, step.number)
        return Validated(step, True, (), (), None)
    from novel_hooks.flows.planning import advance

    files, problems = advance.outputs(book, view, step)
    ok = all(p.severity != "error" for p in problems)
    return Validated(step, ok, files, step_result.without_slips(problems), None)


def _validate_sync(book: Book, step: Step) -> Validated:
    """Check a step of a landed chapter that is recorded anew. Raises SyncNotOpen."""
    from novel_hooks.flows.resync import view as resync_view

    view = due_step.view(book)
    sync = resync_view.require_sync(view, step)
    files, problems = output_checks.outputs(sync.desk, step.phase)
    problems += tuple(unknown_references.problems(sync.desk, step.phase))
    if sync.changed:
        chapter = sync.opened.chapter
        problems += (errors.SyncTextChanged(layout.chapter(chapter), chapter=chapter),)
    return _result(view, step, files, problems, None)
