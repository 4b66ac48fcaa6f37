"""Third-party packages for an interpreter that was started without them (`python -I -S`).

Everyday commands never need them. The importers of jsonschema and ruamel.yaml call `activate` first.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder

from novel_hooks.store.host import environment


def activate() -> None:
    """Make installed packages importable; a second call costs nothing.

    Raises `DependencyMissing` when jsonschema is still not importable; the other packages are not tried.
    """
    if _is_importable("jsonschema"):
        return
    if sys.flags.no_site:
        import site

        site.main()
    if not _is_importable("jsonschema"):
        raise environment.missing("jsonschema")


def _is_importable(name: str) -> bool:
    """Is the module loaded or to be found? Finding costs a hundredth of an import."""
    return name in sys.modules or PathFinder.find_spec(name) is not None
