"""The problems of several checks, returned or raised, so that one check hides no other's findings."""

from __future__ import annotations

from novel_hooks.annotations import Callable, Iterable, Iterator, T
from novel_hooks.errors import Problem


def collect_problems(*checks: Callable[[], object]) -> list[Problem]:
    """Return the problems that each check returns or raises, in order; any other return value is no finding.

    Problems that a check yielded before it raised count too.
    """
    found: list[Problem] = []
    for check in checks:
        try:
            for each in _problems_in(check()):
                found.append(each)
        except Problem as fault:
            found += fault.problems
    return found


def distinct(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems in order, without repeats of one text and without covered ones.

    A problem is covered by one of the same path that says more (`Problem.covers`).
    """
    seen: dict[str, Problem] = {}
    several = list(problems)
    covered = {(code, problem.path) for problem in several for code in problem.covers}
    for problem in several:
        if (problem.code, problem.path) not in covered:
            seen.setdefault(problem.code if problem.told_once else str(problem), problem)
    return list(seen.values())


def attempt(read: Callable[[], T]) -> tuple[T | None, list[Problem]]:
    """Return (the value read, None when it cannot be; the problems of reading it)."""
    found: list[T] = []
    problems = collect_problems(lambda: found.append(read()))
    return (found[0] if found else None), problems


def _problems_in(told: object) -> Iterator[Problem]:
    if isinstance(told, (str, bytes, dict)) or not hasattr(told, "__iter__"):
        return
    iterable: Iterable[object] = told
    for each in iterable:
        if isinstance(each, Problem):
            yield each
