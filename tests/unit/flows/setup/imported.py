"""A book into which notes are imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book
from builders import fast_disk as fast_disk
from planbook import sample_book

if TYPE_CHECKING:
    from pathlib import Path


TEXT = "# 盐路\n\n从盐仓到渡口，走三天。\n"


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return sample_book(tmp_path / "book")


def note(place: Path, name: str = "盐路.md", data: bytes | str = TEXT) -> str:
    path = place / "手边" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode("utf-8") if isinstance(data, str) else data)
    return str(path)


def refusal(made: Book, *argv: str) -> str:
    """Message and fix of an import that is refused, with nothing changed."""
    found = made.refused(3, "NOTE_REFUSED", "import", *argv)
    return f"{found.message} {found.fix}"
