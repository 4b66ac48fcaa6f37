"""The pinned Codex, a user of it, and a novel to work on."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import conftest
import pytest
from builders import Book, book

from client.codex.harness import CodexHost
from tools import bench, clients

if TYPE_CHECKING:
    from collections.abc import Iterator

# Read before the tests' own environment takes it away.
REQUIRED = os.environ.get(clients.REQUIRE) == "1"
MISSING = f"Codex {clients.pin(clients.CODEX).version} is not installed: run `make clients` (it needs npm)"
CONFINED = "Codex's sandbox does not work here: it needs user namespaces"


# The sandbox has a `/dev` of its own, so a book in memory would be hidden from it.
DISK = next(place for place in (tempfile.gettempdir(), "/var/tmp") if not place.startswith("/dev/"))


@functools.lru_cache(maxsize=1)
def missing() -> str | None:
    """Why the client cannot be tested here; None when it can."""
    found = clients.binary(clients.CODEX)
    if found is None:
        return MISSING
    tried = subprocess.run(
        [str(found), "sandbox", "--", "true"], capture_output=True, timeout=60, check=False
    )
    return CONFINED if tried.returncode else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skipped by a mark, which the summary folds into one line a module."""
    ours = [item for item in items if "codex" in getattr(item, "fixturenames", ())]
    if ours and not REQUIRED and missing():
        for item in ours:
            item.add_marker(pytest.mark.skip(reason=missing() or ""))


@pytest.fixture(scope="session")
def codex() -> Path:
    """The real client, which must be there where it is required."""
    why, found = missing(), clients.binary(clients.CODEX)
    if why or found is None:
        pytest.fail(why or MISSING, pytrace=False)
    return found


@pytest.fixture
def tmp_path(own_world: None) -> Iterator[Path]:
    """On a disk, not in memory; the test may write there too."""
    conftest._fence.up = False
    folder = tempfile.mkdtemp(prefix="novel-codex-", dir=DISK)
    conftest._fence.allowed += (folder + os.sep,)
    conftest._fence.up = True
    yield Path(folder)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def host(codex: Path, tmp_path: Path) -> CodexHost:
    return CodexHost(codex, tmp_path / "host")


@pytest.fixture
def novel(tmp_path: Path) -> Book:
    """One chapter landed, by commands that have seen its documents; the second is to be written."""
    place = tmp_path / "我的 小说"
    place.mkdir()
    made = book(place)
    bench.remember(str(made.root), 1)
    return made
