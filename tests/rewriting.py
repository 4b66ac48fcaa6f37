"""Whole chapters through the commands, and a book's bytes as far as a rollback speaks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from novel_hooks import layout
from novel_hooks.cli.context import Context

if TYPE_CHECKING:
    import pytest
    from builders import Book

NOW = 1_800_000_000.0
# What is remembered beside the book: no rollback takes it back, and nothing that lands depends on it.
BESIDE = (
    layout.ARCHIVE,
    layout.RUN,
    layout.OTHER_WORK,
    layout.VALIDITY,
    layout.SETTINGS,
    ".novel/judge",
    ".novel/attempts",
    layout.LINT,
    layout.RECALL,
    layout.WORD_TALLY,
    layout.FENCE,
    layout.FENCE_NEAR,
    layout.KNOWN_FILES,
    layout.LANDED_FOLDERS,
    layout.CHECKPOINT_SEAL,
    layout.LOCK_DIR,
    layout.OS_LOCK,
)
MOVE = {"op": "set", "path": "characters.shen-du.location", "value": "下游"}


def one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command runs at the same second, so that all its bytes can be compared."""
    monkeypatch.setattr(Context.__init__, "__defaults__", (lambda: NOW,))


def plant(name: str, action: str = "planted") -> dict[str, Any]:
    return {"op": "foreshadow", "path": name, "value": action, "detail": f"{name} {action}"}


def ending(made: Book, chapter: int, *names: str) -> None:
    """Let the plan say that these contracts of characters end in the chapter."""
    path = layout.contract(1, chapter)
    held = made.json(path)
    held["postconditions"]["closes"] = list(names)
    made.write(path, held)


def write_chapter(made: Book, *ops: dict[str, Any], until: str = "committed", **delta: Any) -> None:
    """The next chapter, to the stage; its delta moves the hero and does `ops`."""
    chapter = made.chapter
    made.ok("lock", "acquire")
    made.draft()
    made.advance("draft")
    if until == "drafting":
        return
    ops = ({**MOVE, "value": f"渡口{chapter}"}, *ops)
    made.records(base_state_version=_state_version(made), ops=list(ops), **delta)
    made.advance("summarize")
    made.advance("refine")
    for role in ("primary", "secondary") if chapter % 6 in (0, 1) else ("primary",):
        made.judge(4.5, role=role)
    made.advance("judge")
    if until == "judged":
        return
    made.ok("commit", "--chapter", str(chapter))
    made.chapter += 1


def _state_version(made: Book) -> int:
    if not made.at(layout.STATE).exists():
        return 0
    version: int = made.json(layout.STATE)["state_version"]
    return version


def files(made: Book) -> dict[str, bytes]:
    """path → bytes of every file of the book; what is kept beside it left out."""
    found = {}
    for place in made.root.rglob("*"):
        rel = place.relative_to(made.root).as_posix()
        if place.is_file() and not rel.startswith(BESIDE):
            found[rel] = place.read_bytes()
    return found


def unlike(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    """The paths that differ."""
    return [path for path in sorted({*one, *other}) if one.get(path) != other.get(path)]


def archived(made: Book, archive: str) -> dict[str, bytes]:
    """path → bytes of what an archive holds, the manifest left out."""
    base = made.at(f"{layout.ARCHIVE}/{archive}")
    held = {p.relative_to(base).as_posix(): p.read_bytes() for p in base.rglob("*") if p.is_file()}
    assert held.pop("manifest.json")
    return held
