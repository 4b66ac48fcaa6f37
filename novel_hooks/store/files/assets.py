"""The data of the plugin: guides, templates, the sample; it lies beside the package or inside it."""

from __future__ import annotations

import os

from novel_hooks import errors

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def plugin_path(rel: str) -> str:
    """Return the absolute path of the plugin's file `rel` (`skills/…`).

    In a checkout it lies beside the package, in a wheel inside it. Raises `AssetMissing`.
    """
    for base in (os.path.dirname(_PACKAGE), os.path.join(_PACKAGE, "plugin")):
        found = os.path.join(base, *rel.split("/"))
        if os.path.exists(found):
            return found
    raise errors.AssetMissing(what=rel)


def package_path(rel: str) -> str:
    """Return the absolute path of a file or folder of the package (`templates/…`, `sample/…`).

    Raises `AssetMissing`.
    """
    found = os.path.join(_PACKAGE, *rel.split("/"))
    if not os.path.exists(found):
        raise errors.AssetMissing(what=rel)
    return found


def load(path: str) -> bytes:
    """Return the bytes of the package's file at the absolute path `path`."""
    with open(path, "rb") as handle:
        return handle.read()


def list_files(folder: str) -> list[str]:
    """List the files below the package's folder `folder`: paths relative to it, with `/`, sorted."""
    base = package_path(folder)
    found = []
    for here, _, names in os.walk(base):
        found += [os.path.relpath(os.path.join(here, n), base).replace(os.sep, "/") for n in names]
    return sorted(n for n in found if "__pycache__" not in n)
