"""Litter of killed commands, in `.novel/` and beside files, and its removal.

Swept only under the OS lock, so nothing in use is ever removed: folders that no other command can be
filling, and temporary files whose process has ended.
"""

from __future__ import annotations

import os
import re
import time

from novel_hooks import layout
from novel_hooks.pattern import Pattern
from novel_hooks.store.files import atomic
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import process

_FOLDERS = Pattern(r"(?:journal|lock)\.(?:new|old|done)-[0-9a-f]{16}\Z")
_TEMP = Pattern(re.escape(atomic.TEMP_PREFIX) + r"([0-9]{1,19})-[0-9a-f]{12}\Z")
_FORGOTTEN = 3600.0


def token() -> str:
    """Return 16 random hex digits."""
    return os.urandom(8).hex()


def is_litter(name: str) -> bool:
    """Tell whether `name` is litter: half a journal or lock (`journal.new-…`), a temporary file."""
    return bool(_FOLDERS.match(name) or _TEMP.match(name))


def sweep(project: Project) -> None:
    """Remove the litter in the root and in `.novel/`."""
    for name in project.names(layout.OWN):
        if _FOLDERS.match(name):
            remove_tree(project, f"{layout.OWN}/{name}")
    sweep_folder(project, "")
    sweep_folder(project, layout.OWN)


def sweep_folder(project: Project, rel: str) -> None:
    """Remove the temporary files in the folder `rel` whose process has ended, or that are an hour old."""
    for name in project.names(rel):
        found = _TEMP.match(name)
        path = f"{rel}/{name}" if rel else name
        if found and project.has(path) and _is_left_behind(project.absolute(path), int(found.group(1))):
            atomic.remove(project, path)


def remove_tree(project: Project, rel: str) -> None:
    """Remove the folder `rel` with all its content; the target of a link in it stays.

    An absent folder is no error. Raises `WriteFailed`, `NotAFolder`.
    """
    top = project.folder_destination(rel)
    try:
        for folder, folders, files in os.walk(top, topdown=False):
            for name in sorted(files):  # a journal's manifest last: `finished_label` reads it
                os.unlink(os.path.join(folder, name))
            for name in folders:
                place = os.path.join(folder, name)
                os.unlink(place) if os.path.islink(place) else os.rmdir(place)
        os.rmdir(top)
    except FileNotFoundError:
        return
    except OSError as wrong:
        atomic.refuse_write(rel, wrong)


def _is_left_behind(place: str, pid: int) -> bool:
    if pid == os.getpid() or process.is_alive(pid, None) is False:
        return True
    try:
        return time.time() - os.lstat(place).st_mtime > _FORGOTTEN
    except FileNotFoundError:
        return False
