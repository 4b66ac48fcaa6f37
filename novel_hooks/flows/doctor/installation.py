"""Doctor on the installation: interpreter, packages, the plugin's files, the command on PATH. Reads only."""

from __future__ import annotations

import importlib
import os
import sys
from functools import partial

from novel_hooks import __version__, errors
from novel_hooks.annotations import Iterator, Mapping
from novel_hooks.errors import Problem
from novel_hooks.flows.book.collect import attempt, collect_problems
from novel_hooks.rules.hosting import least_versions
from novel_hooks.store.files import assets, surroundings
from novel_hooks.store.host import environment, site

PACKAGES = ("jsonschema", "ruamel.yaml")
PLUGIN_FILES = (
    ".claude-plugin/plugin.json",
    "hooks/hooks.json",
    "hooks/guard",
    "hooks/notice",
    "bin/novel",
    "scripts/find-python.sh",
    "requirements/runtime.key",
)
EXECUTABLE = ("hooks/guard", "hooks/notice", "bin/novel")
_PACKAGE_DATA = ("schemas", "templates")


def problems(environ: Mapping[str, str]) -> Iterator[Problem]:
    """Yield the faults of this installation. Of `environ` only PATH is read."""
    found = sys.version_info[:2]
    if found < least_versions.PYTHON:
        yield errors.InterpreterOld(found=_dotted(found), wanted=_dotted(least_versions.PYTHON))
    yield from _package_problems()
    yield from _plugin_problems()
    yield from _path_problems(environ)


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _package_problems() -> Iterator[Problem]:
    """Import the packages: one for another Python can be found, and not be imported."""
    missing = collect_problems(site.activate)
    if missing:
        yield from missing
        return
    for name in PACKAGES:
        try:
            importlib.import_module(name)
        except Exception:  # half of it is gone: what that raises is anything
            yield environment.missing(name)


def is_plugin() -> bool:
    """Tell whether this is the plugin's folder or a checkout: a package from pip has no hooks beside it."""
    return not collect_problems(lambda: assets.plugin_path(".claude-plugin"))


def _plugin_problems() -> Iterator[Problem]:
    yield from collect_problems(*(partial(assets.package_path, folder) for folder in _PACKAGE_DATA))
    for name in PLUGIN_FILES if is_plugin() else ():
        place, missing = attempt(partial(assets.plugin_path, name))
        yield from missing
        if place is not None and name in EXECUTABLE and not os.access(place, os.X_OK):
            yield errors.GuardNotExecutable(what=name)


def first_on_path(environ: Mapping[str, str]) -> tuple[str | None, bool]:
    """Return (the `novel` that a shell would start, whether it is as good as this one).

    As good are our launcher, our own script, and another copy of this version, as `pipx install` makes one.
    """
    where = surroundings.find_command("novel", environ)
    if where is None:
        return None, False
    ours = [os.path.join(os.path.dirname(sys.executable), "novel")]
    if is_plugin():
        ours.append(assets.plugin_path("bin/novel"))
    own = os.path.realpath(where) in map(os.path.realpath, ours)
    return where, own or surroundings.version_behind(where) == __version__


def _path_problems(environ: Mapping[str, str]) -> Iterator[Problem]:
    """Warn of another `novel` on PATH; none is no fault: the client adds the plugin's for its commands."""
    where, own = first_on_path(environ)
    if where is not None and not own:
        ours = assets.plugin_path("bin/novel") if is_plugin() else sys.executable
        yield errors.OtherNovelFirst(where=where, ours=ours)
