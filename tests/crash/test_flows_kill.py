"""A command killed before any of its file operations, then said again: the book is as if nothing had been."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book, copied
from builders import fast_disk as fast_disk
from conftest import CHECKOUT
from crash import killpoints
from rewriting import one_moment, plant, write

from novel_hooks import layout

if TYPE_CHECKING:
    from collections.abc import Callable

    from builders import Tree

LITTER = re.compile(r"(^|/)\.novel-tmp-|^\.novel/(journal|lock)\.(new|done|old)-")
PAGE = Path(CHECKOUT, "docs", "commit-protocol.md")


def _judged(place: Path) -> Book:
    """Chapter 3 of a book of two, about to be committed."""
    made = book(place, 1)
    write(made, plant("bell-rope"))
    entity = {"mention": "独眼渔夫", "context": "在岸上望着船", "suggested_type": "character"}
    write(made, plant("bell-rope", "advanced"), until="judged", unknown_entities=[entity])
    return made


def _polish(place: Path) -> Book:
    """Chapter 2 with a verdict that the gate answers with a revision: texts go to the attempts."""
    made = book(place, 1)
    made.stage("refined")
    made.draft()
    made.records()
    made.evaluation(3.2)
    return made


def _revised(place: Path) -> Book:
    """Chapter 2 rewritten after a verdict: what described the old text has to go."""
    made = _polish(place)
    made.advance("judge")
    made.ok("instructions", made.step("revise"), "--write-manifest")
    made.draft(version=2)
    return made


def _five(place: Path) -> Book:
    """Three chapters of five through the commands, one hand edit, and a chapter in flight."""
    made = book(place, 2)
    for ops in ((plant("bell-rope"),), (plant("bell-rope", "advanced"),), ()):
        write(made, *ops)
    made.write(layout.chapter(4), "# 第 4 章 夜渡\n\n我改过的一句。\n")
    made.ok("lock", "acquire")
    made.draft()
    return made


def _gone(place: Path) -> Book:
    """Taken back from five chapters to two, and another third one written."""
    made = _five(place)
    made.ok("rollback", "2", "--yes")
    made.chapter = 3
    write(made, plant("bell-rope"))
    return made


CASES: dict[str, tuple[Callable[[Path], Book], tuple[str, ...]]] = {
    "commit": (_judged, ("commit", "--chapter", "3")),
    "advance judge": (_polish, ("advance", "chapter:002:judge")),
    "advance revise": (_revised, ("advance", "chapter:002:revise")),
    "rollback": (_five, ("rollback", "2", "--yes")),
    "restore": (_gone, ("restore", "1", "--yes")),
    "config": (_five, ("config", "gate.pass", "4.2")),
}


class Case:
    """One command, the book before it, and the trees before and after an undisturbed run."""

    def __init__(self, name: str, place: Path) -> None:
        build, self.argv = CASES[name]
        self.place = place
        self.start = build(place)
        through = self.fresh("through")
        self.old = through.tree()
        self.points = killpoints.trace(lambda: self.run(through))
        self.new = through.tree()
        self.then = through.next()
        self.version = _version(through)
        assert self.new != self.old

    def fresh(self, name: str) -> Book:
        return copied(self.start, self.place / name)

    def run(self, made: Book) -> Any:
        return made.ok(*self.argv)


def _version(made: Book) -> tuple[int, list[int]]:
    """How often a delta was applied: the state's version, the chapters of the log."""
    return made.json(layout.STATE)["state_version"], [n["chapter"] for n in made.lines(layout.CHANGELOG)]


def _whole(tree: Tree) -> Tree:
    """Without what a killed command may leave to be swept, and folders that hold nothing yet."""
    return {path: mark for path, mark in tree.items() if mark != "folder" and not LITTER.search(path)}


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    one_moment(monkeypatch)
    monkeypatch.setattr(killpoints, "_fsync", lambda _handle: None)
    return Case(request.param, tmp_path)


@pytest.mark.parametrize(
    "share", [24, pytest.param(None, marks=[pytest.mark.exhaustive, pytest.mark.timeout(1800)])]
)
def test_killed_anywhere_and_said_again(case: Case, share: int | None) -> None:
    """`share` points spread evenly over the run, the first and the last among them; None: every one."""
    last = len(case.points)
    numbers = range(1, last + 1) if share is None else sorted({1 + i * last // share for i in range(share)})
    seen = []
    for number in [*numbers, last]:
        made = case.fresh(f"killed-{number}-{len(seen)}")
        assert killpoints.killed_at(number, lambda made=made: case.run(made)) == killpoints.KILLED
        seen.append(_left(case, made, number))
        case.run(made)
        assert made.tree() == case.new, f"not as undisturbed after a kill at {case.points[number - 1]}"
        assert (made.next(), _version(made)) == (case.then, case.version)
    assert seen == sorted(seen, key=("old", "pending", "new").index), "once new, never old again"
    assert {"old", "pending", "new"} == set(seen)


def _left(case: Case, made: Book, number: int) -> str:
    """What the kill left: the old book, the new one, or one that a journal will finish."""
    if made.at(layout.JOURNAL).exists():
        return "pending"
    found = _whole(made.tree())
    if found == _whole(case.old):
        return "old"
    assert found == _whole(case.new), f"mixed after a kill at {case.points[number - 1]}"
    return "new"


def test_an_author_who_only_asks_what_is_next(case: Case) -> None:
    """`next` changes nothing, and the writing command that it leads to finishes the landing."""
    made = case.fresh("asked")
    commit_point = next(i for i, (_, where) in enumerate(case.points, 1) if where.endswith(layout.JOURNAL))
    assert killpoints.killed_at(commit_point + 1, lambda: case.run(made)) == killpoints.KILLED
    before = made.tree()
    asked = made.novel("next")
    assert "JOURNAL_WAITS" in [d.code for d in asked.diagnostics]
    assert made.changed(before) == {}
    made.ok("lock", "release") if case.argv[0] == "advance" else None
    made.novel("retry")
    assert made.tree() == case.new


def test_the_page_tells_how_many_points_there_are(case: Case, request: pytest.FixtureRequest) -> None:
    """Never more than there are; where nothing differs from the machine it was counted on, as many."""
    name = next(name for name, (_, argv) in CASES.items() if argv == case.argv)
    (told,) = re.findall(rf"^\| `{name}` \| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.M)
    assert len(case.points) >= int(told) * 0.9 > 20
