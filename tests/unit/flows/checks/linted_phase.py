"""A chapter whose text is taken at a phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builders import Book, book
from builders import fast_disk as fast_disk

if TYPE_CHECKING:
    from pathlib import Path

STAGES = {
    "draft": ("drafting", 0),
    "refine": ("drafted", 0),
    "revise": ("revising", 1),
    "polish": ("revising", 0),
}


def at_phase(tmp_path: Path, phase: str) -> Book:
    made = book(tmp_path)
    made.stage(*STAGES[phase])
    made.draft()
    if phase != "draft":
        made.records()
    if phase in ("revise", "polish"):
        made.evaluation(3.2 if phase == "revise" else 3.7, gate={"decision": phase})
    return made
