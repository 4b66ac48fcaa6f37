"""Every module of the package can be imported, by whichever Python runs the tests."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from builders import book
from conftest import CHECKOUT

import novel_hooks

if TYPE_CHECKING:
    from pathlib import Path


def test_every_module_loads() -> None:
    names = [found.name for found in pkgutil.walk_packages(novel_hooks.__path__, "novel_hooks.")]
    assert len(names) > 200
    for name in names:
        importlib.import_module(name)


def test_a_command_that_prints_no_help_asks_no_screen_for_its_width() -> None:
    """argparse asks for a formatter at every argument; a usual one loads `shutil` and all its archives."""
    code = (
        "from novel_hooks.cli.arguments import Parser; import sys; "
        "Parser('next', '看').add_argument('--x', metavar='话'); sys.exit('shutil' in sys.modules)"
    )
    subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:0] = [{CHECKOUT!r}]; {code}"], check=True
    )


@pytest.mark.parametrize(
    ("command", "rooms"),
    [
        ("lock status", ("flows.book", "flows.pipeline", "store.journal")),
        ("foreshadow list", ("flows.planning", "store.journal")),
        ("outline", ("cli.asking", "cli.screen")),
        ("find 沈渡", ("difflib", "store.journal")),
        ("rebuild state", ("flows.landing", "flows.rollback.earlier_book")),
        ("commit --chapter 1", ("flows.planning", "flows.rollback")),
        ("next", ("argparse", "flows.chapter.mending")),
    ],
)
def test_a_command_loads_no_room_that_it_does_not_run(
    tmp_path: Path, command: str, rooms: tuple[str, ...]
) -> None:
    made = book(tmp_path)
    code = (
        f"import os, sys; sys.path.insert(0, {CHECKOUT!r}); from novel_hooks.cli.main import run\n"
        "run(sys.argv[1:], os.environ)\nprint('loaded', *sys.modules)"
    )
    said = subprocess.run(
        [sys.executable, "-I", "-S", "-X", "utf8", "-c", code, *command.split()],
        cwd=made.root,
        check=True,
        stdout=subprocess.PIPE,
    ).stdout.decode("utf-8")
    loaded = said.rpartition("loaded ")[2].split()
    names = [one for room in rooms for one in (room, f"novel_hooks.{room}")]
    assert [one for one in loaded if any(one == name or one.startswith(f"{name}.") for name in names)] == []
