"""A long book whose author is unlucky: a kill in every chapter, rollbacks on the way, no byte lost."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from builders import Book, book, copied
from builders import fast_disk as fast_disk
from crash import crew, killpoints
from rewriting import unlike

from novel_hooks import layout
from novel_hooks.rules.state import changelog

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 20260405


class Unlucky:
    """Writes like the crew; one command of each chapter is killed at a random file operation.

    `again`: whoever was killed says his command again; else he asks `next` what to do. `kills` are (chapter,
    command, point).
    """

    def __init__(self, made: Book, luck: random.Random, again: bool) -> None:
        self.made = made
        self.luck = luck
        self.again = again
        self.kills: list[tuple[int, str, int]] = []
        self._points = _points(made)

    def chapter(self) -> None:
        """One chapter, from its lock to its landing. A killed command may have landed it."""
        begun = crew.landed(self.made)
        victim = self.luck.choice(sorted(self._points))
        killed = False
        while crew.landed(self.made) == begun:
            argv = crew.due(self.made)
            if not killed and _name(argv) == victim:
                killed = self._kill(argv)
            else:
                self.made.ok(*argv)

    def back(self, to: int) -> None:
        """A rollback that is killed, and said again."""
        argv = ("rollback", str(to), "--yes")
        self._kill(argv)
        self.made.ok(*argv)
        assert crew.landed(self.made) == to

    def _kill(self, argv: tuple[str, ...]) -> bool:
        number = self.luck.randint(1, self._points.get(_name(argv), 60))
        outcome = killpoints.killed_at(number, lambda: self.made.ok(*argv))
        if outcome == killpoints.KILLED:
            self.kills.append((self.made.chapter, _name(argv), number))
        else:
            assert outcome == killpoints.DONE, (argv, outcome)
        if self.again:
            self.made.ok(*argv)
        return True


def _name(argv: tuple[str, ...]) -> str:
    """`advance chapter:007:draft` → `advance draft`."""
    return f"advance {argv[1].rpartition(':')[2]}" if argv[0] == "advance" else argv[0]


def _points(made: Book) -> dict[str, int]:
    """How many points each command of a chapter has, from one chapter of a copy."""
    copy = copied(made, made.root.parent / "traced")
    found: dict[str, int] = {}
    while not crew.landed(copy):
        argv = crew.due(copy)
        found[_name(argv)] = len(killpoints.trace(lambda argv=argv: copy.ok(*argv)))
    return found


def _straight(made: Book, chapters: int) -> Iterator[None]:
    while crew.landed(made) < chapters:
        made.ok(*crew.due(made))
        yield


def _soak(place: Path, chapters: int, rollbacks: dict[int, int], again: bool = True) -> Unlucky:
    """Both books to `chapters`; `rollbacks`: once that chapter has landed, back to after this one."""
    plain = book(place, 0, volume_size=chapters + 20, name="plain")
    author = Unlucky(copied(plain, place / "unlucky"), random.Random(SEED + chapters), again)
    for _ in _straight(plain, chapters):
        pass
    left = dict(rollbacks)
    while crew.landed(author.made) < chapters:
        author.chapter()
        to = left.pop(crew.landed(author.made), None)
        if to is not None:
            author.back(to)
    assert not left
    one, other = crew.book_bytes(plain), crew.book_bytes(author.made)
    if not again:
        one, other = _less_the_work_notes(one), _less_the_work_notes(other)
    assert unlike(one, other) == []
    assert len(one) > 6 * chapters
    _sound(author.made, chapters)
    return author


def _less_the_work_notes(found: dict[str, bytes]) -> dict[str, bytes]:
    """A step whose output was found, so that `next` went on to the one behind it, is not noted in the log."""
    kept = dict(found)
    for path, data in found.items():
        if path.startswith("logs/chapter-"):
            kept[path] = json.dumps({**json.loads(data), "stages": None}, sort_keys=True).encode()
    return kept


def _sound(made: Book, chapters: int) -> None:
    """Every delta once: the log replays to the state, and what counts chapters counts them all."""
    log, state = made.lines(layout.CHANGELOG), made.json(layout.STATE)
    assert [line["chapter"] for line in log] == list(range(1, chapters + 1))
    assert changelog.replay(log) == state
    assert state["characters"]["shen-du"]["relationships"]["qiao-jiu"] == chapters
    assert not [name for name in made.names(layout.OWN) if name.startswith(("journal", "lock."))]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    killpoints.still(monkeypatch)


@pytest.mark.parametrize(
    "again", [pytest.param(True, marks=pytest.mark.slow), False], ids=["said again", "next asked"]
)
def test_twelve_chapters(tmp_path: Path, again: bool) -> None:
    author = _soak(tmp_path, 12, {5: 3, 9: 0}, again)
    assert len(author.kills) >= 18
    assert len({name for _, name, _ in author.kills}) > 3


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_two_hundred_chapters(tmp_path: Path) -> None:
    author = _soak(tmp_path, 200, {20: 14, 61: 60, 90: 78, 140: 133, 199: 190})
    assert len(author.kills) >= 200
    assert {"commit", "advance judge", "judge", "lock", "rollback"} <= {name for _, name, _ in author.kills}
