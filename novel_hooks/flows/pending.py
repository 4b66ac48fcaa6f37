"""A landing that another command has begun and not finished, told to who only reads. Source: protocol §5."""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.errors import JournalWaits, Problem
from novel_hooks.store.project import Project


def notes(project: Project) -> list[Problem]:
    """A warning while a journal waits; the next writing command finishes it."""
    if project.kind(layout.JOURNAL) == "absent":
        return []
    from novel_hooks.store import journal

    waiting = journal.pending(project)
    return [] if waiting is None else [JournalWaits(layout.JOURNAL, label=waiting.label)]
