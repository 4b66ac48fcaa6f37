"""The tables of sounds, sounding parts and ranks, as they are made from Unihan."""

from __future__ import annotations

import pytest

from novel_hooks.rules.spelling.like_sounds import OFTEN, PARTS, SOUNDS


@pytest.mark.parametrize("table", [SOUNDS, PARTS])
def test_groups_have_two_or_more_characters_each_once(table: str) -> None:
    for group in table.split(" "):
        assert len(group) > 1 and len(set(group)) == len(group), group


@pytest.mark.parametrize("pair", ["荀寻", "政正", "省醒", "婷廷", "晨城"])
def test_sounds_that_speakers_mix_up_are_one_group(pair: str) -> None:
    assert any(pair[0] in group and pair[1] in group for group in SOUNDS.split(" "))


def test_the_most_used_come_first_and_once() -> None:
    assert OFTEN[0] == "的" and len(OFTEN) == len(set(OFTEN)) == 2200
