"""`make soak`, a short book: kills, edits, going back, and every invariant after each chapter."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tools import kill_points, soak


def test_a_short_book_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(kill_points, "_fsync", lambda _handle: None)
    lines: list[str] = []
    run = soak.Soak(os.path.join(str(tmp_path), "book"), seed=7, volume_size=4, kill_every=3)
    run.run(7, lines.append)
    assert run.author.last == 7 and run.kills
    assert "every invariant held" in lines[-1]
