"""A sync killed before any of its file operations, then said again: the book is as if nothing had been."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, make_verdict
from builders import fast_disk as fast_disk
from crash import edited, killpoints

from novel_hooks import layout
from novel_hooks.rules.state import changelog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def _spoken(place: Path) -> Book:
    """The records are new, and the judge has spoken: his words lie in the book's folder."""
    made = edited.opened(place)
    made.ok("advance", "sync:003:summarize")
    made.write("words.txt", make_verdict(4.2))
    return made


CASES: dict[str, tuple[Callable[[Path], Book], tuple[str, ...]]] = {
    "look": (edited.edited, ("sync",)),
    "open": (edited.edited, ("sync", "3")),
    "accept": (edited.edited, ("sync", "3", "--accept")),
    "cancel": (edited.opened, ("sync", "--cancel")),
    "record": (_spoken, ("judge", "record", "--role", "primary", "--model", "sonnet", "--file", "words.txt")),
    "advance": (edited.judged, ("advance", "sync:003:judge")),
}


@killpoints.shares(3)
@pytest.mark.parametrize("name", CASES)
def test_killed_anywhere_and_said_again(
    name: str, share: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killpoints.still(monkeypatch)
    build, argv = CASES[name]
    run = killpoints.Run(build(tmp_path), tmp_path, lambda made: _say(made, argv))
    for _, made in run.said_again(share):
        assert made.json(layout.STATE) == changelog.replay(made.lines(layout.CHANGELOG))


def _say(made: Book, argv: tuple[str, ...]) -> Any:
    own = (str(made.at(each)) if each == "words.txt" else each for each in argv)
    return made.ok(*own)
