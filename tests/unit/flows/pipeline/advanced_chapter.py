"""A chapter with everything staged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from builders import Book, book
from builders import fast_disk as fast_disk

if TYPE_CHECKING:
    from pathlib import Path


def full(tmp_path: Path, stage: str, revisions: int = 0, overall: float = 4.5, **gate: Any) -> Book:
    """Everything staged for chapter 2, the evaluation over the text as it is."""
    made = book(tmp_path)
    made.stage(stage, revisions)
    made.draft()
    made.records()
    made.evaluation(overall, gate=gate)
    return made
