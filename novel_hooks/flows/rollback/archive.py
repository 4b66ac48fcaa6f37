"""Archives: removed or replaced files, kept byte for byte under `.novel/archive/` for good.

An archive is a folder `NNNN-WHY`, such as `0003-rollback-to-002`: the files at their project paths, and
`manifest.json`: `{format 1, id, made_at, kind, to_chapter, from_chapter, chapters, chars, hand_edits,
base_sha256, checkpoint, entries[{path, sha256, what, after}], renamed?, restored_at?}`; `checkpoint` is the
one before, moments are ISO-8601 UTC, `renamed` is `{old, new, text, alias}` of a renaming. An entry has the
sha256 before (None: there was no file) and after, so that a later restore finds the files written since.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Mapping
from novel_hooks.errors import Problem
from novel_hooks.flows.chapter import kept_attempts
from novel_hooks.record import Record
from novel_hooks.rules.text.json_values import integer
from novel_hooks.store.files.project import Project, is_inside
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal, manifest
from novel_hooks.store.journal.journal import Change

if TYPE_CHECKING:
    from novel_hooks.flows.rollback.earlier_book import Rewound

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
_DIGITS = 4
_SHOWN = 8


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


def create(
    project: Project,
    kind: str,
    label: str,
    rewound: Rewound,
    now: Mapping[str, bytes | None],
    then: Mapping[str, bytes | None],
    stamp: str,
    renamed: Renaming | None = None,
) -> tuple[str, list[Change]]:
    """Return (id, changes) of a new archive with the bytes `now`, before they become those in `then`."""
    name = f"{kept_attempts.next_number(project, layout.ARCHIVE):0{_DIGITS}d}-{label}"
    entries = [_entry(path, now[path], then[path]) for path in sorted(now)]
    document = {
        "format": FORMAT,
        "id": name,
        "made_at": stamp,
        "kind": kind,
        "to_chapter": rewound.to,
        "from_chapter": rewound.point.last,
        "chapters": len(rewound.chapters),
        "chars": rewound.chars,
        "hand_edits": list(rewound.edits),
        "base_sha256": rewound.base,
        "checkpoint": dict(rewound.point.document),
        "entries": [entry._asdict() for entry in entries],
        **({"renamed": renamed._asdict()} if renamed is not None else {}),
    }
    files = [
        journal.put(layout.archived(name, p), data) for p, data in sorted(now.items()) if data is not None
    ]
    return name, [*files, journal.put(layout.archive_manifest(name), jsonio.dump(document))]


def mark_restored(project: Project, name: str, stamp: str) -> Change:
    """Return the change that notes a restore's time in the archive's manifest."""
    path = layout.archive_manifest(name)
    document = project.json(path)
    assert isinstance(document, dict), "`read` has read it"
    return journal.put(path, jsonio.dump({**document, "restored_at": stamp}))


def _entry(path: str, now: bytes | None, then: bytes | None) -> Entry:
    if now is None:
        what = "added"
    elif then is None:
        what = "removed"
    else:
        what = "same" if now == then else "replaced"
    return Entry(path, digest(now), what, digest(then))


def digest(data: bytes | None) -> str | None:
    """Return the sha256 of the bytes; None for None."""
    return None if data is None else manifest.digest(data)


def restorable(project: Project) -> tuple[list[Archive], list[Problem]]:
    """Return (archives that can be restored, oldest first; a warning for each that cannot be read)."""
    found: list[Archive] = []
    problems: list[Problem] = []
    for name in project.names(layout.ARCHIVE):
        try:
            archive = read(project, name)
        except Problem as fault:
            problems.append(errors.ArchiveSkipped(layout.archive_manifest(name), name=name, reason=fault))
            continue
        if archive is not None:
            found.append(archive)
    return found, problems


def find(project: Project, name: str) -> Archive:
    """Find an archive by its id, or by a beginning that no other has; `3` is `0003`.

    Raises ArchiveUnknown, ArchiveBroken.
    """
    names = project.names(layout.ARCHIVE)
    number = name.zfill(_DIGITS) if name.isascii() and name.isdigit() else None
    exact = [one for one in names if one == name or (number and one.partition("-")[0] == number)]
    fitting = exact or [one for one in names if name and one.startswith(name)]
    if len(fitting) > 1:
        raise _unknown_archive(project, "many", name=name, names="、".join(fitting[:3]))
    if not fitting:
        case = "no number" if number else "no name"
        raise _unknown_archive(project, case, name=name, number=int(number or 0))
    archive = read(project, fitting[0])
    if archive is None:  # a folder that holds nothing to be restored
        name, place = fitting[0], f"{layout.ARCHIVE}/{fitting[0]}/"
        case = "of a rebuild" if name.partition("-")[2] == REBUILD else "of another"
        raise errors.ArchiveUnknown(layout.ARCHIVE, case=case, name=name, place=place)
    return archive


def rebuild_ids(project: Project) -> list[str]:
    """Return the ids of the archives of `rebuild`, oldest first; they can be read and not restored."""
    return [name for name in project.names(layout.ARCHIVE) if name.partition("-")[2] == REBUILD]


def _unknown_archive(project: Project, case: str, **values: object) -> errors.ArchiveUnknown:
    """Return the refusal that lists the archives there are, the newest ones where there are many."""
    names = [one.id for one in restorable(project)[0]]
    more = "更早的见 `novel rollback --list`。" if len(names) > _SHOWN else ""
    there = f"现有的存档：{'、'.join(names[-_SHOWN:])}。{more}" if names else "现在没有能取回的存档。"
    return errors.ArchiveUnknown(layout.ARCHIVE, case, existing=there, **values)


def leading_to(project: Project, archive: Archive, last: int) -> Archive | None:
    """Find the newest other archive to restore first, in a book of `last` chapters; None without one.

    It rests on a chapter that the book has, and its own last chapter reaches the chapter that `archive` rests
    on.
    """
    others = [one for one in restorable(project)[0] if one.id != archive.id]
    fitting = [one for one in others if one.to <= last and one.to < archive.to <= one.last]
    return fitting[-1] if fitting else None


def contents(project: Project, archive: Archive) -> dict[str, bytes | None]:
    """Return path → the archived bytes (None: no file), each checked by its hash. Raises ArchiveBroken."""
    found: dict[str, bytes | None] = {}
    for entry in archive.entries:
        place = layout.archived(archive.id, entry.path)
        data = None if entry.sha256 is None else project.read(place)
        if digest(data) != entry.sha256:
            raise errors.ArchiveBroken(place, name=archive.id, case="file changed", file=entry.path)
        found[entry.path] = data
    return found
