"""Stop a piece of work at each point where it touches the disk: killed, refused, or interrupted.

The work runs in a forked child. Its points are the audited file events that change something, every
`fsync`, and every `write` twice: before it, and when half of it is done.
"""

from __future__ import annotations

import itertools
import os
import re
import signal
import sys
import tempfile
import traceback
import warnings
from typing import TYPE_CHECKING

import pytest
from builders import copied
from rewriting import one_moment

from novel_hooks import layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from builders import Book, Tree

    Stop = Callable[[str, str], None]

DONE = "done"
KILLED = "killed"
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_EVENTS = (
    "os.rename",
    "os.remove",
    "os.mkdir",
    "os.rmdir",
    "os.truncate",
    "os.chmod",
    "os.link",
    "os.symlink",
)
GROWING = ("open", "write", "half a write", "os.mkdir")
LITTER = re.compile(r"(^|/)\.novel-tmp-|^\.novel/(journal|lock)\.(new|done|old)-|^\.novel/probe")
"""What a killed command may leave to be swept."""
BY_STAT = (layout.LANDED_MARKS, layout.HAND_EDITS, layout.FENCE, layout.FENCE_NEAR, layout.RECALL)
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
        for number in spread(len(self.points), share):
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


def spread(last: int, share: int | None) -> list[int]:
    """`share` of the points 1 to `last`, evenly, the first and the last among them; None: every one."""
    return (
        list(range(1, last + 1))
        if share is None
        else sorted({1 + i * last // share for i in range(share)} | {last})
    )


def shares(quick: int, *slow: int) -> pytest.MarkDecorator:
    """A test at so many of a work's points, see `spread`; and, for who has tens of minutes, at all.

    Each of `slow` is a multiple of `quick`: it meets the same points and others.
    """
    assert all(n % quick == 0 for n in slow)
    first = pytest.param(quick, marks=[pytest.mark.part] if slow else [])
    every = pytest.param(None, marks=[pytest.mark.exhaustive, pytest.mark.timeout(1800)])
    return pytest.mark.parametrize(
        "share", [first, *(pytest.param(n, marks=pytest.mark.slow) for n in slow), every]
    )


def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command at the same second, and nothing synced: what is left of it can be compared, and soon."""
    one_moment(monkeypatch)
    monkeypatch.setattr(sys.modules[__name__], "_fsync", lambda _handle: None)


def points(run: Callable[[int], str], step: int = 1) -> Iterator[tuple[int, str]]:
    """`(number, outcome)` of `run(1)`, `run(1 + step)`, … until one gets through unstopped."""
    for number in itertools.count(1, step):
        outcome = run(number)
        yield number, outcome
        if outcome == DONE:
            return


def killed_at(number: int, work: Callable[[], object]) -> str:
    """`KILLED` at the `number`th point, or how it ended: `DONE` or the code of its problem."""
    return _child(work, _nth(number, lambda _kind: os.kill(os.getpid(), signal.SIGKILL)))


def refused_at(number: int, error: int, work: Callable[[], object]) -> str:
    """The system refuses the `number`th point with the errno `error`, and nothing after it."""

    def stop(_kind: str) -> None:
        raise OSError(error, os.strerror(error))

    return _child(work, _nth(number, stop))


def refused_from(number: int, error: int, work: Callable[[], object]) -> str:
    """From the `number`th point on the system refuses all that needs room: a disk that is full."""
    counter = itertools.count(1)

    def stop(kind: str, _place: str) -> None:
        if next(counter) >= number and kind in GROWING:
            raise OSError(error, os.strerror(error))

    return _child(work, stop)


def interrupted_at(number: int, work: Callable[[], object]) -> str:
    """Ctrl-C at the `number`th point."""

    def stop(_kind: str) -> None:
        raise KeyboardInterrupt

    return _child(work, _nth(number, stop))


def trace(work: Callable[[], object]) -> list[tuple[str, str]]:
    """The points of an unstopped run, `(kind, place)`."""
    with tempfile.TemporaryFile(dir=os.curdir) as notes:  # a pipe would be full before it is read

        def note(kind: str, place: str) -> None:
            _write(notes.fileno(), f"{kind}\0{place}\n".encode())

        outcome = _child(work, note)
        notes.seek(0)
        found = [tuple(line.split("\0")) for line in notes.read().decode().splitlines()]
    assert outcome == DONE, outcome
    return [(kind, place) for kind, place in found]


def in_child(work: Callable[[], object]) -> str:
    """Unstopped, in a process of its own, because `watch` is for good."""
    return _child(work, lambda _kind, _place: None)


_write = os.write
_fsync = os.fsync


def _nth(number: int, stop: Callable[[str], None]) -> Stop:
    counter = itertools.count(1)

    def reach(kind: str, _place: str) -> None:
        if next(counter) == number:
            stop(kind)

    return reach


def _child(work: Callable[[], object], stop: Stop) -> str:
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the child only makes system calls
        pid = os.fork()
    if pid == 0:
        _work_and_exit(work, stop, writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as said:
        outcome = said.read().decode()
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL, status
        return KILLED
    return outcome


def _work_and_exit(work: Callable[[], object], stop: Stop, writer: int) -> None:
    outcome = DONE
    try:
        watch(stop)
        work()
    except KeyboardInterrupt:
        outcome = "interrupted"
    except BaseException as wrong:
        outcome = getattr(wrong, "code", None) or traceback.format_exc()
    _write(writer, str(outcome).encode())
    os._exit(0)


def watch(stop: Stop) -> None:
    """From now on `stop(kind, place)` is called before each point of this process, for good."""

    def hear(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open":
            flags = arguments[2]
            if isinstance(flags, int) and flags & _WRITING and isinstance(arguments[0], str):
                stop("open", arguments[0])
        elif event in _EVENTS:
            stop(event, " > ".join(str(part) for part in arguments if isinstance(part, str)))

    def write(handle: int, data: bytes) -> int:
        stop("write", _place(handle))
        half = _write(handle, bytes(data[: len(data) // 2]))
        stop("half a write", _place(handle))
        return half + _write(handle, bytes(data[len(data) // 2 :]))

    def fsync(handle: int) -> None:
        stop("fsync", _place(handle))
        _fsync(handle)

    os.write = write  # type: ignore[assignment]
    os.fsync = fsync  # type: ignore[assignment]
    sys.addaudithook(hear)


def _place(handle: int) -> str:
    return os.readlink(f"/proc/self/fd/{handle}") if os.path.isdir("/proc/self/fd") else str(handle)
