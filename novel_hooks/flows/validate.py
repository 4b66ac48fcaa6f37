"""`novel validate STEP`: are the step's outputs there, and right? Every finding at once."""

from __future__ import annotations

from novel_hooks.errors import ChapterNotDue, Problem, StepNotConducted
from novel_hooks.flows import look
from novel_hooks.flows.book import Book
from novel_hooks.flows.outputs import Desk, Found
from novel_hooks.record import Record
from novel_hooks.rules import evaluation as evaluations
from novel_hooks.rules import prose
from novel_hooks.rules.step import Step


class Validated(Record):
    """`ok` when no file has an error. `chars` is the chapter's length where the step makes one."""

    step: Step
    ok: bool
    files: tuple[Found, ...]
    problems: tuple[Problem, ...]
    chars: int | None


def run(book: Book, step: Step) -> Validated:
    """Reads only. Raises for a step that has no outputs, or of a chapter that is not in work."""
    if step.kind != "chapter" or step.number is None or step.phase in ("review", "commit"):
        raise StepNotConducted(step=str(step))
    view = look.at(book)
    chapter = view.point.inflight if view.point.active else view.point.last + 1
    if step.number != chapter:
        raise ChapterNotDue(chapter=step.number, detail=f"当前该做的是「{view.due.step or '等作者决定'}」")
    desk = view.desk or Desk(book, view.point.volume, step.number)
    files = tuple(desk.of_phase(step.phase))
    problems = tuple(p for f in files for p in f.problems)
    text = next((f.value for f in files if f.key == "chapter" and f.ok), None)
    return Validated(
        step=step,
        ok=all(f.ok for f in files) and not _unheard(desk, step),
        files=files,
        problems=problems,
        chars=prose.count(text).chars if isinstance(text, str) else None,
    )


def _unheard(desk: Desk, step: Step) -> bool:
    """A key chapter's evaluation is whole with both verdicts only."""
    found = desk.get("evaluation") if step.phase == "judge" else None
    if found is None or not found.ok:
        return False
    return bool(evaluations.complete(found.value, desk.book.key_chapter(desk.volume, desk.number)))
