"""The landing of a plan killed before any of its file operations, then said again: all of it, or none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from builders import Book, copied
from builders import fast_disk as fast_disk
from crash import killpoints
from planbook import staged_book
from rewriting import one_moment

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path

    from builders import Tree

LITTER = re.compile(r"(^|/)\.novel-tmp-|^\.novel/(journal|lock)\.(new|done|old)-")


def _setup(place: Path) -> Book:
    made = staged_book(place / "book", "volumes", layout.STORYLINES)
    made.write(layout.BRIEF, "# 立意\n\n作者自己改过的一稿。\n")
    made.ok("instructions", "setup:world")
    return made


def _volume(place: Path) -> Book:
    made = _setup(place)
    made.ok("commit", "--setup")
    made.ok("advance", "volume:01:outline")
    made.ok("advance", "volume:01:validate")
    return made


CASES = {"setup": (_setup, ("commit", "--setup")), "volume": (_volume, ("commit", "--volume", "1"))}


@pytest.mark.parametrize(
    "share", [12, pytest.param(None, marks=[pytest.mark.exhaustive, pytest.mark.timeout(1800)])]
)
@pytest.mark.parametrize("name", CASES)
def test_killed_anywhere_and_said_again(
    name: str, share: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`share` points spread evenly over the run, the first and the last among them; None: every one."""
    one_moment(monkeypatch)
    monkeypatch.setattr(killpoints, "_fsync", lambda _handle: None)
    build, argv = CASES[name]
    start = build(tmp_path)
    through = copied(start, tmp_path / "through")
    old = _whole(through.tree())
    last = len(killpoints.trace(lambda: through.ok(*argv)))
    new = _whole(through.tree())
    assert old != new
    numbers = range(1, last + 1) if share is None else sorted({1 + i * last // share for i in range(share)})
    for number in [*numbers, last]:
        made = copied(start, tmp_path / f"killed-{number}-{len(list(tmp_path.iterdir()))}")
        assert killpoints.killed_at(number, lambda made=made: made.ok(*argv)) == killpoints.KILLED
        if not made.at(layout.JOURNAL).exists():
            assert _whole(made.tree()) in (old, new), number
        made.ok(*argv)
        assert _whole(made.tree()) == new, number


def _whole(tree: Tree) -> Tree:
    """Without what a killed command may leave to be swept, what stat said, and empty folders."""
    return {
        path: mark
        for path, mark in tree.items()
        if mark != "folder" and not LITTER.search(path) and path != layout.LANDED_MARKS
    }
