"""What a query for one chapter costs in a book of 5,000 threads, as a whole process. Part of `make bench`.

At chapter 2,000: three hundred threads are open, a few dozen have to do with it. The book is as after a
commit, when the file is known to be as `novel` writes it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from novel_hooks import layout
from novel_hooks.flows.book import foreshadowing
from novel_hooks.flows.book.book import Book
from novel_hooks.rules.foreshadowing import fast_check
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from tools.bookmaker import make_book

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LAUNCHER = os.path.join(CHECKOUT, "bin", "novel")
THREADS, OPEN, CHAPTER = 5000, 300, 2000
AIM = 6.0
NAME = f"foreshadow query @{THREADS} threads"


def make_threads_book(root: str) -> None:
    """Make the book at `root`, with the caches that a commit leaves for its threads."""
    make_book(root, 10)
    with open(os.path.join(root, layout.FORESHADOWING), "wb") as handle:
        handle.write(jsonio.dump({"foreshadowing": [_thread(number) for number in range(THREADS)]}))
    book = Book(Project(root))
    foreshadowing.planned_items(book, 1)
    data = book.read(layout.FORESHADOWING) or b""
    book.validity.learn("foreshadowing", data, fast_check.CANONICAL)
    os.makedirs(os.path.join(root, layout.OWN), exist_ok=True)
    with open(os.path.join(root, layout.VALIDITY), "wb") as handle:
        handle.write(book.validity.changes() or b"")


def _thread(number: int) -> dict[str, Any]:
    """The last three hundred are open: every tenth is overdue or due, the others later."""
    planted = number * CHAPTER // THREADS + 1
    window = [planted + 5, planted + 25]
    if number >= THREADS - OPEN:
        window = [CHAPTER - 5, CHAPTER + 5] if number % 10 == 0 else [CHAPTER + 100, CHAPTER + 200]
    return {
        "id": f"clue-{number:04d}",
        "description": f"第{number}条线索，灯灭了一盏又一盏",
        "scope": ("short", "medium", "long")[number % 3],
        "status": "advanced" if number >= THREADS - OPEN else "resolved",
        "planted_chapter": planted,
        "planted_storyline": "river-line",
        "target_resolve_range": window,
        "last_updated_chapter": planted + 3,
        "history": [
            {"chapter": planted, "action": "planted", "detail": "灯的数目"},
            {"chapter": planted + 3, "action": "advanced", "detail": "又少了一盏"},
        ],
    }


def runs(python: str, folder: str) -> dict[str, tuple[Sequence[str], str]]:
    """Return name → (command, folder), for `bench.medians`."""
    return {
        "floor": ([python, "-I", "-S", "-c", "pass"], CHECKOUT),
        NAME: ([LAUNCHER, "foreshadow", "query", str(CHAPTER)], folder),
    }


def report(taken: Mapping[str, float]) -> str:
    """Return one line: milliseconds and multiples of the floor."""
    spent, floor = taken[NAME], taken["floor"]
    return f"{NAME}: {spent * 1000:.1f} ms {spent / floor:.1f}×; aim: within {AIM:g} times"
