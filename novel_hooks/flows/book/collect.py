"""All problems of several checks, whether they are given or raised: a doctor stops at none."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeVar

    T = TypeVar("T")

from novel_hooks.errors import Problem


def collect_problems(*checks: Callable[[], object]) -> list[Problem]:
    """What each check gives (an iterable of problems; anything else is no finding) or raises, in order.

    What a check gave before it raised counts too.
    """
    found: list[Problem] = []
    for check in checks:
        try:
            for each in _problems_in(check()):
                found.append(each)
        except Problem as fault:
            found += fault.problems
    return found


def attempt(read: Callable[[], T]) -> tuple[T | None, list[Problem]]:
    """(what was read, None when it cannot be; what is wrong with it)."""
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
