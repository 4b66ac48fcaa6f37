"""The fence of conftest sees a write outside the test's folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from conftest import CHECKOUT, WriteFence

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def fence(tmp_path: Path) -> WriteFence:
    fence = WriteFence()
    fence.allowed = (f"{tmp_path}{os.sep}",)
    fence.up = True
    return fence


@pytest.mark.parametrize(
    ("event", "arguments"),
    [
        ("open", ("/somewhere/file", "w", os.O_WRONLY | os.O_CREAT)),
        ("os.mkdir", ("/somewhere/folder", 0o777, -1)),
        ("os.remove", ("/somewhere/file", -1)),
        ("os.symlink", ("inside", "/somewhere/link", -1)),
        ("os.rename", ("/somewhere/file", "inside", -1, -1)),
    ],
)
def test_a_write_elsewhere_is_noted(fence: WriteFence, event: str, arguments: tuple[object, ...]) -> None:
    fence.hear(event, arguments)
    assert any("/somewhere/" in stray for stray in fence.strays)


def test_reads_and_own_writes_pass(fence: WriteFence, tmp_path: Path) -> None:
    fence.hear("open", ("/somewhere/file", "r", os.O_RDONLY))
    fence.hear("open", (str(tmp_path / "file"), "w", os.O_WRONLY))
    fence.hear("open", (os.path.join(CHECKOUT, "x", "__pycache__", "x.pyc"), "w", os.O_WRONLY))
    assert fence.strays == []


def test_the_session_hook_is_installed(own_world: None, tmp_path: Path) -> None:
    """A child pytest with our conftest must fail a test that writes beside its folder."""
    shutil.copy(os.path.join(CHECKOUT, "tests", "conftest.py"), tmp_path / "conftest.py")
    (tmp_path / "test_it.py").write_text(
        f"def test_it():\n    open({str(tmp_path / 'stray')!r}, 'w').close()\n"
    )
    base = str(tmp_path / "base")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--basetemp={base}", str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert run.returncode == 1
    assert "written outside the test's folder" in run.stdout
    assert "stray" in run.stdout
