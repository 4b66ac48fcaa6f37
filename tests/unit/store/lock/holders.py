"""A project with a lock, and the owners that may hold it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from novel_hooks.store.files.project import Project
from novel_hooks.store.host import process
from novel_hooks.store.lock.lock import Owner

NOW = 1_760_000_000.0
HOST = process.host_name()
ME = Owner("session-me", os.getpid(), process.start_mark(os.getpid()), HOST)
UNSEEN = Owner("session-unseen", None, None, HOST)
ELSEWHERE = Owner("session-elsewhere", 7, "linux/x/y/1", "another-computer")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "book").mkdir()
    return Project(str(tmp_path / "book"))


@pytest.fixture
def dead() -> Owner:
    """A process whose pid is used again: by this one, which started at another time."""
    assert ME.pid_started is not None
    return Owner("session-dead", ME.pid, ME.pid_started[:-1] + "?", HOST)


@pytest.fixture
def living() -> Owner:
    return Owner("session-living", os.getppid(), process.start_mark(os.getppid()), HOST)


def lock_info(project: Project) -> dict[str, object]:
    found = project.json(".novel.lock/info.json")
    assert isinstance(found, dict)
    return found


def write_lock_info(project: Project, data: bytes | dict[str, object], age: float = 0) -> None:
    folder = Path(project.absolute(".novel.lock"))
    folder.mkdir(exist_ok=True)
    (folder / "info.json").write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    os.utime(folder, (NOW - age, NOW - age))
