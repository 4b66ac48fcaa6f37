"""`novel rollback` and `novel restore`: the book as it was after a chapter, and back; nothing is lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from builders import BIN, OTHER, OWNER, Book, book, copied
from builders import fast_disk as fast_disk
from rewriting import NOW, archived, files, one_moment, plant, unlike, write_chapter

from novel_hooks import layout
from novel_hooks.errors import ChangedWhileAsked
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.rollback import rollback
from novel_hooks.flows.session.caller import Caller
from novel_hooks.flows.session.session import writing
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from novel_hooks.store.host import moment
from novel_hooks.store.host.owner import owner

if TYPE_CHECKING:
    from pathlib import Path

ENTITY = {"mention": "独眼渔夫", "context": "在岸上望着船", "suggested_type": "character"}
# What each chapter does beside moving the hero.
OPS: dict[int, tuple[dict[str, Any], ...]] = {
    1: (plant("bell-rope"),),
    2: (plant("third-lamp"),),
    3: (plant("bell-rope", "advanced"), plant("oar")),
    4: (plant("bell-rope", "resolved"),),
    5: (plant("third-lamp", "advanced"),),
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Book, list[dict[str, bytes]]]:
    """Five chapters through the commands at one moment, and the book's files after 0, 1, … 5 of them."""
    with pytest.MonkeyPatch.context() as patch:
        one_moment(patch)
        patch.setattr("os.fsync", lambda _handle: None)
        made = book(tmp_path_factory.mktemp("written"), 0)
        shutil.rmtree(made.at("foreshadowing"))
        made.drop(layout.CHANGELOG)
        made.write(layout.CHECKPOINT, jsonio.dump(made.point(last_checkpoint_time=moment.iso(NOW))))
        stages = [files(made)]
        for chapter in range(1, 6):
            write_chapter(made, *OPS[chapter], unknown_entities=[{**ENTITY, "mention": f"渔夫{chapter}"}])
            stages.append(files(made))
    return made, stages


@pytest.fixture
def stages(written: tuple[Book, list[dict[str, bytes]]]) -> list[dict[str, bytes]]:
    return written[1]


