"""`novel rebuild state`: the state from the change log alone, byte for byte, and what stands in the way."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from builders import OTHER, OWNER, Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path

PLANT = {"op": "foreshadow", "path": "bell-rope", "value": "planted", "detail": "钟绳断了一股"}
SOLVE = {**PLANT, "value": "resolved", "detail": "钟绳换了新的"}
OPS: list[list[dict[str, Any]]] = [
    [PLANT, {"op": "add", "path": "characters.shen-du.inventory", "value": "铜灯"}],
    [SOLVE, {"op": "inc", "path": "characters.shen-du.relationships.qiao-jiu", "value": 2}],
    [{"op": "set", "path": "items.copper-lamp.owner", "value": "shen-du"}],
    [PLANT, {"op": "remove", "path": "characters.shen-du.inventory", "value": "铜灯"}],
]


def written(tmp_path: Path, chapters: int = 4) -> Book:
    """Chapters 2 to `chapters`+1 landed by the real commands on a book of one."""
    made = book(tmp_path, volume_size=12)
    for number in range(2, chapters + 2):
        made.chapter = number
        made.stage("judged")
        made.draft()
        made.records(ops=OPS[number - 2])
        made.evaluation()
        made.ok("commit", "--chapter", str(number))
    return made


def rewritten(made: Book, at: int, **changes: Any) -> None:
    """Line `at` (from 1) of the change log with these keys changed."""
    lines = made.lines(layout.CHANGELOG)
    lines[at - 1].update(changes)
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    made.write(layout.CHANGELOG, text)


def test_what_commits_left_is_left_alone(tmp_path: Path) -> None:
    made = written(tmp_path)
    before = made.tree()
    told = made.ok("rebuild", "state")
    assert (told["changed"], told["version"], told["archive"]) == (False, 5, None)
    assert made.changed(before) == {}


def test_a_lost_state_comes_back_byte_for_byte(tmp_path: Path) -> None:
    made = written(tmp_path)
    bytes_before = made.at(layout.STATE).read_bytes()
    made.drop(layout.STATE)
    told = made.ok("rebuild", "state")
    assert (told["changed"], told["chapters"], told["archive"]) == (True, 5, None)
    assert made.at(layout.STATE).read_bytes() == bytes_before


def test_what_differed_is_said_and_kept(tmp_path: Path) -> None:
    made = written(tmp_path)
    right = made.at(layout.STATE).read_bytes()
    state = made.json(layout.STATE)
    state["characters"]["shen-du"]["location"] = "天上"
    del state["items"]["copper-lamp"]
    wrong = made.write(layout.STATE, state).read_bytes()
    told = made.ok("rebuild", "state")
    assert told["differences"] == ("characters.shen-du.location", "items.copper-lamp")
    assert told["archive"] == "0001-rebuild"
    assert made.at(layout.STATE).read_bytes() == right
    kept = made.at(layout.archived("0001-rebuild", layout.STATE))
    assert kept.read_bytes() == wrong
    manifest = made.json(layout.archive_manifest("0001-rebuild"))
    assert (manifest["kind"], manifest["entries"][0]["what"]) == ("rebuild", "replaced")
    assert manifest["checkpoint"]["last_completed_chapter"] == 5


def test_the_second_archive_has_the_next_number(tmp_path: Path) -> None:
    made = written(tmp_path, 1)
    for expected in ("0001-rebuild", "0002-rebuild"):
        made.write(layout.STATE, b"{ not json")
        assert made.ok("rebuild", "state")["archive"] == expected


def test_a_broken_state_is_replaced_whole(tmp_path: Path) -> None:
    made = written(tmp_path, 1)
    right = made.at(layout.STATE).read_bytes()
    made.write(layout.STATE, b"\xff\xfe")
    assert made.ok("rebuild", "state")["differences"] == ("整份内容",)
    assert made.at(layout.STATE).read_bytes() == right


def test_a_log_that_does_not_join_is_refused_with_its_line(tmp_path: Path) -> None:
    made = written(tmp_path)
    rewritten(made, 3, base_state_version=7)
    told = made.refused(5, "CHANGELOG_BROKEN", "rebuild", "state")
    assert "第 3 行" in told.message
    assert "2 → 3" in told.message


def test_a_line_that_is_no_json_is_refused_with_its_line(tmp_path: Path) -> None:
    made = written(tmp_path)
    lines = made.at(layout.CHANGELOG).read_text("utf-8").splitlines()
    lines[1] = lines[1][:20]
    made.write(layout.CHANGELOG, "\n".join(lines) + "\n")
    assert "第 2 行" in made.refused(5, "LOG_LINE_BROKEN", "rebuild", "state").message


def test_a_cut_last_line_is_refused(tmp_path: Path) -> None:
    made = written(tmp_path)
    data = made.at(layout.CHANGELOG).read_bytes()
    made.write(layout.CHANGELOG, data[:-30])
    assert "doctor --fix" in made.refused(5, "LOG_TAIL_BROKEN", "rebuild", "state").fix


def test_an_op_that_cannot_be_applied_is_refused(tmp_path: Path) -> None:
    made = written(tmp_path)
    rewritten(made, 4, ops=[{"op": "remove", "path": "characters.nobody.inventory", "value": "x"}])
    assert "第 4 行" in made.refused(5, "CHANGELOG_BROKEN", "rebuild", "state").message


def test_a_log_that_lacks_a_landed_chapter_never_takes_its_changes_away(tmp_path: Path) -> None:
    made = written(tmp_path)
    lines = made.at(layout.CHANGELOG).read_text("utf-8").splitlines(keepends=True)
    made.write(layout.CHANGELOG, "".join(lines[:-1]))
    assert "第 5 章" in made.refused(5, "CHANGELOG_CHAPTERS_MISSING", "rebuild", "state").message


def test_another_session_keeps_its_book(tmp_path: Path) -> None:
    made = written(tmp_path, 1)
    made.drop(layout.STATE)
    made.ok("lock", "acquire")
    made.refused(4, "LOCK_BUSY", "rebuild", "state", owner=OTHER)
    assert made.novel("rebuild", "state", owner=OWNER).exit == 0


def test_a_new_book_has_nothing_to_rebuild(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=0)
    assert made.ok("rebuild", "state")["changed"] is False
    assert not made.at(layout.STATE).exists()


def test_the_second_fence_does_not_take_it_for_a_breach(tmp_path: Path) -> None:
    """In the middle of a chapter: handed out, state rebuilt, the step still advances."""
    made = written(tmp_path, 1)
    made.chapter = 3
    made.ok("lock", "acquire")
    state = made.json(layout.STATE)
    made.write(layout.STATE, {**state, "world_state": {"time_marker": "冬"}})
    made.ok("instructions", made.step("draft"), "--write-manifest")
    made.draft()
    assert made.ok("rebuild", "state")["changed"] is True
    assert made.advance("draft")["pipeline_stage"] == "drafting"
