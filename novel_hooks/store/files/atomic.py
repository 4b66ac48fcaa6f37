"""Durable writes, one file at a time; every write of `novel` goes through here.

*Durable*: a file is written beside its place, synced, and moved into place; then the folder is
synced. After a power cut the file is the old one or the new one. No write follows a link below the
project root. A refusal of the system becomes `WriteFailed`, and no temporary file stays behind.
The temporary file of a killed command is swept by `litter`.
"""

from __future__ import annotations

import os
import stat

from novel_hooks import errors
from novel_hooks.store.files.durable import (
    refuse_write as refuse_write,  # offered here too, like the names of `folders` below
)
from novel_hooks.store.files.durable import sync, write_all
from novel_hooks.store.files.folders import make_folders as make_folders
from novel_hooks.store.files.folders import parent as parent
from novel_hooks.store.files.folders import remove_folders as remove_folders
from novel_hooks.store.files.folders import rename as rename
from novel_hooks.store.files.folders import sync_folder as sync_folder
from novel_hooks.store.files.oserror import system_reason
from novel_hooks.store.files.project import KIND_NAMES, Project

TEMP_PREFIX = ".novel-tmp-"

_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def write(project: Project, rel: str, data: bytes, *, sync: bool = True) -> None:
    """Write `data` to `rel` as its whole content, and make the folders above it.

    A replaced file's mode is kept. With `sync=False` the caller syncs the folder (`sync_folder`)
    later, once for several files.
    Raises `WriteFailed` (nothing changed), `NotARegularFile`, `NotAFolder`; `WriteNotSynced` when only
    the last sync failed.
    """
    target = project.destination(rel)
    made = make_folders(project, parent(rel))
    temp = os.path.join(os.path.dirname(target), f"{TEMP_PREFIX}{os.getpid()}-{os.urandom(6).hex()}")
    try:
        _fill(temp, data, _mode_of(target))
        os.replace(temp, target)
    except BaseException as wrong:
        _forget(temp)
        remove_folders(project, made)
        if isinstance(wrong, OSError):
            refuse_write(rel, wrong)
        raise
    if sync:
        sync_folder(project, parent(rel))


def create(project: Project, rel: str, data: bytes) -> None:
    """Write a new, synced file into a folder that is there; for files that only a later rename publishes.

    Raises `WriteFailed`, also when there is such a file.
    """
    try:
        _fill(project.destination(rel), data, None)
    except OSError as wrong:
        refuse_write(rel, wrong)


def link(project: Project, rel: str, target: str) -> bool:
    """Give the synced file `rel` the further name `target`, and make the folders above it.

    Returns False, with nothing written, where something has that name or the disk knows no further names.
    The caller syncs the folder (`sync_folder`). Raises `WriteFailed`, `NotARegularFile`, `NotAFolder`.
    """
    place = project.destination(target)
    make_folders(project, parent(target))
    try:
        os.link(project.absolute(rel), place)
    except OSError:
        return False
    return True


def append(project: Project, rel: str, offset: int, data: bytes) -> None:
    """Write `data` into `rel` from byte `offset` on, synced, and cut off what came after.

    The same call again gives the same file. Raises `JournalTargetShort` when `rel` has fewer than
    `offset` bytes, `NotARegularFile`, `NotAFolder`, `WriteFailed`.
    """
    target = project.destination(rel)
    make_folders(project, parent(rel))
    try:
        handle = os.open(target, os.O_WRONLY | os.O_CREAT | _FLAGS, 0o666)
        try:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                raise errors.NotARegularFile(rel, kind=KIND_NAMES["other"])
            if found.st_size < offset:
                raise errors.JournalTargetShort(rel)
            os.lseek(handle, offset, os.SEEK_SET)
            write_all(handle, data)
            os.ftruncate(handle, offset + len(data))
            sync(handle)
        finally:
            os.close(handle)
    except OSError as wrong:
        refuse_write(rel, wrong)


def remove(project: Project, rel: str) -> None:
    """Remove the regular file `rel`; an absent one is no fault. Raises `WriteFailed`, `NotARegularFile`."""
    target = project.destination(rel)
    try:
        os.unlink(target)
    except FileNotFoundError:
        return
    except OSError as wrong:
        refuse_write(rel, wrong)


def sync_file(project: Project, rel: str) -> None:
    """Sync the bytes of `rel`, which an earlier process wrote. Raises `WriteNotSynced`."""
    try:
        handle = os.open(project.destination(rel), os.O_RDWR | _FLAGS)
        try:
            sync(handle)
        finally:
            os.close(handle)
    except OSError as wrong:
        raise errors.WriteNotSynced(rel, reason=system_reason(wrong)) from wrong


def _fill(place: str, data: bytes, mode: int | None) -> None:
    first_mode = 0o666 if mode is None else 0o600  # a private file is private from its first byte
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS, first_mode)
    try:
        write_all(handle, data)
        if mode is not None and os.name != "nt":
            os.fchmod(handle, mode)
        sync(handle)
    finally:
        os.close(handle)


def _mode_of(target: str) -> int | None:
    try:
        return stat.S_IMODE(os.lstat(target).st_mode)
    except OSError:
        return None


def _forget(temp: str) -> None:
    try:
        os.unlink(temp)
    except OSError:
        return  # it was not made, or the disk refuses even that: the first error is the one to report
