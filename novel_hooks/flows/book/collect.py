"""The problems of several checks, returned or raised, so that one check hides no other's findings."""

from __future__ import annotations

from novel_hooks.annotations import Callable, Iterable, T
from novel_hooks.errors import Problem


def collect_problems(*checks: Callable[[], object]) -> list[Problem]:
    """Return the problems that each check returns or raises, in order; any other return value is no finding.

    Problems that a check yielded before it raised count too.
    """
    found: list[Problem] = []
    for check in checks:
        try:
            result = check()
            if isinstance(result, Iterable) and not isinstance(result, (str, bytes, dict)):
                for each in result:
                    found += [each] if isinstance(each, Problem) else []
        except Problem as fault:
            found += fault.problems
    return found


def as_warnings(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems, each made a warning."""
    found = list(problems)
    for problem in found:
        problem.severity = "warning"
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
