"""Packages for an interpreter that was started without them."""

from __future__ import annotations

import os
import subprocess
import sys
import types

import pytest

from novel_hooks import errors
from novel_hooks.store.host import site

CHECKOUT = os.path.abspath(__file__).rpartition(os.sep + "tests" + os.sep)[0]


def test_packages_are_found_by_an_interpreter_started_without_them() -> None:
    code = (
        f"import sys; sys.path.insert(0, {CHECKOUT!r})\n"
        "from novel_hooks.store.host import site; from novel_hooks.store.formats import yamlio\n"
        "assert 'ruamel' not in sys.modules and 'jsonschema' not in sys.modules\n"
        "site.activate(); site.activate(); import jsonschema\n"
        "print(yamlio.parse('a: [1]', 'x'))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("{'a': [1]}\n", "")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the standard `site` was asked to do."""
    calls: list[str] = []
    monkeypatch.setitem(sys.modules, "site", types.SimpleNamespace(main=lambda: calls.append("main")))
    return calls


def test_what_is_there_is_not_looked_for(started: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "flags", types.SimpleNamespace(no_site=1, verbose=0))
    site.activate()
    assert started == []
    monkeypatch.delitem(sys.modules, "jsonschema", raising=False)
    site.activate()
    assert started == [] and "jsonschema" not in sys.modules


@pytest.mark.parametrize(("no_site", "calls"), [(1, ["main"]), (0, [])])
def test_a_missing_package_is_named(
    started: list[str], monkeypatch: pytest.MonkeyPatch, no_site: int, calls: list[str]
) -> None:
    monkeypatch.setattr(sys, "flags", types.SimpleNamespace(no_site=no_site, verbose=0))
    monkeypatch.delitem(sys.modules, "jsonschema", raising=False)
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(errors.DependencyMissing, match="jsonschema") as caught:
        site.activate()
    assert (caught.value.exit, caught.value.path) == (errors.REFUSED, None)
    assert started == calls
