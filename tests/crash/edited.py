"""A book whose third chapter was changed by hand, at each stage of recording it anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builders import Book, book
from rewriting import plant, write_chapter

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path


def edited(place: Path) -> Book:
    """Chapters 2 to 4, the middle one changed by hand."""
    made = book(place, 1)
    for ops in ((plant("bell-rope"),), (plant("bell-rope", "advanced"),), ()):
        write_chapter(made, *ops)
    text = made.at(layout.chapter(3))
    text.write_text(text.read_text("utf-8") + "\n改过的一段。\n", "utf-8")
    made.chapter = 3
    return made


def opened(place: Path) -> Book:
    made = edited(place)
    made.ok("sync", "3", "--yes")
    made.records(base_state_version=2, ops=[plant("old-coin")])
    return made


def judged(place: Path) -> Book:
    made = opened(place)
    made.ok("advance", "sync:003:summarize")
    made.judge(4.2)
    return made


def due_book(place: Path) -> Book:
    made = judged(place)
    made.ok("advance", "sync:003:judge")
    return made
