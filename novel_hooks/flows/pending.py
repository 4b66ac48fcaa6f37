"""A landing that another command has begun and not finished, for who only reads. Source: protocol §5."""

from __future__ import annotations

import os

from novel_hooks import layout
from novel_hooks.errors import JournalWaits, Problem
from novel_hooks.store.project import Project


def seen(project: Project) -> Project:
    """The project as it will be when the landing is through; the very same one when none waits.

    Costs one look at the disk when none waits. Raises `JournalBroken`.
    """
    if not os.path.lexists(project.absolute(layout.JOURNAL)):
        return project
    from novel_hooks.store import overlay

    return overlay.over(project)


def notes(project: Project) -> list[Problem]:
    """A warning when `project` is seen through a landing; the next writing command finishes that."""
    if type(project) is Project:
        return []
    from novel_hooks.store.overlay import Overlay

    return [JournalWaits(layout.JOURNAL, label=project.plan.label)] if isinstance(project, Overlay) else []
