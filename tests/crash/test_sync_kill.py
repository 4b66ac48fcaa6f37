"""A sync killed before any of its file operations, then said again: the book is as if nothing had been."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, copied
from builders import fast_disk as fast_disk
from crash import edited, killpoints
from rewriting import one_moment

from novel_hooks import layout
from novel_hooks.rules import changelog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from builders import Tree

LITTER = re.compile(r"(^|/)\.novel-tmp-|^\.novel/(journal|lock)\.(new|done|old)-")


CASES: dict[str, tuple[Callable[[Path], Book], tuple[str, ...]]] = {
    "look": (edited.edited, ("sync",)),
    "open": (edited.edited, ("sync", "3")),
    "accept": (edited.edited, ("sync", "3", "--accept")),
    "cancel": (edited.opened, ("sync", "--cancel")),
    "advance": (edited.judged, ("advance", "sync:003:judge")),
}


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
    old = through.tree()
    last = len(killpoints.trace(lambda: through.ok(*argv)))
    new = _comparable(through.tree())
    numbers = range(1, last + 1) if share is None else sorted({1 + i * last // share for i in range(share)})
    for number in [*numbers, last]:
        made = copied(start, tmp_path / f"killed-{number}-{len(list(tmp_path.iterdir()))}")
        assert killpoints.killed_at(number, lambda made=made: made.ok(*argv)) == killpoints.KILLED
        left = made.tree()
        if not made.at(layout.JOURNAL).exists():
            assert _whole(left) in (_whole(old), _whole(through.tree())), number
        _said_again(made, argv)
        assert _comparable(made.tree()) == new, number
        assert made.json(layout.STATE) == changelog.replay(made.lines(layout.CHANGELOG))


def _said_again(made: Book, argv: tuple[str, ...]) -> Any:
    return made.ok(*argv)


def _whole(tree: Tree) -> Tree:
    """Without what a killed command may leave to be swept, what stat said, and empty folders."""
    found = {path: mark for path, mark in tree.items() if mark != "folder" and not LITTER.search(path)}
    return _comparable(found)


def _comparable(tree: Tree) -> Tree:
    """What stat says differs from copy to copy."""
    return {path: mark for path, mark in tree.items() if path != layout.LANDED_MARKS}
