"""A step's outputs with all their problems, for `validate` and `advance` alike."""

from __future__ import annotations

from novel_hooks import errors, roles
from novel_hooks.annotations import TYPE_CHECKING, Iterator
from novel_hooks.errors import Problem
from novel_hooks.flows.chapter import reported
from novel_hooks.rules.evaluation import document as evaluations
from novel_hooks.rules.evaluation.gate_entry import metadata
from novel_hooks.rules.text import length

if TYPE_CHECKING:
    from novel_hooks.flows.chapter.desk import Desk, StagedFile
    from novel_hooks.rules.steps.step_name import Step
    from novel_hooks.store.journal.journal import Change

_REWRITING = ("revise", "polish")
_LATER = {"short": "short, later", "long": "long, later"}


def outputs(desk: Desk, phase: str) -> tuple[tuple[StagedFile, ...], tuple[Problem, ...]]:
    """Return (the files of the phase, all their problems).

    Residue stops only the step that wrote the text: a text that is there stays *found*.
    """
    files = tuple(desk.phase_files(phase))
    problems = tuple(p for f in files for p in f.problems)
    if phase == "judge" and all(f.ok for f in files):
        problems += tuple(_unjudged_problems(desk))
    if any(f.key == "chapter" for f in files):
        from novel_hooks.flows.checks import lint, repeated_passages

        who = roles.ROLES[roles.CHAPTER_AGENTS[phase]].title
        problems += tuple(lint.residue_problems(desk, who))
        if phase in roles.WRITING_PHASES:
            problems += tuple(repeated_passages.problems(desk, who, lint.LintMaterial(desk.book).whitelist()))
    if phase in (*roles.RETOUCHING_PHASES, *_REWRITING):
        from novel_hooks.flows.checks import rewrite_checks

        problems += tuple(rewrite_checks.problems(desk, phase)) if phase in roles.RETOUCHING_PHASES else ()
        problems += tuple(rewrite_checks.unchanged_problems(desk, phase)) if phase in _REWRITING else ()
    return files, problems


def _unjudged_problems(desk: Desk) -> Iterator[Problem]:
    """Find an evaluation of another text, and one that a key chapter's second judge has not seen."""
    found = desk.get("evaluation")
    if metadata(found.value).get("text_sha256") not in (None, desk.text_sha256()):
        yield errors.EvaluationUnusable(found.path, chapter=desk.number, case="other text")
    for role in evaluations.missing_roles(found.value, desk.book.key_chapter(desk.volume, desk.number)):
        told = {"chapter": desk.number, "judge": roles.JUDGES[role]}
        yield errors.EvaluationUnusable(found.path, case="judge missing", **told)


def new_length_problems(desk: Desk, step: Step, chars: int) -> tuple[Problem, ...]:
    """Return the warnings on a text's length; [] when the refiner did not change it."""
    found = tuple(length_problems(desk, step.phase, chars))
    return found if step.phase in roles.WRITING_PHASES else reported.unreported(desk.book, step, found)


def note_length(desk: Desk, step: Step) -> list[Change]:
    """Return the changes that note the length warnings of the writer's step."""
    text = desk.get("chapter").value if step.phase in roles.WRITING_PHASES else None
    if not isinstance(text, str):
        return []
    found = length_problems(desk, step.phase, length.count(text).chars)
    return reported.report_changes(desk.book, step, found)


def length_problems(desk: Desk, phase: str, chars: int) -> Iterator[Problem]:
    """Warn of a chapter shorter or longer than the author wants.

    It stops nothing. `rules.text.length` decides how much it may miss.
    """
    from novel_hooks.flows.book import settings

    least, most = settings.chapter_chars(desk.book)
    case = length.chapter_case(chars, least, most)
    if case is None:
        return
    yield errors.ChapterLength(
        desk.get("chapter").path,
        case if phase in roles.WRITING_PHASES else _LATER[case],
        chapter=desk.number,
        chars=chars,
        least=least,
        most=most,
        off=least - chars if case == "short" else chars - most,
        stub=phase == "draft" and chars * 2 < least,
    )
