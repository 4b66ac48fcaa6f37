"""A book whose setting is changed by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PLACE = f"{layout.WORLD}/河.md"


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Three chapters landed, three to come; the setting is noted as it is."""
    found = book(tmp_path, 3, 6)
    found.write(PLACE, "# 大河\n\n十三个渡口。\n\n## 第 5 个渡口\n\n水最急的一处。\n")
    found.ok("changed", "--note")
    return found


def change(made: Book, path: str, edit: Callable[[Any], object]) -> None:
    document = made.json(path)
    edit(document)
    made.write(path, document)


def touched(made: Book) -> dict[str, list[int]]:
    return {one["id"]: one["chapters"] for one in made.ok("changed")["changes"]}


def _rule(made: Book) -> None:
    change(made, layout.WORLD_RULES, lambda d: d["rules"][0].update(rule="灯灭之后可以回头"))
