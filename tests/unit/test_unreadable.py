"""A folder that this user may not read: every command says which, and none takes it for a bug of its own."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from rewriting import plant, write

from novel_hooks import layout

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


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Chapter 4 is out to its writer, and written: the second fence stands."""
    found = book(tmp_path, 1)
    write(found, plant("bell-rope"))
    write(found)
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
