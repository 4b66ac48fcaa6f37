"""Two, and ten, processes at once: one wins, the others are told so and change nothing; whose lock it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builders import BIN, OTHER, Book, book
from builders import fast_disk as fast_disk
from copying import copied
from rewriting import one_moment, plant, write_chapter

from novel_hooks import layout
from novel_hooks.rules.state import changelog
from novel_hooks.store.host import moment, process

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BUSY = 4
HERE = process.host_name()
DEAD = 4_194_304
COUNTS = (2, 6, pytest.param(10, marks=pytest.mark.exhaustive))
Outcome = tuple[int, str]


def _judged(place: Path) -> Book:
    """Chapter 3 due to be committed, by whoever comes first."""
    made = book(place, 1)
    write_chapter(made, plant("bell-rope"))
    write_chapter(made, plant("bell-rope", "advanced"), until="judged")
    made.ok("lock", "release")
    return made


def _drafted(place: Path) -> Book:
    """Chapter 2 with its first draft, nobody at it."""
    made = book(place, 1)
    made.draft()
    return made


def _at_once(made: Book, count: int, *argv: str, same: bool) -> list[Outcome]:
    """(exit, first code, or was it done already) of `count` processes, let loose by one closed pipe.

    `same`: all of them of one session.
    """
    gate, opener = os.pipe()
    said, say = os.pipe()
    for number in range(count):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # the child only runs the command
            child = os.fork()
        if child == 0:
            os.close(opener)
            os.read(gate, 1)
            outcome = _outcome(made, argv, "one-session" if same else f"session-{number}")
            os.write(say, (json.dumps(outcome) + "\n").encode())
            os._exit(0)
    os.close(say)
    os.close(opener)
    with os.fdopen(said, encoding="utf-8") as lines:
        found = [(int(exit), str(told)) for exit, told in map(json.loads, lines)]
    os.close(gate)
    for _ in range(count):
        os.wait()
    assert len(found) == count
    return found


def _outcome(made: Book, argv: tuple[str, ...], owner: str) -> Outcome:
    try:
        found = made.novel(*argv, owner=owner)
    except BaseException as wrong:
        return 99, repr(wrong)
    if found.exit:
        return found.exit, found.diagnostics[0].code
    data: Any = found.data
    repeat = data.get("repeat") or data.get("changed") is False
    return 0, "again" if repeat else "won"


CASES: dict[str, tuple[Callable[[Path], Book], tuple[str, ...]]] = {
    "commit": (_judged, ("commit", "--chapter", "3")),
    "advance": (_drafted, ("advance", "chapter:002:draft")),
}


@pytest.mark.parametrize("same", [True, False], ids=["one session", "many"])
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("name", CASES)
def test_one_of_many_wins(
    name: str, count: int, same: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_moment(monkeypatch)
    build, argv = CASES[name]
    start = build(tmp_path)
    alone = copied(start, tmp_path / "alone")
    alone.ok(*argv)
    for turn in range(3):
        made = copied(start, tmp_path / f"turn-{turn}")
        outcomes = _at_once(made, count, *argv, same=same)
        assert outcomes.count((0, "won")) == 1, outcomes
        losers = [one for one in outcomes if one != (0, "won")]
        assert all(one == (0, "again") or one[0] == BUSY for one in losers), outcomes
        assert made.tree() == alone.tree()
        assert made.ok("lock", "status")["kind"] == "free"
        assert changelog.replay(made.lines(layout.CHANGELOG)) == made.json(layout.STATE)


def test_ten_whole_processes(tmp_path: Path) -> None:
    """The launcher, a locale, an interpreter of its own for each: as ten terminals would."""
    made = _judged(tmp_path)
    command = [BIN, "commit", "--chapter", "3", "--json"]
    running = [
        subprocess.Popen(
            command,
            cwd=made.root,
            env={**os.environ, "NOVEL_OWNER": f"terminal-{number}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for number in range(10)
    ]
    outcomes = []
    for one in running:
        out, _ = one.communicate(timeout=100)
        data = json.loads(out)["data"] or {}
        outcomes.append((one.returncode, data.get("repeat")))
    assert outcomes.count((0, False)) == 1, outcomes
    assert {exit for exit, repeat in outcomes if repeat is not False} <= {0, BUSY}, outcomes
    assert [line["chapter"] for line in made.lines(layout.CHANGELOG)] == [1, 2, 3]
    assert changelog.replay(made.lines(layout.CHANGELOG)) == made.json(layout.STATE)


@pytest.mark.parametrize("count", COUNTS)
def test_one_of_many_takes_a_stale_lock_over(count: int, tmp_path: Path) -> None:
    start = _drafted(tmp_path)
    for turn in range(3):
        made = copied(start, tmp_path / f"turn-{turn}")
        _held(made, {**LOCK, "host": HERE, "pid": DEAD})
        outcomes = _at_once(made, count, "lock", "acquire", same=False)
        assert outcomes.count((0, "won")) == 1, outcomes
        assert {exit for exit, told in outcomes if told != "won"} == {BUSY}, outcomes
        info = made.json(layout.LOCK_INFO)
        assert info["owner"].startswith("session-") and info["chapter"] == 2
        made.refused(BUSY, "LOCK_BUSY", "lock", "acquire", owner=OTHER)
        winner = made.novel("advance", "chapter:002:draft", owner=info["owner"])
        assert winner.exit == 0, winner.diagnostics


# The lock that is found -----------------------------------------------------------------------

LOCK: dict[str, Any] = {
    "pid": None,
    "pid_started": None,
    "host": "another-computer",
    "owner": "somebody",
    "token": "0123456789abcdef",
    "chapter": 2,
    "started": 0,
    "renewed": 0,
}
"""What a lock's file holds; its moments are seconds from now."""
OLD = -1860
FUTURE = 86_400


