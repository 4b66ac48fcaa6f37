"""Packets of planners of the sample book."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book
from builders import fast_disk as fast_disk
from planbook import sample_book

from novel_hooks.store.files import assets

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def sample(tmp_path: Path) -> Book:
    return sample_book(tmp_path / "book")


def packet(made: Book, step: str, *more: str) -> dict[str, Any]:
    found: dict[str, Any] = made.ok("instructions", step, *more)
    return found


def paths(found: dict[str, Any], key: str) -> list[str]:
    return [i["path"] for i in found["inputs"] if i["key"] == key]


def template(name: str) -> bytes:
    return assets.load(assets.package_path(f"templates/{name}"))


def said(made: Book, step: str, exit: int) -> list[tuple[str, str | None]]:
    """Code and path of everything that is told."""
    found = made.novel("instructions", step)
    assert found.exit == exit, found.diagnostics
    return [(d.code, d.path) for d in found.diagnostics]
