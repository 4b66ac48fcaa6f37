"""The surroundings of a project: its disk, the commands on PATH, a file for the author outside it.

Only `create_author_file` writes.
"""

from __future__ import annotations

import errno
import os

from novel_hooks import errors
from novel_hooks.annotations import Mapping
from novel_hooks.pattern import Pattern
from novel_hooks.store.files.oserror import system_reason
from novel_hooks.store.files.project import Project

_SCRIPT_BYTES = 8192
_PYTHON = Pattern(r"(/[^\n'\"]*?/bin/python[0-9.]*)(?=['\"\s])")
_VERSION = Pattern(r'__version__ = "([^"]+)"')
_NO_LOCKS = (errno.ENOLCK, getattr(errno, "ENOTSUP", errno.ENOLCK), errno.ENOSYS)


def free_megabytes(project: Project) -> int | None:
    """Return the megabytes (2**20 bytes) this user may still write; None where that is unknown."""
    if not hasattr(os, "statvfs"):
        return None
    try:
        disk = os.statvfs(project.root)
    except OSError:
        return None
    return disk.f_bavail * disk.f_frsize // (1 << 20)


def is_writable(project: Project, rel: str) -> bool:
    """Tell whether this user may write to the file `rel`, or make files in the folder `rel`."""
    folder = os.path.isdir(project.absolute(rel))
    return os.access(project.absolute(rel), os.W_OK | (os.X_OK if folder else 0))


def lock_fault(project: Project, rel: str) -> str | None:
    """Describe in Chinese why this disk has no file locks; None when it has.

    `rel` is a file that no command locks.
    """
    if os.name == "nt":
        return None
    import fcntl

    try:
        handle = os.open(project.destination(rel), os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return None  # another check reports it
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as wrong:
        return system_reason(wrong) if wrong.errno in _NO_LOCKS else None
    finally:
        os.close(handle)
    return None


def find_command(name: str, environ: Mapping[str, str]) -> str | None:
    """Return the file that a shell would run for `name`; None when PATH has none."""
    for folder in environ.get("PATH", "").split(os.pathsep):
        place = os.path.join(folder, name)
        if folder and os.path.isfile(place) and os.access(place, os.X_OK):
            return place
    return None


def version_behind(script: str) -> str | None:
    """Return the version of this package that the command at `script` starts; None for another program.

    The version is read from files, nothing is run. A launcher has the package beside its folder. An
    installed script names the Python of its environment, and the package lies below that.
    """
    real = os.path.realpath(script)
    try:
        with open(real, "rb") as file:
            text = file.read(_SCRIPT_BYTES).decode("utf-8", "replace")
    except OSError:
        return None
    places = [os.path.dirname(os.path.dirname(real))]
    if "novel_hooks" in text:
        places += [place for python in _PYTHON.findall(text) for place in _packages_of(python)]
    return next((found for found in map(_version, places) if found), None)


def _packages_of(python: str) -> list[str]:
    import glob

    prefix = glob.escape(os.path.dirname(os.path.dirname(python)))
    return sorted(glob.glob(f"{prefix}/lib*/python3*/site-packages"))


def _version(folder: str) -> str | None:
    try:
        with open(os.path.join(folder, "novel_hooks", "__init__.py"), encoding="utf-8") as file:
            found = _VERSION.search(file.read(_SCRIPT_BYTES))
    except (OSError, UnicodeDecodeError):
        return None
    return str(found[1]) if found else None


def create_author_file(place: str, data: bytes) -> None:
    """Write a new private file for the author at the absolute path `place`.

    Raises `BundleExists`, `WriteFailed`.
    """
    try:
        handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
    except FileExistsError:
        raise errors.BundleExists(None, place=place) from None
    except OSError as wrong:
        raise errors.WriteFailed(place, reason=system_reason(wrong)) from wrong
