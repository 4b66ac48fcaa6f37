"""SessionStart's lines, from the project as the next command will find it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from builders import Book, book, killed_landing

from novel_hooks import layout
from novel_hooks.hook.notice import session_start

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def said(made: Book) -> str:
    found = session_start.respond({"source": "startup"}, str(made.root), {}, False)
    return str(json.loads(found)["systemMessage"])


def test_a_landing_that_was_killed_is_told_as_it_will_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = book(tmp_path, chapters=2)
    after, told = made.at(layout.CHECKPOINT).read_bytes(), said(made)
    before = json.loads(after)
    made.write(layout.CHECKPOINT, {**before, "last_completed_chapter": 1})
    assert said(made) != told
    killed_landing(made, monkeypatch, {layout.CHECKPOINT: after, layout.BLACKLIST: b'{"words": []}\n'})
    assert said(made) == told


def test_a_broken_journal_is_said_in_one_line(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.write(f"{layout.JOURNAL}/manifest.json", b"{}")
    assert len(said(made).split("\n")) <= 4 and "读不出来" in said(made)
