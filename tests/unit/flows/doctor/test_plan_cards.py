"""Doctor on the settings: a card of a shape that nobody understands is told, of those who left too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path

CARD = layout.character_card("lao-zhou")
NAME = {"display_name": "老周"}
NAMELESS: list[Any] = [{}, {"display_name": " "}, {"display_name": 7}]
BROKEN: list[Any] = [[], "老周", None, *NAMELESS, {**NAME, "contracts": {}}]
ODD: list[dict[str, Any]] = [
    *({"aliases": one} for one in ("周哥", [1], {"a": "周哥"}, 7)),
    *({"called_by": one} for one in ("周哥", ["周哥"], {"沈渡": 7})),
    *({"level": ["二"]}, {"injuries": "断腿"}, {"knows": 7}, {"owes": "钱"}, {"goes_as": ["周"]}),
    *({"inventory": 7}, {"items": "刀"}, {"status": 7}),
]


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path, 1, 6)


@pytest.mark.parametrize("path", [CARD, layout.retired(CARD)])
def test_a_broken_card_is_a_finding(made: Book, path: str) -> None:
    for card in BROKEN:
        made.write(path, card if card is not None else "null")
        found = made.novel("doctor")
        wrong = {d.path for d in found.diagnostics if d.severity == "error"}
        assert found.exit == 1 and wrong == {path}, card
    made.write(path, {**NAME, "id": "zhou"})
    assert ("CHARACTER_ID_WRONG", path) in {(d.code, d.path) for d in made.novel("doctor").diagnostics}


@pytest.mark.parametrize("path", [CARD, layout.retired(CARD)])
def test_an_odd_field_is_told(made: Book, path: str) -> None:
    for fields in ODD:
        made.write(path, {**NAME, **fields})
        found = [d for d in made.novel("doctor").diagnostics if d.path == path]
        assert [d.severity for d in found] == ["warning"], fields
        assert made.novel("changed").exit == 0, "what is odd stops nothing"
    made.write(path, {**NAME, "aliases": ["周哥"], "called_by": {"沈渡": "老周"}, "knows": [], "level": 2})
    assert [d for d in made.novel("doctor").diagnostics if d.path == path] == []
