"""A command killed before any of its file operations, then said again: the book is as if nothing had been."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from builders import OTHER, Book, book
from builders import fast_disk as fast_disk
from conftest import CHECKOUT
from copying import copied
from crash import edited, killpoints
from rewriting import NOW, ending, one_moment, plant, write_chapter

from novel_hooks import layout
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import process
from novel_hooks.store.host.owner import Owner
from novel_hooks.store.lock import lock

if TYPE_CHECKING:
    from collections.abc import Callable

ENDED = "C-bai-sui-1"
PAGE = Path(CHECKOUT, "docs", "commit-protocol.md")


def _judged(place: Path) -> Book:
    """Chapter 3 of a book of two, about to be committed: it ends a contract, begins a person and a thing."""
    made = book(place, 1)
    write_chapter(made, plant("bell-rope"))
    ending(made, 3, ENDED)
    card = layout.character_card("he-tie")
    made.write(card, {**made.json(card), "level": "第二层"})
    lamp = {"op": "set", "path": "items.船灯.owner", "value": "何铁"}
    entity = {"mention": "独眼渔夫", "context": "在岸上望着船", "suggested_type": "character"}
    write_chapter(made, plant("bell-rope", "advanced"), lamp, until="judged", unknown_entities=[entity])
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
    """Three chapters of five through the commands, one of which ends a contract; an edit, one in flight."""
    made = book(place, 2)
    ending(made, 4, ENDED)
    for ops in ((plant("bell-rope"),), (plant("bell-rope", "advanced"),), ()):
        write_chapter(made, *ops)
    made.write(layout.chapter(4), "# 第 4 章 夜渡\n\n我改过的一句。\n")
    made.ok("lock", "acquire")
    made.draft()
    return made


def _gone(place: Path) -> Book:
    """Taken back from five chapters to two, and another third one written."""
    made = _five(place)
    made.ok("rollback", "2", "--yes")
    made.chapter = 3
    write_chapter(made, plant("bell-rope"))
    return made


def _landed(place: Path) -> Book:
    """Two chapters through the commands, the third planned."""
    made = book(place, 1)
    write_chapter(made, plant("bell-rope"))
    write_chapter(made, plant("bell-rope", "advanced"))
    return made


def _doctored(place: Path) -> Book:
    """A state that somebody wrote over: the log tells the right one."""
    made = _landed(place)
    made.write(layout.STATE, {**made.json(layout.STATE), "characters": {}})
    return made


def _torn(place: Path) -> Book:
    """Half a line at the end of a log."""
    made = _landed(place)
    with made.at(layout.UNKNOWN_ENTITIES).open("ab") as log:
        log.write(b'{"mention": "ferry')
    return made


def _left(place: Path) -> Book:
    """The lock of a session that is gone."""
    made = _landed(place)
    gone = Owner("gone", 4_194_304, None, process.host_name())
    lock.acquire(Project(str(made.root)), gone, 3, NOW - 60)
    return made


def _edited(place: Path) -> Book:
    """A draft that is out, and a brief that the author has changed meanwhile."""
    made = _landed(place)
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"), "--write-manifest")
    made.draft()
    made.write("brief.md", "# 立意\n\n他要过河。\n")
    return made


CASES: dict[str, tuple[Callable[[Path], Book], tuple[str, ...]]] = {
    "commit": (_judged, ("commit", "--chapter", "3")),
    "advance judge": (_polish, ("advance", "chapter:002:judge")),
    "advance revise": (_revised, ("advance", "chapter:002:revise")),
    "rollback": (_five, ("rollback", "2", "--yes")),
    "restore": (_gone, ("restore", "1", "--yes")),
    "config": (_five, ("config", "gate.pass", "4.2")),
    "advance sync:summarize": (edited.opened, ("advance", "sync:003:summarize")),
    "commit of a sync": (edited.due_book, ("commit", "--chapter", "3")),
    "rebuild state": (_doctored, ("rebuild", "state")),
    "doctor --fix": (_torn, ("doctor", "--fix")),
    "lock acquire": (_left, ("lock", "acquire")),
    "accept-changes": (_edited, ("accept-changes",)),
}


class Case(killpoints.Run):
    """One command; besides the trees, what is told before and after an undisturbed run."""

    def __init__(self, name: str, place: Path) -> None:
        self.name = name
        build, self.argv = CASES[name]
        super().__init__(build(place), place, lambda made: made.ok(*self.argv))
        self.then = self.through.next()
        self.version = _version(self.through)
        self.told = _told(self.through)
        self.commit_point = killpoints.commit_point(self.points) or 0
        assert self.commit_point and self.new != self.old


def _version(made: Book) -> tuple[int, list[int]]:
    """How often a delta was applied: the state's version, the chapters of the log."""
    return made.json(layout.STATE)["state_version"], [n["chapter"] for n in made.lines(layout.CHANGELOG)]


def _told(made: Book) -> list[object]:
    """What the commands say that only read; of the lock and of a landing that waits nothing."""
    asked: list[tuple[str, ...]] = [("next",), ("status",), ("outline",), ("foreshadow",), ("audit",)]
    asked += [("rollback", "--list"), ("gate", "2"), ("gate", "3")]
    step = made.novel("next").data["step"]
    asked += [("validate", step), ("commit", "--dry-run", "--chapter", str(made.chapter))]
    return [_answer(made, argv) for argv in asked]


