"""Files and folders for the author at an absolute place: the old content or the new, never half of it.

A folder is filled beside its place and then moved there. The next call removes what a killed command left
beside it.
"""

from __future__ import annotations

import os
import re

from novel_hooks import errors
from novel_hooks.annotations import BinaryIO, Callable, Mapping
from novel_hooks.pattern import Pattern
from novel_hooks.store.files import atomic
from novel_hooks.store.files.durable import sync
from novel_hooks.store.files.folders import make_place
from novel_hooks.store.files.oserror import system_reason
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import process

_TEMP = Pattern(re.escape(atomic.TEMP_PREFIX) + r"([0-9]{1,19})-[0-9a-f]{12}\Z")


def write_file(place: str, data: bytes) -> bool:
    """Write the file, durably; False when it holds these bytes. Raises WriteFailed, NotARegularFile."""
    folder, name = os.path.split(place)
    home = _home(folder)
    if home.read(name) == data:
        return False
    atomic.write(home, name, data)
    return True


def write_folder(place: str, files: Mapping[str, bytes]) -> bool:
    """Write the folder with exactly these files; False when it holds just them already.

    A folder that is there is replaced whole: the caller has made sure that it may be. Raises WriteFailed.
    """
    folder, name = os.path.split(place)
    home = _home(folder)
    if folder_files(place) == dict(files):
        return False
    fresh, old = (f"{atomic.TEMP_PREFIX}{os.getpid()}-{os.urandom(6).hex()}" for _ in "12")
    try:
        os.mkdir(home.absolute(fresh))
        for file, data in files.items():
            atomic.create(home, f"{fresh}/{file}", data)
        atomic.sync_folder(home, fresh)
        if os.path.lexists(place):
            atomic.rename(home, name, old)
        atomic.rename(home, fresh, name)
    except OSError as wrong:
        raise errors.WriteFailed(place, reason=system_reason(wrong)) from wrong
    finally:
        _remove(home.absolute(fresh))
    _remove(home.absolute(old))
    atomic.sync_folder(home, "")
    return True


def write_new(place: str, fill: Callable[[BinaryIO], None]) -> None:
    """Write a new file, durably, by calling `fill` with the open file; never write over another.

    The folder must be there. Raises WriteFailed, PlaceTaken, and every error of `fill`; then nothing is left.
    """
    home = _home(os.path.dirname(place))
    temp = home.absolute(f"{atomic.TEMP_PREFIX}{os.getpid()}-{os.urandom(6).hex()}")
    try:
        with open(temp, "x+b") as file:
            fill(file)
            file.flush()
            sync(file.fileno())
        _publish(temp, place)
    except FileExistsError as wrong:
        raise errors.PlaceTaken(place=place) from wrong
    except OSError as wrong:
        raise errors.WriteFailed(place, reason=system_reason(wrong)) from wrong
    finally:
        _remove(temp)
    atomic.sync_folder(home, "")


def _publish(temp: str, place: str) -> None:
    """Give the finished file its name. Raises FileExistsError; a disk without links takes a rename."""
    try:
        os.link(temp, place)
    except FileExistsError:
        raise
    except OSError:
        if os.path.lexists(place):
            raise FileExistsError(place) from None
        os.rename(temp, place)


def folder_files(place: str) -> dict[str, bytes] | None:
    """Return the files of a folder by name.

    None when the folder is absent or holds something that is no file.
    """
    if not os.path.isdir(place):
        return None
    home = Project(place)
    names = home.names("")
    if any(home.kind(name) != "file" for name in names):
        return None
    return {name: home.read(name) or b"" for name in names}


def _home(folder: str) -> Project:
    """Return the folder, made when it is not there, rid of what killed commands left in it."""
    make_place(folder)
    for name in os.listdir(folder):
        found = _TEMP.match(name)
        if found and process.is_alive(int(found[1]), None) is False:
            _remove(os.path.join(folder, name))
    return Project(folder)


def _remove(place: str) -> None:
    """Remove a temporary file or folder; what the disk does not let go stays for the next time."""
    import shutil

    if os.path.isdir(place) and not os.path.islink(place):
        shutil.rmtree(place, ignore_errors=True)
    elif os.path.lexists(place):
        os.unlink(place)
