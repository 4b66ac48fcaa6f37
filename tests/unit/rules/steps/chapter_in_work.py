"""A chapter in work and the step that is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builders import RECORDS, Book, book

if TYPE_CHECKING:
    from pathlib import Path

ALL = ("chapter", *RECORDS)


def in_work(tmp_path: Path, stage: str, revisions: int = 0, staged: tuple[str, ...] = ALL) -> Book:
    """Chapter 2, no key chapter, at the stage, with these outputs found."""
    made = book(tmp_path)
    made.stage(stage, revisions)
    if "chapter" in staged:
        made.draft()
    made.records([key for key in staged if key != "chapter"])
    return made
