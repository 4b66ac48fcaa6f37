"""Every daily command on a terminal of 80 and of 40 columns: lines fit, none begins with a closing mark."""

from __future__ import annotations

import fcntl
import os
import re
import struct
import sys
import termios
import threading
from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.cli.call import COMMANDS
from novel_hooks.cli.main import run
from novel_hooks.cli.manual import front_page
from novel_hooks.cli.screen.width import text_width

if TYPE_CHECKING:
    from pathlib import Path

CLOSING = "，。！？；：、）》〉」』】〕”’"
ROWS = 3000
"""So many that no page is shown by a pager."""
SHOWN: list[tuple[str, ...]] = [
    *((name, *COMMANDS[name][2].split()) for _, names in front_page.DAILY for name in names),
    ("help",),
    ("help", "--all"),
    ("help", "export"),
    ("next",),
    ("gate", "5"),
    ("context", "写手"),
    ("outline", "--chapter", "5"),
    ("outline", "--check"),
    ("foreshadow", "overdue"),
    ("foreshadow", "show", "clue-001"),
    ("entities",),
    ("review",),
    ("log", "5"),
    ("audit",),
    ("doctor",),
    ("changed",),
    ("sync",),
    ("restore",),
    ("restore", "1"),
    ("rollback", "3"),
    ("replan",),
    ("rename", "沈渡", "沈舟"),
    ("retire", "沈渡"),
    ("lint", "99"),
    ("config", "通过线"),
    ("撤销",),
    ("statu",),
    ("foreshadow", "query"),
]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """A book with an archive, a chapter that was edited, and too many chapters without a backup."""
    made = book(tmp_path_factory.mktemp("screens"), 13, 20)
    made.ok("rollback", "12", "--yes")
    text = made.at(layout.chapter(12))
    text.write_bytes(text.read_bytes() + "铜灯灭了，沈渡没有回头。\n".encode())
    return made


def screen(columns: int, made: Book, *argv: str) -> list[str]:
    """The lines that a terminal of so many columns is sent, of both streams."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, columns, 0, 0))
    seen: list[bytes] = []
    reader = threading.Thread(target=_drain, args=(ours, seen))
    reader.start()
    before = sys.stdout, sys.stderr
    with os.fdopen(theirs, "w", encoding="utf-8") as terminal:
        sys.stdout = sys.stderr = terminal
        try:
            run([*argv, "--project", str(made.root)], {"NOVEL_OWNER": "reader", "PATH": ""})
        finally:
            sys.stdout, sys.stderr = before
    reader.join()
    os.close(ours)
    return b"".join(seen).decode("utf-8").replace("\r\n", "\n").splitlines()


def _drain(handle: int, seen: list[bytes]) -> None:
    while True:
        try:
            data = os.read(handle, 65536)
        except OSError:  # the other end is closed
            return
        if not data:
            return
        seen.append(data)


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("argv", SHOWN, ids=" ".join)
def test_a_screen(
    argv: tuple[str, ...], columns: int, shelf: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr("webbrowser.open", lambda *_: True)
    argv = (*argv, str(tmp_path)) if argv == ("backup",) else argv
    lines = screen(columns, shelf, *argv)
    assert lines, argv
    assert [line for line in lines if text_width(line) > columns] == []
    assert [line for line in lines if line.lstrip()[:1] and line.lstrip()[:1] in CLOSING] == []
    whole = "\n".join(lines)
    torn = [one for one in re.findall(r"`(novel[^`]*)`", whole) if "\n" in one]
    assert [one for one in torn if text_width(re.sub(r"\s+", " ", one)) < columns - 12] == []
