"""Recovery: finish the landing of a killed command, or discard its unfinished journal.

It runs under the OS lock, first in every writing command. A second run changes nothing. Source: protocol §5.
"""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.annotations import Callable
from novel_hooks.store.files import atomic
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import litter, manifest, redo
from novel_hooks.store.journal.manifest import Manifest


def recover(project: Project, guard: Callable[[], None] | None = None) -> str | None:
    """Finish the committed journal, remove uncommitted ones; return a Chinese note when one was finished.

    Raises `JournalBroken`, `JournalConflict`, `JournalTargetShort` before anything is changed, and
    `JournalPending` when the disk refuses again.
    """
    disk = project.disk()
    plan = manifest.read(disk)
    if plan is not None:
        verify(disk, plan)
        for folder in {atomic.parent(entry.path) for entry in plan.entries}:
            litter.sweep_folder(disk, folder)
        try:
            finish(disk, plan, guard or _no_guard)
        finally:
            project.look_again()
    litter.sweep(disk)
    return None if plan is None else f"上次中断的「{plan.label}」已经补完。"


def verify(project: Project, plan: Manifest) -> None:
    """Check that all bytes not yet landed are whole and every destination is old or new; change nothing.

    Raises `JournalBroken`, `JournalConflict`, `JournalTargetShort`.
    """
    for entry in plan.entries:
        if entry.blob is not None and not redo.is_linked(project, entry):
            manifest.read_blob(project, entry)
    for entry in plan.entries:
        redo.entry_state(project, plan, entry)


def finish(project: Project, plan: Manifest, guard: Callable[[], None]) -> None:
    """Carry the journal out; a refusal of the disk past the commit point becomes `JournalPending`."""
    try:
        redo.carry_out(project, plan, guard)
    except (errors.WriteFailed, errors.FileUnreadable) as wrong:
        raise errors.JournalPending(wrong.path, label=plan.label, detail=str(wrong)) from wrong


def _no_guard() -> None:
    """Do nothing: there is no session lock to check."""
