"""Names that were noted, and deltas that name things."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path

LOG = layout.UNKNOWN_ENTITIES


def note(chapter: int, mention: str, **more: Any) -> dict[str, Any]:
    return {
        "ts": "2030-01-02T03:04:05Z",
        "chapter": chapter,
        "mention": mention,
        "context": f"{mention}在渡口",
        "suggested_type": "character",
        **more,
    }


def noted(made: Book, *lines: dict[str, Any]) -> None:
    made.write(LOG, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


# --- at validate -----------------------------------------------------------------------------


def validated(made: Book) -> Any:
    return made.novel("validate", made.step("summarize"))


def staged(place: Path, crossref: Any = None, **delta: Any) -> Book:
    made = book(place)
    made.stage("drafting")
    made.draft("# 第 2 章 夜渡\n\n沈渡把缆绳解开，石婆在岸上看着。\n")
    made.records(**delta)
    if crossref is not None:
        made.write(made.staged("crossref"), crossref)
    return made


# --- ids that are new: what the op does with them, and what is said -----------------------------------


def op(path: str, value: Any = "灯", kind: str = "set") -> dict[str, Any]:
    return {"op": kind, "path": path, "value": value}
