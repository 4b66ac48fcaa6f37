"""The project as it will be after the pending journal, for commands that only read.

A command that was killed past the commit point leaves some files new and others old. Read through an overlay
they are all new, as the next writing command will make them. Source: protocol §5.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING
from novel_hooks.store.files.folders import parent
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import litter, manifest, redo
from novel_hooks.store.journal.manifest import Entry, Manifest

if TYPE_CHECKING:
    from typing import NoReturn


class Overlay(Project):
    """A read-only view of the project after its landing, read like `Project`.

    A file that recovery would refuse is refused here too, when it is read: `read` raises `JournalConflict`,
    `JournalTargetShort` and `JournalBroken`.
    """

    __slots__ = ("_below", "_disk", "_entries", "plan")

    def __init__(self, disk: Project, plan: Manifest) -> None:
        super().__init__(disk.root)
        self.plan = plan
        self._disk = disk.disk()
        self._entries = {entry.path: entry for entry in plan.entries}
        self._below = _names_by_folder(plan)

    def read(self, rel: str) -> bytes | None:
        rel = self.place(rel)
        entry = self._entries.get(rel)
        if entry is None:
            return super().read(rel)
        try:
            return redo.resulting_bytes(self._disk, self.plan, entry)
        except errors.Problem:
            if self._waits():
                raise
            return super().read(rel)  # meanwhile the command itself has finished it

    def tail(self, rel: str, size: int) -> tuple[bytes, bool]:
        if self.place(rel) not in self._entries:
            return super().tail(rel, size)
        data = self.read(rel) or b""
        return data[max(0, len(data) - size) :], len(data) <= size

    def _names_on_disk(self, rel: str) -> list[str]:
        here = self._below.get(rel)
        found = super()._names_on_disk(rel)
        if here is None:
            return found
        names = {name for name in found if here.get(name, True) and not litter.is_litter(name)}
        return sorted(names.union(name for name, stays in here.items() if stays))

    def destination(self, rel: str) -> NoReturn:
        """Raise `TypeError`: an overlay is never written to, so the caller has a bug."""
        raise TypeError("an overlay is only read")

    folder_destination = destination

    def _locate(self, rel: str) -> tuple[str, str]:
        if rel == layout.JOURNAL:
            return rel, "absent"
        where, kind = super()._locate(rel)
        if where != rel:
            return where, kind
        entry = self._entries.get(rel)
        if entry is not None and kind in ("absent", "file"):
            return rel, "absent" if entry.kind == "remove" else "file"
        return rel, "folder" if kind == "absent" and self._grows(rel) else kind

    def _grows(self, rel: str) -> bool:
        """Will the landing make a folder `rel`, for a file in it?"""
        return any(self._below.get(rel, {}).values())

    def _waits(self) -> bool:
        now = manifest.read(self._disk)
        return now is not None and now.token == self.plan.token


def after_landing(project: Project) -> Project:
    """Return the project as it will be after its landing; `project` itself when no journal is pending.

    Raises `JournalBroken`, `NotAFolder`.
    """
    plan = manifest.read(project)
    return project if plan is None else Overlay(project, plan)


def _names_by_folder(plan: Manifest) -> dict[str, dict[str, bool]]:
    """Map each folder to the names in it that the landing puts there (True) or removes (False)."""
    found: dict[str, dict[str, bool]] = {}
    for entry in plan.entries:
        _note_entry(found, entry)
    return found


def _note_entry(found: dict[str, dict[str, bool]], entry: Entry) -> None:
    path, stays = entry.path, entry.kind != "remove"
    found.setdefault(parent(path), {})[path.rpartition("/")[2]] = stays
    while stays and parent(path):  # the folders above it will be there
        path = parent(path)
        found.setdefault(parent(path), {})[path.rpartition("/")[2]] = True
