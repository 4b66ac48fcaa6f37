"""The columns of a chapter's row."""

from __future__ import annotations

import pytest

from novel_hooks.rules.evaluation.score import DIMENSIONS
from novel_hooks.rules.report import row_columns


def test_scores_come_in_the_order_of_the_dimensions() -> None:
    names = list(DIMENSIONS)
    scores = {names[1]: {"score": 4.5}, names[0]: {"score": 3}, names[2]: {"score": "x"}, names[3]: 4}
    assert row_columns.score_list({"scores": scores}) == [3, 4.5, None, None, None, None, None, None]
    assert row_columns.score_list({}) == [None] * 8


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("# 第1章 渡\n\n水声。\n", "\n水声。\n"),
        ("\n＃第1章\n水。", "水。"),
        ("水。\n声。", "水。\n声。"),
        ("# 第1章", ""),
    ],
)
def test_the_heading_is_left_out(text: str, body: str) -> None:
    assert row_columns.without_heading(text) == body


def test_the_columns_of_an_evaluation_and_of_the_work() -> None:
    score = {"overall": 4.1, "decision": "pass", "revisions": 1, "force_passed": False}
    found = row_columns.score_columns({**score, "accepted": True, "adopted": False}, {})
    assert found == {
        "overall": 4.1,
        "scores": [None] * 8,
        "decision": "pass",
        "gate": "作者接受",
        "revisions": 1,
        "forced": False,
        "accepted": True,
        "adopted": False,
    }
    adopted = row_columns.score_columns({**score, "accepted": False, "adopted": True}, {})
    assert (adopted["gate"], adopted["adopted"]) == ("搬进来的，没有评审", True)
    total = {"duration_ms": 9, "cost": None, "input_tokens": 3, "output_tokens": 4}
    assert row_columns.work_columns({"total": total}) == {"duration_ms": 9, "tokens": 7, "cost": None}
