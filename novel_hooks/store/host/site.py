"""Third-party packages for an interpreter that was started without them (`python -I -S`).

Everyday commands never call this; the loaders of jsonschema and ruamel.yaml do, right before importing.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder

from novel_hooks import errors


def activate() -> None:
    """Make installed packages importable; the second call costs nothing.

    Raises `DependencyMissing` when jsonschema, which stands for all of them, is still not to be found.
    """
    if _is_importable("jsonschema"):
        return
    if sys.flags.no_site:
        import site

        site.main()
    if not _is_importable("jsonschema"):
        raise errors.DependencyMissing(None, name="jsonschema")


def _is_importable(name: str) -> bool:
    """Found or loaded; looking costs a hundredth of what importing does."""
    return name in sys.modules or PathFinder.find_spec(name) is not None