def _answer(made: Book, argv: tuple[str, ...]) -> object:
    found = made.novel(*argv)
    codes = [(d.code, d.message) for d in found.diagnostics if d.code != "JOURNAL_WAITS"]
    if argv[0] != "status":
        return argv, found.exit, found.data, found.text, codes
    return argv, found.exit, {key: part for key, part in found.data.items() if key != "lock"}, codes


@pytest.fixture(scope="module")
def cases() -> dict[str, Case]:
    """Those that are built already: each serves several tests, which work on copies."""
    return {}


@pytest.fixture(params=CASES)
def case(
    request: pytest.FixtureRequest,
    cases: dict[str, Case],
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Case:
    killpoints.still(monkeypatch)
    name = request.param
    if name not in cases:
        cases[name] = Case(name, tmp_path_factory.mktemp("case"))
    return cases[name]


@killpoints.shares(4)
def test_killed_anywhere_and_said_again(case: Case, share: int | None) -> None:
    seen = []
    for left, made in case.said_again(share):
        seen.append(left)
        assert (made.next(), _version(made)) == (case.then, case.version)
    assert seen == sorted(seen, key=("old", "pending", "new").index), "once new, never old again"
    assert {"old", "pending", "new"} == set(seen)


@killpoints.shares(3)
def test_who_only_reads_is_told_what_recovery_will_make(case: Case, share: int | None) -> None:
    """Behind the commit point, whatever is published and what not; reading changes nothing."""
    first, last = case.commit_point + 1, len(case.points)
    spread = [first + i * (last - first) // (share - 1) for i in range(share)] if share else []
    waited = 0
    for number in sorted(set(spread)) or range(first, last + 1):
        made = case.killed(number)
        before = made.tree()
        waits = made.at(layout.JOURNAL).exists()
        assert ("JOURNAL_WAITS" in [d.code for d in made.novel("next").diagnostics]) == waits
        assert _told(made) == case.told, case.where(number)
        assert made.changed(before) == {}
        waited += waits
    assert waited


def test_the_command_that_next_leads_to_finishes_the_landing(case: Case) -> None:
    made = case.killed(case.commit_point + 1)
    made.ok("lock", "release") if case.argv[0] == "advance" else None
    made.novel("retry")
    assert killpoints.tree(made) == case.new


def test_the_page_tells_how_many_points_there_are(case: Case) -> None:
    """Never more than there are; where nothing differs from the machine it was counted on, as many."""
    page = PAGE.read_text(encoding="utf-8").replace("`", "")
    (told,) = re.findall(rf"^\| {re.escape(case.name)} \| (\d+) \| (\d+) \|", page, re.M)
    points, before = map(int, told)
    assert len(case.points) >= points * 0.9 > 20
    assert case.commit_point - 1 >= before * 0.9 > 20


def test_instructions_beside_the_lock_of_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who cannot hold the book reads it as it will be: here the chapter after the one that is landing."""
    one_moment(monkeypatch)
    case = Case("commit", tmp_path)
    killed = case.killed(case.commit_point + 1)
    asked = [made.novel("instructions", "chapter:004:draft", owner=OTHER) for made in (case.through, killed)]
    assert [d.code for d in asked[1].diagnostics] == ["LOCK_BUSY"]
    assert asked[0].data == asked[1].data
    assert killed.at(layout.JOURNAL).exists()


@pytest.mark.parametrize("phase", ["draft", "summarize"])
def test_who_goes_on_with_next_after_a_killed_advance_keeps_the_stage(
    phase: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The output is found, so `next` does not name the step again; the log has it all the same, once."""
    killpoints.still(monkeypatch)
    start = book(tmp_path, 1)
    start.ok("lock", "acquire")
    if phase == "summarize":
        start.ok("instructions", start.step("draft"))
        start.draft()
        start.advance("draft")
    start.ok("instructions", start.step(phase), "--write-manifest")
    start.draft() if phase == "draft" else start.records()
    through = copied(start, tmp_path / "through")
    last = len(killpoints.trace(lambda: through.advance(phase)))
    for number in range(1, last, max(1, last // 4)):
        made = copied(start, tmp_path / f"killed-{number}")
        assert killpoints.killed_at(number, lambda made=made: made.advance(phase)) == killpoints.KILLED
        _to_the_end(made)
        stages = made.json(layout.chapter_log(2))["stages"]
        assert [(stage["name"], stage["model"] is None) for stage in stages] == [
            (name, False) for name in ("draft", "summarize", "refine", "judge")
        ], number


def _to_the_end(made: Book) -> None:
    """As a host does it: nothing but what `next` names."""
    while made.json(layout.CHECKPOINT)["last_completed_chapter"] < made.chapter:
        due = made.next()
        if due["phase"] == "commit":
            made.ok("commit", "--chapter", str(made.chapter))
            continue
        if not due["recorded"]:
            made.ok("instructions", due["step"], "--write-manifest")
        if due["phase"] == "summarize":
            made.records()
        if due["phase"] == "judge" and not due["recorded"]:
            made.judge(4.5)
            continue
        made.ok("advance", due["step"])
