"""The search for the project: the folder that holds `.checkpoint.json`, from a folder upwards.

A checkpoint below a folder named `staging` makes no project, because agents write there.
"""

from __future__ import annotations

import os

from novel_hooks import layout
from novel_hooks.annotations import Iterator


def find_root(start: str) -> str | None:
    """Return the project root at or above `start` (absolute, links kept), or None."""
    found = (here for here in upwards(start) if _holds_checkpoint(here) and not _inside_project(here))
    return next(found, None)


def upwards(start: str) -> Iterator[str]:
    """Yield the folder `start`, absolute, and those above it."""
    here, below = os.path.abspath(start), ""
    while here != below:
        yield here
        here, below = os.path.dirname(here), here


def _holds_checkpoint(folder: str) -> bool:
    return os.path.lexists(os.path.join(folder, layout.CHECKPOINT))


def _inside_project(folder: str) -> bool:
    """Is there a real root above a `staging` of this path? Some disks know `Staging` by that name too."""
    parts = folder.split(os.sep)
    return any(
        part.casefold() == layout.STAGING and _holds_checkpoint(os.sep.join(parts[:depth]) or os.sep)
        for depth, part in enumerate(parts)
    )
