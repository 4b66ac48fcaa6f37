"""A refined chapter whose verdict is recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from builders import Book, book
from builders import fast_disk as fast_disk

if TYPE_CHECKING:
    from pathlib import Path


def refined(tmp_path: Path, revisions: int = 0, key_chapter: bool = False) -> Book:
    made = book(tmp_path)
    if key_chapter:
        made.key_chapter()
    made.stage("refined", revisions)
    made.draft()
    made.records()
    return made


def record(made: Book, said: Any, *more: str, role: str = "primary") -> Any:
    return made.novel("judge", "record", "--role", role, "--file", made.words(said), *more)
