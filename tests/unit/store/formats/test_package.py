"""Zip containers: the same parts, the same bytes; the type unpacked and first."""

from __future__ import annotations

import io
import zipfile

from novel_hooks.store.formats import package

PARTS = [("mimetype", b"application/epub+zip"), ("一.txt", b"x" * 1000)]


def test_parts_in_order_without_time_or_system() -> None:
    with zipfile.ZipFile(io.BytesIO(package.pack(PARTS))) as read:
        assert [(one.filename, one.compress_type, one.date_time) for one in read.infolist()] == [
            ("mimetype", zipfile.ZIP_STORED, (1980, 1, 1, 0, 0, 0)),
            ("一.txt", zipfile.ZIP_DEFLATED, (1980, 1, 1, 0, 0, 0)),
        ]
        assert [one.create_system for one in read.infolist()] == [0, 0]
        assert read.read("一.txt") == b"x" * 1000


def test_the_same_parts_give_the_same_bytes() -> None:
    assert package.pack(PARTS) == package.pack(PARTS)
    assert package.pack(PARTS)[38:58] == b"application/epub+zip"
