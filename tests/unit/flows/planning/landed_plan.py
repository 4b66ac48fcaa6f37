"""Plans that are staged, landed and refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book
from builders import fast_disk as fast_disk
from planbook import staged_book

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path

CARD = layout.staged(layout.character_card("xu-er"))


@pytest.fixture
def staged(tmp_path: Path) -> Book:
    """Everything of the sample in staging."""
    return staged_book(tmp_path / "book", "volumes", layout.STORYLINES)


def set_up(made: Book) -> Book:
    made.ok("commit", "--setup")
    return made


def planned(made: Book) -> Book:
    made.ok("advance", "volume:01:outline")
    made.ok("advance", "volume:01:validate")
    return made


def told(made: Book, *argv: str, exit: int = 1) -> list[tuple[str, str | None]]:
    before = made.tree()
    found = made.novel(*argv)
    assert found.exit == exit, found
    assert made.changed(before) == {}
    return [(d.code, d.path) for d in found.diagnostics]
