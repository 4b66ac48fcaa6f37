"""An `init` that was killed behind its commit point: status and doctor see it, and say what finishes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book
from builders import fast_disk as fast_disk

from novel_hooks import errors, layout
from novel_hooks.cli.call import call
from novel_hooks.store.journal import recovery

if TYPE_CHECKING:
    from pathlib import Path


def test_it_is_no_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "book"

    def die(*_: object) -> None:
        raise errors.JournalPending(layout.JOURNAL, label="试", detail="断电")

    with monkeypatch.context() as patched:
        patched.setattr(recovery, "finish", die)
        assert call("init", [str(root)], {"NOVEL_OWNER": "one"}).exit != 0
    made = Book(root, 1)
    before = made.tree()
    for command in ("status", "next", "doctor"):
        told = made.novel(command)
        assert told.exit != 0
        assert "INIT_INTERRUPTED" in [one.code for one in told.diagnostics], command
    assert made.changed(before) == {}
    assert call("init", [str(root)], {"NOVEL_OWNER": "one"}).exit == 0
    assert made.novel("status").exit == 0
