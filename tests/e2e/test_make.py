"""The Makefile sets up what it needs once, in a checkout whose path is awkward."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from conftest import CHECKOUT
from launching import copy_tree, offline, quick_pythons, require_local_wheel, start

MAKE = shutil.which("make")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(MAKE is None, reason="make is not installed")]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = copy_tree(tmp_path)
    shutil.copy(os.path.join(CHECKOUT, "Makefile"), root)
    return root


@pytest.fixture
def env(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    env = offline(tmp_path, quick_pythons(tmp_path_factory.getbasetemp()))
    (tmp_path / "tools" / "make").symlink_to(str(MAKE))
    return env


def stamps(venv: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in venv.iterdir()}


def test_demo_needs_the_runtime_only_and_says_nothing_the_second_time(
    root: Path, env: dict[str, str], tmp_path: Path
) -> None:
    require_local_wheel(root, tmp_path / "wheels")
    first = start(["make", "--silent", "demo"], env, root)
    told = json.loads(first.stdout)
    assert told["arguments"] == ["demo", "demo-novel"]
    assert told["python"] == str(root / ".venv" / "bin" / "python")
    assert not (root / ".venv" / "dev-key").exists()
    before = stamps(root / ".venv")
    second = start(["make", "--silent", "demo"], env, root)
    assert json.loads(second.stdout) == told
    assert "novel：" not in second.stderr
    assert stamps(root / ".venv") == before
    assert os.listdir(env["HOME"]) == []


def test_setup_finishes_what_was_interrupted(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    require_local_wheel(root, tmp_path / "wheels")
    pins = root / "requirements" / "dev.txt"
    good = pins.read_text()
    pins.write_text(good.replace("==1.0", "==2.0"))
    failed = start(["make", "setup"], env, root)
    assert failed.returncode != 0
    assert (root / ".venv" / "novel-key").exists()
    assert not (root / ".venv" / "dev-key").exists()
    pins.write_text(good)
    assert start(["make", "setup"], env, root).returncode == 0
    before = stamps(root / ".venv")
    again = start(["make", "--silent", "setup"], env, root)
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
    assert stamps(root / ".venv") == before


def test_new_pins_make_a_new_environment(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    require_local_wheel(root, tmp_path / "wheels")
    assert start(["make", "runtime"], env, root).returncode == 0
    (root / ".venv" / "of the old one").touch()
    (root / "requirements" / "runtime.key").write_text("f" * 16 + "\n")
    assert start(["make", "runtime"], env, root).returncode == 0
    assert not (root / ".venv" / "of the old one").exists()
    assert [path.name for path in root.glob(".venv*")] == [".venv"]


def test_another_environment_on_a_given_python(
    root: Path, env: dict[str, str], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    require_local_wheel(root, tmp_path / "wheels")
    given = quick_pythons(tmp_path_factory.getbasetemp()) / "python3.14"
    run = start(
        ["make", "setup", "VENV=.venv-x", f"PYTHON={given}"],
        {**env, "PATH": str(tmp_path / "tools")},
        root,
    )
    assert run.returncode == 0, run.stderr
    assert os.path.realpath(root / ".venv-x" / "bin" / "python") == os.path.realpath(sys.executable)
    assert not (root / ".venv").exists()


def test_help_lists_every_target(root: Path) -> None:
    """With the system's own awk and sed."""
    listed = start(["make", "help"], {"PATH": os.environ["PATH"]}, root).stdout
    text = (root / "Makefile").read_text(encoding="utf-8")
    (phony,) = (line for line in text.splitlines() if line.startswith(".PHONY:"))
    targets = phony.split()[1:]
    assert [line.split()[1] for line in listed.splitlines()] == targets
