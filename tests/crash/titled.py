"""Books whose chapters carry their titles in the names of their files (`chapter_names: title`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import builders

from tools import bookmaker

if TYPE_CHECKING:
    import pytest


def begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every book that is made from now on has the setting; the chapters that it was made with wait for it."""
    monkeypatch.setattr(bookmaker, "SETTINGS", f"{bookmaker.SETTINGS}chapter_names: title\n")
    monkeypatch.setattr(builders, "MADE", {})
