"""Durable writes, one file at a time. All that `novel` writes goes through here.

*Durable*: a file is written beside its place, synced, and moved into place; then the folder is
synced. After a power cut the file is the old one or the new one. No write follows a link below the
project root. What the system refuses becomes `WriteFailed`, and no temporary file stays behind; one
that a kill left behind is swept by `litter`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

import errno
import os
import stat
import sys

from novel_hooks import errors
from novel_hooks.store.oserror import said
from novel_hooks.store.project import KIND_NAMES, Project

TEMP_PREFIX = ".novel-tmp-"

_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_NO_SUCH_SYNC = (errno.EINVAL, getattr(errno, "ENOTSUP", errno.EINVAL), errno.EBADF)


def write(project: Project, rel: str, data: bytes, *, sync: bool = True) -> None:
    """Make `rel` hold exactly `data`; its folders are made, a replaced file's mode is kept.

    With `sync=False` the caller syncs the folder (`sync_folder`) later, once for several files.
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
            refuse(rel, wrong)
        raise
    if sync:
        sync_folder(project, parent(rel))


def create(project: Project, rel: str, data: bytes) -> None:
    """A new file in an existing folder, synced; for files that nobody sees before a later rename."""
    try:
        _fill(project.destination(rel), data, None)
    except OSError as wrong:
        refuse(rel, wrong)


def append(project: Project, rel: str, offset: int, data: bytes) -> None:
    """Make `rel` hold its first `offset` bytes and then `data`, synced; what was after goes.

    The same call again gives the same file. Raises `JournalTargetShort` when `rel` is shorter.
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
            _pour(handle, data)
            os.ftruncate(handle, offset + len(data))
            _sync(handle)
        finally:
            os.close(handle)
    except OSError as wrong:
        refuse(rel, wrong)


def remove(project: Project, rel: str) -> None:
    """Take the regular file `rel` away; when it is gone already, nothing."""
    target = project.destination(rel)
    try:
        os.unlink(target)
    except FileNotFoundError:
        return
    except OSError as wrong:
        refuse(rel, wrong)


def rename(project: Project, old: str, new: str) -> None:
    """Move a folder or file within the project in one step; the caller syncs."""
    try:
        os.rename(project.absolute(old), project.absolute(new))
    except OSError as wrong:
        refuse(new, wrong)


def make_folders(project: Project, rel: str) -> list[str]:
    """Make the folder `rel` and those above it, each synced into its parent; returns the new ones."""
    made: list[str] = []
    if project.kind(rel) == "folder":
        return made
    project.folder_destination(rel)
    parts = rel.split("/")
    try:
        for depth in range(1, len(parts) + 1):
            _make_folder(project, "/".join(parts[:depth]), made)
    except BaseException:
        remove_folders(project, made)
        raise
    return made


def remove_folders(project: Project, folders: list[str]) -> None:
    """Take back what `make_folders` made, innermost first, as far as they are empty."""
    for rel in reversed(folders):
        try:
            os.rmdir(project.absolute(rel))
        except OSError:
            return  # no longer empty, so no longer ours


def sync_folder(project: Project, rel: str) -> None:
    """Make the names in the folder `rel` survive a power cut. Windows offers no such call."""
    if os.name == "nt":
        return
    try:
        handle = os.open(project.absolute(rel), os.O_RDONLY | os.O_DIRECTORY)
        try:
            _sync(handle)
        finally:
            os.close(handle)
    except OSError as wrong:
        if wrong.errno in _NO_SUCH_SYNC:
            return
        raise errors.WriteNotSynced(rel or ".", detail=said(wrong)) from wrong


def sync_file(project: Project, rel: str) -> None:
    """Make the bytes of `rel`, written by an earlier process, survive a power cut."""
    try:
        handle = os.open(project.destination(rel), os.O_RDWR | _FLAGS)
        try:
            _sync(handle)
        finally:
            os.close(handle)
    except OSError as wrong:
        raise errors.WriteNotSynced(rel, detail=said(wrong)) from wrong


def parent(rel: str) -> str:
    """The folder of `rel`; `""` is the root."""
    return rel.rpartition("/")[0]


def _make_folder(project: Project, rel: str, made: list[str]) -> None:
    try:
        os.mkdir(project.absolute(rel))
    except FileExistsError:
        return
    except OSError as wrong:
        refuse(rel, wrong)
    made.append(rel)
    sync_folder(project, parent(rel))


def _fill(place: str, data: bytes, mode: int | None) -> None:
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS, 0o666)
    try:
        _pour(handle, data)
        if mode is not None and os.name != "nt":
            os.fchmod(handle, mode)
        _sync(handle)
    finally:
        os.close(handle)


def _pour(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def _sync(handle: int) -> None:
    """On macOS plain `fsync` stops at the drive's own cache."""
    if sys.platform == "darwin":
        import fcntl

        try:
            fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
            return
        except OSError:
            pass  # not every file system offers it; then the plain one has to do
    os.fsync(handle)


def _mode_of(target: str) -> int | None:
    try:
        return stat.S_IMODE(os.lstat(target).st_mode)
    except OSError:
        return None


def _forget(temp: str) -> None:
    try:
        os.unlink(temp)
    except OSError:
        return  # it was not made, or the disk refuses even that; the first error is the one to tell


def refuse(rel: str, wrong: OSError) -> NoReturn:
    """Raise what the operating system refused as `WriteFailed`."""
    raise errors.WriteFailed(rel, detail=said(wrong)) from wrong
