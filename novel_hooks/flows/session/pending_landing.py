"""A landing that another command has begun and not finished, as readers see it. Source: protocol §5."""

from __future__ import annotations

import os

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING
from novel_hooks.errors import Problem
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from novel_hooks.store.journal.overlay import Overlay


def after_landing(project: Project) -> Project:
    """Return the project as it will be after the pending landing; the same one when none is pending.

    Without a landing it costs one stat. Raises `JournalBroken`.
    """
    if not os.path.lexists(project.absolute(layout.JOURNAL)):
        return project
    from novel_hooks.store.journal import overlay

    return overlay.after_landing(project)


def problems(project: Project) -> list[Problem]:
    """Return a warning when `project` is seen through a landing that the next writing command finishes.

    It is only a note while the command that began the landing is still running.
    """
    found = _overlay(project)
    if found is None:
        return []
    from novel_hooks.store.journal import journal

    told = errors.CommandWriting if journal.is_owner_alive(found.plan) is True else errors.JournalWaits
    return [told(layout.JOURNAL, label=found.plan.label)]


def has_pending(project: Project, *paths: str) -> bool:
    """Tell whether the project is seen through a pending landing; a file's stat then means nothing."""
    found = _overlay(project)
    places = [] if found is None else [found.place(path) for path in paths]
    return found is not None and any(entry.path in places for entry in found.plan.entries)


def _overlay(project: Project) -> Overlay | None:
    if type(project) is Project:  # as a rule; nothing more is loaded
        return None
    from novel_hooks.store.journal.overlay import Overlay

    return project if isinstance(project, Overlay) else None
