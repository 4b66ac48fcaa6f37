"""`novel sync`: what a chapter recorded anew replaces, and what follows for later ones."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from builders import book
from builders import fast_disk as fast_disk
from copying import copied

from novel_hooks import layout
from tools import bookparts
from unit.flows.resync.synced import (
    OP,
    PLANT,
    RESOLVE,
    edit,
    land,
    records,
    replayed,
    resync,
    step,
    through,
    written,
)

if TYPE_CHECKING:
    from pathlib import Path


# what lands ----------------------------------------------------------------------------------------


def test_the_chapters_records_are_replaced(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 3)
    landed = resync(made, 3, {"op": "inc", "path": "items.lamp.oil", "value": -2})
    assert (landed["synced"], landed["repeat"]) == (True, False)
    assert made.at(layout.summary(3)).read_text("utf-8") == "改过之后的摘要。\n"
    found = made.json(layout.evaluation(3))
    assert (found["overall_final"], found["metadata"]["gate"]["decision"]) == (4.2, "pass")
    assert made.json(layout.STATE)["items"]["lamp"]["oil"] == 1
    assert made.json(layout.STATE) == replayed(made)
    assert [x["chapter"] for x in made.lines(layout.CHANGELOG)] == [1, 2, 3, 4]
    assert made.ok("sync")["edits"] == []
    assert [s["name"] for s in made.json(layout.chapter_log(3))["stages"]][-2:] == ["summarize", "judge"]
    assert not any("chapter-003" in name for _, _, names in os.walk(made.at("staging")) for name in names)


def test_what_was_replaced_is_kept(tmp_path: Path) -> None:
    made = written(tmp_path)
    summary, state = made.at(layout.summary(3)).read_bytes(), made.at(layout.STATE).read_bytes()
    resync(made, 3)
    made.chapter = 3
    kept = {name.rsplit("/", 1)[-1]: data for name, data in made.attempts().items() if "synced" in name}
    assert kept["chapter-003-summary.md"] == summary
    assert kept["current-state.json"] == state
    assert json.loads(kept["changelog-line.json"])["chapter"] == 3


def test_other_lines_of_the_log_keep_their_bytes(tmp_path: Path) -> None:
    made = written(tmp_path)
    before = made.at(layout.CHANGELOG).read_bytes().split(b"\n")
    resync(made, 3)
    after = made.at(layout.CHANGELOG).read_bytes().split(b"\n")
    assert [i for i, (a, b) in enumerate(zip(before, after)) if a != b] == [2]


def test_an_op_that_loses_its_ground_is_set_aside_told_and_taken_up_again(tmp_path: Path) -> None:
    made = written(tmp_path)
    through(made, 2, {"op": "set", "path": "items.lamp.oil", "value": "满"}, PLANT)
    found = made.novel("commit", "--chapter", "2")
    assert found.exit == 0
    lost = [d for d in found.diagnostics if d.code == "SYNC_LATER_DROPPED"]
    assert len(lost) == 1
    assert "第 3 章" in lost[0].message
    line = made.lines(layout.CHANGELOG)[2]
    assert (line["ops"], line["dropped"][0]["at"]) == ([], 0)
    assert made.json(layout.STATE) == replayed(made)
    resync(made, 2, {"op": "set", "path": "items.lamp.oil", "value": 9}, PLANT)
    line = made.lines(layout.CHANGELOG)[2]
    assert (len(line["ops"]), line["dropped"]) == (1, [])
    assert made.json(layout.STATE)["items"]["lamp"]["oil"] == 8


def test_the_same_delta_again_changes_nothing_of_the_story(tmp_path: Path) -> None:
    made = written(tmp_path)
    state, threads = made.at(layout.STATE).read_bytes(), made.at(layout.FORESHADOWING).read_bytes()
    lines = made.lines(layout.CHANGELOG)
    resync(made, 2, {"op": "set", "path": "items.lamp.oil", "value": 3}, PLANT)
    assert made.at(layout.STATE).read_bytes() == state
    assert made.at(layout.FORESHADOWING).read_bytes() == threads
    assert [{**x, "ts": "", "first_ts": ""} for x in made.lines(layout.CHANGELOG)] == [
        {**x, "ts": "", "first_ts": ""} for x in lines
    ]


def test_a_skipped_delta_that_is_made_good_moves_the_versions_behind_it(tmp_path: Path) -> None:
    made = written(tmp_path, 2)
    made.chapter = 3
    made.stage("judged")
    made.draft()
    made.records()
    made.write(made.staged("delta"), {"chapter": 3, "skipped": True, "reason": "写坏了"})
    made.evaluation(4.5)
    made.ok("commit", "--chapter", "3")
    land(made, 4)
    assert made.point()["skipped_deltas"] == 1
    resync(made, 3, {"op": "set", "path": "items.bell.rung", "value": True})
    versions = [(x["base_state_version"], x["state_version"]) for x in made.lines(layout.CHANGELOG)]
    assert versions == [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert made.json(layout.STATE) == replayed(made)
    assert made.point()["skipped_deltas"] == 0


def test_later_chapters_that_may_be_touched_are_listed(tmp_path: Path) -> None:
    made = written(tmp_path)
    through(made, 2, {"op": "set", "path": "items.lamp.oil", "value": 3}, PLANT)
    found = made.novel("commit", "--chapter", "2")
    assert found.data["later"] == [3, 4]  # 3 counts the lamp's oil, 4 is of the same storyline
    assert "SYNC_LATER_TOUCHED" in [d.code for d in found.diagnostics]


def test_memory_lands_only_when_no_later_chapter_of_the_storyline_has_replaced_it(tmp_path: Path) -> None:
    made = written(tmp_path)
    line = bookparts.storyline_id(2)
    memory = made.at(layout.memory(line)).read_bytes()
    resync(made, 2)
    assert made.at(layout.memory(line)).read_bytes() == memory
    assert made.json(layout.landed_record(4))["before"][layout.memory(line)] == "改过之后的记忆。\n"
    resync(made, 4)
    assert made.at(layout.memory(line)).read_text("utf-8") == "改过之后的记忆。\n"


def test_foreshadowing_is_taken_back_and_told_anew(tmp_path: Path) -> None:
    made = written(tmp_path)
    other = {"op": "foreshadow", "path": "old-coin", "value": "planted", "detail": "一枚旧钱"}
    resync(made, 4, other)
    items = {i["id"]: i for i in made.json(layout.FORESHADOWING)["foreshadowing"]}
    assert (items["bell-rope"]["status"], len(items["bell-rope"]["history"])) == ("planted", 1)
    assert items["old-coin"]["planted_chapter"] == 4
    state = made.json(layout.STATE)
    assert {"bell-rope", "old-coin"} <= set(state["active_foreshadowing"])


def test_a_thread_that_is_not_planted_any_more_is_what_the_later_chapter_makes_of_it(tmp_path: Path) -> None:
    made = written(tmp_path)
    resync(made, 2)
    items = {i["id"]: i for i in made.json(layout.FORESHADOWING)["foreshadowing"]}
    assert [h["chapter"] for h in items["bell-rope"]["history"]] == [4]
    assert items["bell-rope"]["status"] == "resolved"
    assert made.json(layout.landed_record(4))["before"][layout.FORESHADOWING] == {"bell-rope": None}


def test_a_thread_changed_by_hand_keeps_what_it_has(tmp_path: Path) -> None:
    made = written(tmp_path)
    document = made.json(layout.FORESHADOWING)
    own = next(i for i in document["foreshadowing"] if i["id"] == "bell-rope")
    own["description"] = "作者自己写的说法"
    made.write(layout.FORESHADOWING, document)
    through(made, 4)
    found = made.novel("commit", "--chapter", "4")
    assert "SYNC_THREAD_KEPT" in [d.code for d in found.diagnostics]
    assert own in made.json(layout.FORESHADOWING)["foreshadowing"]


def test_a_broken_foreshadowing_file_waits_and_is_caught_up(tmp_path: Path) -> None:
    made = written(tmp_path)
    good = made.at(layout.FORESHADOWING).read_bytes()
    through(made, 4, PLANT)
    made.write(layout.FORESHADOWING, b"{")
    made.ok("accept-changes")
    found = made.novel("commit", "--chapter", "4")
    assert found.exit == 0, found
    assert made.json(layout.FORESHADOW_BACKLOG) == [4]
    made.write(layout.FORESHADOWING, good)
    land(made, 5)
    assert not made.at(layout.FORESHADOW_BACKLOG).exists()


def test_a_state_changed_by_hand_is_told_and_kept(tmp_path: Path) -> None:
    made = written(tmp_path)
    state = made.json(layout.STATE)
    state["items"]["lamp"]["oil"] = 99
    made.write(layout.STATE, state)
    through(made, 3)
    found = made.novel("commit", "--chapter", "3")
    assert "SYNC_STATE_DIFFERS" in [d.code for d in found.diagnostics]
    assert made.json(layout.STATE) == replayed(made)
    made.chapter = 3
    assert any(b"99" in data for name, data in made.attempts().items() if name.endswith("current-state.json"))


def test_unknown_names_are_those_of_the_new_delta(tmp_path: Path) -> None:
    made = written(tmp_path, 2)
    one = {"mention": "独眼渔夫", "context": "岸上", "suggested_type": "character"}
    two = {"mention": "铁匠", "context": "塔下", "suggested_type": "character"}
    land(made, 3, unknown_entities=[one])
    resync(made, 3, unknown_entities=[two])
    assert [x["mention"] for x in made.lines(layout.UNKNOWN_ENTITIES)] == ["铁匠"]


def test_lines_of_unknown_names_that_nobody_can_read_stay(tmp_path: Path) -> None:
    made = written(tmp_path, 2)
    one = {"mention": "独眼渔夫", "context": "岸上", "suggested_type": "character"}
    two = {"mention": "铁匠", "context": "塔下", "suggested_type": "character"}
    land(made, 3, unknown_entities=[one])
    made.write(layout.UNKNOWN_ENTITIES, b"{oops}\n" + made.at(layout.UNKNOWN_ENTITIES).read_bytes() + b"{cut")
    through(made, 3, unknown_entities=[two])
    found = made.novel("commit", "--chapter", "3")
    assert [d.code for d in found.diagnostics if d.path == layout.UNKNOWN_ENTITIES] == ["ENTITIES_UNREAD"]
    first, last, new = made.at(layout.UNKNOWN_ENTITIES).read_bytes().splitlines()
    assert (first, last, json.loads(new)["mention"]) == (b"{oops}", b"{cut", "铁匠")


def test_a_gap_that_the_versions_do_not_fit_is_damage(tmp_path: Path) -> None:
    made = written(tmp_path)
    lines = made.at(layout.CHANGELOG).read_bytes().splitlines(keepends=True)
    last = {**json.loads(lines[3]), "base_state_version": 9, "state_version": 10}
    made.write(layout.CHANGELOG, b"".join([lines[0], json.dumps(last).encode() + b"\n"]))
    made.refused(5, "SYNC_LOG_LINE", "sync", "3")


def test_a_chapter_without_record_can_be_recorded_anew(tmp_path: Path) -> None:
    made = written(tmp_path, 2)
    made.ok("sync", "1", "--yes")
    records(made, 1)
    made.ok("advance", step(1, "summarize"))
    made.judge(4.2)
    made.judge(4.1, role="secondary")
    made.ok("advance", step(1, "judge"))
    made.ok("commit", "--chapter", "1")
    assert made.json(layout.STATE) == replayed(made)
    assert not made.at(layout.landed_record(1)).exists()


def test_rollback_after_a_sync_and_the_chapter_again(tmp_path: Path) -> None:
    made = written(tmp_path)
    twin = copied(made, tmp_path / "twin")
    resync(made, 2, {"op": "set", "path": "items.lamp.oil", "value": 7})
    line = bookparts.storyline_id(2)
    made.ok("rollback", "2", "--yes")
    assert made.json(layout.STATE)["items"]["lamp"]["oil"] == 7
    assert made.at(layout.memory(line)).read_text("utf-8") == "改过之后的记忆。\n"
    assert [i["id"] for i in made.json(layout.FORESHADOWING)["foreshadowing"]] == ["clue-001"]
    made.ok("rollback", "1", "--yes")
    twin.ok("rollback", "1", "--yes")
    now, then = made.tree(), twin.tree()
    for path in (layout.STATE, layout.CHANGELOG, layout.FORESHADOWING, layout.memory(line)):
        assert now.get(path) == then.get(path), path


FIRST = ({"op": "set", "path": "items.lamp.oil", "value": 3}, PLANT)


SECOND = (
    {"op": "set", "path": "items.lamp.oil", "value": 5},
    {"op": "add", "path": "characters.shen-du.inventory", "value": "旧钱"},
    {"op": "foreshadow", "path": "old-coin", "value": "planted", "detail": "一枚旧钱"},
)


@pytest.mark.parametrize(("old", "new"), [(FIRST, SECOND), (SECOND, FIRST), (FIRST, (OP,)), ((OP,), FIRST)])
def test_recorded_anew_is_as_if_it_had_been_so_at_first(tmp_path: Path, old: Any, new: Any) -> None:
    """State, log, foreshadowing, what later records replaced: as in a book that was written so."""
    later = (
        (3, {"op": "inc", "path": "items.lamp.oil", "value": -1}, {**PLANT, "value": "advanced"}),
        (4, {"op": "add", "path": "characters.shen-du.inventory", "value": "钟绳"}, RESOLVE),
    )
    books = []
    for name, ops in (("anew", old), ("first", new)):
        made = book(tmp_path, 1, name=name)
        land(made, 2, *ops)
        for chapter, *more in later:
            land(made, chapter, *more)
        books.append(made)
    anew, first = books
    resync(anew, 2, *new)
    assert anew.json(layout.STATE) == first.json(layout.STATE) == replayed(anew)
    lines = [[{**x, "ts": "", "first_ts": ""} for x in one.lines(layout.CHANGELOG)] for one in books]
    assert lines[0] == lines[1]
    threads = [{i["id"]: i for i in b.json(layout.FORESHADOWING)["foreshadowing"]} for b in books]
    assert threads[0] == threads[1]
    for chapter in (3, 4):
        before = [b.json(layout.landed_record(chapter))["before"][layout.FORESHADOWING] for b in books]
        assert before[0] == before[1]


def test_a_chapter_that_lands_again_is_no_longer_remembered_as_edited(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 4)
    made.ok("sync")
    made.ok("rollback", "3", "--yes")
    assert made.novel("next").diagnostics == ()
    land(made, 4)
    assert made.novel("next").diagnostics == ()
