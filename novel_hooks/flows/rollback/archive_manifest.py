"""An archive's manifest: its fields, and its reading. See `archive`.

`{format 1, id, made_at, kind, to_chapter, from_chapter, chapters, chars, hand_edits, base_sha256, checkpoint,
entries[{path, sha256, what, after}], renamed?, restored_at?}`; `checkpoint` is the one before, moments are
ISO-8601 UTC.
`renamed` is `{old, new, text, alias}` of a renaming.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Mapping
from novel_hooks.errors import Problem
from novel_hooks.record import Record
from novel_hooks.rules.text.json_values import integer
from novel_hooks.store.files.project import Project, is_inside

ROLLBACK = "rollback"
RESTORE = "restore"
RETIRE = "retire"
"""A character left the book: no chapter is concerned."""
RENAME = "rename"
"""A name was replaced everywhere: undone only while nothing was written since."""
REBUILD = "rebuild"
"""An old state; it is kept to be looked at, and never laid over the book: the log says what is right."""
KINDS = (ROLLBACK, RESTORE, RETIRE, RENAME)
IN_PLACE = (RETIRE, RENAME)
"""Kinds that no chapter is concerned by: laid over the book as it is."""
FORMAT = 1


class Entry(Record):
    """A file of an archive. `what` is removed, replaced, added (no file before) or same (as it was)."""

    path: str
    sha256: str | None
    what: str
    after: str | None


class Renaming(Record):
    """A renaming: `text`: in the chapters too; `alias`: the old name stayed an alias."""

    old: str
    new: str
    text: bool
    alias: bool

    def back(self) -> Renaming:
        """Return the renaming that undoes it."""
        return Renaming(self.new, self.old, self.text, False)


class Archive(Record):
    """A manifest, of the book at chapter `to`; `last` is the last landed chapter in it, `to` when none.

    `renamed`: the rename that made it, None for another archive or one of an older version. `restored_at`:
    the time of its last restore, None when never.
    """

    id: str
    made_at: str
    kind: str
    to: int
    last: int
    chapters: int
    chars: int
    base: str
    entries: tuple[Entry, ...]
    renamed: Renaming | None = None
    restored_at: str | None = None


def read(project: Project, name: str) -> Archive | None:
    """Read the archive's manifest; None for an archive of another kind. Raises ArchiveBroken."""
    path = layout.archive_manifest(name)
    try:
        document = project.json(path)
    except Problem as fault:
        raise errors.ArchiveBroken(path, name=name, detail=str(fault)) from fault
    if document is None and not name.partition("-")[2].startswith(KINDS):
        return None
    if not isinstance(document, dict):
        raise errors.ArchiveBroken(path, name=name, case="no manifest")
    if document.get("kind") not in KINDS:
        return None
    if document.get("format") != FORMAT:
        raise errors.ArchiveBroken(path, name=name, case="other version")
    return _parse(document, path, name)


def _parse(document: Mapping[str, Any], path: str, name: str) -> Archive:
    numbers = [integer(document.get(key)) for key in ("to_chapter", "from_chapter", "chapters", "chars")]
    texts = [document.get(key) for key in ("made_at", "kind", "base_sha256")]
    listed = document.get("entries")
    if None in numbers or not all(isinstance(text, str) for text in texts) or not isinstance(listed, list):
        raise errors.ArchiveBroken(path, name=name, case="content missing")
    to, last, chapters, chars = (number or 0 for number in numbers)
    made_at, kind, base = map(str, texts)
    entries = tuple(_parse_entry(item, path, name) for item in listed)
    renamed = _parse_renaming(document.get("renamed"), path, name)
    restored = document.get("restored_at")
    if not isinstance(restored, (str, type(None))):
        raise errors.ArchiveBroken(path, name=name, case="content missing")
    return Archive(name, made_at, kind, to, last, chapters, chars, base, entries, renamed, restored)


def _parse_renaming(told: object, path: str, name: str) -> Renaming | None:
    if told is None:
        return None
    types = {"old": str, "new": str, "text": bool, "alias": bool}
    if not isinstance(told, dict) or {key: type(part) for key, part in told.items()} != types:
        raise errors.ArchiveBroken(path, name=name, case="entry odd")
    return Renaming(**told)


def _parse_entry(item: object, path: str, name: str) -> Entry:
    if not isinstance(item, dict) or set(item) != set(Entry._fields):
        raise errors.ArchiveBroken(path, name=name, case="entry odd")
    entry = Entry(**item)
    hashes = (entry.sha256, entry.after)
    if not isinstance(entry.path, str) or any(not isinstance(h, (str, type(None))) for h in hashes):
        raise errors.ArchiveBroken(path, name=name, case="entry odd")
    if not is_inside(entry.path) or entry.path.startswith((layout.ARCHIVE, layout.JOURNAL)):
        raise errors.ArchiveBroken(path, name=name, case="entry outside")
    return entry
