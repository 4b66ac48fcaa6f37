"""Reported problems of the chapter, setup or volume in work, kept so that each is shown once.

They are in `.novel/reported.json`. `validate` shows every problem of a step's files and changes nothing.
`advance` shows only new ones and notes all as reported. A landing, or the advance of a recorded verdict,
leaves out the reported ones.
"""

from __future__ import annotations

from novel_hooks import errors, layout, sha2
from novel_hooks.annotations import TYPE_CHECKING, Iterable
from novel_hooks.errors import Problem
from novel_hooks.store.formats import jsonio

if TYPE_CHECKING:
    from novel_hooks.flows.book.book import Book
    from novel_hooks.rules.steps.step_name import Step
    from novel_hooks.store.journal.changes import Change


def fresh_problems(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the problems that only an advance reports: the slips that it mends."""
    return tuple(problem for problem in problems if isinstance(problem, errors.OutputMended))


def unreported(book: Book, step: Step, problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the problems that are not reported yet for this setup, volume or chapter."""
    known = _read(book, step)
    return tuple(problem for problem in problems if _digest(problem) not in known)


def report_changes(book: Book, step: Step, problems: Iterable[Problem]) -> list[Change]:
    """Return the changes that note the problems as reported; those of other work are forgotten."""
    known = _read(book, step)
    every = dict.fromkeys([*known, *map(_digest, problems)])
    if [*every] == known:
        return []
    from novel_hooks.store.journal import changes

    return [changes.put(layout.REPORTED, jsonio.dump({"of": _work(step), "told": [*every]}))]


def forget_changes(book: Book) -> list[Change]:
    """Return the changes after which no problem is noted as reported, because the work has landed."""
    from novel_hooks.store.journal import changes

    return [] if book.read(layout.REPORTED) is None else [changes.remove(layout.REPORTED)]


def _read(book: Book, step: Step) -> list[str]:
    """Return the digests of what was told; [] when the file cannot be read: then it is said again."""
    found = book.plain_document(layout.REPORTED, own=True)
    listed = found.get("told") if found.get("of") == _work(step) else None
    return [one for one in listed if isinstance(one, str)] if isinstance(listed, list) else []


def _work(step: Step) -> str:
    kind = "chapter" if step.kind == "sync" else step.kind
    return kind if step.number is None else f"{kind}:{step.number}"


def _digest(problem: Problem) -> str:
    return sha2.digest(f"{problem.code}\n{problem}".encode())[:16]
