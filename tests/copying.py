"""Copies of books: of one, and of one that is built once and copied for each test."""

from __future__ import annotations

import functools
import itertools
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from conftest import MUTANTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from builders import Book


def copied(source: Book, place: Path) -> Book:
    """The same book at another place, with its times and modes."""
    copy_tree(str(source.root), str(place))
    return type(source)(place, source.chapter)


_numbers = itertools.count(1)


def once(make: Callable[[Path], Book]) -> Callable[[Path], Book]:
    """What `make(place)` builds at `place/book`, built once in this process and copied for each test.

    What is known by a file's stat differs from copy to copy: commands that note it (a hand-out, `sync`) come
    after the copying.
    """

    @functools.cache
    def first(base: Path) -> Book:
        place = base / f"once-{next(_numbers)}"
        place.mkdir()
        return make(place)

    return lambda place: make(place) if MUTANTS else copied(first(place.parent), place / "book")


def copy_tree(source: str, target: str) -> None:
    """As `shutil.copytree(…, symlinks=True)`, which asks the system four times as much for each file."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    os.mkdir(target)
    with os.scandir(source) as found:
        entries = list(found)
    for entry in entries:
        to = f"{target}/{entry.name}"
        if entry.is_symlink():
            os.symlink(os.readlink(entry.path), to)
        elif entry.is_dir():
            copy_tree(entry.path, to)
            continue
        elif entry.is_file():
            with open(entry.path, "rb", buffering=0) as old, open(to, "xb", buffering=0) as new:
                new.write(old.readall())
        _like(entry.stat(follow_symlinks=False), to)
    _like(os.stat(source), target)


def _like(found: os.stat_result, place: str) -> None:
    """Give the place the mode and the times that were found."""
    if not stat.S_ISLNK(found.st_mode):
        os.chmod(place, stat.S_IMODE(found.st_mode))
    os.utime(place, ns=(found.st_atime_ns, found.st_mtime_ns), follow_symlinks=False)
