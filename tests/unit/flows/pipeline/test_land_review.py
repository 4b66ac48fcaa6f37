"""A volume's review lands, and the next volume is due to be planned."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.rules.steps import questions

if TYPE_CHECKING:
    from pathlib import Path

REVIEW = "volume:01:review"


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Volume 1 is written."""
    made = book(tmp_path, 6)
    made.point(orchestrator_state="VOL_REVIEW", current_volume=1)
    return made


def test_the_review_lands_and_the_next_volume_is_due(made: Book) -> None:
    made.point(failures=[{"step": REVIEW, "revision_count": 0, "reason": "x"}], revision_count=0)
    assert made.ok("advance", REVIEW)["changed"] is True
    point = made.point()
    assert (point["orchestrator_state"], point["current_volume"]) == ("VOL_PLANNING", 2)
    assert (point["last_step"], point["inflight_chapter"], point["revision_count"]) == (REVIEW, None, 0)
    assert "failures" not in point
    assert made.json(layout.volume_review_data(1))["volume"] == 1
    assert made.at(layout.volume_review(1)).read_text("utf-8").strip()


def test_an_older_review_that_gives_way_is_kept_and_said_to_be(made: Book) -> None:
    made.write(layout.volume_review(1), "我自己写的回顾\n")
    found = made.novel("advance", REVIEW)
    kept = f".novel/attempts/volume-01/0001/{layout.volume_review(1)}"
    assert made.at(kept).read_text("utf-8") == "我自己写的回顾\n"
    assert [(d.code, d.path) for d in found.diagnostics if d.code == "PLAN_KEPT"] == [
        ("PLAN_KEPT", layout.volume_review(1))
    ]


def test_before_the_volume_ends_there_is_none(tmp_path: Path) -> None:
    made = book(tmp_path, 5)
    before = made.tree()
    assert made.novel("advance", REVIEW).exit == 3
    assert made.changed(before) == {}


def test_what_the_author_says_of_the_review_is_read_by_the_next_volumes_planner(made: Book) -> None:
    said = "下一卷别再让她一个人扛"
    found = made.ok("answer", REVIEW, "remark", "--note", said)
    assert (found["changed"], found["again"]) == (True, False)
    assert made.next()["step"] == REVIEW, "the review waits as before"
    made.ok("advance", REVIEW)
    answers = made.json(layout.DECISIONS)["decisions"]
    (told,) = questions.packet_answers(answers, "volume:02:outline")
    assert (told["step"], told["note"], told["todo"]) == (REVIEW, said, False)
    refused = made.novel("answer", REVIEW, "remark", "--note", said)
    assert refused.exit == 3, "the volume is over"
