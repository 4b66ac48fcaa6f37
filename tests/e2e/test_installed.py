"""`pip install .` gives the command `novel` and everything it reads."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import CHECKOUT
from launching import new_venv, start

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv*", ".tools", ".*_cache", ".hypothesis", "__pycache__", "demo-novel", "tests"
)


@pytest.fixture(scope="module")
def venv(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the checkout installed into it."""
    place = tmp_path_factory.mktemp("installed 安装")
    tree = place / "tree"
    shutil.copytree(CHECKOUT, tree, ignore=LEFT_OUT)
    shutil.copytree(new_venv(tmp_path_factory.getbasetemp()), place / "venv", symlinks=True)
    pip = [
        str(place / "venv" / "bin" / "python"),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-compile",
        str(tree),
    ]
    subprocess.run(pip, check=True, cwd=place)
    return place / "venv"


def test_help(venv: Path, tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "PATH": os.defpath, "LC_ALL": "C"}
    run = start([str(venv / "bin" / "novel"), "--help"], env, tmp_path)
    assert run.returncode == 0, run.stderr
    assert "novel" in run.stdout


def test_everything_the_package_reads_is_there(venv: Path) -> None:
    """The package whole, dot files included, and the guides of the skill."""
    (installed,) = venv.glob("lib/python*/site-packages/novel_hooks")
    wanted = {
        path.relative_to(package)
        for package in [Path(CHECKOUT, "novel_hooks")]
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    missing = sorted(str(path) for path in wanted if not (installed / path).is_file())
    assert missing == []
    guides = Path("skills", "novel-writing", "references")
    assert sorted(os.listdir(installed / "plugin" / guides)) == sorted(os.listdir(Path(CHECKOUT, guides)))
