"""A folder in which a book is begun."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import OWNER
from builders import fast_disk as fast_disk

from novel_hooks.cli.call import call

if TYPE_CHECKING:
    from pathlib import Path

    from novel_hooks.cli.answer import Answer


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "新书"


def init(place: Path, *more: str) -> Answer:
    return call("init", [str(place), *more], {"NOVEL_OWNER": OWNER, "NOVEL_DEBUG": "1"})
