"""A backup file: a zip with the book's files below `book/`, and a manifest with the hash of each.

`novel-backup.json` is `{kind, format 1, made_at, title, chapter, codex, files[{path, size, sha256}],
folders[]}`: `made_at` ISO-8601 UTC, `chapter` the last landed one, `codex` whether Codex was a host of the
book, `folders` the empty ones. Nothing but what the manifest lists may be in the file, and no name may lead
out of a folder or mean another's file on a disk that knows no upper case.
"""

from __future__ import annotations

import os

from novel_hooks import errors
from novel_hooks.annotations import Any, BinaryIO, Iterable
from novel_hooks.errors import Problem
from novel_hooks.record import Record
from novel_hooks.sha2 import digest
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.text import is_encodable

MANIFEST, FOLDER = "novel-backup.json", "book"
_KIND, _FORMAT = "novel-backup", 1
_MOST = 8 * 1024**3
_MOST_MANIFEST = 64 * 1024**2
"""Bytes that a backup, and its manifest, may hold unpacked."""


class Entry(Record):
    """A file of the book: project path, bytes, hash."""

    path: str
    size: int
    sha256: str


class Contents(Record):
    """The manifest of a backup."""

    made_at: str
    title: str
    chapter: int
    codex: bool
    files: tuple[Entry, ...]
    folders: tuple[str, ...]

    def to_json(self) -> bytes:
        """Return the manifest's bytes."""
        files = [one._asdict() for one in self.files]
        return jsonio.dump({**self._asdict(), "files": files, "kind": _KIND, "format": _FORMAT})


class Writer:
    """A backup that is being written to an open file."""

    def __init__(self, file: BinaryIO) -> None:
        import zipfile

        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self.entries: list[Entry] = []

    def add(self, path: str, data: bytes) -> None:
        """Add a file of the book."""
        self._zip.writestr(f"{FOLDER}/{path}", data)
        self.entries.append(Entry(path, len(data), digest(data)))

    def close(self, contents: Contents) -> None:
        """Write the manifest and the end of the zip."""
        self._zip.writestr(MANIFEST, contents.to_json())
        self._zip.close()

    def give_up(self) -> None:
        """Stop writing, without the end of the zip."""
        self._zip.fp = None


class Reader:
    """An open backup whose names and manifest have been checked; `check` and `read` check the bytes.

    Raises BackupUnusable with `place`, the path to show.
    """

    def __init__(self, file: BinaryIO, place: str) -> None:
        import zipfile

        self.place = place
        try:
            self._zip = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError):
            raise self._fault("broken") from None
        try:
            known = self._zip.getinfo(MANIFEST)
        except KeyError:
            raise self._fault("no backup") from None
        if known.file_size > _MOST_MANIFEST:
            raise self._fault("broken")
        self.contents = self._parse(self._bytes(MANIFEST))
        self._check_names()

    def check(self) -> None:
        """Read every file once."""
        for entry in self.contents.files:
            self.read(entry)

    def read(self, entry: Entry) -> bytes:
        """Return the bytes of a file, which are those that were backed up."""
        data = self._bytes(f"{FOLDER}/{entry.path}")
        if digest(data) != entry.sha256:
            raise self._fault("changed", file=entry.path)
        return data

    def _bytes(self, name: str) -> bytes:
        import zipfile
        import zlib

        try:
            return self._zip.read(name)
        except (KeyError, ValueError, RuntimeError, EOFError, OSError, zipfile.BadZipFile, zlib.error):
            raise self._fault("broken") from None

    def _parse(self, data: bytes) -> Contents:
        try:
            found: Any = jsonio.parse(data, MANIFEST, own=True)
        except Problem:
            raise self._fault("broken") from None
        if not isinstance(found, dict) or found.get("kind") != _KIND:
            raise self._fault("no backup")
        if found.get("format") != _FORMAT:
            raise self._fault("other version")
        try:
            files = tuple(Entry(**one) for one in found["files"])
            told = (str(found["made_at"]), str(found["title"]), int(found["chapter"]), bool(found["codex"]))
            contents = Contents(*told, files, tuple(found["folders"]))
        except (KeyError, TypeError, ValueError):
            raise self._fault("broken") from None
        types = [(type(one.path), type(one.size), type(one.sha256)) for one in files]
        if set(types) - {(str, int, str)} or any(not isinstance(one, str) for one in contents.folders):
            raise self._fault("broken")
        return contents

    def _check_names(self) -> None:
        """Compare the zip's entries with the manifest."""
        paths = [entry.path for entry in self.contents.files]
        for path in (*paths, *self.contents.folders):
            if not is_safe(path):
                raise self._fault("outside", file=path)
        pair = twins([*paths, *self.contents.folders])
        if pair is not None:
            raise self._fault("alike", file=pair[0], other=pair[1])
        listed = self._zip.infolist()
        names = sorted(one.filename for one in listed)
        if any(one.external_attr >> 16 & 0o170000 not in (0, 0o100000) for one in listed):
            raise self._fault("link")
        if names != sorted([MANIFEST, *(f"{FOLDER}/{path}" for path in paths)]):
            raise self._fault("others")
        sizes = {one.filename: one.file_size for one in listed}
        if any(sizes[f"{FOLDER}/{entry.path}"] != entry.size for entry in self.contents.files):
            raise self._fault("broken")
        if sum(sizes.values()) > _MOST:
            raise self._fault("too large")

    def _fault(self, case: str, **values: str) -> Problem:
        return errors.BackupUnusable(None, case, place=self.place, **values)


def is_safe(path: str) -> bool:
    """Tell whether a path names a file below a folder on every system, and nothing else."""
    barred = "\\\0:" if os.name == "nt" else "\\\0"
    plain = not ({"", ".", ".."} & set(path.split("/"))) and not any(mark in path for mark in barred)
    return plain and is_encodable(path)


def twins(paths: Iterable[str]) -> tuple[str, str] | None:
    """Return two paths that are one place on a disk without upper case or with composed marks only.

    A file where another path has a folder counts too. None when there are no such two.
    """
    from unicodedata import normalize

    seen: dict[str, tuple[str, bool]] = {}
    for path in paths:
        parts = path.split("/")
        for depth in range(1, len(parts) + 1):
            spelt, leaf = "/".join(parts[:depth]), depth == len(parts)
            key = normalize("NFC", spelt).casefold()
            if key in seen and (leaf or seen[key] != (spelt, False)):
                return seen[key][0], spelt
            seen[key] = spelt, leaf
    return None
