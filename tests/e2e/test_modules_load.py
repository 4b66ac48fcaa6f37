"""Every module of the package can be imported, by whichever Python runs the tests."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys

from conftest import CHECKOUT

import novel_hooks


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
