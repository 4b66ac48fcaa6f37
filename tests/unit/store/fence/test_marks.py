"""Marks of files: kept in a sealed file, and moved by any write."""

from __future__ import annotations

import os
import types
from pathlib import Path
from typing import cast

import pytest

from novel_hooks.store.fence import marks, seal

MARKS = {"b.md": ("1 2 3", "hash-b"), "a.md": ("4 5 6", "hash-a"), "书.md": ("7 8 9", "link:'x'")}
HEAD = "novel-things 1"


def test_a_signature_is_size_and_both_times() -> None:
    status = types.SimpleNamespace(st_size=12, st_mtime_ns=34, st_ctime_ns=56)
    assert marks.signature(cast("os.stat_result", status)) == "12 34 56"


@pytest.mark.parametrize("change", ["write", "same size", "rename"])
def test_any_write_or_rename_moves_it(tmp_path: Path, change: str) -> None:
    place = tmp_path / "a.md"
    place.write_bytes(b"one")
    os.utime(place, ns=(1, 1))
    before = marks.signature(place.stat())
    if change == "write":
        place.write_bytes(b"four")
    elif change == "same size":
        place.write_bytes(b"two")
    else:
        (tmp_path / "b.md").write_bytes(b"two")
        (tmp_path / "b.md").rename(place)
    assert marks.signature(place.stat()) != before


def test_a_file_has_one_line_a_mark_by_path() -> None:
    data = marks.dump(MARKS, HEAD)
    lines = seal.parse_lines(data, HEAD)
    assert lines == ["4 5 6\thash-a\ta.md", "1 2 3\thash-b\tb.md", "7 8 9\tlink:'x'\t书.md"]
    assert marks.parse(data, HEAD) == MARKS
    assert marks.parse(marks.dump({}, HEAD), HEAD) == {}


def test_what_is_damaged_or_of_another_format_is_not_read() -> None:
    data = marks.dump(MARKS, HEAD)
    assert marks.parse(data[:-1], HEAD) is None
    assert marks.parse(data, "novel-things 2") is None


def test_a_line_with_other_parts_is_left_out() -> None:
    data = seal.sealed_lines(HEAD, ["1 2 3\thash-b\tb.md", "1 2 3\thash", "1\t2\t3\t4", ""])
    assert marks.parse(data, HEAD) == {"b.md": ("1 2 3", "hash-b")}
