"""What lies in a cache's place stops nothing: a chapter lands and is taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import book
from builders import fast_disk as fast_disk

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path

CACHES = (
    layout.VALIDITY,
    layout.WORD_TALLY,
    layout.PASSAGES,
    layout.RECALL,
    layout.LINT,
    layout.SETTINGS,
    layout.STYLE_FACTS,
)


@pytest.mark.parametrize("spoilt", ["folder", "link", "garbage"])
@pytest.mark.parametrize("cache", CACHES)
def test_a_chapter_lands_whatever_lies_in_a_caches_place(tmp_path: Path, cache: str, spoilt: str) -> None:
    made = book(tmp_path)
    place = made.at(cache)
    place.unlink(missing_ok=True)
    place.parent.mkdir(exist_ok=True)
    if spoilt == "folder":
        (place / "x").mkdir(parents=True)
    elif spoilt == "link":
        place.symlink_to(made.at(layout.CONFIG))
    else:
        place.write_bytes(b"\xff{]}")
    made.until("judged")
    made.ok("commit", "--chapter", str(made.chapter))
    made.ok("status")
    made.ok("rollback", str(made.chapter - 1), "--yes")
    assert spoilt == "garbage" or place.is_dir() or place.is_symlink(), "it is the author's to move"
