"""`novel sync`: hand edits found by hash, told, accepted, and those that cannot be read."""

from __future__ import annotations

import json
import os
import shutil
import time
from typing import TYPE_CHECKING

import pytest
from builders import OTHER, Book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.book.book import Book as LookedAt
from novel_hooks.flows.inventory import hand_edits
from novel_hooks.store.fence import marks
from novel_hooks.store.files.project import Project
from tools import bookparts
from unit.flows.resync.synced import edit, land, replayed, written

if TYPE_CHECKING:
    from pathlib import Path


# finding -------------------------------------------------------------------------------------------


def test_nothing_changed(tmp_path: Path) -> None:
    made = written(tmp_path)
    found = made.ok("sync")
    nothing = {"edits": [], "texts": [], "chapters": []}
    assert found == {**nothing, "unrecorded": [1], "open": None, "backlog": 0, "renamed": 0}


def test_every_landed_file_is_held_against_its_record(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 3)
    for path in (layout.summary(2), layout.memory(bookparts.storyline_id(4))):
        made.at(path).write_text("改了。\n", "utf-8")
    made.drop(layout.crossref(4))
    found = made.ok("sync")
    assert [(e["chapter"], e["path"], e["what"]) for e in found["edits"]] == [
        (2, layout.summary(2), "changed"),
        (3, layout.chapter(3), "changed"),
        (4, layout.crossref(4), "missing"),
        (4, layout.memory(bookparts.storyline_id(4)), "changed"),
    ]
    assert found["chapters"] == [2, 3, 4]


def test_line_ends_bom_and_time_are_no_edit(tmp_path: Path) -> None:
    made = written(tmp_path)
    path = made.at(layout.chapter(3))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    os.utime(path, (1, 1))
    assert made.ok("sync")["edits"] == []


def test_only_what_looks_different_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = written(tmp_path)
    monkeypatch.setattr(marks, "SETTLED_NS", 0)  # files of now may be relied on
    made.ok("sync")
    read: list[str] = []
    digest = hand_edits.digest
    monkeypatch.setattr(hand_edits, "digest", lambda data, path: read.append(path) or digest(data, path))
    assert made.ok("sync")["edits"] == []
    assert read == []
    edit(made, 3)
    os.utime(made.at(layout.chapter(3)), (1, 1))
    assert made.ok("sync")["chapters"] == [3]
    assert layout.chapter(3) in read


def test_looking_needs_no_lock(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 3)
    assert made.novel("lock", "acquire", owner=OTHER).exit == 0
    before = made.tree()
    assert made.ok("sync")["chapters"] == [3]
    assert made.changed(before) == {}


@pytest.mark.parametrize("command", ["next", "status"])
def test_it_is_mentioned_in_one_line_and_blocks_nothing(tmp_path: Path, command: str) -> None:
    made = written(tmp_path, 4)
    assert made.novel(command).diagnostics == ()
    edit(made, 3)
    found = made.novel(command)
    assert found.exit == 0
    assert [d.code for d in found.diagnostics] == ["SYNC_HAND_EDITS"]
    assert "第 3 章" in found.diagnostics[0].message


def test_an_edit_far_back_is_mentioned_once_it_was_found(tmp_path: Path) -> None:
    made = written(tmp_path, 4)
    land(made, 5)
    edit(made, 2)
    assert made.novel("next").diagnostics == ()
    made.ok("sync")
    assert [d.code for d in made.novel("next").diagnostics] == ["SYNC_HAND_EDITS"]


def test_commit_mentions_it(tmp_path: Path) -> None:
    made = written(tmp_path, 3)
    edit(made, 3)
    made.chapter = 4
    made.stage("judged")
    made.draft()
    made.records()
    made.evaluation(4.5)
    found = made.novel("commit", "--chapter", "4")
    assert found.exit == 0
    assert [d.code for d in found.diagnostics] == ["SYNC_HAND_EDITS"]


GONE, BLANK = "LANDED_TEXT_GONE", "LANDED_TEXT_BLANK"


GBK = "# 第 3 章\n\n渡口起了雾。\n".encode("gb18030")


def codes(made: Book, *argv: str) -> list[str]:
    return [d.code for d in made.novel(*argv).diagnostics]


