"""A folder that this user may not read: every command says which, and none takes it for a bug of its own."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from copying import once
from rewriting import plant, write_chapter

from novel_hooks import layout
from novel_hooks.errors import WriteFailed
from novel_hooks.store.journal import journal
from novel_hooks.store.lock import lock

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COMMANDS = (
    ("next",),
    ("status",),
    ("outline",),
    ("foreshadow", "--chapter", "4"),
    ("audit",),
    ("gate", "3"),
    ("validate", "chapter:004:draft"),
    ("lock", "status"),
    ("rollback", "--list"),
    ("doctor",),
    ("sync",),
    ("sync", "3", "--accept"),
    ("instructions", "chapter:004:summarize"),
    ("advance", "chapter:004:draft"),
    ("judge", "record", "--role", "primary", "--file", os.devnull),
    ("fail", "chapter:004:draft", "--reason", "停电"),
    ("decide", "4", "accept"),
    ("commit", "--chapter", "4"),
    ("rebuild", "state"),
    ("retry",),
    ("lock", "acquire"),
    ("restore", "1", "--yes"),
    ("doctor", "--fix"),
    ("rollback", "1", "--yes"),
)
# What needs the folder, and is refused for it.
NEEDS = {
    "chapters": ("rollback", "1", "--yes"),
    "storylines": ("advance", "chapter:004:draft"),
    "volumes": ("next",),
    "staging": ("next",),
    "state": ("rollback", "1", "--yes"),
    "evaluations": ("gate", "3"),
    ".novel/landed": ("rollback", "1", "--yes"),
}


@once
def _written(place: Path) -> Book:
    """Three chapters landed."""
    found = book(place, 1)
    write_chapter(found, plant("bell-rope"))
    write_chapter(found)
    return found


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Chapter 4 is out to its writer, and written: the second fence stands."""
    found = _written(tmp_path)
    found.ok("lock", "acquire")
    found.ok("instructions", "chapter:004:draft", "--write-manifest")
    found.draft()
    return found


@pytest.mark.parametrize("listing_only", [False, True], ids=["nothing", "names"])
@pytest.mark.parametrize("folder", NEEDS)
def test_every_command_names_what_it_cannot_read(
    made: Book, folder: str, listing_only: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Either nothing in the folder can be reached, or only its names cannot be listed."""
    for name in ("listdir", "scandir"):
        _deny(monkeypatch, name, str(made.at(folder)), "")
    for name in () if listing_only else ("open", "lstat", "stat"):
        _deny(monkeypatch, name, str(made.at(folder)), os.sep)
    for argv in COMMANDS:
        found = made.novel(*argv)
        codes = [d.code for d in found.diagnostics]
        assert found.exit in (0, 1, 2, 3, 5) and "NOVEL_BUG" not in codes, (argv, found)
        if argv == NEEDS[folder] and not listing_only:
            refused = next(d for d in found.diagnostics if d.code == "FILE_UNREADABLE")
            assert (found.exit, str(refused.path).startswith(folder)) == (3, True)
            assert "没有权限" in refused.message and str(refused.path) in refused.fix


def test_the_fence_that_cannot_walk_names_the_folder(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    point = made.at(layout.CHECKPOINT).read_bytes()
    _deny(monkeypatch, "scandir", str(made.at("chapters")), "")
    refused = made.refused(3, "FILE_UNREADABLE", "advance", "chapter:004:draft")
    assert refused.path == "chapters"
    assert made.at(layout.CHECKPOINT).read_bytes() == point


def _deny(monkeypatch: pytest.MonkeyPatch, name: str, folder: str, below: str) -> None:
    """`os.NAME` is refused below the folder, and with `below` empty for the folder itself too."""
    real: Callable[..., Any] = getattr(os, name)

    def call(place: Any, *more: Any, **named: Any) -> Any:
        at = place if isinstance(place, str) else ""
        if at.startswith(folder + os.sep) or (at == folder and not below):
            raise PermissionError(errno.EACCES, "Permission denied", at)
        return real(place, *more, **named)

    monkeypatch.setattr(os, name, call)


@pytest.mark.parametrize(
    "folder", ["characters/active", "characters", "world", "storylines", "research/更多"]
)
def test_a_note_that_has_landed_is_no_refusal(
    made: Book, tmp_path: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is read of the book around it is told or left out; the fence stays as it was for the rest."""
    given = tmp_path / "渡口.md"
    given.write_text("渡口有三条船。\n", encoding="utf-8")
    made.at(folder).mkdir(parents=True, exist_ok=True)
    with monkeypatch.context() as denied:
        for name in ("listdir", "scandir"):
            _deny(denied, name, str(made.at(folder)), "")
        for name in ("open", "lstat", "stat"):
            _deny(denied, name, str(made.at(folder)), os.sep)
        assert made.novel("import", str(given)).exit == 0
    assert made.at("research/渡口.md").is_file()
    made.ok("advance", "chapter:004:draft")


def test_nor_is_a_setting(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as denied:
        _deny(denied, "scandir", str(made.at("world")), "")
        assert made.novel("config", "title", "长夜").exit == 0
    made.ok("advance", "chapter:004:draft")


@pytest.mark.parametrize(("argv", "told"), [(("config", "title", "长夜"), "accept-changes")])
def test_a_fence_that_cannot_be_written_is_told(
    made: Book, argv: tuple[str, ...], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _full(monkeypatch, layout.FENCE)
    found = made.novel(*argv)
    assert found.exit == 0 and any(told in one.message for one in found.diagnostics), found


def test_a_lock_that_cannot_be_given_back_is_told(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    made.ok("lock", "release")

    def fails(*_: Any) -> None:
        raise WriteFailed(layout.LOCK_DIR, reason="磁盘满了")

    monkeypatch.setattr(lock, "release", fails)
    found = made.novel("config", "title", "长夜")
    assert found.exit == 0 and any("磁盘满了" in one.message for one in found.diagnostics), found


def _full(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    real = journal.land

    def land(project: Any, changes: Any, **more: Any) -> None:
        if any(change.path == path for change in changes):
            raise WriteFailed(path, reason="磁盘满了")
        real(project, changes, **more)

    monkeypatch.setattr(journal, "land", land)
