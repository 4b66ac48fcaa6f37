"""Folders of a project: made, synced, moved, removed. `atomic` says what *durable* means."""

from __future__ import annotations

import errno
import os

from novel_hooks import errors
from novel_hooks.store.files.durable import refuse_write, sync
from novel_hooks.store.files.oserror import system_reason
from novel_hooks.store.files.project import Project

_NO_SUCH_SYNC = (errno.EINVAL, getattr(errno, "ENOTSUP", errno.EINVAL), errno.EBADF)


def parent(rel: str) -> str:
    """Return the folder that `rel` lies in; `""` is the root."""
    return rel.rpartition("/")[0]


def make_folders(project: Project, rel: str) -> list[str]:
    """Make the folder `rel` and those above it, each synced into its parent; return the new ones.

    They come outermost first. Raises `NotAFolder`, or `WriteFailed`; then none of the new ones is left.
    """
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
    """Remove the folders that `make_folders` returned, innermost first, up to one that is not empty."""
    for rel in reversed(folders):
        try:
            os.rmdir(project.absolute(rel))
        except OSError:
            return  # another command has put a file into it


def make_place(place: str) -> list[str]:
    """Make the folder `place` (absolute) and those above it; return the new ones, outermost first.

    Raises `WriteFailed`; then none of them is left.
    """
    made: list[str] = []
    above = place
    while not os.path.lexists(above):
        made.insert(0, above)
        above = os.path.dirname(above)
    try:
        os.makedirs(place, exist_ok=True)
    except OSError as wrong:
        forget_places(made)
        raise errors.WriteFailed(place, reason=system_reason(wrong)) from wrong
    return made


def forget_places(made: list[str]) -> None:
    """Remove the folders that `make_place` returned, innermost first, up to one that is not empty."""
    for place in reversed(made):
        try:
            os.rmdir(place)
        except FileNotFoundError:
            continue
        except OSError:
            return  # another command has put a file into it


def rename(project: Project, old: str, new: str) -> None:
    """Move a folder or file within the project in one step; the caller syncs. Raises `WriteFailed`."""
    try:
        os.rename(project.absolute(old), project.absolute(new))
    except OSError as wrong:
        refuse_write(new, wrong)


def sync_folder(project: Project, rel: str) -> None:
    """Sync the names in the folder `rel`; nothing happens where the system or the disk cannot.

    Raises `WriteNotSynced`.
    """
    if os.name == "nt":
        return
    try:
        handle = os.open(project.absolute(rel), os.O_RDONLY | os.O_DIRECTORY)
        try:
            sync(handle)
        finally:
            os.close(handle)
    except OSError as wrong:
        if wrong.errno in _NO_SUCH_SYNC:
            return
        raise errors.WriteNotSynced(rel or ".", reason=system_reason(wrong)) from wrong


def _make_folder(project: Project, rel: str, made: list[str]) -> None:
    try:
        os.mkdir(project.absolute(rel))
    except FileExistsError:
        return
    except OSError as wrong:
        refuse_write(rel, wrong)
    made.append(rel)
    sync_folder(project, parent(rel))
