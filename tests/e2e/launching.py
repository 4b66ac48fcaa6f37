"""A copy of the launcher in a folder that holds no real package, and ways to start it."""

from __future__ import annotations

import base64
import functools
import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pip
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
WHEEL = "novel_probe"
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


def offline(place: Path, pythons: Path | None = None) -> dict[str, str]:
    """PATH has these Pythons or else the tests' own; pip finds the wheels of `place/wheels` alone."""
    (place / "家 home").mkdir()
    (place / "wheels").mkdir()
    return {
        "HOME": str(place / "家 home"),
        "PATH": bare_path(place, pythons or Path(sys.base_prefix, "bin")),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(place / "wheels"),
    }


@functools.cache
def new_venv(base: Path) -> Path:
    """An environment of the tests' own Python with pip alone, made once in the tests' folder: to copy.

    Its pip is the tests' own: to build that takes several seconds, and one test has a real environment.
    """
    place = base / "new venv"
    subprocess.run([os.path.realpath(sys.executable), "-m", "venv", "--without-pip", str(place)], check=True)
    (packages,) = place.glob("lib/python*/site-packages")
    for found in Path(pip.__file__).parents[1].glob("pip*"):
        shutil.copytree(found, packages / found.name)
    return place


@functools.cache
def quick_pythons(base: Path) -> Path:
    """A folder for PATH, made in the tests' folder: its Python is the tests' own, but `-m venv` copies.

    Most of what a first run takes is the building of pip, the same each time.
    """
    place, real = base / "quick pythons", os.path.realpath(sys.executable)
    script = f"""\
case "$*" in
    "-m venv "*) exec "{shutil.which("cp")}" -RPp "{new_venv(base)}" "$3" ;;
    "-E -s -c "*) "{real}" "$@" | "{shutil.which("sed")}" "s|ok .*|ok $0|" ;;
    *) exec "{real}" "$@" ;;
esac
"""
    fake_command(place / "bin", "python3.14", script)
    return place / "bin"


def require_local_wheel(root: Path, wheels: Path) -> None:
    """Make a wheel, and pin it in the copy instead of the real requirements."""
    files = {
        f"{WHEEL}.py": "there = True\n",
        f"{WHEEL}-1.0.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {WHEEL}\nVersion: 1.0\n",
        f"{WHEEL}-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},sha256={_digest(text)},{len(text)}\n" for path, text in files.items())
    files[f"{WHEEL}-1.0.dist-info/RECORD"] = record + f"{WHEEL}-1.0.dist-info/RECORD,,\n"
    wheel = wheels / f"{WHEEL}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    pinned = f"{WHEEL}==1.0 --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"
    for name in ("runtime", "dev"):
        (root / "requirements" / f"{name}.txt").write_text(pinned, encoding="ascii")


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


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
