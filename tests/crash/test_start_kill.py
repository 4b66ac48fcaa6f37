"""The author's answers, and notes that he hands in: killed before any file operation, then said again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import fast_disk as fast_disk
from crash import killpoints
from planbook import sample_book, staged_book

from novel_hooks import layout

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from builders import Book

WORLD = "setup:world"


def _asking(place: Path) -> Book:
    made = staged_book(place / "book")
    choices = [{"label": "冷", "effect": "照旧"}, {"label": "热", "effect": "改两条"}]
    one = {"id": "cold", "header": "冷热", "question": "桥上冷吗？", "why": "定季节。", "choices": choices}
    made.write(layout.questions("setup-world"), {"questions": [one]})
    return made


def _answered(place: Path) -> Book:
    made = _asking(place)
    made.ok("answer", WORLD, "cold", "2")
    return made


def _told(place: Path) -> Book:
    made = _answered(place)
    made.ok("instructions", WORLD)
    return made


def _noted(place: Path, out: bool) -> Book:
    made = sample_book(place / "book")
    for name in ("一.md", "二.txt"):
        path = place / "手边" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{name}：桥有三根索。\r\n", encoding="utf-8")
    if out:
        made.ok("instructions", WORLD)
    return made


CASES: dict[str, tuple[Callable[[Path], Book], tuple[str, ...]]] = {
    "answer": (_asking, ("answer", WORLD, "cold", "2")),
    "told": (_answered, ("instructions", WORLD)),
    "carried-out": (_told, ("advance", WORLD)),
    "import": (lambda place: _noted(place, False), ("import", "手边")),
    "import-while-out": (lambda place: _noted(place, True), ("import", "手边")),
}


@killpoints.shares(3)
@pytest.mark.parametrize("name", CASES)
def test_killed_anywhere_and_said_again(
    name: str, share: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killpoints.still(monkeypatch)
    monkeypatch.chdir(tmp_path)
    build, argv = CASES[name]
    run = killpoints.Run(build(tmp_path), tmp_path, lambda made: made.ok(*argv))
    assert run.old != run.new
    for _, made in run.said_again(share):
        if name == "import-while-out":
            made.ok("advance", WORLD)  # his own notes are no breach
