"""`novel lock` and what it begins; `status`, block by block (protocol §2, §6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import OTHER, book
from builders import fast_disk as fast_disk

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("stage", [None, "committed"])
def test_the_next_chapter_begins_with_the_lock(tmp_path: Path, stage: str | None) -> None:
    made = book(tmp_path)
    made.point(pipeline_stage=stage, revision_count=2)
    assert made.ok("lock", "acquire") == {"chapter": 2, "begun": True, "stop_after": []}
    point = made.point()
    assert (point["pipeline_stage"], point["inflight_chapter"], point["revision_count"]) == ("drafting", 2, 0)
    assert made.json(layout.LOCK_INFO)["chapter"] == 2
    before = made.tree()
    assert made.ok("lock", "acquire") == {"chapter": 2, "begun": False, "stop_after": []}
    assert made.changed(before) == {}


def test_a_finished_draft_survives_a_session_that_dies_before_advance(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.ok("lock", "acquire")
    made.draft()
    made.ok("lock", "release")
    assert made.novel("lock", "acquire", owner=OTHER).exit == 0
    assert made.next()["phase"] == "summarize"


@pytest.mark.parametrize("stage", ["drafting", "drafted", "refined", "judged", "revising"])
def test_a_chapter_in_flight_stays_as_it_is(tmp_path: Path, stage: str) -> None:
    made = book(tmp_path)
    made.stage(stage, 1)
    before = made.point()
    assert made.ok("lock", "acquire") == {"chapter": 2, "begun": False, "stop_after": []}
    assert made.point() == before


@pytest.mark.parametrize(
    ("state", "volume", "last"),
    [("INIT", 0, 0), ("VOL_PLANNING", 1, 1), ("VOL_REVIEW", 1, 6), ("WRITING", 1, 6), ("ERROR_RETRY", 1, 1)],
)
def test_where_nothing_is_written_nothing_begins(tmp_path: Path, state: str, volume: int, last: int) -> None:
    made = book(tmp_path)
    made.point(orchestrator_state=state, current_volume=volume, last_completed_chapter=last)
    before = made.point()
    assert made.ok("lock", "acquire")["begun"] is False
    assert made.point() == before


def test_staging_and_its_folders_are_there(tmp_path: Path) -> None:
    made = book(tmp_path)
    for folder in layout.STAGING_DIRS:
        made.at(folder).rmdir()
    made.at("staging").rmdir()
    made.ok("lock", "acquire")
    assert all(made.at(folder).is_dir() for folder in layout.STAGING_DIRS)


def test_a_command_outside_a_session_gives_the_lock_back(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.draft()
    made.advance("draft")
    assert made.ok("lock", "status")["kind"] == "free"


def test_a_command_inside_a_session_keeps_it_even_when_refused(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.ok("lock", "acquire")
    assert made.novel("advance", made.step("draft")).exit == 1
    assert made.novel("commit", "--chapter", "2").exit == 3
    assert made.ok("lock", "status")["kind"] == "own"
    assert made.novel("lock", "status", owner=OTHER).data["kind"] == "other"
    assert "token" not in made.ok("lock", "status")["info"]


def test_only_ones_own_lock_is_released(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.ok("lock", "acquire")
    assert made.novel("lock", "release", owner=OTHER).exit == 4
    assert made.novel("lock", "clear", owner=OTHER).exit == 4
    assert made.ok("lock", "status")["kind"] == "own"
    assert made.ok("lock", "release")["released"] is True
    assert made.ok("lock", "release")["released"] is False
    assert made.ok("lock", "clear")["cleared"] is False


# status ------------------------------------------------------------------------------------------


def test_status_tells_where_the_book_stands(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("judged", 2.5)
    data = made.ok("status")
    assert data["progress"] == {
        "state": "WRITING",
        "volume": 1,
        "volume_start": 1,
        "volume_end": 6,
        "last_completed_chapter": 1,
        "inflight_chapter": 2,
        "pipeline_stage": "judged",
        "revision_count": 0,
    }
    assert (data["next"]["step"], data["next"]["stop"]) == (made.step("review"), True)
    assert [one["chapter"] for one in data["recent"]] == [1]
    assert (data["foreshadowing"]["open"], data["foreshadowing"]["overdue"]) == (1, [])
    assert [one["id"] for one in data["foreshadowing"]["threads"]] == ["clue-001"]
    assert data["lock"]["kind"] == "free"
    text = made.novel("status").text
    assert "第 2 章 已评审" in text and "novel decide 2 accept" in text


def test_each_block_stands_or_fails_alone(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.write(layout.FORESHADOWING, b"{")
    made.write(layout.evaluation(1), b"[]")
    found = made.novel("status")
    assert found.exit == 5
    assert found.data["foreshadowing"] is None and found.data["recent"] is None
    assert found.data["progress"]["last_completed_chapter"] == 1
    assert found.data["next"]["step"] == "chapter:002:draft"
    assert "读不出来" in found.text


def test_a_landed_evaluation_that_somebody_touched_does_not_break_the_page(tmp_path: Path) -> None:
    made = book(tmp_path)
    gate = {"decision": ["pass"], "revisions": "两次", "force_passed": "是"}
    made.write(layout.evaluation(1), {"overall": "4.5", "metadata": {"gate": gate}})
    found = made.novel("status")
    assert found.exit == 0 and "没有评分" in found.text


def test_overdue_is_counted_from_the_last_landed_chapter(tmp_path: Path) -> None:
    made = book(tmp_path)
    item = {"id": "rope", "description": "钟绳", "scope": "short", "status": "planted", "planted_chapter": 1}
    made.write(layout.FORESHADOWING, {"foreshadowing": [{**item, "target_resolve_range": [1, 1]}]})
    assert made.ok("status")["foreshadowing"]["overdue"] == []
    assert [one["id"] for one in made.ok("foreshadow", "query", "2")["items"] if one["id"] == "rope"] == [
        "rope"
    ]
    made.point(last_completed_chapter=2)
    assert made.ok("status")["foreshadowing"]["overdue"] == ["rope"]
