"""A book whose commands are stopped at each point where they touch the disk: see `tools.kill_points`."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

import pytest
from copying import copied
from rewriting import one_moment

from novel_hooks import layout
from tools import kill_points
from tools.kill_points import DONE, KILLED, killed_at, trace
from tools.kill_points import in_child as in_child
from tools.kill_points import interrupted_at as interrupted_at
from tools.kill_points import refused_at as refused_at
from tools.kill_points import refused_from as refused_from
from tools.kill_points import watch as watch

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from pathlib import Path

    from builders import Book, Tree

LITTER = re.compile(r"(^|/)\.novel-tmp-|^\.novel/(journal|lock)\.(new|done|old)-|^\.novel/probe")
"""What a killed command may leave to be swept."""
BY_STAT = (
    layout.LANDED_MARKS,
    layout.LANDED_FOLDERS,
    layout.HAND_EDITS,
    layout.FENCE,
    layout.FENCE_NEAR,
    layout.RECALL,
)
"""What stat says of a file differs from copy to copy: of these only whether they are there is compared."""


class Run:
    """Some work on a book, what the book is before and after it undisturbed, and copies of it to kill.

    `old` and `new` are trees as `tree` gives them; `points` as `trace` gives them.
    """

    def __init__(self, start: Book, place: Path, work: Callable[[Book], object]) -> None:
        self.start = start
        self.place = place
        self.work = work
        self._copies = itertools.count(1)
        self.through = self.fresh("through")
        self.old = tree(self.through)
        self.points = trace(lambda: work(self.through))
        self.new = tree(self.through)
        self.held = self.through.held()

    def fresh(self, name: str) -> Book:
        """A copy of the book before the work."""
        return copied(self.start, self.place / f"{name}-{next(self._copies)}")

    def killed(self, number: int) -> Book:
        """A copy in which the work was killed at the `number`th point."""
        made = self.fresh(f"killed-{number}")
        assert killed_at(number, lambda: self.work(made)) == KILLED
        return made

    def left(self, made: Book, number: int) -> str:
        """What the kill left: the old book, the new one, or one that a journal will finish (`pending`)."""
        if made.at(layout.JOURNAL).exists():
            return "pending"
        found = whole(tree(made))
        if found == whole(self.old):
            return "old"
        assert found == whole(self.new), self.where(number)
        return "new"

    def said_again(self, share: int | None) -> Iterator[tuple[str, Book]]:
        """(what each kill left, the book when the work was done again): as if nothing had been.

        `share` points spread evenly, see `spread`.
        """
        for number in spread(self.points, share):
            made = self.killed(number)
            left = self.left(made, number)
            self.work(made)
            assert tree(made) == self.new, self.where(number)
            assert made.held() == self.held, f"the lock {self.where(number)}"
            yield left, made

    def where(self, number: int) -> str:
        """A point in words, for who reads why a test failed."""
        return f"after a kill at point {number}, {self.points[number - 1]}"


def tree(made: Book) -> Tree:
    return {path: "marks" if path in BY_STAT else mark for path, mark in made.tree().items()}


def whole(found: Tree) -> Tree:
    """Without what a killed command may leave to be swept or remembered anew, and empty folders."""
    return {
        path: mark
        for path, mark in found.items()
        if mark != "folder" and path not in BY_STAT and not LITTER.search(path)
    }


def spread(points: list[tuple[str, str]], share: int | None) -> list[int]:
    """`share` of the points' numbers, evenly, the first and the last among them; None: every one.

    The first one behind the commit point is always there too.
    """
    last = len(points)
    if share is None:
        return list(range(1, last + 1))
    committed = commit_point(points)
    behind = {committed + 1} if committed else set()
    return sorted({1 + i * (last - 1) // (share - 1) for i in range(share)} | behind)


def commit_point(points: list[tuple[str, str]]) -> int | None:
    """The number of the point at which a journal gets its name; None: there is none."""
    return next((i for i, (_, where) in enumerate(points, 1) if where.endswith(layout.JOURNAL)), None)


def shares(share: int) -> pytest.MarkDecorator:
    """A test at so many of a work's points, see `spread`; and, for who has tens of minutes, at all."""
    every = pytest.param(None, marks=[pytest.mark.exhaustive, pytest.mark.timeout(1800)])
    return pytest.mark.parametrize("share", [share, every])


def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command at the same second, and nothing synced: what is left of it can be compared, and soon."""
    one_moment(monkeypatch)
    monkeypatch.setattr(kill_points, "_fsync", lambda _handle: None)


def points(run: Callable[[int], str], step: int = 1, also: Collection[int] = ()) -> Iterator[tuple[int, str]]:
    """`(number, outcome)` of `run(1)`, `run(1 + step)`, … and of `also`, in order, until one is unstopped."""
    for number in itertools.count(1):
        if (number - 1) % step and number not in also:
            continue
        outcome = run(number)
        yield number, outcome
        if outcome == DONE:
            return
