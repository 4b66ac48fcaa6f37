"""`make soak`, a short book: kills, edits, going back, and every invariant after each chapter."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tools import kill_points, soak


@pytest.mark.parametrize("chapters", [7, pytest.param(8, marks=pytest.mark.exhaustive)])
def test_a_short_book_holds(chapters: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(kill_points, "_fsync", lambda _handle: None)
    lines: list[str] = []
    run = soak.Soak(os.path.join(str(tmp_path), "book"), seed=7, volume_size=4, kill_every=3)
    run.run(chapters, lines.append)
    assert run.author.last == chapters and run.kills
    assert "every invariant held" in lines[-1]


class _Behind(random.Random):
    """Kills the commit so many points before its last one, and does not say it again."""

    back = 0

    def randint(self, a: int, b: int) -> int:
        return b if b == 8 else b - self.back

    def random(self) -> float:
        return 1.0


@pytest.mark.parametrize("back", [2, 30])
def test_a_commit_killed_behind_its_commit_point_leaves_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, back: int
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(kill_points, "_fsync", lambda _handle: None)
    run = soak.Soak(os.path.join(str(tmp_path), "book"), seed=7, volume_size=4, kill_every=1)
    run.luck = _Behind()
    run.luck.back = back
    run._chapter(1)
    assert [command for _, command, _ in run.kills] == ["commit"]
    run._check()
