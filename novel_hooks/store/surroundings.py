"""What is around a project: the disk under it, the commands on PATH, and a file for the author outside it.

Looks only, but for `create`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
import errno
import os

from novel_hooks import errors
from novel_hooks.store.oserror import said
from novel_hooks.store.project import Project

_NO_LOCKS = (errno.ENOLCK, getattr(errno, "ENOTSUP", errno.ENOLCK), errno.ENOSYS)


def free_megabytes(project: Project) -> int | None:
    """What this user may still write on the project's disk; None where the system does not say."""
    if not hasattr(os, "statvfs"):
        return None
    try:
        disk = os.statvfs(project.root)
    except OSError:
        return None
    return disk.f_bavail * disk.f_frsize // (1 << 20)


def writable(project: Project, rel: str) -> bool:
    """May this user write to the file or folder `rel`, as far as the system says beforehand?"""
    folder = os.path.isdir(project.absolute(rel))
    return os.access(project.absolute(rel), os.W_OK | (os.X_OK if folder else 0))


def lock_fault(project: Project, rel: str) -> str | None:
    """Why this disk has no file locks (Chinese), None when it has. `rel` is a file that no command locks."""
    if os.name == "nt":
        return None
    import fcntl

    try:
        handle = os.open(project.destination(rel), os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return None  # another check tells of it
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as wrong:
        return said(wrong) if wrong.errno in _NO_LOCKS else None
    finally:
        os.close(handle)
    return None


def command(name: str, environ: Mapping[str, str]) -> str | None:
    """The file that a shell would run for `name`; None when PATH has none."""
    for folder in environ.get("PATH", "").split(os.pathsep):
        place = os.path.join(folder, name)
        if folder and os.path.isfile(place) and os.access(place, os.X_OK):
            return place
    return None


def create(place: str, data: bytes) -> None:
    """A new file for the author at `place`. Raises `BundleExists`, `WriteFailed`."""
    try:
        handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    except FileExistsError:
        raise errors.BundleExists(None, place=place) from None
    except OSError as wrong:
        raise errors.WriteFailed(place, detail=said(wrong)) from wrong
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
    except OSError as wrong:
        raise errors.WriteFailed(place, detail=said(wrong)) from wrong
