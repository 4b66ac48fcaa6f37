"""A file of a later version of `novel`, in a book copied from another computer: sound, left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builders import book
from builders import fast_disk as fast_disk

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path


def test_a_newer_state_is_not_damaged_and_never_written_over(tmp_path: Path) -> None:
    made = book(tmp_path, 3)
    made.write(layout.STATE, {**made.json(layout.STATE), "schema_version": 2, "weather": "雨"})
    before = made.at(layout.STATE).read_bytes()
    for argv in (("rebuild", "state"), ("rollback", "2", "--yes"), ("who", "沈渡")):
        told = made.novel(*argv)
        assert (told.exit, told.diagnostics[0].code) == (3, "LAYOUT_NEWER"), argv
        assert "升级" in told.diagnostics[0].fix
    for argv in (("doctor",), ("doctor", "--fix")):
        codes = [one.code for one in made.novel(*argv).diagnostics]
        assert "LAYOUT_NEWER" in codes and "STATE_DIFFERS" not in codes and "OWN_FILE_DAMAGED" not in codes
    assert made.at(layout.STATE).read_bytes() == before