@pytest.mark.parametrize("command", ["next", "status", "sync"])
def test_a_text_that_is_gone_is_told_and_where_to_get_it(tmp_path: Path, command: str) -> None:
    made = written(tmp_path)
    for chapter in (2, 3):
        made.drop(layout.chapter(chapter))
    found = made.novel(command)
    assert (found.exit, [d.code for d in found.diagnostics]) == (0, [GONE])
    told = found.diagnostics[0]
    assert "第 2、3 章" in told.message and ".novel/attempts/chapter-002/" in told.fix and "备份" in told.fix


def test_a_text_that_is_gone_far_back_is_told_until_it_is_back(tmp_path: Path) -> None:
    made = written(tmp_path)
    land(made, 5)
    kept = made.at(layout.chapter(2)).read_bytes()
    made.drop(layout.chapter(2))
    assert codes(made, "next") == [GONE]
    made.ok("sync")
    assert codes(made, "next") == [GONE]
    made.write(layout.chapter(2), kept)
    assert codes(made, "next") == codes(made, "status") == []


def test_sync_of_a_text_that_is_gone_says_so(tmp_path: Path) -> None:
    made = written(tmp_path)
    made.drop(layout.chapter(3))
    before = made.tree()
    told = made.refused(5, GONE, "sync", "3")
    assert "doctor" not in told.fix and ".novel/attempts/chapter-003/" in told.fix
    assert made.changed(before) == {}


def test_going_back_before_a_text_that_is_gone_works(tmp_path: Path) -> None:
    made = written(tmp_path)
    made.drop(layout.chapter(3))
    made.ok("rollback", "2", "--yes")
    assert codes(made, "next") == []
    assert made.next()["step"] == "chapter:003:draft"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", BLANK),
        (b"\xef\xbb\xbf\r\n", BLANK),
        ("# 第 3 章\n\u3000\n".encode(), BLANK),
        (GBK, "FILE_NOT_UTF8"),
    ],
)
def test_a_text_that_cannot_be_read_is_told_and_not_accepted(tmp_path: Path, data: bytes, code: str) -> None:
    made = written(tmp_path)
    made.write(layout.chapter(3), data)
    before = made.tree()
    made.refused(5 if code == BLANK else 3, code, "sync", "3", "--accept")
    assert made.changed(before) == {}
    assert codes(made, "next") == codes(made, "status") == [code]
    listed = made.novel("sync")
    assert [d.code for d in listed.diagnostics] == [code]
    assert "--accept" not in listed.text and "正文读不出内容" in listed.text
    assert codes(made, "next") == codes(made, "status") == [code]


def test_a_record_that_cannot_be_read_is_not_accepted(tmp_path: Path) -> None:
    made = written(tmp_path)
    made.write(layout.summary(3), "")
    made.write(layout.evaluation(3), "{")
    found = made.novel("sync", "3", "--accept")
    assert {d.path for d in found.diagnostics} == {layout.summary(3), layout.evaluation(3)}
    assert found.exit == 5


@pytest.mark.parametrize("far", [False, True])
def test_what_is_back_as_it_landed_is_no_edit_any_more(tmp_path: Path, far: bool) -> None:
    """What was found is held against the files again, each time."""
    made = written(tmp_path)
    if far:
        land(made, 5)
    place = made.at(layout.chapter(2))
    away = place.with_suffix(".away")
    place.rename(away)
    made.ok("sync")
    away.rename(place)
    assert codes(made, "status") == codes(made, "next") == []
    kept = place.read_bytes()
    edit(made, 2)
    made.ok("sync")
    assert codes(made, "status") == ["SYNC_HAND_EDITS"]
    place.write_bytes(kept)
    assert codes(made, "status") == codes(made, "next") == []


def test_what_looks_as_it_was_found_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = written(tmp_path)
    land(made, 5)
    monkeypatch.setattr(marks, "SETTLED_NS", 0)
    edit(made, 2)
    made.ok("sync")
    monkeypatch.setattr(hand_edits, "digest", lambda data, path: pytest.fail(f"{path} read"))
    assert codes(made, "next") == ["SYNC_HAND_EDITS"]


def test_a_memory_that_a_later_chapter_replaced_is_forgotten(tmp_path: Path) -> None:
    made = written(tmp_path)
    made.write(layout.memory(bookparts.storyline_id(4)), "作者改的记忆。\n")
    made.ok("sync")
    assert codes(made, "next") == ["SYNC_HAND_EDITS"]
    for chapter in range(5, 7):
        land(made, chapter)
    assert codes(made, "next") == []


