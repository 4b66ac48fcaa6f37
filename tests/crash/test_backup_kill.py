"""A backup, and a book made of one: killed anywhere, no half file has a name and no half book is one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from copying import copied
from crash import killpoints

from novel_hooks import layout
from novel_hooks.cli.call import call
from novel_hooks.store.formats.backup_file import Reader
from tools.kill_points import KILLED, killed_at, trace

if TYPE_CHECKING:
    from pathlib import Path


def finished(folder: Path) -> list[str]:
    """The backups in the folder, each read whole."""
    names = [name for name in os.listdir(folder) if not name.startswith(".novel-tmp-")]
    for name in names:
        with open(folder / name, "rb") as file:
            Reader(file, name).check()
    return names


@killpoints.shares(3)
def test_a_killed_backup(share: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    killpoints.still(monkeypatch)
    monkeypatch.chdir(tmp_path)
    start = book(tmp_path)
    whole = killpoints.whole(killpoints.tree(start))
    (tmp_path / "out").mkdir()
    points = trace(lambda: copied(start, tmp_path / "traced").ok("backup", str(tmp_path / "out")))
    for number in killpoints.spread(points, share):
        made, out = copied(start, tmp_path / f"book-{number}"), tmp_path / f"out-{number}"
        out.mkdir()
        killed_at(number, lambda made=made, out=out: made.ok("backup", str(out)))
        assert len(finished(out)) <= 1
        left = killpoints.whole(killpoints.tree(made))
        assert {path: mark for path, mark in left.items() if path != layout.BACKED_UP} == whole
        made.ok("backup", str(out))
        assert 1 <= len(finished(out)) <= 2 and sorted(finished(out)) == sorted(os.listdir(out))


@killpoints.shares(3)
def test_a_killed_restore(share: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    killpoints.still(monkeypatch)
    monkeypatch.chdir(tmp_path)
    start = book(tmp_path)
    place = start.ok("backup", str(tmp_path / "a.zip"))["place"]

    def restore(target: Path) -> None:
        found = call("restore", [place, str(target)], {"NOVEL_DEBUG": "1"})
        assert found.exit == 0, found

    points = trace(lambda: restore(tmp_path / "traced"))
    for number in killpoints.spread(points, share):
        target = tmp_path / f"new-{number}"
        assert killed_at(number, lambda target=target: restore(target)) == KILLED
        again = not (target / layout.CHECKPOINT).exists()
        if again:
            restore(target)
        made = Book(target, start.chapter)
        assert not again or [path for path in made.tree() if ".novel-tmp-" in path] == []
        assert killpoints.whole(made.tree()) == killpoints.whole(start.tree()), points[number - 1]
