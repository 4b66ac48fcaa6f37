"""The author's answers, and notes that he hands in: killed before any file operation, then said again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from builders import Book, copied
from builders import fast_disk as fast_disk
from crash import killpoints
from planbook import sample_book, staged_book
from rewriting import one_moment

from novel_hooks import layout

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from builders import Tree

LITTER = re.compile(r"(^|/)\.novel-tmp-|^\.novel/(journal|lock)\.(new|done|old)-")
WORLD = "setup:world"
FENCE = (layout.FENCE, layout.FENCE_NEAR)


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
    monkeypatch.chdir(tmp_path)
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
        if name == "import-while-out":
            made.ok("advance", WORLD)  # his own notes are no breach


def _whole(tree: Tree) -> Tree:
    """Without what a killed command may leave to be swept, what stat said, and empty folders."""
    return {
        path: mark
        for path, mark in tree.items()
        if mark != "folder" and not LITTER.search(path) and path not in FENCE
    }
