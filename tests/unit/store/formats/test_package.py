"""Zip containers: the same parts, the same bytes; the type unpacked and first."""

from __future__ import annotations

import io
import zipfile

import pytest

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


def test_parts_are_read_back() -> None:
    packed = package.Package(package.pack(PARTS))
    assert packed.names == {"mimetype", "一.txt"}
    assert packed.read("一.txt") == b"x" * 1000


def test_what_is_no_container_or_lacks_a_part_is_refused() -> None:
    with pytest.raises(package.Unread, match="broken"):
        package.Package(b"PK no zip")
    with pytest.raises(package.Unread, match="broken"):
        package.Package(package.pack(PARTS)).read("二.txt")


def test_a_container_that_is_too_large_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "_MOST", 999)
    with pytest.raises(package.Unread, match="too large"):
        package.Package(package.pack(PARTS))


def test_parts_that_are_too_large_together_are_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "_MOST_READ", 1500)
    packed = package.Package(package.pack([*PARTS, ("二.txt", b"x" * 1000)]))
    assert packed.read("一.txt") == b"x" * 1000
    with pytest.raises(package.Unread, match="too large"):
        packed.read("二.txt")
