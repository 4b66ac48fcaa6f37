"""The application of a committed journal, by the landing itself or by a later recovery.

Every step may run twice. A file with its new content is passed over, one with its old content is written, and
one with any other content stops everything.
"""

from __future__ import annotations

import os

from novel_hooks import errors, layout
from novel_hooks.annotations import Callable, Sequence
from novel_hooks.store.files import atomic
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import litter, manifest, together
from novel_hooks.store.journal.manifest import Entry, Manifest

OLD = "old"
NEW = "new"


def entry_state(project: Project, plan: Manifest, entry: Entry) -> str:
    """Return whether the file is `OLD` or `NEW`; change nothing.

    Raises `JournalConflict`, `JournalTargetShort`, and for an append `JournalBroken`.
    """
    return _state_by_bytes(project, plan, entry, _current_bytes(project, plan, entry))


def resulting_bytes(project: Project, plan: Manifest, entry: Entry) -> bytes | None:
    """Return the bytes of the file after the landing; None when it will be absent.

    Raises as `entry_state`, and `JournalBroken`.
    """
    data = _current_bytes(project, plan, entry)
    if _state_by_bytes(project, plan, entry, data) == NEW:
        return data
    if entry.kind == "remove":
        return None
    return (data or b"")[: entry.offset] + manifest.read_blob(project, entry)  # a put has offset 0


def _current_bytes(project: Project, plan: Manifest, entry: Entry) -> bytes | None:
    try:
        return project.read(entry.path)
    except (errors.NotARegularFile, errors.NotAFolder) as wrong:
        raise errors.JournalConflict(entry.path, label=plan.label) from wrong


def _state_by_bytes(project: Project, plan: Manifest, entry: Entry, data: bytes | None) -> str:
    if entry.kind == "append":
        return _append_state(project, plan, entry, data)
    if data is None:
        return NEW if entry.kind == "remove" else OLD
    found = manifest.digest(data)
    if found == entry.new:
        return NEW
    if found == entry.old:
        return OLD
    if is_linked(project, entry):  # it has landed, and somebody went on writing in it
        return NEW
    raise errors.JournalConflict(entry.path, label=plan.label)


def is_linked(project: Project, entry: Entry) -> bool:
    """Tell whether the entry's file is its blob under a further name, as `_link` publishes it."""
    try:
        return os.path.samefile(project.absolute(manifest.blob_path(entry)), project.absolute(entry.path))
    except OSError:
        return False


def carry_out(project: Project, plan: Manifest, guard: Callable[[], None]) -> None:
    """Publish the entries in their order, sync, drop the journal; stop at the first failure.

    `guard` is called before each publish; it raises to stop.
    """
    early, late = _by_time(plan.entries)
    unlinked = [entry for entry in early if not _link(project, entry, guard)]
    together.run(lambda entry: _carry_out(project, plan, entry, guard), unlinked)
    for entry in late:
        _carry_out(project, plan, entry, guard)
    for folder in sorted({atomic.parent(entry.path) for entry in plan.entries}):
        if project.kind(folder) == "folder":
            atomic.sync_folder(project, folder)
    drop(project, plan)


def _by_time(entries: Sequence[Entry]) -> tuple[Sequence[Entry], Sequence[Entry]]:
    """Return (entries that may be published in any order, the others in theirs); a few keep their order."""
    early = [entry for entry in entries if _may_be_early(entry)]
    if not together.are_many(early):
        return (), entries
    return early, [entry for entry in entries if not _may_be_early(entry)]


def _may_be_early(entry: Entry) -> bool:
    """Tell whether nobody reads the file before the checkpoint, the last of a landing, names it."""
    return entry.kind == "put" and "/" in entry.path and not entry.path.startswith(layout.OWN)


def _link(project: Project, entry: Entry, guard: Callable[[], None]) -> bool:
    """Publish a new file as a further name of its blob, which is synced; False where it is to be written."""
    if entry.old is not None:
        return False
    guard()
    try:
        return atomic.link(project, manifest.blob_path(entry), entry.path)
    except (errors.NotARegularFile, errors.NotAFolder):
        return False  # `_carry_out` tells what stands there


def _carry_out(project: Project, plan: Manifest, entry: Entry, guard: Callable[[], None]) -> None:
    if entry_state(project, plan, entry) == OLD:
        guard()
        _publish(project, entry)
    elif entry.kind == "append":
        atomic.sync_file(project, entry.path)


def drop(project: Project, plan: Manifest) -> None:
    """Rename the finished journal away in one step, then remove it."""
    done = f"{manifest.DONE}{plan.token}"
    atomic.rename(project, layout.JOURNAL, done)
    try:
        atomic.sync_folder(project, layout.OWN)
        litter.remove_tree(project, done)
    except errors.WriteFailed:
        # All has landed. The next command reports a leftover and sweeps it; a journal that a power cut
        # brings back finds everything in place.
        return


def _publish(project: Project, entry: Entry) -> None:
    if entry.kind == "remove":
        atomic.remove(project, entry.path)
    elif entry.kind == "append":
        atomic.append(project, entry.path, entry.offset, manifest.read_blob(project, entry))
    else:
        atomic.write(project, entry.path, manifest.read_blob(project, entry), sync=False)


def _append_state(project: Project, plan: Manifest, entry: Entry, data: bytes | None) -> str:
    whole = data or b""
    if len(whole) < entry.offset:
        raise errors.JournalTargetShort(entry.path)
    if entry.old is not None and manifest.digest(whole[: entry.offset]) != entry.old:
        raise errors.JournalConflict(entry.path, label=plan.label)
    tail = whole[entry.offset :]
    coming = manifest.read_blob(project, entry)
    if tail.startswith(coming):
        return NEW
    if _is_torn(tail, coming):
        return OLD
    raise errors.JournalConflict(entry.path, label=plan.label)


def _is_torn(tail: bytes, coming: bytes) -> bool:
    """Is `tail` our own write cut short: a beginning of it, then zeros, as a power cut leaves them?"""
    written = tail.rstrip(b"\0")
    return len(tail) <= len(coming) and coming.startswith(written)
