"""One commit killed by the kernel's hand, before any system call that changes the disk; then gone on with."""

from __future__ import annotations

import functools
import os
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from builders import OWNER, Book, book, copied
from builders import fast_disk as fast_disk
from conftest import CHECKOUT
from rewriting import plant, write

from novel_hooks import layout
from novel_hooks.rules import changelog

if TYPE_CHECKING:
    from pathlib import Path

    from builders import Tree

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
SHARE = 32
LITTER = re.compile(r"(^|/)\.novel-tmp-|^\.novel/(journal|lock)\.(new|done|old)-")
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


def _command(made: Book, *trace: str) -> subprocess.CompletedProcess[bytes]:
    """`novel commit` of the chapter in work as a process of its own, below strace with these options."""
    python = (sys.executable, "-I", "-B", "-c", RUN, CHECKOUT)
    argv = (*python, "commit", "--chapter", str(made.chapter), "--json")
    below = [STRACE, "-f", "-qq", *trace] if trace else []
    env = {**os.environ, "NOVEL_OWNER": OWNER}
    return subprocess.run([*below, *argv], cwd=made.root, env=env, capture_output=True, check=False)


def _traced(made: Book, log: Path) -> list[tuple[str, int]]:
    """(call, its number among the calls of that name) for every one that touched the disk, in order."""
    run = _command(made, "-y", "-o", str(log), "-e", f"trace={','.join('?' + call for call in CALLS)}")
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


def _judged(place: Path) -> Book:
    made = book(place, 1)
    write(made, plant("bell-rope"))
    write(made, plant("bell-rope", "advanced"), until="judged")
    return made


def _whole(tree: Tree) -> dict[str, str]:
    return {path: mark for path, mark in tree.items() if mark != "folder" and not LITTER.search(path)}


def _timeless(made: Book) -> dict[str, bytes]:
    """path → bytes of every file, times and hashes over them put out; the locks' own files left out."""
    held = (
        path
        for path, mark in made.tree().items()
        if mark != "folder" and path not in (layout.VALIDITY, layout.SETTINGS)
    )
    return {path: MOMENT.sub(b"-", made.at(path).read_bytes()) for path in held}


@pytest.mark.slow
def test_a_commit_stopped_by_the_kernel(tmp_path: Path) -> None:
    """`SHARE` of the calls, spread evenly, first and last among them."""
    refusal = _refusal()
    if refusal:
        pytest.skip(refusal)
    start = _judged(tmp_path)
    old = _whole(start.tree())
    through = copied(start, tmp_path / "through")
    calls = _traced(through, tmp_path / "calls.txt")
    new = _timeless(through)
    assert {"write", "fsync", "rename", "unlink"} <= {name for name, _ in calls} and len(calls) > 100
    numbers = sorted({i * (len(calls) - 1) // (SHARE - 1) for i in range(SHARE)})
    seen = [_stopped(copied(start, tmp_path / f"at-{n}"), *calls[n], old, new) for n in numbers]
    assert seen == sorted(seen, key=("old", "pending", "new").index), "once new, never old again"
    assert set(seen) == {"old", "pending", "new"}


def _stopped(made: Book, name: str, number: int, old: dict[str, str], new: dict[str, bytes]) -> str:
    """Killed before the call; what it left, after it was gone on with and found right."""
    run = _command(made, "-e", f"trace={name}", "-e", f"inject={name}:signal=SIGKILL:when={number}")
    assert run.returncode == -signal.SIGKILL, (name, number, run.returncode, run.stderr.decode())
    left = "old" if _whole(made.tree()) == old else "new"
    if made.at(layout.JOURNAL).exists():
        left = "pending"
    elif left == "new":
        found = {path: data for path, data in _timeless(made).items() if not LITTER.search(path)}
        assert found == new, f"mixed after a kill at {name} {number}"
    again = _command(made)
    assert again.returncode == 0, again.stderr.decode()
    assert _timeless(made) == new, f"not as undisturbed after a kill at {name} {number}"
    assert changelog.replay(made.lines(layout.CHANGELOG)) == made.json(layout.STATE)
    return left
