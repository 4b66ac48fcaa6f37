"""A chapter that has passed the gate and is about to land."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from builders import Book, book

if TYPE_CHECKING:
    from pathlib import Path


LINE = "tower-line"
ENTITY = {"mention": "独眼渔夫", "context": "在岸上望着船", "suggested_type": "character"}
PLANT = {"op": "foreshadow", "path": "bell-rope", "value": "planted", "detail": "钟绳断了一股"}


def passed(tmp_path: Path, chapters: int = 1, **delta: Any) -> Book:
    """The chapter at judged with a verdict that lets it land."""
    made = book(tmp_path, chapters)
    made.stage("judged")
    made.draft()
    made.records(**delta)
    second = 4.4 if (chapters + 1) % 6 in (0, 1) else None
    made.evaluation(4.5, second=second)
    return made


def commit(made: Book, *more: str) -> Any:
    return made.ok("commit", "--chapter", str(made.chapter), *more)


def op(**changes: Any) -> dict[str, Any]:
    return {"op": "set", "path": "characters.shen-du.location", "value": "下游", **changes}
