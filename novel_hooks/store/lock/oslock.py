"""The lock of a running command: an OS file lock on `.novel/os.lock`. Source: protocol §6.

The system releases it when the process ends, however it ends. The file is never removed while a project
is there: two commands would then hold locks on two files of one name.
"""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager

from novel_hooks import errors, layout
from novel_hooks.annotations import Iterator
from novel_hooks.store.files import atomic
from novel_hooks.store.files.oserror import system_reason
from novel_hooks.store.files.project import Project

_TAKEN = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


@contextmanager
def running(project: Project) -> Iterator[None]:
    """Hold the lock, for one writing command at a time.

    Raises `CommandBusy` at once when another command, or this one, holds it; `LockUnsupported` (no such
    locks on this disk), `WriteFailed`, `NotARegularFile`, `NotAFolder`.
    """
    handle = _take(project)
    try:
        yield
    finally:
        os.close(handle)


def discard(project: Project) -> None:
    """Remove the lock's file and its folder while it is held, when a project's making has failed.

    A command that had opened the file finds it without a name and opens the next one.
    """
    try:
        os.unlink(project.absolute(layout.OS_LOCK))
    except FileNotFoundError:
        pass
    except OSError:
        return  # a system that deletes no open file
    atomic.remove_folders(project, [layout.OWN])


def _take(project: Project) -> int:
    place = project.destination(layout.OS_LOCK)
    made = atomic.make_folders(project, layout.OWN)
    try:
        return _open_locked(place)
    except errors.CommandBusy:
        raise
    except BaseException:
        if made:
            discard(project)
        raise


def _open_locked(place: str) -> int:
    while True:
        try:
            handle = os.open(place, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
        except OSError as wrong:
            atomic.refuse_write(layout.OS_LOCK, wrong)
        try:
            _exclude(handle)
            if os.fstat(handle).st_nlink:
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)  # `.novel/` was removed in between: the next file is the lock


def _exclude(handle: int) -> None:
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as wrong:
        if wrong.errno in _TAKEN:
            raise errors.CommandBusy(None) from None
        raise errors.LockUnsupported(None, reason=system_reason(wrong)) from wrong
