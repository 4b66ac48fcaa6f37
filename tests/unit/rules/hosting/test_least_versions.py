"""The oldest versions, also where nothing can be imported: in sh and on the pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import CHECKOUT

from novel_hooks.rules.hosting import least_versions


@pytest.mark.parametrize(
    ("version", "form", "places"),
    [
        (least_versions.PYTHON, "{}.{}", ("pyproject.toml", "README.md", "README.en.md", "bin/novel")),
        (
            least_versions.PYTHON,
            "({}, {})",
            ("bin/novel", "hooks/guard", "scripts/build-venv.sh", "scripts/find-python.sh"),
        ),
        (least_versions.CLAUDE_CODE, "{}.{}.{}", ("README.md", "README.en.md")),
        (least_versions.CODEX, "{}.{}", ("docs/user/codex.md", "docs/adapters.md")),
    ],
)
def test_scripts_and_pages_name_the_same_versions(
    version: tuple[int, ...], form: str, places: tuple[str, ...]
) -> None:
    for place in places:
        assert form.format(*version) in (Path(CHECKOUT) / place).read_text("utf-8"), place
