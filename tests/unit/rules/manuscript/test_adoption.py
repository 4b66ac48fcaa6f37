"""The record of a book that moved in."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks import errors
from novel_hooks.rules.manuscript.adoption import NOTHING, Adoption, parse

WHOLE = Adoption(200, 100, ({"name": "书.txt", "sha256": "a", "first": 1, "last": 200},), ((1, 1), (2, 101)))


def test_what_is_stored_is_read_back() -> None:
    assert parse(WHOLE.document()) == WHOLE._replace(sources=WHOLE.sources)
    assert parse(None) is NOTHING


def test_the_volume_of_a_chapter() -> None:
    assert [WHOLE.volume_of(n) for n in (1, 100, 101, 200)] == [1, 1, 2, 2]


@pytest.mark.parametrize("broken", [[], {}, {"last": "x", "written": 1, "sources": [], "volumes": []}])
def test_a_broken_record_is_damage(broken: Any) -> None:
    with pytest.raises(errors.OwnFileDamaged):
        parse(broken)
