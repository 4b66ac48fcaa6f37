"""A typed name that is nobody's: whose was meant."""

from __future__ import annotations

import pytest

from novel_hooks.rules.recall import near_names

NAMES = ["阿沈", "沈渡", "乔九", "闵守中", "恒裕号绳库"]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("沈度", "沈渡"),
        ("老沈", "阿沈"),
        ("闵受中", "闵守中"),
        ("守中", "闵守中"),
        ("乔九爷", "乔九"),
        ("恒裕绳库", "恒裕号绳库"),
        ("沈", "阿沈"),
        ("彩虹桥", None),
        ("", None),
    ],
)
def test_the_nearest(typed: str, name: str | None) -> None:
    assert near_names.nearest(typed, NAMES) == name


def test_all_that_hold_it() -> None:
    assert near_names.holding("沈", NAMES) == ["阿沈", "沈渡"]
    assert near_names.holding("乔九爷", NAMES) == ["乔九"]
    assert near_names.holding("", NAMES) == []
