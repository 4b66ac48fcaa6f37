"""The pinned client, a user of it, and a novel to work on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from builders import Book, book
from conftest import CHECKOUT

from client.harness import Host
from tools import bench, clients

# Read before the tests' own environment takes it away.
REQUIRED = os.environ.get(clients.REQUIRE) == "1"


MISSING = f"Claude Code {clients.pin().version} is not installed: run `make clients` (it needs npm)"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skipped by a mark, which the summary folds into one line a module."""
    if clients.binary() is not None or REQUIRED:
        return
    for item in items:
        if "claude" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.skip(reason=MISSING))


@pytest.fixture(scope="session")
def claude() -> Path:
    """The real client, which must be there where it is required."""
    found = clients.binary()
    if found is None:
        pytest.fail(MISSING, pytrace=False)
    return found


@pytest.fixture
def host(claude: Path, tmp_path: Path) -> Host:
    """A user who has the plugin as it stands in the checkout."""
    return Host(claude, tmp_path / "host", Path(CHECKOUT))


@pytest.fixture
def novel(tmp_path: Path) -> Book:
    """One chapter landed, by commands that have seen its documents; the second is to be written."""
    place = tmp_path / "我的 小说"
    place.mkdir()
    made = book(place)
    bench.remember(str(made.root), 1)
    return made
