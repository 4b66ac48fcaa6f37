"""What a terminal shows of one demo, for the pages and their pictures: each command with its answer.

The book is the demo's. Its author edits a chapter, goes back and forth, and spoils the state, in this order;
a copy of it waits for his decision.
"""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
from pathlib import Path

from novel_hooks import layout
from novel_hooks.hook.guard import pre_tool_use

CHECKOUT = Path(__file__).resolve().parents[1]
COLUMNS = 80
DEMO = "$ make demo"
_ASKED = "回车："
_TIMES = re.compile(r"\s*\d+\.\d\d 秒|(?<=章 )[^　\n]*秒|\d+月\d+日 \d\d:\d\d")
_DETAIL, _CONTINUED = "· 要改：", re.compile(r" {4}\S")
_FIRST, _LAST = "  第 2 章　写初稿", "[████████████████████] 3/3 章"


class Terminal:
    """A shell in the book's folder; `said` maps each typed `$ novel …` to its output."""

    def __init__(self, book: Path) -> None:
        self.book = book
        self.said: dict[str, str] = {}

    def novel(self, *argv: str, answer: str = "", columns: int = COLUMNS) -> str:
        """Run the command; return what was typed, with both output streams.

        `answer` is typed when the command asks.
        """
        screen, tty = pty.openpty()
        env = {
            **os.environ,
            "COLUMNS": str(columns),
            "NOVEL_OWNER": "pages",
            "PATH": "/usr/local/bin:/usr/bin:/bin",
        }
        command = [str(CHECKOUT / "bin" / "novel"), *argv]
        with subprocess.Popen(command, cwd=self.book, stdin=tty, stdout=tty, stderr=tty, env=env):
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
        if answer and seen.endswith(_ASKED.encode()):
            os.write(screen, f"{answer}\n".encode())
    return seen.decode().replace("\r\n", "\n")


def play(place: Path) -> dict[str, str]:
    """Run the demo's commands; return their outputs by `$ novel …`, those of its two last chapters by DEMO.

    Writes the book into `place`/demo-novel, and its page to the place of `novel report`.
    """
    here = Terminal(place)
    here.said[DEMO] = _two_chapters(here.novel("demo", "demo-novel"))
    here.book = place / "demo-novel"
    here.novel("status")
    here.novel("report")
    _guarded(here.book)
    here.novel("audit", columns=400)  # its dates are of different widths
    with (here.book / layout.chapter(2)).open("a", encoding="utf-8") as text:
        text.write("\n雨停了。\n")
    here.novel("sync")
    here.novel("rollback", "1", answer="yes")
    here.said["$ novel next"] = _waiting(here.book, place / "waiting")
    here.novel("restore", "1", answer="yes")
    _spoil(here.book / layout.STATE)
    here.novel("doctor")
    here.novel("rebuild", "state")
    return here.said


def _two_chapters(text: str) -> str:
    """The part of the demo that shows a revision and a polish, without each thing to change."""
    lines = text.split("\n")
    first = next(at for at, line in enumerate(lines) if line.startswith(_FIRST))
    shown: list[str] = []
    inside = False
    for line in lines[first : lines.index(_LAST) + 1]:
        inside = _DETAIL in line or (inside and bool(_CONTINUED.match(line)))
        if not inside:
            shown.append(line)
    return "\n".join(shown) + "\n"


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


def _spoil(state: Path) -> None:
    document = json.loads(state.read_text("utf-8"))
    document["characters"]["deng-hua"]["location"] = "别处"
    state.write_text(json.dumps(document, ensure_ascii=False), "utf-8")


def timeless(text: str) -> list[str]:
    """Return the lines without times and dates, which differ from run to run."""
    return [_TIMES.sub("", line).rstrip() for line in text.splitlines()]
