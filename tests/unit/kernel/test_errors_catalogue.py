"""Every refusal keeps the form that authors and tools rely on."""

from __future__ import annotations

import re
import string
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from conftest import CHECKOUT

from novel_hooks import errors
from tools.gen_errors import page, problem_classes

KINDS = problem_classes()
EXITS = (errors.FINDINGS, errors.USAGE, errors.REFUSED, errors.BUSY, errors.DAMAGED, errors.BUG)
SEVERITIES = ("error", "warning", "info")
HAN = re.compile(r"[\u4e00-\u9fff]")


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def test_codes_are_unique() -> None:
    codes = [kind.code for kind in KINDS]
    assert len(KINDS) > 20
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.code)
def test_form(kind: type[errors.Problem]) -> None:
    assert re.fullmatch(r"[A-Z]+(?:_[A-Z0-9]+)+", kind.code)
    assert kind.severity in SEVERITIES
    assert kind.exit in EXITS or (kind.exit == errors.DONE and kind.severity != "error")
    assert (kind.__doc__ or "").strip().endswith(".")
    assert HAN.search(kind.message) or fields(kind.message)
    assert HAN.search(kind.fix) or fields(kind.fix)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.code)
def test_templates_take_simple_names_and_fill_in(kind: type[errors.Problem]) -> None:
    names = fields(kind.message) | fields(kind.fix)
    assert all(name.isidentifier() for name in names)
    values = dict.fromkeys(names - {"path"}, "某物")
    told = kind("某处.json", **values).diagnostic()
    assert not re.search(r"\{\w*\}", told.message + told.fix)


def test_page_tells_each_one() -> None:
    text = page()
    assert all(f"## `{kind.code}`" in text for kind in KINDS)


def test_every_area_is_loaded() -> None:
    """What is asked for by name is found, whatever module of the folder holds it."""
    names = {p.stem for p in Path(errors.__file__).parent.glob("*.py")} - {"__init__", "areas", "base"}
    for name in names:
        module = import_module(f"{errors.__name__}.{name}")
        own = [
            key for key, kind in vars(module).items() if getattr(kind, "__module__", "") == module.__name__
        ]
        assert own
        assert all(getattr(errors, key) is getattr(module, key) for key in own)


def test_importing_a_command_loads_no_area() -> None:
    """An area costs every call; one that refuses nothing needs none."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from novel_hooks.cli.commands.steps import commit, instructions, next\n"
        "from novel_hooks.cli.commands.pages import status\n"
        "print(*(name for name in sys.modules if name.startswith('novel_hooks.errors.')))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, CHECKOUT], capture_output=True, check=True, text=True
    )
    assert done.stdout.split() == ["novel_hooks.errors.base"]
