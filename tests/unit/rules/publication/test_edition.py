"""An edition: its leaves in order, and whether its volumes are shown."""

from __future__ import annotations

import pytest

from novel_hooks.rules.manuscript.chapter_text import Section
from novel_hooks.rules.publication.edition import Edition, Leaf, Volume

ONE, TWO = Leaf(1, Section(1, None, ())), Leaf(2, Section(2, None, ()))


@pytest.mark.parametrize(
    ("volumes", "shown"),
    [
        ((Volume(1, None, (ONE, TWO)),), False),
        ((Volume(1, "渡河", (ONE, TWO)),), True),
        ((Volume(1, None, (ONE,)), Volume(2, None, (TWO,))), True),
    ],
)
def test_volumes_are_shown_when_they_say_something(volumes: tuple[Volume, ...], shown: bool) -> None:
    edition = Edition("十三渡", None, volumes, "2026-01-01T00:00:00Z")
    assert edition.leaves == [ONE, TWO]
    assert edition.shows_volumes is shown
