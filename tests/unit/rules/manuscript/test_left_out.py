"""Counts of what is not taken."""

from __future__ import annotations

from novel_hooks.rules.manuscript import left_out
from novel_hooks.rules.manuscript.left_out import LeftOut, describe


def test_counts_come_in_one_order_and_a_note_counts_once() -> None:
    counts = LeftOut()
    for kind in (left_out.IMAGES, left_out.NOTES, left_out.REFERENCES, left_out.REFERENCES):
        counts.add(kind)
    counts.add(left_out.RUBY, 0)
    assert counts.counts() == {left_out.NOTES: 2, left_out.IMAGES: 1}
    assert describe(counts.counts()) == "脚注 2 条、图片 1 张"


def test_nothing_left_is_nothing_told() -> None:
    assert describe(LeftOut().counts()) == ""
