"""Doctor on the project's place: folders, rights, space, locks, journal, leftovers. Reads only.

Source: protocol §1 (`.novel/`), §5, §6.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

from novel_hooks import layout
from novel_hooks.errors import (
    BookUnchecked,
    DiskLow,
    FolderMissing,
    LitterLeft,
    LockHeld,
    LockLeft,
    LockUnsupported,
    NotAFolder,
    NotARegularFile,
    NotWritable,
    Problem,
    StrangerInOwn,
)
from novel_hooks.flows.caller import Caller
from novel_hooks.store import journal, litter, lockstate, recovery, surroundings
from novel_hooks.store.manifest import Manifest
from novel_hooks.store.project import KIND_NAMES, Project

LEAST_MEGABYTES = 100
_MOST_LINKS = 20


def folders(project: Project) -> Iterator[Problem]:
    """Every folder that a project has, and that it can be written to."""
    for rel in ("", layout.OWN, *layout.PROJECT_DIRS):
        kind = project.kind(rel)
        if kind == "absent":
            if rel != layout.OWN:
                yield FolderMissing(rel)
        elif kind != "folder":
            yield NotAFolder(rel, kind=KIND_NAMES[kind])
        elif not surroundings.writable(project, rel):
            yield NotWritable(rel or ".")
    free = surroundings.free_megabytes(project)
    if free is not None and free < LEAST_MEGABYTES:
        yield DiskLow(free=free)


def staging(project: Project) -> Iterator[Problem]:
    """Nothing but folders and regular files below staging: a link there would lead a landing astray."""
    for rel, kind in list(odd_files(project, layout.STAGING))[:_MOST_LINKS]:
        yield NotARegularFile(rel, kind=KIND_NAMES[kind])


def odd_files(project: Project, folder: str) -> Iterator[tuple[str, str]]:
    """(path, kind) of every link or special file below `folder`. Links are not followed."""
    if project.kind(folder) != "folder":
        return
    for name in project.names(folder):
        rel = f"{folder}/{name}"
        kind = project.kind(rel)
        if kind == "folder":
            yield from odd_files(project, rel)
        elif kind in ("link", "other"):
            yield rel, kind


def locks(project: Project, caller: Caller) -> Iterator[Problem]:
    """The session lock, and whether this disk can hold an OS lock. Nothing is locked that a command locks."""
    state = lockstate.look(project, caller.owner, caller.now)
    if state.kind == lockstate.STALE:
        yield LockLeft(layout.LOCK_DIR, reason=state.reason)
    elif state.kind in (lockstate.OTHER, lockstate.OWN):
        yield LockHeld(layout.LOCK_DIR, reason=state.reason)
    kind = project.kind(layout.OS_LOCK)
    if kind not in ("absent", "file"):
        yield NotARegularFile(layout.OS_LOCK, kind=KIND_NAMES[kind])
    elif kind == "file" and not surroundings.writable(project, layout.OS_LOCK):
        yield NotWritable(layout.OS_LOCK)
    fault = surroundings.lock_fault(project, layout.CHECKPOINT)
    if fault:
        yield LockUnsupported(None, detail=fault)


def waiting(project: Project) -> Manifest | None:
    """The landing that is not through. Raises what is wrong with the journal or its destinations."""
    plan = journal.pending(project)
    if plan is not None and journal.owner_lives(plan) is not True:
        recovery.verify(project, plan)
    return plan


def unchecked(plan: Manifest) -> Problem:
    """Why the book is not judged now, and what to do."""
    if journal.owner_lives(plan) is True:
        return BookUnchecked(
            layout.JOURNAL, label=plan.label, how="请等那条命令结束，再运行 `novel doctor`。"
        )
    return BookUnchecked(layout.JOURNAL, label=plan.label, how="请运行 `novel doctor --fix`，会先把它补完。")


def leftovers(project: Project) -> Iterator[Problem]:
    """What killed commands left, and what this version does not know: in `.novel/` and beside it."""
    for name in project.names(layout.OWN):
        rel = f"{layout.OWN}/{name}"
        if litter.is_litter(name):
            yield LitterLeft(rel)
        elif name not in _known():
            yield StrangerInOwn(rel)
    kept = (layout.CHECKPOINT, layout.LOCK_DIR, layout.OWN, layout.CONFIG)
    for name in project.names(""):
        if litter.is_litter(name):
            yield LitterLeft(name)
        elif name.startswith((".checkpoint", ".novel")) and name not in kept:
            yield StrangerInOwn(name)


def _known() -> set[str]:
    """Names in `.novel/` that `layout` spells, whoever added them there."""
    spelled = [value for value in vars(layout).values() if isinstance(value, str)]
    return {value.split("/")[1] for value in spelled if value.startswith(f"{layout.OWN}/")}
