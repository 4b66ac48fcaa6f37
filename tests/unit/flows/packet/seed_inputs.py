"""Packets by the rules of the seed, and what a draft gets."""

from __future__ import annotations

from typing import Any

from builders import Book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from unit.flows.packet.test_chapter_inputs import packet

CONTRACT = layout.contract(1, 5)


def draft(made: Book) -> dict[str, Any]:
    return packet(made, "draft")


def inputs(found: dict[str, Any], key: str) -> list[dict[str, Any]]:
    return [one for one in found["inputs"] if one["key"] == key]


def paths(found: dict[str, Any], key: str) -> list[str]:
    return [one["path"] for one in inputs(found, key)]


def contract(made: Book, **changes: Any) -> None:
    made.write(CONTRACT, {**made.json(CONTRACT), **changes})


def stopped(made: Book, phase: str = "draft") -> list[tuple[str, str | None]]:
    """(code, path) of everything that stops the step; nothing may change."""
    before = made.tree()
    found = made.novel("instructions", made.step(phase))
    assert found.exit == 3 and found.data is None
    assert made.changed(before) == {}
    assert all(d.fix for d in found.diagnostics)
    return [(d.code, d.path) for d in found.diagnostics]
