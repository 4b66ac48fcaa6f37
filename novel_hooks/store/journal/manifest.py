"""What a landing will do, as the journal keeps it. Source: protocol §5.

The journal is a folder: `manifest.json` and one blob for each file that gets new bytes. It is read
back only by `recovery`, perhaps by a later version, so every field is checked: nothing that was
tampered with may lead a write out of the project.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.store.files.project import Project, is_inside
from novel_hooks.store.formats import jsonio

FILE = "manifest.json"
FORMAT = 1
DONE = f"{layout.JOURNAL}.done-"
"""How the folder of a journal that is through begins, until it is gone."""

_HASH = Pattern(r"[0-9a-f]{64}\Z")
_BLOB = Pattern(r"[0-9]{4,9}\Z")
_TOKEN = Pattern(r"[0-9a-f]{16}\Z")


class Entry(Record):
    """One destination.

    `old` is the sha256 of what was there (`append`: of the first `offset` bytes), None when there was
    nothing. `blob`, `new` and `size` tell of the bytes to come; a `remove` has none (None, None, 0).
    """

    kind: str
    path: str
    old: str | None
    offset: int
    blob: str | None
    new: str | None
    size: int


class Manifest(Record):
    """`label` is Chinese, for the author. `pid`, `pid_started` and `host` tell whose landing it is."""

    token: str
    label: str
    created_by: str
    pid: int
    pid_started: str | None
    host: str
    entries: tuple[Entry, ...]


def digest(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()


def dump(manifest: Manifest) -> bytes:
    """The bytes of `manifest.json`."""
    whole = {**manifest._asdict(), "entries": [e._asdict() for e in manifest.entries], "format": FORMAT}
    return jsonio.dump(whole)


def read(project: Project) -> Manifest | None:
    """The manifest of the pending journal; None when none is pending. Reads that one file.

    Raises `JournalBroken` when something stands there that is no journal of ours, `NotAFolder` when that is
    so of the folder around it.
    """
    project.folder_destination(layout.OWN)
    kind = project.kind(layout.JOURNAL)
    if kind == "absent":
        return None
    path = f"{layout.JOURNAL}/{FILE}"
    if kind != "folder":
        raise _broken("它不是文件夹")
    try:
        data = project.read(path)
        found = None if data is None else jsonio.parse(data, path)
    except errors.Problem as wrong:
        raise _broken(str(wrong)) from wrong
    if data is None:
        raise _broken(f"里面没有 {FILE}")
    return _parse_manifest(found)


def finished_label(project: Project) -> str | None:
    """The label of a landing that is through, killed before all of its journal was gone; None without one."""
    for name in project.names(layout.OWN):
        if not name.startswith(DONE.rpartition("/")[2]):
            continue
        try:
            found = project.json(f"{layout.OWN}/{name}/{FILE}")
            return _parse_manifest(found).label
        except errors.Problem:  # taken apart already
            continue
    return None


def blob_path(entry: Entry) -> str:
    return f"{layout.JOURNAL}/{entry.blob}"


def read_blob(project: Project, entry: Entry) -> bytes:
    """The bytes to come, checked against their hash. Raises `JournalBroken`."""
    try:
        data = project.read(blob_path(entry))
    except errors.Problem as wrong:
        raise _broken(str(wrong)) from wrong
    if data is None or digest(data) != entry.new or len(data) != entry.size:
        raise _broken(f"{entry.path} 的新内容不完整")
    return data


def _parse_manifest(found: object) -> Manifest:
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise _broken("看不懂它的格式，可能是别的版本写的")
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
        raise _broken("缺少必要的内容")
    whole = tuple(_parse_entry(item) for item in entries)
    if len({entry.path for entry in whole}) != len(whole):
        raise _broken("同一个文件写了两次")
    return Manifest(token, label, by, pid, mark, host, whole)


def _parse_entry(found: object) -> Entry:
    if not isinstance(found, dict) or set(found) != set(Entry._fields):
        raise _broken("有一项看不懂")
    entry = Entry(**found)
    if not _is_destination(entry.path):
        raise _broken("有一项指到了不该写的地方")
    if not (
        _is_count(entry.offset)
        and _is_count(entry.size)
        and (entry.old is None or _matches(_HASH, entry.old))
    ):
        raise _broken(f"{entry.path} 的记录不完整")
    if entry.kind == "remove":
        whole = entry.old is not None and entry.blob is None and entry.new is None
    else:
        whole = entry.kind in ("put", "append") and _matches(_BLOB, entry.blob) and _matches(_HASH, entry.new)
    if not whole or (entry.kind != "append" and entry.offset):
        raise _broken(f"{entry.path} 的记录不完整")
    return entry


def is_destination(path: str) -> bool:
    """May a landing write here? Inside the project, and not in the journal itself."""
    return is_inside(path) and path != layout.OWN and not (path + "/").startswith(layout.JOURNAL + "/")


def _is_destination(path: object) -> bool:
    return isinstance(path, str) and is_destination(path)


def _matches(pattern: Pattern, value: object) -> bool:
    return isinstance(value, str) and pattern.match(value) is not None


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _broken(detail: str) -> errors.JournalBroken:
    return errors.JournalBroken(layout.JOURNAL, detail=detail)
