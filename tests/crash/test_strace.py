"""A command killed by the kernel's hand, before any system call that changes the disk; then gone on with."""

from __future__ import annotations

import functools
import os
import re
import shutil
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from builders import OWNER, Book
from builders import fast_disk as fast_disk
from conftest import CHECKOUT
from copying import copied
from crash import edited, killpoints
from crash import test_flows_kill as commands

from novel_hooks import layout
from novel_hooks.rules.state import changelog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

STRACE = "/usr/bin/strace"
CALLS = (
    "write",
    "pwrite64",
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
    "rmdir",
    "mkdir",
    "mkdirat",
    "fsync",
    "fdatasync",
    "ftruncate",
    "fchmod",
    "link",
    "linkat",
)
# Times, and what follows from them: nothing else may differ between two runs of one command.
MOMENT = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|[0-9a-f]{64}")
RUN = "import sys; sys.path.insert(0, sys.argv.pop(1)); from novel_hooks.cli.main import entry; entry()"


@functools.lru_cache(maxsize=1)
def _refusal() -> str | None:
    """Why no process can be stopped at a system call here; None when it can."""
    if not os.access(STRACE, os.X_OK):
        return "strace is not installed"
    asked = [
        STRACE,
        "-f",
        "-qq",
        "-e",
        "trace=write",
        "-e",
        "inject=write:signal=SIGKILL:when=1",
        "echo",
        "x",
    ]
    said = subprocess.run(asked, capture_output=True, check=False)
    return None if said.returncode == -signal.SIGKILL else f"strace is refused: {said.stderr.decode()[:100]}"


def _command(made: Book, argv: tuple[str, ...], *trace: str) -> subprocess.CompletedProcess[bytes]:
    """The command as a process of its own, below strace with these options."""
    python = (sys.executable, "-I", "-B", "-c", RUN, CHECKOUT)
    whole = (*python, *argv, "--json")
    below = [STRACE, "-f", "-qq", *trace] if trace else []
    env = {**os.environ, "NOVEL_OWNER": OWNER}
    return subprocess.run([*below, *whole], cwd=made.root, env=env, capture_output=True, check=False)


def _traced(made: Book, argv: tuple[str, ...], log: Path) -> list[tuple[str, int]]:
    """(call, its number among the calls of that name) for every one that touched the disk, in order."""
    run = _command(made, argv, "-y", "-o", str(log), "-e", f"trace={','.join('?' + call for call in CALLS)}")
    assert run.returncode == 0, run.stderr.decode()
    seen: dict[str, int] = {}
    found: list[tuple[str, int]] = []
    for line in log.read_text("utf-8", "replace").splitlines():
        called = re.match(r"(?:\d+ +)?([a-z0-9]+)\((.*)", line)
        if called is None:
            continue
        name, rest = called.groups()
        seen[name] = seen.get(name, 0) + 1
        if not re.match(r"[12]<", rest):  # what it says to the author is not the book
            found.append((name, seen[name]))
    return found


def _pending(place: Path) -> Book:
    """A commit that was killed behind its commit point."""
    judged = commands.CASES["commit"][0](place)
    again = ("commit", "--chapter", str(judged.chapter))
    through, made = (copied(judged, place / name) for name in ("traced", "pending"))
    points = killpoints.trace(lambda: through.ok(*again))
    point = killpoints.commit_point(points) or 0
    assert killpoints.killed_at(point + 3, lambda: made.ok(*again)) == killpoints.KILLED
    return made


CASES: dict[str, tuple[Callable[[Path], Book], tuple[str, ...]]] = {
    **{name: commands.CASES[name] for name in ("commit", "advance judge", "rollback", "restore")},
    "sync": (edited.edited, ("sync", "3")),
    "commit of a sync": commands.CASES["commit of a sync"],
    "recover": (_pending, ("commit", "--chapter", "3")),
}
SHARES = {"commit": 5}
_TIMED = (layout.VALIDITY, layout.SETTINGS, layout.LANDED_MARKS, layout.RECALL)


def _timeless(made: Book) -> dict[str, bytes]:
    """path → bytes of every file, times and hashes over them put out; the locks' own files left out."""
    held = (path for path, mark in made.tree().items() if mark != "folder" and path not in _TIMED)
    return {path: MOMENT.sub(b"-", made.at(path).read_bytes()) for path in held}


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", CASES)
def test_stopped_by_the_kernel(name: str, tmp_path: Path) -> None:
    """Some of the calls, spread evenly, first and last among them."""
    _try(name, tmp_path, SHARES.get(name, 3))


@pytest.mark.exhaustive
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", CASES)
def test_stopped_by_the_kernel_anywhere(name: str, tmp_path: Path) -> None:
    _try(name, tmp_path, None)


def _try(name: str, place: Path, share: int | None) -> None:
    refusal = _refusal()
    if refusal:
        pytest.skip(refusal)
    build, argv = CASES[name]
    start = build(place)
    old = killpoints.whole(start.tree())
    through = copied(start, place / "through")
    calls = _traced(through, argv, place / "calls.txt")
    print(f"{name}: {len(calls)} system calls")
    new, held = _timeless(through), through.held()
    assert {"write", "fsync", "rename", "unlink"} <= {call for call, _ in calls} and len(calls) > 30
    last = len(calls) - 1
    numbers = range(last + 1) if share is None else sorted({i * last // (share - 1) for i in range(share)})
    seen = []
    for number in numbers:
        made = copied(start, place / f"at-{number}")
        seen.append(_stopped(made, argv, calls[number], old, new))
        assert made.held() == held, f"the lock after a kill at {calls[number]}"
        shutil.rmtree(made.root)
    begun = "pending" if name == "recover" else "old"
    assert seen == sorted(seen, key=("old", "pending", "new").index), "once new, never old again"
    assert (seen[0], seen[-1]) == (begun, "new")


def _stopped(
    made: Book, argv: tuple[str, ...], call: tuple[str, int], old: dict[str, str], new: dict[str, bytes]
) -> str:
    """Killed before the call; what it left, after it was gone on with and found right."""
    name, number = call
    run = _command(made, argv, "-e", f"trace={name}", "-e", f"inject={name}:signal=SIGKILL:when={number}")
    assert run.returncode == -signal.SIGKILL, (call, run.returncode, run.stderr.decode())
    left = "old" if killpoints.whole(made.tree()) == old else "new"
    if made.at(layout.JOURNAL).exists():
        left = "pending"
    elif left == "new":
        found = {path: data for path, data in _timeless(made).items() if not killpoints.LITTER.search(path)}
        assert found == new, f"mixed after a kill at {call}"
    again = _command(made, argv)
    assert again.returncode == 0, again.stderr.decode()
    assert _timeless(made) == new, f"not as undisturbed after a kill at {call}"
    assert changelog.replay(made.lines(layout.CHANGELOG)) == made.json(layout.STATE)
    return left
