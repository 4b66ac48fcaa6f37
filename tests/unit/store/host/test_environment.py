"""The environment of this interpreter: given up when its packages do not load, and only then."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from novel_hooks.cli import call as calling
from novel_hooks.store.host import environment

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment that the launcher built, as if this process ran in it; its interpreter fails."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "novel-key").write_text("key\n")
    _python(tmp_path, 1)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    monkeypatch.delenv("NOVEL_PYTHON")
    return tmp_path


def _python(place: Path, code: int) -> None:
    (place / "bin" / "python").write_text(f"#!/bin/sh\nexit {code}\n")
    (place / "bin" / "python").chmod(0o755)


def test_packages_that_do_not_load_cost_the_environment_its_mark(own: Path) -> None:
    told = environment.missing("jsonschema").diagnostic()
    assert "再运行一次" in told.fix and "pip" not in told.fix
    assert environment.disown() is True
    assert not (own / "novel-key").exists()
    assert environment.disown() is False
    assert "pip install jsonschema" in environment.missing("jsonschema").diagnostic().fix


def test_an_environment_that_another_command_built_anew_stays(own: Path) -> None:
    _python(own, 0)
    assert environment.disown() is True
    assert (own / "novel-key").exists()


def test_a_given_python_is_never_given_up(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOVEL_PYTHON", str(own / "bin" / "python"))
    assert environment.disown() is False
    assert (own / "novel-key").exists()
    assert "NOVEL_PYTHON" in environment.missing("jsonschema").diagnostic().fix


@pytest.mark.skipif(os.name == "nt", reason="a folder's mode stops nobody there")
def test_a_mark_that_cannot_be_taken_away_is_told_apart(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_place: str) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "remove", refuse)
    assert environment.disown() is False


def test_compiled_modules_that_a_full_disk_cut_short_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python puts a file that was written in part in its place; every later command would fail over it."""
    package = tmp_path / "novel_hooks"
    monkeypatch.setattr(environment, "__file__", str(package / "store" / "host" / "environment.py"))
    torn, source = package / "cli" / "__pycache__" / "call.cpython-311.pyc", package / "cli" / "call.py"
    torn.parent.mkdir(parents=True)
    torn.write_bytes(b"\0" * 16)
    source.write_text("a = 1\n")

    def cut(*_: object) -> object:
        raise EOFError("marshal data too short")

    monkeypatch.setattr(calling, "_call", cut)
    found = calling.call("next", [], {"NOVEL_DEBUG": "1"})
    assert [one.code for one in found.diagnostics] == ["BYTECODE_TORN"]
    assert not torn.exists() and source.exists()
