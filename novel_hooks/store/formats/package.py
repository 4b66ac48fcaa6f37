"""A zip container of parts by name, EPUB or Word: packed to the same bytes each time, and read."""

from __future__ import annotations

from novel_hooks.annotations import Iterable

STORED = ("mimetype",)
"""Parts that stay unpacked, as EPUB wants it of its first."""
_EPOCH = (1980, 1, 1, 0, 0, 0)
_MOST = 400 * 1024 * 1024
"""Bytes that a container may hold unpacked, pictures and all."""
_MOST_READ = 128 * 1024 * 1024
"""Bytes of all parts that are read: the text of the longest novel, with its marks."""


def pack(parts: Iterable[tuple[str, bytes]]) -> bytes:
    """Return the container's bytes: the parts in this order, without time, owner or system."""
    import io
    import zipfile

    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as container:
        for name, data in parts:
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.create_system, entry.external_attr = 0, 0
            entry.compress_type = zipfile.ZIP_STORED if name in STORED else zipfile.ZIP_DEFLATED
            container.writestr(entry, data)
    return whole.getvalue()


class Unread(Exception):
    """A container that cannot be read; `case` is broken, locked or too large."""

    def __init__(self, case: str) -> None:
        super().__init__(case)
        self.case = case


class Package:
    """An open container of another program."""

    def __init__(self, data: bytes) -> None:
        """Open the container. Raises Unread."""
        import io
        import zipfile

        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, NotImplementedError):
            raise Unread("broken") from None
        entries = self._zip.infolist()
        if any(one.flag_bits & 1 for one in entries):
            raise Unread("locked")
        if sum(one.file_size for one in entries) > _MOST:
            raise Unread("too large")
        self._left = _MOST_READ
        self.names = frozenset(one.filename for one in entries)

    def read(self, name: str) -> bytes:
        """Return the part's bytes. Raises Unread when it is missing or damaged, or too much was read."""
        import zipfile
        import zlib

        try:
            self._left -= self._zip.getinfo(name).file_size
            if self._left < 0:
                raise Unread("too large")
            return self._zip.read(name)
        except (KeyError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError):
            raise Unread("broken") from None
