"""The table of shapes, as it is made from Unihan."""

from __future__ import annotations

import re

from novel_hooks.rules.spelling.like_looks import SHAPES


def test_each_character_stands_once_behind_its_code() -> None:
    assert re.fullmatch(r"(?:[A-Z]+[^A-Z\s]+)+", SHAPES)
    marks = re.sub("[A-Z]", "", SHAPES)
    assert len(marks) == len(set(marks)) > 6000
