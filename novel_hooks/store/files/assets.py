"""What comes with the plugin: guides, templates, the sample; read from beside or inside the package."""

from __future__ import annotations

import os

from novel_hooks import errors

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def plugin_path(rel: str) -> str:
    """A file of the plugin (`skills/…`): in a checkout beside the package, in a wheel inside it."""
    for base in (os.path.dirname(_PACKAGE), os.path.join(_PACKAGE, "plugin")):
        found = os.path.join(base, *rel.split("/"))
        if os.path.exists(found):
            return found
    raise errors.AssetMissing(what=rel)


def package_path(rel: str) -> str:
    """A file or folder of the package's own data (`templates/…`, `sample/…`)."""
    found = os.path.join(_PACKAGE, *rel.split("/"))
    if not os.path.exists(found):
        raise errors.AssetMissing(what=rel)
    return found


def load(path: str) -> bytes:
    with open(path, "rb") as handle:
        return handle.read()


def list_files(folder: str) -> list[str]:
    """Every file below a package folder, as sorted relative POSIX paths."""
    base = package_path(folder)
    found = []
    for here, _, names in os.walk(base):
        found += [os.path.relpath(os.path.join(here, n), base).replace(os.sep, "/") for n in names]
    return sorted(n for n in found if "__pycache__" not in n)
