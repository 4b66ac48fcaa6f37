"""Whatever the README shows of a terminal is what one demo prints: each block, line by line.

The book is the demo's. Its author edits a chapter, goes back and forth, and spoils the state, in this order;
a copy of it waits for his decision. Times are left out of the comparison.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from builders import BIN, OWNER
from conftest import CHECKOUT

from novel_hooks import layout
from novel_hooks.hook.guard import pre_tool_use

if TYPE_CHECKING:
    from collections.abc import Mapping

pty = pytest.importorskip("pty")

BLOCKS = re.findall(r"```console\n(.*?)```", Path(CHECKOUT, "README.md").read_text("utf-8"), re.S)
TIMES = re.compile(r"\s*\d+\.\d\d 秒|(?<=章 )[^　\n]*秒|\d+月\d+日 \d\d:\d\d")
LEFT_OUT = "· 要改："
ASKED = "回车："


class Terminal:
    """A shell in the book's folder; `said` is what came of each command that the README may show."""

    def __init__(self, book: Path) -> None:
        self.book = book
        self.said: dict[str, str] = {}

    def novel(self, *argv: str, answer: str = "") -> str:
        """Both of the command's streams, and what was typed. `answer` is given when it asks."""
        screen, tty = pty.openpty()
        env = {**os.environ, "COLUMNS": "400", "NOVEL_OWNER": OWNER, "PATH": "/usr/local/bin:/usr/bin:/bin"}
        with subprocess.Popen([BIN, *argv], cwd=self.book, stdin=tty, stdout=tty, stderr=tty, env=env):
            os.close(tty)
            seen = _read(screen, answer)
        os.close(screen)
        self.said[" ".join(["$ novel", *argv])] = seen
        return seen


def _read(screen: int, answer: str) -> str:
    seen = b""
    while True:
        try:
            more = os.read(screen, 65536)
        except OSError:  # the other end is closed
            break
        if not more:
            break
        seen += more
        if answer and seen.endswith(ASKED.encode()):
            os.write(screen, f"{answer}\n".encode())
    return seen.decode().replace("\r\n", "\n")


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """What the commands said, by `$ novel …`; the demo itself by its name."""
    place = tmp_path_factory.mktemp("readme")
    here = Terminal(place)
    here.said["demo"] = here.novel("demo", "demo-novel")
    here.book = place / "demo-novel"
    _guarded(here.book)
    here.novel("audit")
    with (here.book / layout.chapter(2)).open("a", encoding="utf-8") as text:
        text.write("\n雨停了。\n")
    here.novel("sync")
    here.novel("rollback", "1", answer="yes")
    here.novel("status")
    here.said["$ novel next"] = _waiting(here.book, place / "waiting")
    here.novel("restore", "1", answer="yes")
    state = here.book / layout.STATE
    document = json.loads(state.read_text("utf-8"))
    document["characters"]["deng-hua"]["location"] = "别处"
    state.write_text(json.dumps(document, ensure_ascii=False), "utf-8")
    here.novel("doctor")
    here.novel("rebuild", "state")
    return here.said


def _guarded(book: Path) -> None:
    """Three calls of a writer, as the guard hears of them."""
    given = {"agent_type": "novel:chapter-writer", "cwd": str(book)}
    for tool, path in (
        ("Write", layout.staged(layout.chapter(4))),
        ("Write", layout.chapter(3)),
        ("Bash", ""),
    ):
        event = {**given, "tool_name": tool, "tool_input": {"file_path": str(book / path)} if path else {}}
        pre_tool_use.respond(json.dumps(event).encode("utf-8"), {})


def _waiting(book: Path, place: Path) -> str:
    """`novel next` where the second chapter's fault may not be revised."""
    shutil.copytree(book, place)
    there = Terminal(place)
    there.novel("config", "max_revisions", "0")
    there.novel("demo", ".")
    return there.novel("next")


def timeless(text: str) -> list[str]:
    return [TIMES.sub("", line).rstrip() for line in text.splitlines()]


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.partition("\n")[0].strip()[:20])
def test_a_block_is_what_was_printed(block: str, said: Mapping[str, str]) -> None:
    command, _, shown = block.partition("\n")
    if command.startswith("$ "):
        assert timeless(shown) == timeless(said[command])
        return
    lines = [line for line in timeless(said["demo"]) if LEFT_OUT not in line]
    first = lines.index(timeless(block)[0])
    assert timeless(block) == lines[first : first + len(timeless(block))]


def test_every_kind_of_block_is_there() -> None:
    assert len(BLOCKS) == 9
    assert len({block.partition("\n")[0] for block in BLOCKS}) == 9
