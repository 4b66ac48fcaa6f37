"""A book whose landed chapters are edited and recorded anew."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from builders import Book, book
from copying import once

from novel_hooks import layout
from novel_hooks.rules.state import changelog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


OP = {"op": "set", "path": "characters.shen-du.location", "value": "下游"}
PLANT = {"op": "foreshadow", "path": "bell-rope", "value": "planted", "detail": "钟绳断了一股"}
RESOLVE = {"op": "foreshadow", "path": "bell-rope", "value": "resolved", "detail": "钟绳接上了"}


def land(made: Book, chapter: int, *ops: Any, **delta: Any) -> None:
    """One chapter from draft to commit, by the files that its crew would leave."""
    made.chapter = chapter
    made.stage("judged")
    made.draft()
    version = made.json(layout.STATE)["state_version"]
    made.records(ops=list(ops) or [OP], base_state_version=version, **delta)
    made.evaluation(4.5, second=4.4 if chapter % 6 in (0, 1) else None)
    made.ok("commit", "--chapter", str(chapter))


def written(tmp_path: Path, last: int = 4) -> Book:
    """Chapter 1 by another tool, 2 to `last` by us: `inc` in 3 stands on what 2 sets."""
    return _written(last)(tmp_path)


@functools.cache
def _written(last: int) -> Callable[[Path], Book]:
    @once
    def build(place: Path) -> Book:
        made = book(place, 1)
        land(made, 2, {"op": "set", "path": "items.lamp.oil", "value": 3}, PLANT)
        if last > 2:
            land(made, 3, {"op": "inc", "path": "items.lamp.oil", "value": -1})
        if last > 3:
            land(made, 4, {"op": "set", "path": "locations.tower.lit", "value": True}, RESOLVE)
        return made

    return build


def edit(made: Book, chapter: int, text: str = "改过的一段。") -> None:
    path = made.at(layout.chapter(chapter))
    path.write_text(path.read_text("utf-8") + f"\n{text}\n", "utf-8")


def records(made: Book, chapter: int, *ops: Any, **delta: Any) -> None:
    """What the summarizer stages for the sync; the base version is that of the chapter's own line."""
    made.chapter = chapter
    if "base_state_version" not in delta:
        own = next(x for x in made.lines(layout.CHANGELOG) if x["chapter"] == chapter)
        delta = {"base_state_version": own["base_state_version"], **delta}
    made.records(ops=list(ops) or [OP], **delta)
    made.write(made.staged("summary"), "改过之后的摘要。\n")
    made.write(made.staged("memory"), "改过之后的记忆。\n")


def step(chapter: int, phase: str) -> str:
    return f"sync:{chapter:03d}:{phase}"


def through(
    made: Book, chapter: int, *ops: Any, overall: float = 4.2, second: float | None = None, **delta: Any
) -> None:
    """Everything up to the commit."""
    made.ok("sync", str(chapter), "--yes")
    made.ok("instructions", step(chapter, "summarize"), "--write-manifest")
    records(made, chapter, *ops, **delta)
    made.ok("advance", step(chapter, "summarize"))
    made.judge(overall)
    if second is not None:
        made.judge(second, role="secondary")
    made.ok("advance", step(chapter, "judge"))


def resync(made: Book, chapter: int, *ops: Any, **more: Any) -> Any:
    through(made, chapter, *ops, **more)
    return made.ok("commit", "--chapter", str(chapter))


def replayed(made: Book) -> Any:
    return changelog.replay(made.lines(layout.CHANGELOG))
