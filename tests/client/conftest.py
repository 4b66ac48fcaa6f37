"""The pinned client, a user of it, and a novel to work on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from builders import Book, book
from conftest import CHECKOUT

from client.harness import Host
from tools import clients

# Read before the tests' own environment takes it away.
REQUIRED = os.environ.get(clients.REQUIRE) == "1"


@pytest.fixture(scope="session")
def claude() -> Path:
    """The real client; without it the test is skipped, or fails where it is required."""
    found = clients.binary()
    if found is None:
        why = f"Claude Code {clients.pin().version} is not installed: run `make clients` (it needs npm)"
        if REQUIRED:
            pytest.fail(why, pytrace=False)
        pytest.skip(why)
    return found


@pytest.fixture
def host(claude: Path, tmp_path: Path) -> Host:
    """A user who has the plugin as it stands in the checkout."""
    return Host(claude, tmp_path / "host", Path(CHECKOUT))


@pytest.fixture
def novel(tmp_path: Path) -> Book:
    """One chapter landed; the second is to be written."""
    place = tmp_path / "我的 小说"
    place.mkdir()
    return book(place)
