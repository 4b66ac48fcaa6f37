"""Stops a piece of work at each point where it touches the disk: killed, refused, or interrupted.

The work runs in a forked child. Its points are the audited file events that change something, every
`fsync`, and every `write` twice: before it, and when half of it is done. For tests and the soak.
"""

from __future__ import annotations

import itertools
import os
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable

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


def killed_at(number: int, work: Callable[[], object]) -> str:
    """Kill the work at its `number`th point; return `KILLED`, else `DONE` or the code of its problem."""
    return _child(work, _nth(number, lambda _kind: os.kill(os.getpid(), signal.SIGKILL)))


def refused_at(number: int, error: int, work: Callable[[], object]) -> str:
    """Let the system refuse the `number`th point alone, with the errno `error`; return how the work ended."""

    def stop(_kind: str) -> None:
        raise OSError(error, os.strerror(error))

    return _child(work, _nth(number, stop))


def refused_from(number: int, error: int, work: Callable[[], object]) -> str:
    """Let the system refuse every call that needs room from the `number`th point on, as a full disk does."""
    counter = itertools.count(1)

    def stop(kind: str, _place: str) -> None:
        if next(counter) >= number and kind in GROWING:
            raise OSError(error, os.strerror(error))

    return _child(work, stop)


def interrupted_at(number: int, work: Callable[[], object]) -> str:
    """Interrupt the work at the `number`th point, as Ctrl-C does; return how it ended."""

    def stop(_kind: str) -> None:
        raise KeyboardInterrupt

    return _child(work, _nth(number, stop))


def trace(work: Callable[[], object]) -> list[tuple[str, str]]:
    """Return the points of an unstopped run, `(kind, place)` each."""
    with tempfile.TemporaryFile(dir=os.curdir) as notes:  # a pipe would be full before it is read

        def note(kind: str, place: str) -> None:
            _write(notes.fileno(), f"{kind}\0{place}\n".encode())

        outcome = _child(work, note)
        notes.seek(0)
        found = [tuple(line.split("\0")) for line in notes.read().decode().splitlines()]
    assert outcome == DONE, outcome
    return [(kind, place) for kind, place in found]


def in_child(work: Callable[[], object]) -> str:
    """Run the work unstopped in a process of its own, because `watch` cannot be taken back."""
    return _child(work, lambda _kind, _place: None)


_write = os.write
_fsync = os.fsync


def skip_syncs() -> None:
    """Turn every sync in this process into nothing, from now on."""
    global _fsync
    _fsync = os.fsync = _no_sync  # type: ignore[assignment]


def _no_sync(_handle: object) -> None:
    return


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
    """Call `stop(kind, place)` before each point of this process, from now on. It cannot be taken back."""

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
