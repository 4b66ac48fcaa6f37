"""A small project and a landing with every kind of change, for the tests that break landings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from copying import copy_tree

from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import journal, redo

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pytest

    from novel_hooks.store.journal.journal import Change

Tree = dict[str, "tuple[int, bytes | None]"]

LABEL = "第 2 章入库"
NEW_CHAPTER = "第二章 雨停了。\n".encode() * 400
CHANGES: tuple[Change, ...] = (
    journal.put("chapters/chapter-002.md", NEW_CHAPTER),
    journal.put("evaluations/chapter-002-eval.json", b'{"overall": 4.2}\n'),
    journal.put("state/current-state.json", b'{"state_version": 2}\n'),
    journal.append("state/changelog.jsonl", b'{"chapter":2}\n'),
    journal.append("logs/unknown-entities.jsonl", b'{"mention":"x"}\n'),
    journal.remove("staging/chapters/chapter-002.md"),
    journal.remove("staging/absent.md"),
    journal.put(".checkpoint.json", b'{"last_completed_chapter": 2}\n'),
)


def build_project(root: Path) -> Project:
    """A project of one landed chapter; its change log lacks the last LF, one file has an odd mode."""
    files = {
        ".checkpoint.json": b'{"last_completed_chapter": 1}\n',
        "chapters/chapter-001.md": "第一章\n".encode(),
        "state/current-state.json": b'{"state_version": 1}\n',
        "state/changelog.jsonl": b'{"chapter":1}',
        "staging/chapters/chapter-002.md": NEW_CHAPTER,
    }
    for rel, data in files.items():
        place = root / rel
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    (root / "state/current-state.json").chmod(0o640)
    return Project(str(root))


def land_all(project: Project) -> None:
    journal.land(project, CHANGES, label=LABEL, guard=lambda: None)


def as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on a landing publishes as one of very many files does: new ones as further names."""

    def by_time(entries: Sequence[redo.Entry]) -> tuple[list[redo.Entry], list[redo.Entry]]:
        early = [entry for entry in entries if redo._may_be_early(entry)]
        return early, [entry for entry in entries if entry not in early]

    monkeypatch.setattr(redo, "_by_time", by_time)


class Killed(BaseException):
    """The end of a landing in this process, in place of a kill."""


def commit_only(project: Project, changes: Sequence[Change] = CHANGES, published: int = 0) -> Project:
    """Land up to the commit point and `published` files further, without a process of its own."""
    left = [True] * (1 + published)  # the guard is asked before the commit point and before each file

    def guard() -> None:
        if not left:
            raise Killed
        left.pop()

    try:
        journal.land(project, changes, label=LABEL, guard=guard)
    except Killed:
        return project
    raise AssertionError("the landing came to its end")


def tree(project: Project) -> Tree:
    """Every file and folder with mode and bytes, but `.novel` itself and its OS lock."""
    found: Tree = {}
    for folder, folders, files in os.walk(project.root):
        for name in (*folders, *files):
            place = os.path.join(folder, name)
            rel = os.path.relpath(place, project.root)
            if rel in (".novel", os.path.join(".novel", "os.lock")):
                continue
            found[rel] = (os.lstat(place).st_mode, _bytes(place))
    return found


def copy(project: Project, to: Path) -> Project:
    copy_tree(project.root, str(to))
    return Project(str(to))


def after(start: Project, to: Path) -> Tree:
    """What the tree looks like when the landing got through."""
    through = copy(start, to)
    land_all(through)
    return tree(through)


def _bytes(place: str) -> bytes | None:
    if not os.path.isfile(place):
        return None
    with open(place, "rb") as handle:
        return handle.read()
