"""The manifest of a landing, as the journal keeps it. Source: protocol §5.

The journal is a folder: `manifest.json` and one blob for each file that gets new bytes. A later version
may read it back, so every field is checked: a manifest that was tampered with leads no write out of the
project.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.sha2 import digest as digest
from novel_hooks.store.files.project import Project, is_inside
from novel_hooks.store.formats import jsonio

FILE = "manifest.json"
FORMAT = 1
DONE = f"{layout.JOURNAL}.done-"
"""The folder of a finished journal, until it is removed: this and its token."""

_HASH = Pattern(r"[0-9a-f]{64}\Z")
_BLOB = Pattern(r"[0-9]{4,9}\Z")
_TOKEN = Pattern(r"[0-9a-f]{16}\Z")


class Entry(Record):
    """One destination of a landing.

    `old` is the sha256 of the bytes before it (`append`: of the first `offset` bytes), None for an absent
    file. `blob`, `new` and `size` are the name, sha256 and number of the new bytes; a `remove` has none
    (None, None, 0).
    """

    kind: str
    path: str
    old: str | None
    offset: int
    blob: str | None
    new: str | None
    size: int


class Manifest(Record):
    """One landing; `label` is Chinese, `pid`, `pid_started` and `host` name the process that made it."""

    token: str
    label: str
    created_by: str
    pid: int
    pid_started: str | None
    host: str
    entries: tuple[Entry, ...]


def dump(manifest: Manifest) -> bytes:
    """Return the bytes of `manifest.json`."""
    whole = {**manifest._asdict(), "entries": [e._asdict() for e in manifest.entries], "format": FORMAT}
    return jsonio.dump(whole)


def read(project: Project) -> Manifest | None:
    """Read the manifest of the pending journal; None when none is pending.

    Raises `JournalBroken` when `.novel/journal` is no journal of ours, `NotAFolder` when `.novel` is no
    folder.
    """
    project.folder_destination(layout.OWN)
    kind = project.kind(layout.JOURNAL)
    if kind == "absent":
        return None
    path = f"{layout.JOURNAL}/{FILE}"
    if kind != "folder":
        raise _broken("no folder")
    try:
        data = project.read(path)
        found = None if data is None else jsonio.parse(data, path)
    except errors.Problem as wrong:
        raise errors.JournalBroken(layout.JOURNAL, detail=str(wrong)) from wrong
    if data is None:
        raise _broken("no manifest")
    return _parse_manifest(found)


def finished_label(project: Project) -> str | None:
    """Return the label of a finished landing whose journal is not yet removed; None without one."""
    for name in project.names(layout.OWN):
        if not name.startswith(DONE.rpartition("/")[2]):
            continue
        try:
            found = project.json(f"{layout.OWN}/{name}/{FILE}")
            return _parse_manifest(found).label
        except errors.Problem:  # the manifest is removed already
            continue
    return None


def blob_path(entry: Entry) -> str:
    """Return the project-relative path of the entry's blob: `.novel/journal/0000`."""
    return f"{layout.JOURNAL}/{entry.blob}"


def read_blob(project: Project, entry: Entry) -> bytes:
    """Read the entry's new bytes, checked against size and hash. Raises `JournalBroken`."""
    try:
        data = project.read(blob_path(entry))
    except errors.Problem as wrong:
        raise errors.JournalBroken(layout.JOURNAL, detail=str(wrong)) from wrong
    if data is None or digest(data) != entry.new or len(data) != entry.size:
        raise _broken("blob incomplete", name=entry.path)
    return data


def _parse_manifest(found: object) -> Manifest:
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise _broken("other format")
    token, label, by, host = (found.get(key) for key in ("token", "label", "created_by", "host"))
    pid, mark, entries = (found.get(key) for key in ("pid", "pid_started", "entries"))
    if not (
        isinstance(token, str)
        and _TOKEN.match(token)
        and isinstance(label, str)
        and isinstance(by, str)
        and isinstance(host, str)
        and isinstance(pid, int)
        and (mark is None or isinstance(mark, str))
        and isinstance(entries, list)
        and entries
    ):
        raise _broken("content missing")
    whole = tuple(_parse_entry(item) for item in entries)
    if len({entry.path for entry in whole}) != len(whole):
        raise _broken("file twice")
    return Manifest(token, label, by, pid, mark, host, whole)


def _parse_entry(found: object) -> Entry:
    if not isinstance(found, dict) or set(found) != set(Entry._fields):
        raise _broken("entry odd")
    entry = Entry(**found)
    if not (isinstance(entry.path, str) and is_destination(entry.path)):
        raise _broken("entry outside")
    if not (
        _is_count(entry.offset)
        and _is_count(entry.size)
        and (entry.old is None or _matches(_HASH, entry.old))
    ):
        raise _broken("entry incomplete", name=entry.path)
    if entry.kind == "remove":
        whole = entry.old is not None and entry.blob is None and entry.new is None
    else:
        whole = entry.kind in ("put", "append") and _matches(_BLOB, entry.blob) and _matches(_HASH, entry.new)
    if not whole or (entry.kind != "append" and entry.offset):
        raise _broken("entry incomplete", name=entry.path)
    return entry


def is_destination(path: str) -> bool:
    """Tell whether a landing may write to `path`: it is inside the project and not in the journal itself."""
    return is_inside(path) and path != layout.OWN and not (path + "/").startswith(layout.JOURNAL + "/")


def _matches(pattern: Pattern, value: object) -> bool:
    return isinstance(value, str) and pattern.match(value) is not None


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _broken(case: str, name: str = FILE) -> errors.JournalBroken:
    return errors.JournalBroken(layout.JOURNAL, case=case, name=name)
