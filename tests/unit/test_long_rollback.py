"""Rollback of a book longer than two snapshots: at them, beside them, without them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book, copied
from builders import fast_disk as fast_disk
from rewriting import files, one_moment, plant, unlike, write

from novel_hooks import layout
from novel_hooks.flows import snapshots
from novel_hooks.rules import changelog

if TYPE_CHECKING:
    from pathlib import Path

LAST = 101
SIZE = 110


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """One volume; snapshots after chapters 50 and 100."""
    made = book(tmp_path_factory.mktemp("long"), LAST, volume_size=SIZE)
    assert made.names(layout.SNAPSHOTS) == ["chapter-050.json", "chapter-100.json"]
    return made


@pytest.fixture
def made(long: Book, tmp_path: Path) -> Book:
    return copied(long, tmp_path / "book")


def check(made: Book, to: int) -> None:
    """State, log, snapshots and doctor of a book that was taken back to `to`."""
    lines = made.lines(layout.CHANGELOG) if to else []
    assert [line["chapter"] for line in lines] == list(range(1, to + 1))
    if to:
        assert made.json(layout.STATE) == changelog.replay(lines)
    else:
        assert not made.at(layout.STATE).exists() and not made.at(layout.CHANGELOG).exists()
    assert made.names(layout.SNAPSHOTS) == [
        layout.snapshot(n).rpartition("/")[2] for n in range(snapshots.EVERY, to + 1, snapshots.EVERY)
    ]
    found = {d.code for d in made.novel("doctor").diagnostics if d.severity != "info"}
    assert found <= {"FORESHADOWING_ODD"}  # told by the rollback: no landed record


@pytest.mark.parametrize("to", [100, 99, 51, 50, 49, 1, 0])
def test_back_to_a_snapshot_and_beside_it(made: Book, to: int) -> None:
    before = files(made)
    made.ok("rollback", str(to), "--yes")
    check(made, to)
    made.ok("restore", "1", "--yes")
    assert [path for path in unlike(before, files(made)) if path != layout.CHECKPOINT] == []


@pytest.mark.parametrize("spoilt", [(50,), (100,), (50, 100)])
@pytest.mark.parametrize("to", [100, 51])
def test_what_a_snapshot_does_not_tell_the_log_does(made: Book, to: int, spoilt: tuple[int, ...]) -> None:
    sound = copied(made, made.root.parent / "sound")
    sound.ok("rollback", str(to), "--yes")
    for number in spoilt:
        place = made.at(layout.snapshot(number))
        place.write_bytes(place.read_bytes()[:-20])
    made.ok("rollback", str(to), "--yes")
    assert made.json(layout.STATE) == sound.json(layout.STATE)


def test_over_two_snapshots_and_back_and_written_again(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """Down in steps, the chapter of a snapshot written again, and down again past it."""
    one_moment(monkeypatch)
    made.ok("rollback", "99", "--yes")
    made.chapter = 100
    write(made, plant("third-rope"))
    first = made.at(layout.snapshot(100)).read_bytes()
    write(made)
    made.ok("rollback", "99", "--yes")
    made.chapter = 100
    write(made, plant("third-rope"))
    assert made.at(layout.snapshot(100)).read_bytes() == first
    check(made, 100)
    made.ok("rollback", "60", "--yes")
    made.ok("rollback", "50", "--yes")
    check(made, 50)
