"""Chapters to be read: a lost one is told as lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import book
from builders import fast_disk as fast_disk

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("command", ["read", "diff"])
def test_a_landed_chapter_that_is_gone_is_lost_and_not_unwritten(tmp_path: Path, command: str) -> None:
    made = book(tmp_path, chapters=2)
    made.drop(layout.chapter(1))
    refused = made.refused(5, "LANDED_TEXT_GONE", command, "1")
    assert "从备份取回 chapters/chapter-001.md" in refused.fix
    made.refused(3, "CHAPTER_UNWRITTEN", command, "3")


def test_several_faults_of_the_checkpoint_are_all_told(tmp_path: Path) -> None:
    made = book(tmp_path, 1)
    point = made.json(layout.CHECKPOINT)
    made.write(layout.CHECKPOINT, {**point, "last_completed_chapter": "x", "revision_count": "y"})
    found = made.novel("read", "99")
    assert found.exit == 5
    assert [one.code for one in found.diagnostics] == ["CHECKPOINT_BROKEN"] * 2