def _held(made: Book, info: dict[str, Any] | bytes | None, old: bool = False) -> None:
    """The lock's folder with this info file (None: without); `old`: made over half an hour ago."""
    now = time.time()
    made.at(layout.LOCK_DIR).mkdir()
    if isinstance(info, dict):
        info = {**info, **{key: moment.iso(now + info[key]) for key in ("started", "renewed")}}
    if info is not None:
        made.write(layout.LOCK_INFO, info)
    if old:
        os.utime(made.at(layout.LOCK_DIR), (now + OLD, now + OLD))


@pytest.fixture
def living() -> Iterator[int]:
    """The pid of a process that lives as long as the test."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        yield child.pid
        assert child.stdin is not None
        child.stdin.close()


ADVANCE = ("advance", "chapter:002:draft")


def _must_wait(made: Book) -> None:
    before = made.at(layout.LOCK_DIR).stat().st_mtime_ns, made.names(layout.LOCK_DIR)
    made.refused(BUSY, "LOCK_BUSY", *ADVANCE)
    made.refused(BUSY, "LOCK_BUSY", "lock", "acquire")
    made.refused(BUSY, "LOCK_BUSY", "lock", "clear")
    assert before == (made.at(layout.LOCK_DIR).stat().st_mtime_ns, made.names(layout.LOCK_DIR))


def _may_go_on(made: Book) -> None:
    assert made.ok("lock", "status")["kind"] == "stale"
    found = made.novel(*ADVANCE)
    assert found.exit == 0, found.diagnostics
    assert made.point()["pipeline_stage"] == "drafting"
    assert made.ok("lock", "status")["kind"] == "free"


def test_a_dead_process(tmp_path: Path) -> None:
    made = _drafted(tmp_path)
    _held(made, {**LOCK, "host": HERE, "pid": DEAD})
    _may_go_on(made)


def test_a_living_process_however_long_it_was_silent(tmp_path: Path, living: int) -> None:
    made = _drafted(tmp_path)
    mark = process.start_mark(living)
    info = {**LOCK, "host": HERE, "pid": living, "pid_started": mark, "started": OLD, "renewed": OLD}
    _held(made, info, old=True)
    _must_wait(made)


def test_a_pid_that_another_process_has_now(tmp_path: Path, living: int) -> None:
    made = _drafted(tmp_path)
    mark = process.start_mark(os.getpid())
    assert mark is not None and mark != process.start_mark(living)
    _held(made, {**LOCK, "host": HERE, "pid": living, "pid_started": mark})
    _may_go_on(made)


WAIT: dict[str, tuple[dict[str, Any] | bytes | None, bool]] = {
    "another computer": ({**LOCK, "pid": DEAD}, True),
    "renewed just now": ({**LOCK, "started": OLD}, True),
    "a start to come, a new folder": ({**LOCK, "started": FUTURE, "renewed": FUTURE}, False),
    "an empty file, a new folder": (b"", False),
    "half a file, a new folder": (b'{"pid": 1, "own', False),
    "no file, a new folder": (None, False),
}
GO_ON: dict[str, tuple[dict[str, Any] | bytes | None, bool]] = {
    "another computer, silent": ({**LOCK, "pid": DEAD, "started": OLD, "renewed": OLD}, False),
    "a start to come, an old folder": ({**LOCK, "started": FUTURE, "renewed": FUTURE}, True),
    "an empty file, an old folder": (b"", True),
    "half a file, an old folder": (b'{"pid": 1, "own', True),
    "no file, an old folder": (None, True),
}


@pytest.mark.parametrize(("info", "old"), WAIT.values(), ids=WAIT.keys())
def test_who_may_still_write_is_waited_for(
    tmp_path: Path, info: dict[str, Any] | bytes | None, old: bool
) -> None:
    made = _drafted(tmp_path)
    _held(made, info, old)
    _must_wait(made)


@pytest.mark.parametrize(("info", "old"), GO_ON.values(), ids=GO_ON.keys())
def test_who_cannot_write_any_more_is_followed(
    tmp_path: Path, info: dict[str, Any] | bytes | None, old: bool
) -> None:
    made = _drafted(tmp_path)
    _held(made, info, old)
    _may_go_on(made)


@pytest.mark.parametrize("kind", ["file", "link to a folder", "link to nothing"])
def test_a_lock_path_that_is_no_folder(tmp_path: Path, kind: str) -> None:
    made = _drafted(tmp_path)
    place, away = made.at(layout.LOCK_DIR), tmp_path / "away"
    if kind == "file":
        place.write_text("mine", "utf-8")
    else:
        place.symlink_to(away)
    if kind == "link to a folder":
        away.mkdir()
        (away / "info.json").write_text(json.dumps({**LOCK, "host": HERE, "pid": DEAD}), "utf-8")
    for argv in (ADVANCE, ("lock", "acquire"), ("commit", "--chapter", "2")):
        problem = made.refused(3, "LOCK_PATH_ODD", *argv)
        assert problem.path == layout.LOCK_DIR
    if kind == "file":
        assert place.read_text("utf-8") == "mine"
    else:
        assert place.is_symlink()
        assert away.exists() == (kind == "link to a folder")
