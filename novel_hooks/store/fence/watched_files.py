"""Which files are missed once they are gone, and the list of those that were in the book once.

A listed file that is absent is lost. Each hand-out takes the list, because the fence walks these files then.
Every landing updates it. Only `novel` or the author's word takes a file off. Files of single chapters are not
on it: the landed records, the change log and the outline name them.
"""

from __future__ import annotations

import os
import stat

from novel_hooks import layout
from novel_hooks.annotations import TYPE_CHECKING, Iterable, Sequence
from novel_hooks.errors import Problem
from novel_hooks.store.fence import seal

if TYPE_CHECKING:
    from novel_hooks.store.files.project import Project
    from novel_hooks.store.journal.journal import Change

_HEAD = "novel-known 1"
_FENCE_HEAD = "novel-fence 2"
_FILES = (layout.BRIEF, layout.STYLE_PROFILE, layout.BLACKLIST, layout.CONFIG)
_LISTS = (layout.STORYLINES, layout.STORYLINE_SPEC)
_FOLDERS = (f"{layout.WORLD}/", "characters/", f"{layout.RESEARCH}/", "volumes/")


def is_watched(path: str) -> bool:
    """Tell whether the path is a file of the setting or of a plan, and not of one chapter."""
    if "\t" in path or "\n" in path:
        return False
    name = path.rpartition("/")[2]
    if path in (*_FILES, *_LISTS) or (path.startswith(_FOLDERS) and not name.startswith("chapter-")):
        return True
    folder, _, line = path.removesuffix("/memory.md").rpartition("/")
    return folder == "storylines" and path == layout.memory(line)


def read(project: Project) -> list[str] | None:
    """Return the listed paths; None when neither list nor marks exist.

    A book of an earlier version has no list yet: then the marks of its last hand-out name the files.
    """
    lines = _lines(project, layout.KNOWN_FILES, _HEAD)
    if lines is not None:
        return lines
    marked = _lines(project, layout.FENCE, _FENCE_HEAD)
    if marked is None:
        return None
    return [path for path in (line.rpartition("\t")[2] for line in marked) if is_watched(path)]


def _lines(project: Project, path: str, head: str) -> list[str] | None:
    try:
        return seal.parse_lines(project.read(path) or b"", head)
    except Problem:
        return None


def renewed(project: Project, now: Iterable[str], keep: bool) -> list[Change]:
    """Return the change that lists the watched files of `now`; `keep`: those listed before stay too."""
    before = read(project) or ()
    return _changes(project, {*filter(is_watched, now), *(before if keep else ())})


def is_lost(project: Project, path: str) -> bool:
    """Tell whether the file is absent or blank; a link or folder in its place is another check's finding.

    The disk is asked first, which is cheap. A pending landing may still bring the file.
    """
    place = f"{project.root}/{path}"
    try:
        if not stat.S_ISREG(os.lstat(place).st_mode):
            return False
        with open(place, "rb") as file:
            if not _is_blank(file.read(_BEGINNING)):
                return False
    except OSError:
        pass
    try:
        return _is_blank(project.read(path) or b"")
    except Problem:
        return False


def _is_blank(data: bytes) -> bool:
    """Is it white space, a BOM, or the zero bytes of what a sync or a failing disk did not fill?"""
    for mark in (b"\xef\xbb\xbf", b"\xe3\x80\x80"):
        data = data.replace(mark, b"")
    return not data.strip(b"\0 \t\r\n")


_BEGINNING = 60


def missing(project: Project) -> list[str]:
    """Return the listed paths that are lost."""
    return [path for path in read(project) or () if is_lost(project, path)]


def without(project: Project, paths: Iterable[str]) -> list[Change]:
    """Return the change that takes the paths off the list."""
    before = set(read(project) or ())
    return _changes(project, before.difference(paths)) if before else []


def followed(project: Project, changes: Sequence[Change]) -> list[Change]:
    """Return the change that updates the list after a landing, by the files put and removed."""
    put = {c.path for c in changes if c.kind == "put" and is_watched(c.path)}
    removed = {c.path for c in changes if c.kind == "remove" and is_watched(c.path)}
    if not (put or removed):
        return []
    return _changes(project, {*(read(project) or ()), *put} - removed)


def _changes(project: Project, paths: set[str]) -> list[Change]:
    from novel_hooks.store.journal import journal

    if paths == set(_lines(project, layout.KNOWN_FILES, _HEAD) or ()):
        return []
    return [journal.put(layout.KNOWN_FILES, seal.sealed_lines(_HEAD, sorted(paths)))]
