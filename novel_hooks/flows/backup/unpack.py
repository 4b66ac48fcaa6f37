"""`novel restore FILE [FOLDER]`: a book made of a backup, in a folder of its own.

Every byte is checked before the first is written. The checkpoint is written last: until then the folder is no
book, and the same command continues the work of a killed one.
"""

from __future__ import annotations

import os
from contextlib import suppress

from novel_hooks import errors, layout, root
from novel_hooks.annotations import Sequence
from novel_hooks.flows.backup import included_files
from novel_hooks.record import Record
from novel_hooks.rules.publication import file_names
from novel_hooks.sha2 import digest
from novel_hooks.store.files import atomic, folders
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats.backup_file import Contents, Entry, Reader
from novel_hooks.store.journal import litter, together
from novel_hooks.store.lock import oslock

_AT_ONCE = 256


class Unpacked(Record):
    """A book made of a backup: its absolute place, and the backup's data about it."""

    place: str
    contents: Contents


def run(file: str, folder: str | None, here: str) -> Unpacked:
    """Make the book in the absolute `folder`; without it, in a folder of the book's title below `here`.

    Raises BackupUnusable, BackupTarget, CommandBusy, WriteFailed; then nothing of it is left.
    """
    if not os.path.isfile(file):
        raise errors.BackupUnusable(None, "no file", place=file)
    with open(file, "rb") as opened:
        reader = Reader(opened, file)
        contents = reader.contents
        if all(entry.path != layout.CHECKPOINT for entry in contents.files):
            raise errors.BackupUnusable(None, "no backup", place=file)
        place = folder or os.path.join(here, file_names.file_name(contents.title))
        _check_target(place)
        reader.check()
        _fill(place, reader)
    return Unpacked(place, contents)


def _check_target(place: str) -> None:
    if os.path.lexists(place) and not os.path.isdir(place):
        raise errors.BackupTarget(case="file", place=place)
    if root.find_root(os.path.realpath(place)) is not None:
        raise errors.BackupTarget(case="book", place=place)


def _fill(place: str, reader: Reader) -> None:
    made = folders.make_place(place)
    project, contents = Project(os.path.realpath(place)).disk(), reader.contents
    there = set(_strangers(project, contents, ""))  # before anything is made, the lock too
    if there:
        raise errors.BackupTarget(case="taken", place=place, found=min(there))
    written: list[str] = []
    try:
        with oslock.running(project):
            _write_all(project, reader, written)
    except errors.CommandBusy:
        raise
    except BaseException:
        _undo(project, contents, written)
        folders.forget_places(made)
        raise


def _strangers(project: Project, contents: Contents, rel: str) -> list[str]:
    """Return what is in the folder and was not written by a killed restore of the same backup."""
    known = {entry.path: entry.sha256 for entry in contents.files}
    found = []
    for name in project.names(rel):
        path = f"{rel}/{name}" if rel else name
        kind = project.kind(path)
        if included_files.is_cache(name) or path == layout.OS_LOCK:
            continue
        if kind == "folder":
            found += _strangers(project, contents, path)
        elif kind != "file" or digest(project.read(path) or b"") != known.get(path):
            found.append(path)
    return found


def _write_all(project: Project, reader: Reader, written: list[str]) -> None:
    """Write folders, files, each read back, and the checkpoint last of all."""
    contents = reader.contents
    above = {atomic.parent(entry.path) for entry in contents.files}
    for folder in sorted({*contents.folders, *above, ""}):
        atomic.make_folders(project, folder)
        litter.sweep_folder(project, folder)
    files = [entry for entry in contents.files if entry.path != layout.CHECKPOINT]
    for first in range(0, len(files), _AT_ONCE):
        some = files[first : first + _AT_ONCE]
        written += [entry.path for entry in some]
        _write(project, reader, some)
    for folder in sorted({*above, ""}):
        atomic.sync_folder(project, folder)
    written.append(layout.CHECKPOINT)
    _write(project, reader, [entry for entry in contents.files if entry.path == layout.CHECKPOINT])
    atomic.sync_folder(project, "")


def _write(project: Project, reader: Reader, entries: Sequence[Entry]) -> None:
    pairs = [(entry, reader.read(entry)) for entry in entries]
    together.run(lambda pair: atomic.write(project, pair[0].path, pair[1], sync=False), pairs)
    for entry in entries:
        if digest(project.read(entry.path) or b"") != entry.sha256:
            raise errors.WriteFailed(entry.path, reason="写进去的和读回来的不一样")


def _undo(project: Project, contents: Contents, written: Sequence[str]) -> None:
    """Take away what this command has written, and the folders that are empty then."""
    for path in (*written, layout.OS_LOCK):
        with suppress(OSError):
            os.unlink(project.absolute(path))
    above = {
        path[:at]
        for path in (*(f"{one}/" for one in contents.folders), *written, layout.OS_LOCK)
        for at, mark in enumerate(path)
        if mark == "/"
    }
    for folder in sorted(above, key=len, reverse=True):
        with suppress(OSError):
            os.rmdir(project.absolute(folder))
