"""A book that stops behind its steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.store.schema import schema

if TYPE_CHECKING:
    from pathlib import Path

KEYS = ["go-on", "again", "stop"]


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path)


def work(made: Book, phase: str, version: int = 1) -> dict[str, Any]:
    """The step handed out, the agent's files; nothing is taken. The packet."""
    written = made.ok("instructions", made.step(phase), "--write-manifest")["manifest"]
    packet: dict[str, Any] = made.json(written)
    if phase == "judge":
        made.judge(4.5, role=packet["role"])
    elif phase == "summarize":
        made.records()
    else:
        made.draft(version=version)
    return packet


def stopped(made: Book, phase: str) -> dict[str, Any]:
    """`next` asks about this step, in the form of its schema."""
    found = made.next()
    assert (found["step"], found["stop"], found["recorded"]) == (made.step(phase), True, True), found
    assert (found["agent"], found["model"]) == (None, None)
    keys = [*KEYS[:1], "revise", *KEYS[1:]] if phase == "judge" else KEYS
    assert [choice["key"] for choice in found["choices"]] == keys
    assert schema.problems("next", found, "next") == []
    return found


def answer(made: Book, said: str, *note: str) -> Any:
    return made.ok("decide", str(made.chapter), said, *note)


def finished(made: Book) -> None:
    """What the host's hook notes when the agent is done."""
    made.write(layout.HANDOUT, {**made.json(layout.HANDOUT), "done": True})
