"""File names in the order of their numbers, however these are written."""

from __future__ import annotations

import pytest

from novel_hooks.rules.text.name_order import in_order


@pytest.mark.parametrize(
    "names",
    [
        ["1.md", "2.md", "10.md", "11.md", "100.md"],
        ["第一章.md", "第二章.md", "第九章.md", "第十章.md", "第十二章.md", "第二十章.md"],
        ["１.md", "２.md", "１０.md"],
        ["卷1-2.md", "卷1-10.md", "卷2-1.md"],
        ["chapter-101.md", "chapter-999.md", "chapter-1000.md"],
        ["1.md", "二.md", "３.md", "一百.md"],
        ["01.md", "1.md", "2.md"],
        ["上.md", "中.md", "下.md"],
        ["河上册.txt", "河中册.txt", "河下册.txt"],
        ["一日千里.md", "2.md", "a.md", "千里.md", "地理.md"],
        ["99999999999999999999.md", "地.md"],
        [],
        ["一.md"],
    ],
)
def test_numbers_count_as_numbers(names: list[str]) -> None:
    assert in_order(reversed(names)) == names


def test_the_order_is_that_of_the_names_alone() -> None:
    names = ["b10", "b2", "a", "第3章", "第十章", "b", "b02"]
    assert in_order(names) == in_order(sorted(names, key=hash)) == in_order(reversed(names))
