"""A new book with its settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from conftest import CHECKOUT

from novel_hooks import layout

TEMPLATE = Path(CHECKOUT, "novel_hooks/templates/novel.yaml").read_text("utf-8")


NAME = layout.CONFIG


@pytest.fixture
def made(tmp_path: Path) -> Book:
    found = book(tmp_path)
    found.write(NAME, TEMPLATE)
    return found
