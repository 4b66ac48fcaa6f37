"""The names of the state's entries."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.state import entry_names

LAMP = {"display_name": "船头灯", "name": "灯", "aliases": ["亮子", 3, ""], "at": "船头"}


@pytest.mark.parametrize(
    ("key", "entry", "ranked", "called"),
    [
        ("lamp", LAMP, "0 lamp, 1 船头灯, 1 灯, 2 亮子", ["船头灯", "灯", "亮子"]),
        ("灯", {"display_name": " 灯 "}, "0 灯, 1  灯 ", ["灯"]),
        ("灯", {}, "0 灯", ["灯"]),
        ("lamp", {"display_name": 7, "aliases": "亮子"}, "0 lamp", []),
        ("lamp", 1, "0 lamp", []),
    ],
)
def test_the_names_of_an_entry(key: str, entry: Any, ranked: str, called: list[str]) -> None:
    assert ", ".join(f"{rank} {name}" for rank, name in entry_names.ranked_names(key, entry)) == ranked
    assert entry_names.names_in_text(key, entry) == called


def test_what_is_shown_for_an_id_is_its_title_and_a_cards_before_the_states() -> None:
    state = {"items": {"lamp": LAMP, "odd": 1}, "characters": {"shen": {"display_name": "阿沈"}}}
    assert entry_names.shown_names(state, {"shen": "沈渡"}) == {"lamp": "船头灯", "shen": "沈渡"}
