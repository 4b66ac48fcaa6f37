"""The client's process, which can be killed at any moment."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


class Session:
    """The client's process, in a group of its own, so that a kill takes the hooks and shells with it."""

    def __init__(self, command: Sequence[str], cwd: Path) -> None:
        self.command = command
        self.cwd = cwd
        self._started = threading.Event()
        self._process: subprocess.Popen[bytes]

    def finish(self, env: Mapping[str, str], timeout: float) -> tuple[int, str, str]:
        with subprocess.Popen(
            self.command,
            env=dict(env),
            cwd=self.cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        ) as self._process:
            self._started.set()
            try:
                out, err = self._process.communicate(timeout=timeout)
            finally:
                self._end_group()
        return self._process.returncode, out.decode("utf-8"), err.decode("utf-8", "replace")

    def kill(self) -> None:
        """As a power cut of this session: nothing of it gets to say goodbye."""
        self._started.wait(10)
        self._end_group()

    def _end_group(self) -> None:
        with contextlib.suppress(ProcessLookupError):  # all of the group has ended by itself
            os.killpg(self._process.pid, signal.SIGKILL)
