"""Doctor on the project's place: folders, rights, space, locks, journal, leftovers. Reads only.

Source: protocol §1 (`.novel/`), §5, §6.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Iterator
from novel_hooks.errors import Problem
from novel_hooks.flows.session.caller import Caller
from novel_hooks.store.files import surroundings
from novel_hooks.store.files.project import KIND_NAMES, Project
from novel_hooks.store.journal import journal, litter, recovery
from novel_hooks.store.journal.manifest import Manifest
from novel_hooks.store.lock import lockstate

LEAST_MEGABYTES = 100
_MOST_LINKS = 20


def folder_problems(project: Project) -> Iterator[Problem]:
    """Check that every folder of a project exists and is writable, and that the disk has room."""
    for rel in ("", layout.OWN, *layout.PROJECT_DIRS):
        kind = project.kind(rel)
        if kind == "absent":
            if rel != layout.OWN:
                yield errors.FolderMissing(rel)
        elif kind != "folder":
            yield _no_folder(project, rel)
        elif not surroundings.is_writable(project, rel):
            yield errors.NotWritable(rel or ".")
    free = surroundings.free_megabytes(project)
    if free is not None and free < LEAST_MEGABYTES:
        yield errors.DiskLow(free=free)


def _no_folder(project: Project, rel: str) -> Problem:
    """Return the first path on the way that is no folder: it has to be replaced."""
    parts = rel.split("/")
    ways = ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
    first = next(way for way in ways if project.kind(way) != "folder")
    return errors.NotAFolder(first, kind=KIND_NAMES[project.kind(first)])


def staging_problems(project: Project) -> Iterator[Problem]:
    """Find everything below staging but folders and regular files: a link there would misdirect a landing."""
    for rel, kind in list(odd_files(project, layout.STAGING))[:_MOST_LINKS]:
        yield errors.NotARegularFile(rel, kind=KIND_NAMES[kind])


def odd_files(project: Project, folder: str) -> Iterator[tuple[str, str]]:
    """Yield (path, kind) of every link or special file below `folder`. Links are not followed."""
    if project.kind(folder) != "folder":
        return
    for name in project.names(folder):
        rel = f"{folder}/{name}"
        kind = project.kind(rel)
        if kind == "folder":
            yield from odd_files(project, rel)
        elif kind in ("link", "other"):
            yield rel, kind


def lock_problems(project: Project, caller: Caller) -> Iterator[Problem]:
    """Check the session lock, and whether this disk supports an OS lock. No lock is taken."""
    state = lockstate.lock_state(project, caller.owner, caller.now)
    if state.kind == lockstate.STALE:
        yield errors.LockLeft(layout.LOCK_DIR, reason=state.reason)
    elif state.undated:
        yield errors.LockInFuture(layout.LOCK_DIR, since=lockstate.since_text(state, caller.now))
    elif state.kind in (lockstate.OTHER, lockstate.OWN):
        alive = lockstate.is_holder_alive(state.info or {}, caller.owner.host)
        case = "alive" if alive or state.kind == lockstate.OWN else "unseen"
        yield errors.LockHeld(layout.LOCK_DIR, case, reason=state.reason, patience=lockstate.PATIENCE_TEXT)
    kind = project.kind(layout.OS_LOCK)
    if kind == "file" and not surroundings.is_writable(project, layout.OS_LOCK):
        yield errors.NotWritable(layout.OS_LOCK)
    fault = surroundings.lock_fault(project, layout.CHECKPOINT)
    if fault:
        yield errors.LockUnsupported(None, reason=fault)


def pending_manifest(project: Project) -> Manifest | None:
    """Return the pending landing. Raises the faults of the journal and its destinations."""
    plan = journal.pending(project)
    if plan is not None and journal.is_owner_alive(plan) is not True:
        recovery.verify(project, plan)
    return plan


def unchecked_problem(plan: Manifest) -> Problem:
    """Return the reason why the book is not checked now, and the next action."""
    case = "writing" if journal.is_owner_alive(plan) is True else "cut off"
    return errors.BookUnchecked(layout.JOURNAL, case=case, label=plan.label)


def leftover_problems(project: Project, caller: Caller) -> Iterator[Problem]:
    """Find leftovers of killed commands, and files unknown to this version, in `.novel/` and beside it.

    While another command is at work, a leftover may be its own; its lock is reported elsewhere.
    """
    found = list(_litter_problems(project))
    if any(isinstance(one, errors.LitterLeft) for one in found):
        state = lockstate.lock_state(project, caller.owner, caller.now)
        alive = lockstate.is_holder_alive(state.info or {}, caller.owner.host) is not False
        if state.kind == lockstate.OTHER and alive:
            found = [one for one in found if not isinstance(one, errors.LitterLeft)]
    yield from found


def _litter_problems(project: Project) -> Iterator[Problem]:
    for name in project.names(layout.OWN):
        rel = f"{layout.OWN}/{name}"
        if litter.is_litter(name):
            yield errors.LitterLeft(rel)
        elif name not in {rel.split("/")[1] for rel in _layout_paths()}:
            yield errors.StrangerInOwn(rel)
    kept = (layout.CHECKPOINT, layout.LOCK_DIR, layout.OWN, layout.CONFIG)
    for name in project.names(""):
        if litter.is_litter(name):
            yield errors.LitterLeft(name)
        elif name.startswith((".checkpoint", ".novel")) and name not in kept:
            yield errors.StrangerInOwn(name)


def own_file_problems(project: Project) -> Iterator[Problem]:
    """Check that each name of `layout` in `.novel/`, and all below its folders, is of the right kind."""
    if project.kind(layout.OWN) != "folder":
        return  # absent, or reported with the folders
    for rel in _layout_paths():
        wanted = "folder" if rel in layout.OWN_FOLDERS else "file"
        kind = project.kind(rel)
        if kind not in ("absent", wanted):
            yield _odd_problem(rel, wanted, kind)
        elif kind == "folder":
            yield from _odd_below_problems(project, rel, layout.OWN_FOLDERS[rel])


def _odd_below_problems(project: Project, folder: str, wanted: str) -> Iterator[Problem]:
    """Find odd files in the place of a chapter's own, and links anywhere."""
    for name in project.names(folder):
        rel = f"{folder}/{name}"
        kind = project.kind(rel)
        if kind in ("link", "other") or (name.startswith("chapter-") and kind != wanted):
            yield _odd_problem(rel, wanted, kind)
        elif kind == "folder":
            yield from (_odd_problem(below, "file", found) for below, found in odd_files(project, rel))


def _odd_problem(rel: str, wanted: str, kind: str) -> Problem:
    return errors.OwnPlaceOdd(rel, wanted=KIND_NAMES[wanted], kind=KIND_NAMES[kind])


def _layout_paths() -> list[str]:
    """Return the paths in `.novel/` that `layout` spells, so that a new one is checked too."""
    spelled = [value for value in vars(layout).values() if isinstance(value, str)]
    return sorted(value for value in spelled if value.startswith(f"{layout.OWN}/"))
