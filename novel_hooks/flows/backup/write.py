"""`novel backup`: the whole book in one dated file, read back and compared before it gets its name.

The OS lock is held and a pending landing finished first, so that the files fit each other. The session lock
is not needed, because a book may be backed up while a chapter is in work.
"""

from __future__ import annotations

import os
import time

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING
from novel_hooks.errors import Problem
from novel_hooks.flows.backup import included_files
from novel_hooks.flows.backup.included_files import Included
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.record import Record
from novel_hooks.rules.publication import file_names
from novel_hooks.store.files import atomic, handover
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.backup_file import Contents, Reader, Writer
from novel_hooks.store.journal import journal
from novel_hooks.store.lock import oslock

if TYPE_CHECKING:
    from typing import BinaryIO

    from novel_hooks.flows.session.caller import Caller

ENDING = ".zip"
_READINGS = 3
"""A file that an editor or agent writes at this moment is read so often before the backup is given up."""


class BackedUp(Record):
    """A backup: absolute place, title, last landed chapter, number of files, bytes, and paths `left` out."""

    place: str
    title: str
    chapter: int
    files: int
    size: int
    left: tuple[str, ...]
    notes: tuple[Problem, ...]


def run(project: Project, caller: Caller, where: str | None) -> BackedUp:
    """Write the backup to the absolute `where`, a folder or a file; without it, beside the book.

    Raises BackupPlace, BackupNames, PlaceTaken, WriteFailed, CommandBusy, and errors of reading; then nothing
    is left.
    """
    caller.check_thread()
    with oslock.running(project):
        journal.recover(project)
        title, chapter = _title(project), _last_chapter(project)
        project = project.disk()
        place = _place(project, where, title, caller.now)
        found = included_files.walk(project)
        mark = jsonio.dump({"made_at": caller.stamp, "chapter": chapter})
        codex = os.path.lexists(project.absolute(layout.CODEX))
        plan = Contents(caller.stamp, title, chapter, codex, (), found.folders)
        handover.write_new(place, lambda file: _fill(file, project, found, plan, mark, place))
        notes = _remember(project, mark)
    size = os.path.getsize(place)
    return BackedUp(place, title, chapter, len(found.files) + 1, size, found.left, notes)


def _fill(file: BinaryIO, project: Project, found: Included, plan: Contents, mark: bytes, place: str) -> None:
    """Write all files and the manifest; then read every byte back."""
    writer = Writer(file)
    try:
        for path in found.files:
            data = _settled(project, path)
            if data is not None:
                writer.add(path, data)
        writer.add(layout.BACKED_UP, mark)
        contents = plan._replace(files=tuple(writer.entries))
        writer.close(contents)
    except BaseException:
        writer.give_up()
        raise
    file.flush()
    reader = Reader(file, place)
    if reader.contents != contents:
        raise errors.BackupUnusable(None, "broken", place=place)
    reader.check()


def _settled(project: Project, path: str) -> bytes | None:
    """Return a file's bytes, of one moment; None when it has gone. Raises BackupUnsettled."""
    for _ in range(_READINGS):
        before = _file_stat(project, path)
        data = project.read(path)
        if before == _file_stat(project, path):
            return data
    raise errors.BackupUnsettled(path)


def _file_stat(project: Project, path: str) -> tuple[int, int] | None:
    try:
        found = os.lstat(project.absolute(path))
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def _title(project: Project) -> str:
    """Return the book's title; its folder's name where it has none, or its settings cannot be read."""
    written, _ = attempt(lambda: settings.read(Book(project)).get("title"))
    return str(written or "").strip() or os.path.basename(project.root)


def _last_chapter(project: Project) -> int:
    """Return the last landed chapter; by the texts where the checkpoint cannot be read."""
    try:
        return Book(project).checkpoint().last
    except Problem:
        return max(filter(None, map(layout.chapter_number, project.names("chapters"))), default=0)


def _place(project: Project, where: str | None, title: str, now: float) -> str:
    folder, name = where or os.path.dirname(project.root), ""
    if where is not None and not os.path.isdir(where) and where.lower().endswith(ENDING):
        folder, name = os.path.split(where)
    inside = os.path.join(os.path.realpath(folder), "")
    if inside.startswith(os.path.join(os.path.realpath(project.root), "")):
        raise errors.BackupPlace(case="book", place=folder)
    if not os.path.isdir(folder):
        raise errors.BackupPlace(case="no folder", place=folder)
    if name and os.path.lexists(where or ""):
        raise errors.PlaceTaken(place=where)
    if name:
        return os.path.join(folder, name)
    stem = f"{file_names.file_name(title)}-备份-{time.strftime('%Y%m%d-%H%M%S', time.localtime(now))}"
    names = (stem, *(f"{stem}-{number}" for number in range(2, 100)))
    places = [os.path.join(folder, f"{one}{ENDING}") for one in names]
    return next((one for one in places if not os.path.lexists(one)), places[0])


def _remember(project: Project, mark: bytes) -> tuple[Problem, ...]:
    """Note when the book was backed up; the backup is there even where that cannot be noted."""
    try:
        atomic.write(project, layout.BACKED_UP, mark)
    except Problem as fault:
        fault.severity = "warning"
        return (fault,)
    return ()
