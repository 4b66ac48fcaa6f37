"""`make soak`, a short book: kills, edits, going back, and every invariant after each chapter."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tools import kill_points, soak, soak_invariants


def test_a_short_book_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(kill_points, "_fsync", lambda _handle: None)
    lines: list[str] = []
    run = soak.Soak(os.path.join(str(tmp_path), "book"), seed=7, volume_size=4, kill_every=3)
    run.run(7, lines.append)
    assert run.author.last == 7 and run.kills
    assert "every invariant held" in lines[-1]


class _Last(random.Random):
    """Kills at the last point, and does not say the command again."""

    def randint(self, a: int, b: int) -> int:
        return b

    def random(self) -> float:
        return 1.0


def test_a_commit_killed_behind_its_landing_gives_its_lock_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(kill_points, "_fsync", lambda _handle: None)
    run = soak.Soak(os.path.join(str(tmp_path), "book"), seed=7, volume_size=4)
    run.luck = _Last()
    while (argv := run.author.due())[0] != "commit" or argv[1] != "--chapter":
        run.author.ok(*argv)
    run._kill(argv)
    assert run.author.last == 1
    run.author.texts[1] = run.author.prose(1)
    soak_invariants.check(run.author)
