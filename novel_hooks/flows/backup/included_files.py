"""The files of a book that belong in a backup: all in its folder, without what belongs to this computer.

Left out: locks, litter, git's history, caches, earlier backups, and the files that `novel host` wrote for
another host (they name this computer's folders, and it writes them anew). Links, and names that another
system cannot read, cannot be backed up and are reported.
"""

from __future__ import annotations

from novel_hooks import errors, layout, sha2
from novel_hooks.annotations import Iterator
from novel_hooks.flows.hosting import files as hosting
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import backup_file
from novel_hooks.store.journal import litter

BACKUP_NAME = Pattern(r".*-备份-[0-9]{8}-[0-9]{6}(?:-[0-9]+)?\.zip\Z")
_HERE = (layout.LOCK_DIR, layout.OS_LOCK, layout.BACKED_UP, layout.CODEX)
_CACHES = (".git", ".hg", ".svn", "__pycache__", "node_modules", ".DS_Store", "Thumbs.db", "desktop.ini")


class Included(Record):
    """Project paths: the files, the empty folders, and those that cannot be backed up."""

    files: tuple[str, ...]
    folders: tuple[str, ...]
    left: tuple[str, ...]


def is_cache(name: str) -> bool:
    """Tell whether a file or folder of that name belongs to no book."""
    return name in _CACHES or litter.is_litter(name)


def walk(project: Project) -> Included:
    """Return the paths that belong in a backup. Raises BackupNames when two names are one on another disk."""
    left: list[str] = []
    ours = _written_for_host(project)
    kept = {path: kind for path, kind in _below(project, "", left) if path not in ours}
    files = sorted(path for path, kind in kept.items() if kind == "file")
    full = {path.rpartition("/")[0] for path in (*kept, *ours, layout.BACKED_UP)}
    folders = sorted(path for path, kind in kept.items() if kind == "folder" and path not in full)
    pair = backup_file.twins([*files, *folders])
    if pair is not None:
        raise errors.BackupNames(pair[0], other=pair[1])
    return Included(tuple(files), tuple(folders), tuple(sorted(left)))


def _below(project: Project, rel: str, left: list[str]) -> Iterator[tuple[str, str]]:
    for name in project.names(rel):
        path = f"{rel}/{name}" if rel else name
        if path in _HERE or is_cache(name) or BACKUP_NAME.match(name):
            continue
        kind = project.kind(path)
        if kind in ("link", "other") or not backup_file.is_safe(path):
            left.append(path)
        elif kind == "folder":
            yield path, kind
            yield from _below(project, path, left)
        elif kind == "file":
            yield path, kind


def _written_for_host(project: Project) -> set[str]:
    """Return the files for Codex that are as we wrote them; one that the author added to is his."""
    known = hosting.written(project)
    return {path for path, sha256 in known.items() if sha2.digest(project.read(path) or b"") == sha256}
