"""`novel lock` and what it begins; `status`, block by block (protocol §2, §6)."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import pytest
from builders import OTHER, OWNER, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import moment, process
from novel_hooks.store.host.owner import Owner
from novel_hooks.store.lock import lock

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


@pytest.mark.parametrize(
    "argv",
    [
        ("decide", "9999", "accept"),
        ("decide", "1", "rewrite"),
        ("commit", "--chapter", "9"),
        ("advance", "chapter:009:draft"),
        ("advance", "sync:001:summarize"),
        ("instructions", "chapter:009:draft"),
        ("fail", "chapter:009:draft", "--reason", "x"),
        ("judge", "record", "--chapter", "9", "--role", "primary", "--model", "opus", "--file", "x.txt"),
        ("sync", "9"),
        ("sync", "1", "--accept"),
        ("retry",),
    ],
    ids=" ".join,
)
def test_a_refused_command_leaves_the_lock_as_it_was(tmp_path: Path, argv: tuple[str, ...]) -> None:
    """Whatever chapter it was told: who is refused by the lock reads whose chapter is being written."""
    made = book(tmp_path)
    made.ok("lock", "acquire", "--step", "draft")
    before = made.held()
    assert before["chapter"] == 2
    assert made.novel(*argv).exit in (2, 3)
    assert made.held() == before
    told = made.refused(4, "LOCK_BUSY", "commit", "--chapter", "2", owner=OTHER)
    assert "第 2 章" in told.message


def test_a_commit_said_again_leaves_the_chapter_that_the_lock_names(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("judged")
    made.ok("commit", "--chapter", "2")
    made.chapter = 3
    made.ok("lock", "acquire")
    made.draft()
    made.advance("draft")
    before = made.held()
    assert made.ok("commit", "--chapter", "2")["repeat"] is True
    assert made.held() == before and before["chapter"] == 3


def test_a_lock_that_is_asked_for_and_not_given_stays_as_it_was(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.ok("lock", "acquire")
    before = made.held()
    made.point(inflight_chapter=7)
    made.refused(5, "CHECKPOINT_INCONSISTENT", "lock", "acquire", "--step")
    assert made.held() == before


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


def test_a_commit_said_again_leaves_the_lock_of_the_chapter_after_it(tmp_path: Path) -> None:
    """It gives back the lock of its own chapter, and that of no other."""
    made = book(tmp_path)
    made.until("judged")
    made.ok("commit", "--chapter", "2")
    made.ok("lock", "acquire")
    assert made.ok("commit", "--chapter", "2")["repeat"]
    assert made.at(layout.LOCK_DIR).exists()


@pytest.mark.parametrize("argv", [("commit", "--chapter", "2"), ("rollback", "2", "--yes")])
def test_a_command_that_ends_a_chapter_gives_the_lock_back_when_said_again(
    tmp_path: Path, argv: tuple[str, ...]
) -> None:
    """Killed after it was through, before the lock went."""
    made = book(tmp_path)
    made.until("judged")
    made.ok("commit", "--chapter", "2")
    lock.acquire(Project(str(made.root)), Owner(OWNER, None, None, process.host_name()), 2, time.time())
    before = made.tree()
    made.ok(*argv)
    assert made.changed(before) == {} and not made.at(layout.LOCK_DIR).exists()


def test_what_a_killed_command_leaves_is_no_sessions_lock(tmp_path: Path) -> None:
    """A command outside a session holds the lock for itself; found again, it is given back too."""
    made = book(tmp_path)
    own = Owner(OWNER, None, None, process.host_name())
    lock.acquire(Project(str(made.root)), own, None, time.time(), brief=True)
    made.ok("config", "gate.pass", "4.2")
    assert not made.at(layout.LOCK_DIR).exists()
    lock.acquire(Project(str(made.root)), own, None, time.time(), brief=True)
    made.ok("lock", "acquire")
    made.ok("config", "gate.pass", "4.3")
    assert made.at(layout.LOCK_DIR).exists()


FAR = 400 * 86400


@pytest.mark.parametrize(
    ("started", "born", "free"), [(FAR, 0, False), (FAR, -1900, True), (-60, FAR, False)]
)
def test_a_lock_dated_in_the_future(tmp_path: Path, started: int, born: int, free: bool) -> None:
    """The folder's own age counts; where that is no age either, the way out is told."""
    made = book(tmp_path)
    now = time.time()
    host = "elsewhere"
    made.ok("lock", "acquire")
    info = made.json(layout.LOCK_INFO)
    stamp = moment.iso(now + started)
    told = {**info, "owner": "gone", "host": host, "started": stamp, "renewed": stamp, "pid": None}
    made.write(layout.LOCK_INFO, told if started > 0 else b"{")
    os.utime(made.at(layout.LOCK_DIR), (now + born,) * 2)
    if free:
        made.ok("lock", "acquire")
        return
    refused = made.refused(4, "LOCK_BUSY", "lock", "acquire")
    assert "novel lock clear --force" in refused.fix
    found = {d.code: d for d in made.novel("doctor").diagnostics}
    if born <= 0:  # its age is known: half an hour, and it is free
        assert "LOCK_HELD" in found and "年" not in refused.message
        return
    year = time.localtime(now + FAR).tm_year
    assert f"{year}年" in refused.message and "还没到" in refused.message
    assert (
        "novel lock clear --force" in found["LOCK_IN_FUTURE"].fix
        and f"{year}年" in found["LOCK_IN_FUTURE"].message
    )
    assert "还没到" in made.novel("lock", "status").text
    made.ok("lock", "clear", "--force")
    made.ok("lock", "acquire")


def test_a_dead_owner_is_proof_whatever_the_date(tmp_path: Path) -> None:
    made = book(tmp_path)
    gone = Owner("gone", 4_194_304, None, process.host_name())
    lock.acquire(Project(str(made.root)), gone, 2, time.time() + FAR)
    os.utime(made.at(layout.LOCK_DIR), (time.time() + FAR,) * 2)
    made.ok("lock", "acquire")


@pytest.mark.parametrize(
    ("at", "now", "told"),
    [
        ((2026, 3, 4, 5, 6), (2026, 12, 31, 23, 59), "3月4日 05:06"),
        ((2025, 12, 31, 23, 59), (2026, 1, 1, 0, 0), "2025年12月31日 23:59"),
        ((2027, 1, 1, 0, 0), (2026, 12, 31, 0, 0), "2027年1月1日 00:00"),
    ],
)
def test_a_date_of_another_year_says_so(at: Any, now: Any, told: str) -> None:
    assert moment.local_text(*(time.mktime((*when, 0, 0, 0, -1)) for when in (at, now))) == told
