"""A step that is out, and a shell beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

if TYPE_CHECKING:
    from pathlib import Path

CODE = "WRITE_OUTSIDE_STAGING"


@pytest.fixture
def out(tmp_path: Path) -> Book:
    """A book whose draft is handed out and written."""
    made = book(tmp_path, chapters=3)
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"), "--write-manifest")
    made.draft()
    return made
