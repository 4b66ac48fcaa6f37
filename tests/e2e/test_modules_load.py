"""Every module of the package can be imported, by whichever Python runs the tests."""

from __future__ import annotations

import importlib
import pkgutil

import novel_hooks


def test_every_module_loads() -> None:
    names = [found.name for found in pkgutil.walk_packages(novel_hooks.__path__, "novel_hooks.")]
    assert len(names) > 200
    for name in names:
        importlib.import_module(name)
