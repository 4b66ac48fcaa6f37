"""Where a name can begin and end in a running text."""

from __future__ import annotations

import pytest

from novel_hooks.rules.spelling import word_edges


@pytest.mark.parametrize(
    ("text", "begins", "ends"),
    [
        ("苗禾", True, True),
        ("，苗禾。", True, True),
        ("见苗禾走", True, True),
        ("种苗禾苗", False, False),
        ("A苗禾1", True, True),
        ("\n苗禾\n", True, True),
    ],
)
def test_beside_a_name(text: str, begins: bool, ends: bool) -> None:
    at = text.index("苗禾")
    assert (word_edges.begins(text, at), word_edges.ends(text, at + 2)) == (begins, ends)


def test_a_han_character() -> None:
    assert [word_edges.is_han(mark) for mark in ("苗", "A", "，", "")] == [True, False, False, False]
