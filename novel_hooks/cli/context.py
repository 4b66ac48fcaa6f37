"""The surroundings of a command: folder, caller, clock."""

from __future__ import annotations

import os
import time

from novel_hooks import errors, layout, root
from novel_hooks.annotations import TYPE_CHECKING, Callable, Mapping
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    import argparse
    from contextlib import AbstractContextManager

    from novel_hooks.flows.book.book import Book
    from novel_hooks.flows.session.caller import Caller
    from novel_hooks.flows.session.session import Session

MOST_BYTES = 4 * 1024 * 1024
"""The most that a file given by `--file`, or stdin, may hold."""


class Context:
    """The surroundings of one call; the clock is read once."""

    def __init__(
        self, args: argparse.Namespace, environ: Mapping[str, str], clock: Callable[[], float] = time.time
    ) -> None:
        self.args = args
        self.environ = environ
        self.now = clock()

    def caller(self) -> Caller:
        from novel_hooks.flows.session.caller import Caller
        from novel_hooks.store.host import codex
        from novel_hooks.store.host.owner import owner

        return Caller(owner(self.environ, self.args.owner), self.now, codex.call(self.environ))

    def project(self) -> Project:
        """Return the project from `--project` or the working directory upwards. Raises NotAProject,
        ProjectLost."""
        start = self.args.project or working_folder()
        if not os.path.isdir(start):
            raise errors.UsageError(case="project no folder", place=start)
        found = root.find_root(start)
        if found is None:
            _refuse_lost(start)
            _refuse_half_made(start)
            raise errors.NotAProject(place=os.path.abspath(start))
        return Project(os.path.realpath(found))  # reached through a link or not: one project

    def writing(
        self, chapter: int | None = None, for_session: bool = False
    ) -> AbstractContextManager[Session]:
        """Hold the project for this command's changes. Raises as `flows.session.session.writing`."""
        from novel_hooks.flows.session.session import writing

        return writing(self.project(), self.caller(), chapter, for_session)

    def seen(self) -> Project:
        """Return the project for reading, as it will be after a pending landing."""
        from novel_hooks.flows.session import pending_landing

        return pending_landing.after_landing(self.project())

    def book(self) -> Book:
        """Return the book for reading, as it will be after a pending landing."""
        from novel_hooks.flows.book.book import Book

        return Book(self.seen())


def absolute_path(path: str) -> str:
    """Return a typed path as absolute. It starts at the working folder, also with `--project`."""
    return os.path.abspath(os.path.join(working_folder(), path))


def missing_file(context: Context, path: str, what: str) -> errors.FileMissing:
    """Return the refusal over the missing file of `--file`, with its path where the book has such a one."""
    found = root.find_root(context.args.project or working_folder())
    inside = os.path.join(found, path) if found is not None else path
    case = "in the book" if os.path.isfile(inside) else "from here"
    there = os.path.relpath(inside, working_folder())
    return errors.FileMissing(absolute_path(path), case, what=what, option="--file", inside=there)


def read_file(place: str, case: str) -> bytes:
    """Return the bytes of a file that `--file` names. Raises FileUnreadable, and what `limited` raises."""
    from novel_hooks.store.files.oserror import system_reason

    try:
        with open(place, "rb") as handle:
            return limited(handle.read(MOST_BYTES + 1), place, case)
    except OSError as wrong:
        raise errors.FileUnreadable(place, reason=system_reason(wrong)) from wrong


def limited(data: bytes, place: str, case: str) -> bytes:
    """Return the bytes read from `place`. Raises UsageError, by its `case`, when they are too many."""
    if len(data) > MOST_BYTES:
        raise errors.UsageError(case=case, place=place)
    return data


def working_folder() -> str:
    """Return the working directory. Raises UsageError when it does not exist any more."""
    try:
        return os.getcwd()
    except OSError as gone:
        raise errors.UsageError(case="folder gone") from gone


def _refuse_half_made(start: str) -> None:
    """An `init` that was killed here or above: no project yet, and one command from being one."""
    for folder in root.upwards(start):
        project = Project(folder)
        if project.kind(layout.JOURNAL) == "folder":
            from novel_hooks.flows.setup import init

            if init.is_interrupted(project):
                raise errors.InitInterrupted(layout.JOURNAL, place=folder)


def _refuse_lost(start: str) -> None:
    """Landed chapters without a checkpoint, here or above: damaged, never a new book."""
    for project in map(Project, root.upwards(start)):
        names = project.names("chapters") if project.kind("chapters") == "folder" else []
        chapters = [name for name in names if layout.chapter_number(name)]
        if chapters:
            raise errors.ProjectLost(layout.CHECKPOINT, count=len(chapters))
