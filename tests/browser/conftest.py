"""A browser for the tests of pages; where there is none they are skipped, with a line that says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser import chromium


@pytest.fixture(scope="session")
def browser_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("browser")


@pytest.fixture(scope="module")
def page(browser_home: Path) -> Iterator[chromium.Page]:
    command = chromium.binary()
    if command is None:
        pytest.skip(f"no browser: none of {', '.join(chromium.NAMES)} is on PATH")
    found = chromium.Page(command, browser_home)
    yield found
    found.close()