@pytest.fixture
def made(
    written: tuple[Book, list[dict[str, bytes]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Book:
    one_moment(monkeypatch)
    return copied(written[0], tmp_path / "book")


def back(made: Book, chapter: int) -> Any:
    """The data of a rollback that must succeed; the next chapter is the one after it."""
    found = made.ok("rollback", str(chapter), "--yes")
    made.chapter = chapter + 1
    return found


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


# refusals --------------------------------------------------------------------------------------------


def test_who_cannot_be_asked_has_to_say_yes(made: Book) -> None:
    told = made.refused(3, "CONFIRMATION_NEEDED", "rollback", "2")
    assert "第 3–5 章（3 章，共 135 字）" in told.message
    assert "`novel rollback 2 --yes`" in told.fix


def test_a_chapter_not_written_yet(made: Book) -> None:
    told = made.refused(3, "ROLLBACK_BEYOND", "rollback", "6", "--yes")
    assert "第 5 章" in told.message


@pytest.mark.parametrize("argv", [(), ("2", "--list"), ("-1",), ("一百五",), ("1.5",)])
def test_usage(made: Book, argv: tuple[str, ...]) -> None:
    made.refused(2, "CLI_USAGE", "rollback", *argv)


def test_another_session_writes(made: Book) -> None:
    made.ok("lock", "acquire")
    made.refused(4, "LOCK_BUSY", "rollback", "2", "--yes", owner=OTHER)
    made.refused(4, "LOCK_BUSY", "restore", "1", "--yes", owner=OTHER)


def test_lines_out_of_order(made: Book) -> None:
    lines = made.at(layout.CHANGELOG).read_text("utf-8").splitlines(keepends=True)
    made.write(layout.CHANGELOG, "".join([lines[0], lines[2], lines[1], *lines[3:]]))
    made.refused(5, "CHANGELOG_BROKEN", "rollback", "2", "--yes")


def test_a_log_that_lost_its_beginning(made: Book) -> None:
    lines = made.at(layout.CHANGELOG).read_text("utf-8").splitlines(keepends=True)
    made.write(layout.CHANGELOG, "".join(lines[2:]))
    made.refused(5, "CHANGELOG_BROKEN", "rollback", "2", "--yes")


def test_a_log_that_is_shorter_than_the_state(made: Book) -> None:
    lines = made.at(layout.CHANGELOG).read_text("utf-8").splitlines(keepends=True)
    made.write(layout.CHANGELOG, "".join(lines[:3]))
    made.refused(5, "LOG_BEHIND_STATE", "rollback", "2", "--yes")


def test_a_broken_state_is_no_hindrance(made: Book, stages: list[dict[str, bytes]]) -> None:
    made.write(layout.STATE, "{")
    back(made, 3)
    assert unlike(files(made), stages[3]) == []


@pytest.mark.parametrize("record", ["{", "[]", '{"before": {}}', '{"before": [], "sha256": {}}'])
def test_a_broken_landed_record(made: Book, record: str) -> None:
    made.write(layout.landed_record(4), record)
    before = made.tree()
    assert made.novel("rollback", "2", "--yes").exit == 5
    assert made.changed(before) == {}


def test_a_link_in_the_place_of_a_chapter(made: Book) -> None:
    made.at(layout.chapter(4)).rename(made.root.parent / "outside.md")
    made.at(layout.chapter(4)).symlink_to(made.root.parent / "outside.md")
    made.refused(3, "FILE_NOT_REGULAR", "rollback", "2", "--yes")


def test_another_book_by_the_time_of_the_answer(made: Book) -> None:
    caller = Caller(owner({"NOVEL_OWNER": OWNER}, None), 0.0)
    before = files(made)
    with writing(Project(str(made.root)), caller) as session:
        shown = rollback.preview(Reading(session.project), 2, caller.stamp)
        made.write(layout.chapter(4), "改了")
        with pytest.raises(ChangedWhileAsked):
            rollback.run(session, 2, shown)
    assert unlike(files(made), before) == [layout.chapter(4)]


# bringing back ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("chapter", [4, 2, 0])
def test_a_restore_brings_every_byte_back(made: Book, chapter: int) -> None:
    made.write(layout.chapter(5), "# 第 5 章\r\n\r\n我改过的一句。")
    before = files(made)
    archive = back(made, chapter)["archive"]
    found = made.ok("restore", archive, "--yes")
    assert unlike(files(made), before) == []
    assert (found["changed"], found["kept"], found["last_chapter"]) == (True, None, 5)
    assert made.next()["step"] == "chapter:006:draft"


def test_a_restore_said_twice_is_as_good_as_once(made: Book) -> None:
    back(made, 2)
    made.ok("restore", "1", "--yes")
    for more in ((), ("--yes",)):
        before = made.tree()
        assert made.ok("restore", "0001", *more)["changed"] is False
        assert made.changed(before) == {}


def test_what_was_written_since_is_put_aside_and_can_be_restored_too(made: Book) -> None:
    first = files(made)
    back(made, 2)
    write_chapter(made, plant("third-lamp", "resolved"), plant("new-one"))
    write_chapter(made, until="judged")
    second = files(made)
    found = made.ok("restore", "0001", "--yes")
    assert unlike(files(made), first) == []
    assert found["kept"] == "0002-restore-of-0001"
    again = made.ok("restore", found["kept"], "--yes")
    assert [p for p in unlike(files(made), second) if p != layout.FENCE_ARMED] == []
    assert again["kept"] == "0003-restore-of-0002"
    made.ok("restore", "3", "--yes")
    assert unlike(files(made), first) == []


def test_a_hand_edit_made_since_is_put_aside(made: Book) -> None:
    back(made, 2)
    made.write(layout.memory("tower-line"), "回退以后我写的。\n")
    kept = made.ok("restore", "1", "--yes")["kept"]
    assert archived(made, kept)[layout.memory("tower-line")] == "回退以后我写的。\n".encode()


def test_archives_in_steps_come_back_in_steps(made: Book) -> None:
    before = files(made)
    back(made, 3)
    middle = files(made)
    back(made, 1)
    refused = made.refused(3, "RESTORE_BASE_DIFFERS", "restore", "1", "--yes")
    assert "`novel restore 0002`" in refused.fix
    made.ok("restore", "2", "--yes")
    assert unlike(files(made), middle) == []
    made.ok("restore", "1", "--yes")
    assert unlike(files(made), before) == []


def test_an_archive_does_not_go_onto_another_beginning(made: Book) -> None:
    back(made, 3)
    back(made, 1)
    write_chapter(made, plant("something-else"))
    write_chapter(made)
    made.refused(3, "RESTORE_BASE_DIFFERS", "restore", "1", "--yes")


def test_who_cannot_be_asked_has_to_say_yes_to_a_restore(made: Book) -> None:
    back(made, 2)
    write_chapter(made)
    told = made.refused(3, "CONFIRMATION_NEEDED", "restore", "1")
    assert "新写的 1 章" in told.message
    assert "`novel restore 0001-rollback-to-002 --yes`" in told.fix


@pytest.mark.parametrize("name", ["7", "nothing", "", "../0001-rollback-to-002", "000"])
def test_no_such_archive(made: Book, name: str) -> None:
    back(made, 4)
    back(made, 2)
    refused = made.refused(3, "ARCHIVE_UNKNOWN", "restore", name, "--yes")
    assert all(one["id"] in refused.fix for one in made.ok("rollback", "--list")["archives"])
    if name == "7":
        assert refused.message == "没有 7 号存档。"


@pytest.mark.parametrize("what", ["changed", "missing", "manifest", "shape", "outside"])
def test_an_archive_that_was_tampered_with(made: Book, what: str) -> None:
    archive = back(made, 2)["archive"]
    manifest = layout.archive_manifest(archive)
    document = made.json(manifest)
    if what == "changed":
        made.write(layout.archived(archive, layout.chapter(4)), "别的")
    elif what == "missing":
        made.drop(layout.archived(archive, layout.chapter(4)))
    elif what == "manifest":
        made.drop(manifest)
    elif what == "shape":
        made.write(manifest, {**document, "entries": [{"path": "chapters/chapter-003.md"}]})
    else:
        entry = {"path": "../outside.md", "sha256": None, "what": "added", "after": None}
        made.write(manifest, {**document, "entries": [*document["entries"], entry]})
    made.refused(5, "ARCHIVE_BROKEN", "restore", "1", "--yes")


def test_the_list(made: Book) -> None:
    assert made.ok("rollback", "--list") == {"archives": []}
    back(made, 2)
    write_chapter(made)
    made.ok("restore", "1", "--yes")
    made.write(layout.archived("0003-rebuild", layout.STATE), "{}")
    made.write(layout.archived("0004-rollback-to-001", "manifest.json"), "{")
    found = made.novel("rollback", "--list")
    keys = ("id", "kind", "to_chapter", "from_chapter", "chapters", "chars")
    assert [tuple(one[key] for key in keys) for one in found.data["archives"]] == [
        ("0001-rollback-to-002", "rollback", 2, 5, 3, 135),
        ("0002-restore-of-0001", "restore", 2, 3, 1, 45),
    ]
    assert [bool(one["restored_at"]) for one in found.data["archives"]] == [True, False]
    lines = found.text.splitlines()
    assert lines[0].endswith(" 取回过") and "取回过" not in lines[1]
    assert [d.code for d in found.diagnostics] == ["ARCHIVE_SKIPPED"]
    last = found.text.splitlines()[-1]
    assert last.startswith("0003-rebuild") and "只供查看" in last
    assert made.ok("rollback", "4", "--yes")["archive"] == "0005-rollback-to-004"


def test_what_a_rebuild_replaced_is_only_to_be_looked_at(made: Book) -> None:
    made.write(layout.STATE, b"{}")
    kept = made.ok("rebuild", "state")["archive"]
    lines = made.novel("rollback", "--list").text.splitlines()
    assert lines[0] == "还没有能取回的存档。" and lines[1].startswith(kept)
    refused = made.refused(3, "ARCHIVE_UNKNOWN", "restore", "1", "--yes")
    assert "不用取回" in refused.message and f"{layout.ARCHIVE}/{kept}/" in refused.fix


def test_a_folder_of_somebody_else_is_named_as_that(made: Book) -> None:
    made.write(layout.archived("0007-我的", "a.md"), "我抄的")
    refused = made.refused(3, "ARCHIVE_UNKNOWN", "restore", "7", "--yes")
    assert "不是写作助手存下的" in refused.message and "0007-我的/" in refused.fix
    assert "0007" not in made.novel("rollback", "--list").text


# at a terminal ---------------------------------------------------------------------------------------


def at_terminal(made: Book, said: bytes, *argv: str) -> tuple[int, str, str]:
    """`bin/novel` with an author at a terminal who says this; exit code, what he is shown, stdout."""
    ours, theirs = os.openpty()
    env = {**os.environ, "NOVEL_OWNER": OWNER}
    started = subprocess.Popen(
        [BIN, *argv], cwd=made.root, env=env, stdin=theirs, stderr=theirs, stdout=subprocess.PIPE
    )
    os.close(theirs)
    shown = b""
    try:
        while "直接回车".encode() not in shown:
            shown += os.read(ours, 4096)
        os.write(ours, said)
        output, _ = started.communicate(timeout=60)
    except OSError:  # it ended without asking
        output, _ = started.communicate(timeout=60)
    finally:
        os.close(ours)
    return started.returncode, shown.decode("utf-8"), output.decode("utf-8")


def test_the_author_is_shown_what_goes_and_asked(made: Book, stages: list[dict[str, bytes]]) -> None:
    made.write(layout.chapter(4), "# 第 4 章 夜渡\n\n我改过的一句。\n")
    before = files(made)
    for no in (b"\n", "算了\n".encode(), b"\x04"):
        code, shown, output = at_terminal(made, no, "rollback", "2")
        assert (code, output) == (0, "没有改动。\n")
        assert "第 3–5 章" in shown
        assert layout.chapter(4) in shown
        assert unlike(files(made), before) == []
    code, _, output = at_terminal(made, b"yes\n", "rollback", "2")
    assert code == 0
    assert "`novel restore 0001`" in output
    assert [p for p in unlike(files(made), stages[2]) if p != layout.CHECKPOINT] == []
    code, shown, output = at_terminal(made, "说什么\n好的。\n".encode(), "restore", "1")
    assert (code, unlike(files(made), before)) == (0, [])


def test_what_cannot_be_taken_back_is_told_before_it_is_asked(made: Book) -> None:
    shutil.rmtree(made.at(layout.OWN))
    found = made.novel("rollback", "2")
    assert found.exit == 3
    assert "退不回去" in found.text
    left = found.text.partition("退不回去")[2]
    told = made.novel("rollback", "2", "--yes")
    kept = [d.message for d in told.diagnostics if d.severity == "warning"]
    assert kept
    assert all(message in left for message in kept)


def test_nothing_to_go_back_to_in_an_unwritten_book(tmp_path: Path) -> None:
    made = book(tmp_path, 0)
    told = made.refused(3, "ROLLBACK_UNWRITTEN", "rollback", "5", "--yes")
    assert "0 到 0" not in told.fix
