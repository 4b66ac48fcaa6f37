"""A chapter whose verdict makes it wait for the author."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builders import Book, book
from builders import fast_disk as fast_disk

if TYPE_CHECKING:
    from pathlib import Path


def paused(tmp_path: Path, overall: float = 2.5) -> Book:
    """Chapter 2, judged and waiting for the author; the lock is free."""
    made = book(tmp_path)
    made.until("judged", overall)
    assert made.next()["stop"] is True
    return made
