"""`novel rollback`: the book as it was after a chapter; nothing is lost."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from rewriting import archived, files, plant, unlike, write_chapter

from novel_hooks import layout
from unit.flows.rollback.five_chapters import ENTITY, OPS, back
from unit.flows.rollback.five_chapters import made as made
from unit.flows.rollback.five_chapters import stages as stages
from unit.flows.rollback.five_chapters import written as written

if TYPE_CHECKING:
    from pathlib import Path

# back ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chapter", [4, 3, 2, 1, 0])
def test_the_book_is_what_it_was_after_that_chapter(
    made: Book, stages: list[dict[str, bytes]], chapter: int
) -> None:
    found = back(made, chapter)
    assert unlike(files(made), stages[chapter]) == []
    assert found["chapters"] == list(range(chapter + 1, 6))
    assert (found["changed"], found["from_chapter"], found["hand_edits"]) == (True, 5, [])
    assert made.next()["step"] == f"chapter:{chapter + 1:03d}:draft"


def test_one_chapter_at_a_time_is_as_good_as_all_at_once(made: Book, stages: list[dict[str, bytes]]) -> None:
    for chapter in (4, 2, 0):
        back(made, chapter)
        assert unlike(files(made), stages[chapter]) == []


def test_everything_that_goes_is_in_the_archive(made: Book, stages: list[dict[str, bytes]]) -> None:
    before = files(made)
    found = back(made, 2)
    gone = {path: data for path, data in before.items() if stages[2].get(path) != data}
    assert archived(made, found["archive"]) == gone
    assert found["archive"] == "0001-rollback-to-002"


def test_a_chapter_written_again_lands_as_it_did_first(made: Book, stages: list[dict[str, bytes]]) -> None:
    back(made, 2)
    for chapter in (3, 4, 5):
        write_chapter(made, *OPS[chapter], unknown_entities=[{**ENTITY, "mention": f"渔夫{chapter}"}])
        assert unlike(files(made), stages[chapter]) == []


def test_from_nothing_again(made: Book, stages: list[dict[str, bytes]]) -> None:
    back(made, 0)
    write_chapter(made, *OPS[1], unknown_entities=[{**ENTITY, "mention": "渔夫1"}])
    assert unlike(files(made), stages[1]) == []


def test_another_chapter_may_follow(made: Book) -> None:
    back(made, 2)
    write_chapter(made, plant("third-lamp", "resolved"))
    threads = {item["id"]: item for item in made.json(layout.FORESHADOWING)["foreshadowing"]}
    assert {name: item["status"] for name, item in threads.items()} == {
        "bell-rope": "planted",
        "third-lamp": "resolved",
    }
    assert [line["chapter"] for line in made.lines(layout.CHANGELOG)] == [1, 2, 3]
    assert made.json(layout.STATE)["state_version"] == 3


def test_settings_plans_and_the_audit_log_stay(made: Book) -> None:
    kept = [
        layout.BRIEF,
        layout.outline(1),
        layout.contract(1, 4),
        layout.foreshadowing_plan(1),
        layout.CONFIG,
    ]
    made.write(layout.AUDIT, '{"event": "x"}\n')
    made.write("chapters/chapter-004-notes.txt", "我的笔记")
    before = {path: made.at(path).read_bytes() for path in (*kept, layout.AUDIT)}
    back(made, 0)
    assert before == {path: made.at(path).read_bytes() for path in before}
    assert made.at("chapters/chapter-004-notes.txt").read_text("utf-8") == "我的笔记"


def test_at_the_last_chapter_there_is_nothing_to_do(made: Book) -> None:
    for more in ((), ("--yes",)):
        before = made.tree()
        assert made.ok("rollback", "5", *more)["changed"] is False
        assert made.changed(before) == {}


def test_the_lock_is_given_back(made: Book) -> None:
    write_chapter(made, until="drafting")
    back(made, 2)
    assert made.ok("lock", "status")["kind"] == "free"


# hand edits ------------------------------------------------------------------------------------------


def test_a_hand_edit_is_named_and_kept(made: Book) -> None:
    made.write(layout.chapter(4), "# 第 4 章 夜渡\n\n我改过的一句。\n")
    made.write(layout.memory("tower-line"), "我改的记忆。\n")
    made.drop(layout.summary(5))
    found = back(made, 3)
    edited = [layout.chapter(4), layout.memory("tower-line"), layout.summary(5)]
    assert found["hand_edits"] == sorted(edited)
    held = archived(made, found["archive"])
    assert "我改过的一句" in held[layout.chapter(4)].decode("utf-8")
    assert held[layout.memory("tower-line")] == "我改的记忆。\n".encode()


def test_other_line_ends_are_no_edit(made: Book) -> None:
    place = made.at(layout.chapter(4))
    data = b"\xef\xbb\xbf" + place.read_bytes().replace(b"\n", b"\r\n")
    place.write_bytes(data)
    found = back(made, 3)
    assert found["hand_edits"] == []
    assert archived(made, found["archive"])[layout.chapter(4)] == data


def test_an_edit_of_what_stays_stays(made: Book) -> None:
    made.write(layout.chapter(2), "# 第 2 章 夜渡\n\n我改过的一句。\n")
    assert back(made, 2)["hand_edits"] == []
    assert "我改过的一句" in made.at(layout.chapter(2)).read_text("utf-8")


def test_a_chapter_that_is_no_utf8_any_more_is_kept(made: Book) -> None:
    made.at(layout.chapter(4)).write_bytes("夜渡".encode("gbk"))
    found = back(made, 3)
    assert found["hand_edits"] == [layout.chapter(4)]
    assert archived(made, found["archive"])[layout.chapter(4)] == "夜渡".encode("gbk")


# the chapter in flight -------------------------------------------------------------------------------


@pytest.mark.parametrize("until", ["drafting", "judged"])
def test_the_chapter_in_flight_goes_too(made: Book, stages: list[dict[str, bytes]], until: str) -> None:
    made.chapter = 6
    write_chapter(made, until=until)
    made.ok("instructions", made.next()["step"], "--write-manifest") if until == "drafting" else None
    before = files(made)
    found = back(made, 5)
    assert (found["inflight_chapter"], found["chapters"]) == (6, [])
    assert unlike(files(made), stages[5]) == []
    assert layout.staged(layout.chapter(6)) in found["staged"]
    made.ok("restore", "1", "--yes")
    again = (layout.FENCE_ARMED, layout.REPORTED)  # set anew, and said anew
    assert [p for p in unlike(files(made), before) if p not in again] == []


def test_going_back_from_the_middle_of_a_chapter(made: Book, stages: list[dict[str, bytes]]) -> None:
    write_chapter(made, until="judged")
    made.write(layout.staged(layout.outline(2)), "# 第 2 卷\n")
    back(made, 3)
    assert unlike(files(made), stages[3]) == [layout.staged(layout.outline(2))]


def test_lines_of_unknown_names_that_nobody_can_read_stay(made: Book) -> None:
    path = layout.UNKNOWN_ENTITIES
    lines = [
        {"ts": "t", "chapter": n, "mention": f"甲{n}", "context": "", "suggested_type": "item"}
        for n in (3, 5)
    ]
    made.write(path, b"\xff\n" + b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    back(made, 3)
    bad, kept = made.at(path).read_bytes().splitlines()
    assert (bad, json.loads(kept)["chapter"]) == (b"\xff", 3)


def test_an_error_and_a_contradiction_go_with_the_chapter(made: Book, stages: list[dict[str, bytes]]) -> None:
    write_chapter(made, until="drafting")
    for _ in range(2):
        made.ok("fail", "chapter:006:summarize", "--reason", "没有交稿")
    assert made.point()["orchestrator_state"] == "ERROR_RETRY"
    back(made, 4)
    assert unlike(files(made), stages[4]) == []


def test_unknown_keys_of_the_checkpoint_stay(made: Book) -> None:
    made.point(my_own="kept", sync={"chapter": 5, "stage": "summarize"})
    back(made, 4)
    assert made.point()["my_own"] == "kept"
    assert "sync" not in made.point()


# foreshadowing ---------------------------------------------------------------------------------------


def test_items_that_no_later_chapter_touched_stay_as_they_are(made: Book) -> None:
    facts = made.json(layout.FORESHADOWING)
    mine = {"id": "mine", "description": "我自己加的", "scope": "long", "status": "planted"}
    facts["foreshadowing"].insert(0, mine)
    facts["note"] = "作者的话"
    made.write(layout.FORESHADOWING, facts)
    back(made, 3)
    now = made.json(layout.FORESHADOWING)
    assert now["foreshadowing"][0] == mine
    assert now["note"] == "作者的话"
    told = {item["id"]: item["status"] for item in now["foreshadowing"]}
    assert told == {"mine": "planted", "bell-rope": "advanced", "third-lamp": "planted", "oar": "planted"}


def test_an_item_that_was_deleted_by_hand_comes_back(made: Book) -> None:
    made.write(layout.FORESHADOWING, {"foreshadowing": []})
    back(made, 3)
    found = made.json(layout.FORESHADOWING)["foreshadowing"]
    assert {item["id"]: item["status"] for item in found} == {
        "bell-rope": "advanced",
        "third-lamp": "planted",
    }


def test_broken_facts_stop_a_rollback_that_has_to_change_them(made: Book) -> None:
    made.write(layout.FORESHADOWING, "{")
    made.refused(3, "JSON_BROKEN", "rollback", "3", "--yes")


def test_broken_facts_that_need_no_change_stay(made: Book) -> None:
    write_chapter(made)
    made.write(layout.FORESHADOWING, "{")
    back(made, 5)
    assert made.at(layout.FORESHADOWING).read_text("utf-8") == "{"


def test_foreshadowing_that_waited_waits_again(tmp_path: Path) -> None:
    """Chapter 2 lands over broken facts, chapter 3 catches up: after chapter 2 it waits as before."""
    made = book(tmp_path, 1)
    good = made.at(layout.FORESHADOWING).read_bytes()
    made.write(layout.FORESHADOWING, "{")
    write_chapter(made, plant("bell-rope"))
    assert made.json(layout.FORESHADOW_BACKLOG) == [2]
    made.write(layout.FORESHADOWING, good)
    write_chapter(made, plant("bell-rope", "advanced"))
    assert not made.at(layout.FORESHADOW_BACKLOG).exists()
    back(made, 2)
    assert made.json(layout.FORESHADOW_BACKLOG) == [2]
    assert made.json(layout.FORESHADOWING) == json.loads(good)
    write_chapter(made, plant("bell-rope", "resolved"))
    (item,) = (i for i in made.json(layout.FORESHADOWING)["foreshadowing"] if i["id"] == "bell-rope")
    assert [entry["action"] for entry in item["history"]] == ["planted", "resolved"]


def test_what_waits_since_later_goes_on_waiting(made: Book) -> None:
    """Chapter 1 was recorded anew while the facts could not be read."""
    made.write(layout.FORESHADOW_BACKLOG, "[1, 4]")
    back(made, 2)
    assert made.json(layout.FORESHADOW_BACKLOG) == [1]


def test_a_backlog_of_a_chapter_that_goes_goes(tmp_path: Path) -> None:
    made = book(tmp_path, 1)
    good = made.at(layout.FORESHADOWING).read_bytes()
    made.write(layout.FORESHADOWING, "{")
    write_chapter(made, plant("bell-rope"))
    made.write(layout.FORESHADOWING, good)
    back(made, 1)
    assert not made.at(layout.FORESHADOW_BACKLOG).exists()
    assert made.at(layout.FORESHADOWING).read_bytes() == good


# another tool's book ---------------------------------------------------------------------------------


def test_what_left_no_record_is_kept_and_told(tmp_path: Path) -> None:
    made = book(tmp_path, 5)
    before = files(made)
    found = made.novel("rollback", "0", "--yes")
    told = [(d.severity, d.code, d.path) for d in found.diagnostics]
    assert found.exit == 0
    assert told == [
        ("warning", "ROLLBACK_MEMORY_KEPT", layout.memory("river-line")),
        ("warning", "ROLLBACK_MEMORY_KEPT", layout.memory("tower-line")),
        ("warning", "ROLLBACK_FORESHADOWING_KEPT", layout.FORESHADOWING),
    ]
    assert "第 1、3、5 章" in found.diagnostics[0].message
    for path in (layout.memory("river-line"), layout.memory("tower-line"), layout.FORESHADOWING):
        assert made.at(path).read_bytes() == before[path]
    assert not made.at(layout.STATE).exists()
    assert not made.at(layout.chapter(1)).exists()
    made.ok("restore", "1", "--yes")
    assert unlike(files(made), before) == []


def test_a_mixed_book_goes_back_as_far_as_the_records_do(tmp_path: Path) -> None:
    made = book(tmp_path, 3)
    before = files(made)
    write_chapter(made, plant("clue-001", "advanced"))
    write_chapter(made)
    found = made.novel("rollback", "3", "--yes")
    assert found.diagnostics == ()
    state = ("current-state.json", "checkpoint.json")
    assert [p for p in unlike(files(made), before) if not p.endswith(state)] == []
    assert made.json(layout.STATE) == json.loads(before[layout.STATE])


# the checkpoint --------------------------------------------------------------------------------------


def test_the_volume_is_that_of_the_next_chapter(tmp_path: Path) -> None:
    made = book(tmp_path, 9, volume_size=4)
    for chapter, volume in ((8, 3), (7, 2), (5, 2), (4, 2), (3, 1)):
        back(made, chapter)
        point = made.point()
        assert (point["current_volume"], point["orchestrator_state"]) == (volume, "WRITING"), chapter


def test_a_volume_that_ends_there_is_to_be_reviewed(tmp_path: Path) -> None:
    made = book(tmp_path, 9, volume_size=4)
    shutil.rmtree(made.at("volumes/vol-03"))
    back(made, 8)
    point = made.point()
    assert (point["current_volume"], point["orchestrator_state"]) == (2, "VOL_REVIEW")


def test_skipped_deltas_are_counted_anew(tmp_path: Path) -> None:
    made = book(tmp_path, 1)
    for _ in range(2):
        made.ok("lock", "acquire")
        made.draft()
        made.advance("draft")
        made.records(("summary", "crossref", "memory"))
        made.ok("decide", str(made.chapter), "skip-delta")
        made.advance("summarize")
        made.advance("refine")
        made.judge(4.5)
        made.advance("judge")
        made.ok("commit", "--chapter", str(made.chapter))
        made.chapter += 1
    state = made.at(layout.STATE).read_bytes()
    assert made.point()["skipped_deltas"] == 2
    back(made, 2)
    assert made.point()["skipped_deltas"] == 1
    back(made, 1)
    assert "skipped_deltas" not in made.point()
    assert made.at(layout.STATE).read_bytes() == state
