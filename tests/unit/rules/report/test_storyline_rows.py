"""Storylines and where they were written."""

from __future__ import annotations

from novel_hooks.rules.report.storyline_rows import storyline_rows


def test_storylines_of_the_book_and_of_its_chapters() -> None:
    rows = [{"chapter": n, "storyline": line} for n, line in enumerate(("a", "b", "a", None), 1)]
    listed = [{"id": "c", "name": "塔", "status": "Completed"}, {"id": "a", "name": "河"}, {"id": ""}, "x"]
    assert storyline_rows(rows, listed, ["b"]) == [
        {"id": "c", "name": "塔", "awake": False, "chapters": 0, "last": None},
        {"id": "a", "name": "河", "awake": True, "chapters": 2, "last": 3},
        {"id": "b", "name": "b", "awake": False, "chapters": 1, "last": 2},
    ]
