"""A copy of the launcher in a folder that holds no real package, and ways to start it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from conftest import CHECKOUT

# Says what it was started with, and leaves with a code of its own.
FAKE_MAIN = """\
import json, os, sys
def entry():
    import sys
    told = {"arguments": sys.argv[1:], "python": sys.executable, "path0": sys.path[0], "cwd": os.getcwd(),
            "utf8": sys.flags.utf8_mode, "site": "site" in sys.modules, "stdin": sys.stdin.read()}
    sys.stdout.write(json.dumps(told, ensure_ascii=False))
    sys.exit(7)
"""
KEY = Path(CHECKOUT, "requirements", "runtime.key").read_text(encoding="ascii").strip()
AWKWARD = "小说 工具 (新)"


def copy_tree(place: Path) -> Path:
    """The checkout's launcher, scripts and requirements over a package that only reports; its root."""
    root = place / AWKWARD
    for folder in ("bin", "scripts", "requirements"):
        shutil.copytree(os.path.join(CHECKOUT, folder), root / folder)
    package = root / "novel_hooks" / "cli"
    package.mkdir(parents=True)
    (root / "novel_hooks" / "__init__.py").touch()
    (package / "__init__.py").touch()
    (package / "main.py").write_text(FAKE_MAIN, encoding="utf-8")
    return root


def fake_venv(place: Path, key: str = KEY) -> Path:
    """Looks like a finished environment; its python is the one that runs the tests."""
    (place / "bin").mkdir(parents=True)
    (place / "bin" / "python").symlink_to(os.path.realpath(sys.executable))
    (place / "novel-key").write_text(key + "\n", encoding="ascii")
    return place


def bare_path(place: Path, *more: Path) -> str:
    """A PATH with the tools of a POSIX system and no Python, led by the folders `more`."""
    tools = place / "tools"
    tools.mkdir()
    for name in (
        "sh",
        "cat",
        "dirname",
        "find",
        "grep",
        "mkdir",
        "mktemp",
        "readlink",
        "rm",
        "rmdir",
        "tail",
        "uname",
    ):
        found = shutil.which(name)
        assert found is not None, name
        (tools / name).symlink_to(found)
    return os.pathsep.join([*map(str, more), str(tools)])


def fake_command(folder: Path, name: str, script: str) -> None:
    """An executable shell script `name` in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("#!/bin/sh\n" + script, encoding="utf-8")
    (folder / name).chmod(0o755)


def start(
    command: list[str], env: dict[str, str], cwd: Path | None = None, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Runs to the end; output decoded as UTF-8 whatever the locale."""
    return subprocess.run(
        command,
        env=env,
        cwd=cwd,
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=110,
    )
