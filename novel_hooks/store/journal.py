"""Several changes as one: all of them land, or none, across a kill at any point and a power cut.

Source: protocol §5. A redo journal, like a database's: the new bytes and a manifest are written and
synced below `.novel/journal.new-TOKEN`; the rename to `.novel/journal` is the one commit point; then
the changes are applied in order, synced, and the journal is dropped. Before the commit point a failure
rolls back to the very same bytes; after it the next writing command finishes (`recover`).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
import os

from novel_hooks import __version__, errors, layout
from novel_hooks.record import Record
from novel_hooks.store import atomic, jsonio, litter, manifest, process, recovery
from novel_hooks.store.manifest import Entry, Manifest
from novel_hooks.store.project import Project
from novel_hooks.store.recovery import recover as recover  # part of this module's face

# A single file in one of these folders lands without journal: `litter.sweep` looks into both.
_PLAIN = ("", layout.OWN)


class Change(Record):
    """`kind` is put, append or remove; `data` is empty for a remove."""

    kind: str
    path: str
    data: bytes


def put(path: str, data: bytes) -> Change:
    """The file will hold exactly `data`."""
    return Change("put", path, data)


def append(path: str, data: bytes) -> Change:
    """`data` will follow what the file holds; in a `.jsonl` it starts on a line of its own."""
    return Change("append", path, data)


def remove(path: str) -> Change:
    """The file will be gone; nothing to do when it is."""
    return Change("remove", path, b"")


def pending(project: Project) -> Manifest | None:
    """The landing that is committed and not yet through. Reads one small file, changes nothing."""
    return manifest.load(project)


def owner_lives(plan: Manifest) -> bool | None:
    """Does the command that made this journal still run? None: cannot be known."""
    return process.alive(plan.pid, plan.pid_started) if plan.host == process.host() else None


def land(project: Project, changes: Sequence[Change], *, label: str, guard: Callable[[], None]) -> None:
    """Make all `changes` or none; `label` (Chinese) names them in messages. Under the OS lock.

    `guard` is called before the commit point and before each publish; it raises (`LockLost`) to stop.
    Nothing changed: `WriteFailed`, `NotARegularFile`, `NotAFolder`, `LogTailBroken`,
    `FileChangedMeanwhile`, `JournalPending` (another one waits) and what `guard` raised before the
    commit point. Committed, to be finished by `recover`: `JournalPending`, `JournalConflict`, and what
    `guard` raised after it.
    """
    waiting = pending(project)
    if waiting is not None:
        raise errors.JournalPending(layout.JOURNAL, label=waiting.label, detail="上次的写入中断了")
    plan, blobs = _plan(project, changes, label)
    if not plan.entries:
        return
    first = plan.entries[0]
    if len(plan.entries) == 1 and first.kind == "put" and atomic.parent(first.path) in _PLAIN:
        guard()
        atomic.write(project, first.path, blobs[first.blob or ""])
        return
    _commit(project, plan, blobs, guard)
    recovery.finish(project, plan, guard)


def _plan(project: Project, changes: Sequence[Change], label: str) -> tuple[Manifest, dict[str, bytes]]:
    """What to do, from one look at the disk. A change that changes nothing is left out."""
    _check_paths([change.path for change in changes])
    entries: list[Entry] = []
    blobs: dict[str, bytes] = {}
    for change in changes:
        blob = f"{len(entries):04d}"
        entry, data = _entry(project, change, blob)
        if entry is None:
            continue
        _check_writable(project, entry)
        entries.append(entry)
        if entry.blob is not None:
            blobs[entry.blob] = data
    pid = os.getpid()
    head = Manifest(litter.token(), label, __version__, pid, process.started(pid), process.host(), ())
    return head._replace(entries=tuple(entries)), blobs


def _entry(project: Project, change: Change, blob: str) -> tuple[Entry | None, bytes]:
    project.destination(change.path)
    found = project.read(change.path)
    old = None if found is None else manifest.digest(found)
    if change.kind == "remove":
        return (Entry("remove", change.path, old, 0, None, None, 0) if old else None), b""
    data, offset = change.data, 0
    if change.kind == "append":
        if not data:
            return None, b""
        data, offset = _line_start(change.path, found or b"") + data, len(found or b"")
    return Entry(change.kind, change.path, old, offset, blob, manifest.digest(data), len(data)), data


def _line_start(path: str, found: bytes) -> bytes:
    """LF when the `.jsonl` ends in a whole line without one. Raises `LogTailBroken` for half a line."""
    if not path.endswith(".jsonl") or not found or found.endswith(b"\n"):
        return b""
    last = found.rpartition(b"\n")[2]
    if last.strip():
        try:
            jsonio.parse(last, path)
        except errors.Problem as wrong:
            raise errors.LogTailBroken(path) from wrong
    return b"\n"


def _check_paths(paths: list[str]) -> None:
    """Faults of the caller, so `ValueError`; a path out of the project is refused as such later."""
    if len(set(paths)) != len(paths):
        raise ValueError("a path occurs twice in one landing")
    for path in paths:
        if not manifest.is_place(path):
            raise errors.PathOutside(path)
        if any(other.startswith(path + "/") for other in paths):
            raise ValueError("a path is both file and folder in one landing")


def _check_writable(project: Project, entry: Entry) -> None:
    """Refuse before the commit point what the system would refuse after it."""
    place = project.absolute(entry.path)
    if entry.kind != "append" or entry.old is None:
        place = os.path.dirname(place)
        while not os.path.lexists(place):
            place = os.path.dirname(place)
    if not os.access(place, os.W_OK):
        raise errors.WriteFailed(entry.path, detail="没有权限")


def _commit(project: Project, plan: Manifest, blobs: dict[str, bytes], guard: Callable[[], None]) -> None:
    """Up to and with the commit point; a failure before it leaves not a byte behind."""
    fresh = f"{layout.JOURNAL}.new-{plan.token}"
    made: list[str] = []
    try:
        made = atomic.make_folders(project, fresh)
        for name, data in blobs.items():
            atomic.create(project, f"{fresh}/{name}", data)
        atomic.create(project, f"{fresh}/{manifest.FILE}", manifest.encode(plan))
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
        pass  # the first failure is the one to tell; `litter.sweep` clears away the rest
