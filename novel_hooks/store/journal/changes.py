"""Changes of a landing, and their plan. The plan reads the disk once and writes nothing."""

from __future__ import annotations

import os

from novel_hooks import __version__, errors
from novel_hooks.annotations import Sequence
from novel_hooks.record import Record
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from novel_hooks.store.host import process
from novel_hooks.store.journal import litter, manifest
from novel_hooks.store.journal.manifest import Entry, Manifest


class Change(Record):
    """One change of a file; `kind` is put, append or remove, `data` is empty for a remove."""

    kind: str
    path: str
    data: bytes


def put(path: str, data: bytes) -> Change:
    """Return the change after which the file holds exactly `data`."""
    return Change("put", path, data)


def append(path: str, data: bytes) -> Change:
    """Return the change that adds `data` at the file's end; in a `.jsonl`, on a line of its own."""
    return Change("append", path, data)


def remove(path: str) -> Change:
    """Return the change that removes the file; an absent file is no error."""
    return Change("remove", path, b"")


def plan_changes(
    project: Project, changes: Sequence[Change], label: str
) -> tuple[Manifest, dict[str, bytes]]:
    """Plan the landing of `changes`: the manifest, and the new bytes by blob name.

    A change that changes nothing is left out; without entries there is nothing to land. Raises
    `ValueError` for a path that occurs twice, `PathOutside`, `NotARegularFile`, `NotAFolder`,
    `LogTailBroken`, `WriteFailed`.
    """
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
    head = Manifest(litter.token(), label, __version__, pid, process.start_mark(pid), process.host_name(), ())
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
    """Return LF when the `.jsonl` ends in a whole line without one, else nothing.

    Raises `LogTailBroken` for half a line.
    """
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
    """Raise `ValueError` for a path that occurs twice or as a folder, `PathOutside` for a forbidden one."""
    if len(set(paths)) != len(paths):
        raise ValueError("a path occurs twice in one landing")
    folders = {above for path in paths for above in _parent_paths(path)}
    for path in paths:
        if not manifest.is_destination(path):
            raise errors.PathOutside(path)
        if path in folders:
            raise ValueError("a path is both file and folder in one landing")


def _parent_paths(path: str) -> list[str]:
    """List the folders above a path: `a/b/c` → `a`, `a/b`."""
    parts = path.split("/")
    return ["/".join(parts[:depth]) for depth in range(1, len(parts))]


def _check_writable(project: Project, entry: Entry) -> None:
    """Raise `WriteFailed` where the system would refuse the write, before anything is committed."""
    place = project.absolute(entry.path)
    if entry.kind != "append" or entry.old is None:
        place = os.path.dirname(place)
        while not os.path.lexists(place):
            place = os.path.dirname(place)
    if not os.access(place, os.W_OK):
        raise errors.WriteFailed(entry.path, reason="没有权限")
