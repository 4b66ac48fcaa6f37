"""`novel validate STEP`: are the step's outputs there, and right? Every finding at once."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

from novel_hooks import errors, layout, roles
from novel_hooks.errors import Problem
from novel_hooks.flows import config, fail, look, mentions
from novel_hooks.flows.book import Book
from novel_hooks.flows.look import View
from novel_hooks.flows.outputs import Desk, Found
from novel_hooks.record import Record
from novel_hooks.rules import evaluation as evaluations
from novel_hooks.rules import prose
from novel_hooks.rules.evaluation import metadata
from novel_hooks.rules.step import Step

_WRITING = ("draft", "revise")
_RETOUCHING = ("refine", "polish")
_REWRITING = ("revise", "polish")
_LENGTHEN = "请写手把一句话带过的场面写足，不添空话；"
_SHORTEN = "请写手删掉不推动故事的话；"
_JUDGES = {"primary": "主评审", "secondary": "第二评审"}


class Validated(Record):
    """`ok` when no file has an error. `chars` is the chapter's length where the step makes one.

    `again`: the messages of warnings that only the step's agent can mend, for whom a second run is worth it;
    empty when the step failed before in this round, and where there is an error anyway.
    """

    step: Step
    ok: bool
    files: tuple[Found, ...]
    problems: tuple[Problem, ...]
    chars: int | None
    again: tuple[str, ...] = ()


def run(book: Book, step: Step) -> Validated:
    """Reads only. Raises for a step that has no outputs, or of a chapter that is not in work."""
    if step.kind == "sync" and step.phase != "commit":
        return _sync(book, step)
    if step.kind in ("setup", "volume"):
        return _planning(book, step)
    if step.kind != "chapter" or step.number is None or step.phase in ("review", "commit"):
        raise errors.StepNotConducted(step=step.told)
    view = look.at(book)
    chapter = view.point.inflight if view.point.active else view.point.last + 1
    if step.number != chapter:
        raise errors.ChapterNotDue(chapter=step.number, detail=f"当前该做的是「{view.due.told}」")
    desk = view.desk or Desk(book, view.point.volume, step.number)
    files, problems = outputs(desk, step.phase)
    text = next((f.value for f in files if f.key == "chapter" and f.ok), None)
    chars = prose.count(text).chars if isinstance(text, str) else None
    if chars is not None:
        problems += tuple(_length(book, desk, step.phase, chars))
    if all(f.ok for f in files):
        problems += tuple(mentions.problems(desk, step.phase))
    return _validated(view, step, files, problems, chars)


def _validated(
    view: View, step: Step, files: tuple[Found, ...], problems: tuple[Problem, ...], chars: int | None
) -> Validated:
    ok = all(p.severity != "error" for p in problems)
    again = [str(p) for p in problems if p.for_its_agent()]
    if not ok or fail.failed(view.point, step):
        again = []
    return Validated(step, ok, files, problems, chars, tuple(again))


def _planning(book: Book, step: Step) -> Validated:
    """A step of setting up, or of a volume's plan."""
    from novel_hooks.flows import planadvance

    files, problems = planadvance.outputs(book, look.at(book), step)
    return Validated(step, all(p.severity != "error" for p in problems), files, problems, None)


def _sync(book: Book, step: Step) -> Validated:
    """A step of a landed chapter that is recorded anew. Raises SyncNotOpen."""
    from novel_hooks.flows import syncview

    view = look.at(book)
    sync = syncview.need(view, step)
    files, problems = outputs(sync.desk, step.phase)
    if all(f.ok for f in files):
        problems += tuple(mentions.problems(sync.desk, step.phase))
    if sync.changed:
        problems += (
            errors.SyncTextChanged(layout.chapter(sync.opened.chapter), chapter=sync.opened.chapter),
        )
    return _validated(view, step, files, problems, None)


def _length(book: Book, desk: Desk, phase: str, chars: int) -> Iterator[Problem]:
    """A chapter shorter or longer than the author wants: advice, never an obstacle."""
    least, most = config.chapter_chars(book)
    if least <= chars <= most:
        return
    short = chars < least
    how = _LENGTHEN if short else _SHORTEN
    yield errors.ChapterLength(
        desk.get("chapter").path,
        chapter=desk.number,
        chars=chars,
        least=least,
        most=most,
        off=f"还差 {least - chars} 字" if short else f"多了 {chars - most} 字",
        how=how if phase in _WRITING else "",
        stub=phase == "draft" and chars * 2 < least,
    )


def outputs(desk: Desk, phase: str) -> tuple[tuple[Found, ...], tuple[Problem, ...]]:
    """The files of the phase, and everything that is wrong with them.

    Residue stops the step that wrote the text, and no other: a text that is there stays *found*.
    """
    files = tuple(desk.of_phase(phase))
    problems = tuple(p for f in files for p in f.problems)
    if phase == "judge" and all(f.ok for f in files):
        problems += tuple(_unjudged(desk))
    if any(f.key == "chapter" for f in files):
        from novel_hooks.flows import linting

        problems += tuple(linting.residue(desk, roles.ROLES[roles.CHAPTER_AGENTS[phase]].title))
    if phase in _RETOUCHING:
        from novel_hooks.flows import retouching

        problems += tuple(retouching.problems(desk, phase))
    if phase in _REWRITING:
        from novel_hooks.flows import retouching

        problems += tuple(retouching.unchanged(desk, phase))
    return files, problems


def _unjudged(desk: Desk) -> Iterator[Problem]:
    """A legal evaluation of another text, or one that a key chapter's second judge has not seen."""
    found = desk.get("evaluation")
    if metadata(found.value).get("text_sha256") not in (None, desk.text_sha256()):
        yield errors.EvaluationUnusable(found.path, chapter=desk.number, detail="它评的不是现在这份正文")
    for role in evaluations.complete(found.value, desk.book.key_chapter(desk.volume, desk.number)):
        yield errors.EvaluationUnusable(found.path, chapter=desk.number, detail=f"还差{_JUDGES[role]}的意见")