# accepting -----------------------------------------------------------------------------------------


def test_accept_changes_the_record_only(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 3)
    made.ok("sync")
    before = made.tree()
    assert made.ok("sync", "3", "--accept")["accepted"] == [layout.chapter(3)]
    assert set(made.changed(before)) == {
        layout.landed_record(3),
        layout.HAND_EDITS,
        layout.WORD_TALLY,
    }
    assert made.ok("sync")["edits"] == []
    assert made.novel("next").diagnostics == ()
    again = made.tree()
    assert made.ok("sync", "3", "--accept")["accepted"] == []
    assert made.changed(again) == {}


def test_accept_needs_a_record(tmp_path: Path) -> None:
    made = written(tmp_path)
    made.refused(3, "SYNC_NO_RECORD", "sync", "1", "--accept")
    made.refused(3, "SYNC_NOT_LANDED", "sync", "5", "--accept")


@pytest.mark.parametrize("keep", [0.0, 0.5, 0.99])
def test_looks_that_were_noted_and_damaged_since_are_not_gone_by(tmp_path: Path, keep: float) -> None:
    """A wrong hash in them would make a hand edit of a file that nobody touched."""
    made = written(tmp_path)
    now, soon = Project(str(made.root)), time.time() + 60
    marks = hand_edits.survey(LookedAt(now), 4, soon).marks
    whole = hand_edits.dump(marks)
    assert len(marks) > 8
    wrong = whole[: int(len(whole) * keep)] if keep else whole.replace(b"\tchapters", b"0\tchapters", 1)
    made.write(layout.LANDED_MARKS, wrong)
    assert made.ok("sync")["edits"] == []


def test_without_records_nothing_is_called_unchanged(tmp_path: Path) -> None:
    """One thing only: that it cannot be told; and the doctor says what that means."""
    made = written(tmp_path)
    assert "其余各章入库的文件都没有手改过" in made.novel("sync").text
    edit(made, 3)
    shutil.rmtree(made.at(layout.LANDED))
    told = made.novel("sync").text
    assert "第 1、2、3、4 章没有入库记录，改没改过看不出来" in told and "没有手改过" not in told
    found = {d.code: d for d in made.novel("doctor").diagnostics}["LANDED_RECORD_LOST"]
    assert "1-4" in found.message.replace("–", "-") and "退回" in found.message and "novel sync" in found.fix
    shutil.rmtree(made.at(layout.OWN))
    found = {d.code: d for d in made.novel("doctor").diagnostics}["OWN_FOLDER_LOST"]
    assert "存档" in found.message and "可以接着写" in found.fix
    land(made, 5)  # as it says
    assert "OWN_FOLDER_LOST" not in [d.code for d in made.novel("doctor").diagnostics]


def test_one_record_that_is_gone_among_others(tmp_path: Path) -> None:
    made = written(tmp_path)
    made.drop(layout.landed_record(3))
    found = {d.code: d for d in made.novel("doctor").diagnostics}
    assert "第 3 章" in found["LANDED_RECORD_NONE"].message


def test_a_chapter_that_nobody_touched_is_asked_about_first(tmp_path: Path) -> None:
    made = written(tmp_path)
    refused = made.refused(3, "CONFIRMATION_NEEDED", "sync", "3")
    assert "没有手改过" in refused.message
    assert "`novel sync 3 --yes`" in refused.fix
    edit(made, 3)
    made.ok("sync", "3")
    made.ok("sync", "3")  # open: the same word again is no question


@pytest.mark.parametrize("reason", ["skipped", "no record", "lost", "summary gone"])
def test_a_chapter_with_a_reason_is_not_asked_about(tmp_path: Path, reason: str) -> None:
    made = written(tmp_path)
    if reason == "skipped":
        lines = made.lines(layout.CHANGELOG)
        lines[-1] = {**lines[-1], "skipped": True, "ops": [], "reason": "", "state_version": 3}
        made.write(layout.CHANGELOG, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
        made.write(layout.STATE, replayed(made))
    elif reason == "no record":
        made.drop(layout.landed_record(4))
    elif reason == "lost":
        text = made.at(layout.CHANGELOG).read_bytes().splitlines(keepends=True)
        made.write(layout.CHANGELOG, b"".join(text[:-1]))
    else:
        made.drop(layout.summary(4))
    made.ok("sync", "4")
