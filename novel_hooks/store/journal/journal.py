"""A landing: several changes as one. All land or none, across a kill at any point and a power cut.

Source: protocol §5. It is a redo journal, like a database's: the new bytes and a manifest are written and
synced below `.novel/journal.new-TOKEN`; the rename to `.novel/journal` is the one commit point; then
the changes are applied in order, synced, and the journal is dropped. Before the commit point a failure
rolls back to the very same bytes; after it the next writing command finishes (`recover`).
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Callable, Sequence
from novel_hooks.store.files import atomic
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import process
from novel_hooks.store.journal import litter, manifest, recovery, together
from novel_hooks.store.journal.changes import Change as Change  # offered here too, like the names below
from novel_hooks.store.journal.changes import append as append
from novel_hooks.store.journal.changes import plan_changes
from novel_hooks.store.journal.changes import put as put
from novel_hooks.store.journal.changes import remove as remove
from novel_hooks.store.journal.manifest import Manifest
from novel_hooks.store.journal.recovery import recover as recover

# A single file in one of these folders lands without journal: `litter.sweep` clears both.
_PLAIN = ("", layout.OWN)


def pending(project: Project) -> Manifest | None:
    """Return the manifest of the landing that is committed and not finished; None without one.

    Reads one small file, changes nothing. Raises `JournalBroken`, `NotAFolder`.
    """
    return manifest.read(project)


def unfinished_label(project: Project) -> str | None:
    """Return the label of a landing whose command was killed; None when there is none.

    The landing is pending, or it is finished and its journal is not removed yet. So ask before `recover`.
    Raises as `pending`.
    """
    waiting = pending(project)
    return waiting.label if waiting is not None else manifest.finished_label(project)


def is_owner_alive(plan: Manifest) -> bool | None:
    """Tell whether the command that made this journal still runs; None when that is unknown."""
    return process.is_alive(plan.pid, plan.pid_started) if plan.host == process.host_name() else None


def land(project: Project, changes: Sequence[Change], *, label: str, guard: Callable[[], None]) -> None:
    """Make all `changes` or none; `label` (Chinese) names them in messages. Call it under the OS lock.

    `guard` is called before the commit point and before each publish; it raises (`LockLost`) to stop.
    Raises with nothing changed: `WriteFailed`, `NotARegularFile`, `NotAFolder`, `LogTailBroken`,
    `FileChangedMeanwhile`, `JournalPending` (another landing waits) and the error of `guard` before the
    commit point. Raises with the landing committed, for `recover` to finish: `JournalPending`,
    `JournalConflict`, and the error of `guard` after it.
    """
    try:
        _land(project.disk(), changes, label, guard)
    finally:
        project.look_again()


def _land(project: Project, changes: Sequence[Change], label: str, guard: Callable[[], None]) -> None:
    waiting = pending(project)
    if waiting is not None:
        raise errors.JournalPending(layout.JOURNAL, label=waiting.label, case="cut off")
    plan, blobs = plan_changes(project, changes, label)
    if not plan.entries:
        return
    first = plan.entries[0]
    if len(plan.entries) == 1 and first.kind == "put" and atomic.parent(first.path) in _PLAIN:
        guard()
        atomic.write(project, first.path, blobs[first.blob or ""])
        return
    _commit(project, plan, blobs, guard)
    recovery.finish(project, plan, guard)


def _commit(project: Project, plan: Manifest, blobs: dict[str, bytes], guard: Callable[[], None]) -> None:
    """Write the journal and move it into place; a failure before that move leaves not a byte behind."""
    fresh = f"{layout.JOURNAL}.new-{plan.token}"
    made: list[str] = []
    try:
        made = atomic.make_folders(project, fresh)
        together.run(lambda one: atomic.create(project, f"{fresh}/{one[0]}", one[1]), list(blobs.items()))
        atomic.create(project, f"{fresh}/{manifest.FILE}", manifest.dump(plan))
        atomic.sync_folder(project, fresh)
        _check_unchanged(project, plan)
        guard()
        atomic.rename(project, fresh, layout.JOURNAL)
    except BaseException:
        _roll_back(project, fresh, made)
        raise
    try:
        atomic.sync_folder(project, layout.OWN)
    except errors.WriteNotSynced as wrong:
        raise errors.JournalPending(layout.JOURNAL, label=plan.label, detail=str(wrong)) from wrong


def _check_unchanged(project: Project, plan: Manifest) -> None:
    for entry in plan.entries:
        found = project.read(entry.path)
        if (None if found is None else manifest.digest(found)) != entry.old:
            raise errors.FileChangedMeanwhile(entry.path)


def _roll_back(project: Project, fresh: str, made: list[str]) -> None:
    try:
        if project.kind(fresh) == "folder":
            litter.remove_tree(project, fresh)
        atomic.remove_folders(project, [folder for folder in made if folder != fresh])
    except errors.Problem:
        pass  # the first failure is the one to report; `litter.sweep` removes the rest
