"""What may be told of a thread before it is resolved."""

from __future__ import annotations

import pytest

from novel_hooks.rules.foreshadowing import reader_view

TOLD = {"id": "lamp", "description": "灯是他灭的", "status": "planted"}


@pytest.mark.parametrize(
    ("more", "left"),
    [
        ({}, {"description"}),
        ({"signal": "灯一盏盏灭了"}, {"signal"}),
        ({"payoff": "灯是他灭的"}, set()),
        ({"signal": "灯一盏盏灭了", "payoff": "灯是他灭的"}, {"signal"}),
        (
            {"signal": "灯一盏盏灭了", "payoff": "灯是他灭的", "todo": "resolved"},
            {"signal", "payoff", "todo"},
        ),
        ({"signal": "", "payoff": " "}, {"signal", "description"}),
    ],
)
def test_who_writes_the_chapter_sees_the_signal(more: dict[str, str], left: set[str]) -> None:
    found = reader_view.as_reader_sees({**TOLD, **more})
    assert set(found) == {"id", "status", *left}


def test_payoffs_are_secret_until_they_are_there() -> None:
    listed = [
        {"id": "a", "payoff": "甲"},
        {"id": "b", "payoff": "乙", "status": "planned"},
        {"id": "c", "payoff": "丙", "status": "resolved"},
        {"id": "d", "payoff": " "},
    ]
    assert reader_view.payoffs(listed) == ["甲", "乙"]
    assert reader_view.payoffs(listed, ["a"]) == ["乙"]
