"""The environment that the launcher built for this interpreter, and the remedy when it does not work.

It counts as built while its file `novel-key` exists. Without that file the next command builds a new one (ADR
0005).
"""

from __future__ import annotations

import contextlib
import os
import sys

from novel_hooks.errors import DependencyMissing

_MARK = "novel-key"
_TRIAL = (
    "import jsonschema, ruamel.yaml\n"
    "jsonschema.Draft202012Validator({}).is_valid({})\n"
    "ruamel.yaml.YAML(typ='safe', pure=True).load('a: 1')"
)


def missing(name: str) -> DependencyMissing:
    """Return the refusal for a package that is absent or does not load, with the remedy on this computer."""
    if os.environ.get("NOVEL_PYTHON"):
        return DependencyMissing(None, case="given", name=name)
    return DependencyMissing(None, case="pip" if mark() is None else "built", name=name)


def mark() -> str | None:
    """Return the path of the environment's `novel-key`; None when the launcher did not build it."""
    place = os.path.join(os.path.dirname(os.path.dirname(sys.executable)), _MARK)
    return place if os.path.isfile(place) and not os.environ.get("NOVEL_PYTHON") else None


def drop_bytecode() -> None:
    """Remove Python's compiled files of our modules: a full disk may have cut one short."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for here, _, names in os.walk(package):
        if os.path.basename(here) == "__pycache__":
            for name in names:
                with contextlib.suppress(OSError):
                    os.remove(os.path.join(here, name))


def disown() -> bool:
    """Remove the mark of an environment whose packages do not load; return whether the launcher has another.

    The packages are tried in a process of their own. An environment that another command has built meanwhile
    stays.
    """
    import subprocess

    place = mark()
    if place is None:
        return False
    trial = subprocess.run(
        [sys.executable, "-I", "-c", _TRIAL],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    if trial.returncode == 0:
        return True
    try:
        os.remove(place)
    except OSError:
        return not os.path.lexists(place)
    return True
