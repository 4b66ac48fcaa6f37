"""Codex as the author has it: in a terminal, its sessions in the background server behind it."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import threading
import time
from typing import TYPE_CHECKING, Callable

from client.codex.harness import ALONE, MODEL, PROVIDER

if TYPE_CHECKING:
    from pathlib import Path

    from client.codex.harness import CodexHost

ROWS, COLUMNS = 40, 120
REPLIES = {
    b"\x1b[6n": b"\x1b[1;1R",
    b"\x1b[c": b"\x1b[?62;c",
    b"\x1b[?u": b"\x1b[?0u",
    b"\x1b]10;?": b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
    b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
}
"""What the client asks a terminal: the cursor's place, kind, keys and two colours; and the answers."""
CODES = re.compile(r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;?<>=]*[ -/]*[@-~]")
ESCAPE = "\x1b"
INTERRUPT, STOP_AND_EXIT, STOPPED = "\x03", "3", "The current turn was stopped."
QUIT, GOES_ON = "/quit", "Any running work continues."
SETTINGS = """model = "{model}"
model_provider = "fake"
check_for_update_on_startup = false
analytics.enabled = false
features.plugins = false
notice.model_migrations."{model}" = "gpt-6-sol"
{provider}

"""
PATIENCE = 60.0


def wait(until: Callable[[], bool], told: Callable[[], object] = str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not until():
        assert time.monotonic() < deadline, told()
        time.sleep(0.1)


class Background:
    """The server that the first terminal starts, and what keeps it up to date: both end with `with`.

    An option on the command line would give a terminal a process of its own, so all is in the settings.
    """

    def __init__(self, host: CodexHost, url: str) -> None:
        self._folder = host.config.parent / "app-server-daemon"
        mine = host.config.read_text(encoding="utf-8")
        settings = SETTINGS.format(model=MODEL, provider=PROVIDER.format(url=url))
        host.config.write_text(settings + mine, encoding="utf-8")

    def __enter__(self) -> Background:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill("daemon-updater")
        self.kill()

    def pid(self, name: str = "daemon") -> int:
        return int(json.loads((self._folder / f"{name}.pid").read_text(encoding="utf-8"))["pid"])

    def kill(self, name: str = "daemon") -> None:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            os.kill(self.pid(name), signal.SIGKILL)


class Terminal:
    """`codex` in the book's folder, from `with` to its end. What it shows is read all the time."""

    def __init__(self, host: CodexHost, book: Path) -> None:
        self.shown = ""
        self._screen, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.process = subprocess.Popen(
            [str(host.codex)],
            env={**host.env, **ALONE, "TERM": "xterm-256color"},
            cwd=book,
            stdin=other,
            stdout=other,
            stderr=other,
            start_new_session=True,
        )
        os.close(other)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Terminal:
        self.await_shown(MODEL.upper())  # stands below the line to type in, once the server is there
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._reader.join(10)
        os.close(self._screen)

    def kill(self) -> None:
        """The window is closed, or worse."""
        self.process.kill()
        self.process.wait()

    def _read(self) -> None:
        with contextlib.suppress(OSError):  # nobody holds the other side any more
            while True:
                told = os.read(self._screen, 1 << 16)
                for asked, reply in REPLIES.items():
                    if asked in told:
                        os.write(self._screen, reply)
                self.shown += CODES.sub("", told.decode("utf-8", "replace"))

    def await_shown(self, words: str, since: int = 0) -> None:
        wait(lambda: words in self.shown[since:], lambda: self.shown[-3000:])

    def press(self, keys: str) -> None:
        os.write(self._screen, keys.encode("utf-8"))

    def say(self, words: str) -> None:
        """As pasted, then the enter key."""
        before = len(self.shown)
        self.press(f"\x1b[200~{words}\x1b[201~")
        self.await_shown(words, before)
        time.sleep(0.3)  # what follows a paste at once is part of it
        self.press("\r")

    def escape(self) -> None:
        """Esc in mid-turn."""
        self.press(ESCAPE)

    def quit(self) -> None:
        """`/quit` in mid-turn."""
        self.say(QUIT)
        self.await_shown(GOES_ON)
        self.process.wait(PATIENCE)

    def stop(self) -> None:
        """Ctrl-C in mid-turn, and the choice to stop the turn and leave."""
        self.press(INTERRUPT)
        self.await_shown(f"{STOP_AND_EXIT}.")
        self.press(STOP_AND_EXIT)
        self.await_shown(STOPPED)
        self.process.wait(PATIENCE)
