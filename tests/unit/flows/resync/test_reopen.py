"""`novel sync`: hand edits found by hash, a landed chapter recorded anew, what follows for later ones."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from typing import TYPE_CHECKING, Any

import pytest
from builders import OTHER, Book, book, copied
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.book import hand_edits
from novel_hooks.flows.book.book import Book as LookedAt
from novel_hooks.rules.state import changelog
from novel_hooks.store.files.project import Project
from tools import bookparts

if TYPE_CHECKING:
    from pathlib import Path

OP = {"op": "set", "path": "characters.shen-du.location", "value": "下游"}
PLANT = {"op": "foreshadow", "path": "bell-rope", "value": "planted", "detail": "钟绳断了一股"}
RESOLVE = {"op": "foreshadow", "path": "bell-rope", "value": "resolved", "detail": "钟绳接上了"}


def land(made: Book, chapter: int, *ops: Any, **delta: Any) -> None:
    """One chapter from draft to commit, by the files that its crew would leave."""
    made.chapter = chapter
    made.stage("judged")
    made.draft()
    version = made.json(layout.STATE)["state_version"]
    made.records(ops=list(ops) or [OP], base_state_version=version, **delta)
    made.evaluation(4.5, second=4.4 if chapter % 6 in (0, 1) else None)
    made.ok("commit", "--chapter", str(chapter))


def written(tmp_path: Path, last: int = 4) -> Book:
    """Chapter 1 by another tool, 2 to `last` by us: `inc` in 3 stands on what 2 sets."""
    made = book(tmp_path, 1)
    land(made, 2, {"op": "set", "path": "items.lamp.oil", "value": 3}, PLANT)
    if last > 2:
        land(made, 3, {"op": "inc", "path": "items.lamp.oil", "value": -1})
    if last > 3:
        land(made, 4, {"op": "set", "path": "locations.tower.lit", "value": True}, RESOLVE)
    return made


def edit(made: Book, chapter: int, text: str = "改过的一段。") -> None:
    path = made.at(layout.chapter(chapter))
    path.write_text(path.read_text("utf-8") + f"\n{text}\n", "utf-8")


def records(made: Book, chapter: int, *ops: Any, **delta: Any) -> None:
    """What the summarizer stages for the sync; the base version is that of the chapter's own line."""
    made.chapter = chapter
    if "base_state_version" not in delta:
        own = next(x for x in made.lines(layout.CHANGELOG) if x["chapter"] == chapter)
        delta = {"base_state_version": own["base_state_version"], **delta}
    made.records(ops=list(ops) or [OP], **delta)
    made.write(made.staged("summary"), "改过之后的摘要。\n")
    made.write(made.staged("memory"), "改过之后的记忆。\n")


def step(chapter: int, phase: str) -> str:
    return f"sync:{chapter:03d}:{phase}"


def through(
    made: Book, chapter: int, *ops: Any, overall: float = 4.2, second: float | None = None, **delta: Any
) -> None:
    """Everything up to the commit."""
    made.ok("sync", str(chapter), "--yes")
    made.ok("instructions", step(chapter, "summarize"), "--write-manifest")
    records(made, chapter, *ops, **delta)
    made.ok("advance", step(chapter, "summarize"))
    made.judge(overall)
    if second is not None:
        made.judge(second, role="secondary")
    made.ok("advance", step(chapter, "judge"))


def base_given(made: Book, chapter: int) -> Any:
    made.ok("sync", str(chapter), "--yes")
    packet = made.ok("instructions", step(chapter, "summarize"))
    return next(i["value"] for i in packet["inputs"] if i["key"] == "base_state_version")


def resync(made: Book, chapter: int, *ops: Any, **more: Any) -> Any:
    through(made, chapter, *ops, **more)
    return made.ok("commit", "--chapter", str(chapter))


def replayed(made: Book) -> Any:
    return changelog.replay(made.lines(layout.CHANGELOG))


def test_a_landed_chapters_records_get_their_second_chance_too(tmp_path: Path) -> None:
    made = written(tmp_path)
    made.ok("sync", "2", "--yes")
    summarize = step(2, "summarize")
    made.ok("instructions", summarize, "--write-manifest")
    records(made, 2, {**PLANT, "path": "bell-ropes"}, {"op": "set", "path": "items.lamp.oil", "value": 3})
    (told,) = made.ok("validate", summarize)["again"]
    assert "是不是「bell-rope」？" in told
    assert made.ok("fail", summarize, "--reason", told)["answer"] == "retry"
    assert made.ok("validate", summarize)["again"] == []
    records(made, 2, PLANT)  # what the chapter itself began is known
    assert made.novel("validate", summarize).diagnostics == ()
    made.ok("advance", summarize)


# finding -------------------------------------------------------------------------------------------


def test_nothing_changed(tmp_path: Path) -> None:
    made = written(tmp_path)
    found = made.ok("sync")
    assert found == {"edits": [], "chapters": [], "unrecorded": [1], "open": None, "backlog": 0}


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
    monkeypatch.setattr(hand_edits, "_SETTLED_NS", 0)  # files of now may be relied on
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
    assert "第 2、3 章" in told.message and "novel rollback 1" in told.fix and "备份" in told.fix


def test_a_text_that_is_gone_far_back_is_told_once_it_was_found(tmp_path: Path) -> None:
    made = written(tmp_path)
    land(made, 5)
    kept = made.at(layout.chapter(2)).read_bytes()
    made.drop(layout.chapter(2))
    assert codes(made, "next") == []
    made.ok("sync")
    assert codes(made, "next") == [GONE]
    made.write(layout.chapter(2), kept)
    assert codes(made, "next") == codes(made, "status") == []


def test_sync_of_a_text_that_is_gone_says_so(tmp_path: Path) -> None:
    made = written(tmp_path)
    made.drop(layout.chapter(3))
    before = made.tree()
    told = made.refused(5, GONE, "sync", "3")
    assert "doctor" not in told.fix and "novel rollback 2" in told.fix
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
    monkeypatch.setattr(hand_edits, "_SETTLED_NS", 0)
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
    assert set(made.changed(before)) == {layout.landed_record(3), layout.HAND_EDITS}
    assert made.ok("sync")["edits"] == []
    assert made.novel("next").diagnostics == ()
    again = made.tree()
    assert made.ok("sync", "3", "--accept")["accepted"] == []
    assert made.changed(again) == {}


def test_accept_needs_a_record(tmp_path: Path) -> None:
    made = written(tmp_path)
    made.refused(3, "SYNC_NO_RECORD", "sync", "1", "--accept")
    made.refused(3, "SYNC_NOT_LANDED", "sync", "5", "--accept")


# the steps -----------------------------------------------------------------------------------------


def test_the_steps_come_one_after_the_other(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 3)
    made.ok("sync", "3", "--yes")
    due = made.next()
    assert (due["step"], due["agent"], due["model"]) == (step(3, "summarize"), "summarizer", "sonnet")
    assert made.novel("next").diagnostics == ()  # the step itself says it
    records(made, 3)
    assert made.next()["recorded"] is True
    made.ok("validate", step(3, "summarize"))
    made.ok("advance", step(3, "summarize"))
    due = made.next()
    assert (due["step"], due["agent"], due["chapter"]) == (step(3, "judge"), "quality-judge", 3)
    made.judge(4.2)
    assert made.next()["recorded"] is True
    made.ok("validate", step(3, "judge"))
    made.ok("advance", step(3, "judge"))
    due = made.next()
    assert (due["step"], due["agent"]) == (step(3, "commit"), None)
    made.ok("commit", "--chapter", "3")
    assert made.next()["step"] == "chapter:005:draft"
    assert "sync" not in made.point()


def test_steps_said_twice_change_nothing(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 3)
    made.ok("sync", "3", "--yes")
    before = made.tree()
    assert made.ok("sync", "3", "--yes")["changed"] is False
    assert made.changed(before) == {}
    records(made, 3)
    made.ok("advance", step(3, "summarize"))
    before = made.tree()
    assert made.ok("advance", step(3, "summarize"))["changed"] is False
    assert made.changed(before) == {}
    made.judge(4.2)
    made.ok("advance", step(3, "judge"))
    made.ok("commit", "--chapter", "3")
    before = made.tree()
    assert made.ok("commit", "--chapter", "3")["repeat"] is True
    assert made.changed(before) == {}


def test_the_packet_gives_what_was_before_the_chapter(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 3)
    made.ok("sync", "3", "--yes")
    packet = made.ok("instructions", step(3, "summarize"))
    given = {i["key"]: i for i in packet["inputs"]}
    assert given["chapter_content"]["path"] == layout.chapter(3)
    assert given["base_state_version"]["value"] == 2
    state = given["current_state"]["value"]
    assert (state["state_version"], state["items"]) == (2, {"lamp": {"oil": 3}})
    places = (
        layout.summary(3),
        layout.delta(3),
        layout.crossref(3),
        layout.memory(bookparts.storyline_id(3)),
    )
    assert [o["path"] for o in packet["outputs"]] == [layout.staged(path) for path in places]
    assert bookparts.memory(bookparts.storyline_id(1), 1).strip() in given["storyline_memory"]["text"]
    assert "path" not in given["storyline_memory"]


def test_a_resolved_thread_is_still_a_task_of_the_chapter_that_resolved_it(tmp_path: Path) -> None:
    made = written(tmp_path)
    plan = made.json(layout.foreshadowing_plan(1))
    plan["foreshadowing"].append(
        {"id": "bell-rope", "description": "钟绳", "scope": "short", "target_resolve_range": [4, 4]}
    )
    made.write(layout.foreshadowing_plan(1), plan)
    edit(made, 4)
    made.ok("sync", "4", "--yes")
    given = {i["key"]: i for i in made.ok("instructions", step(4, "summarize"))["inputs"]}
    task = next(t for t in given["foreshadowing_tasks"]["value"] if t["id"] == "bell-rope")
    assert task["status"] == "planted"
    assert [h["chapter"] for h in task["history"]] == [2]


def test_the_judge_reads_the_landed_text_and_the_new_crossref(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 3)
    made.ok("sync", "3", "--yes")
    records(made, 3)
    made.ok("advance", step(3, "summarize"))
    packet = made.ok("instructions", step(3, "judge"))
    given = {i["key"]: i.get("path") for i in packet["inputs"]}
    assert given["chapter_content"] == layout.chapter(3)
    assert given["cross_references"] == layout.staged(layout.crossref(3))
    assert packet["next_actions"][0] == "novel next"
    assert packet["next_actions"][1].startswith("novel judge record --chapter 3 --role primary")


def test_the_delta_must_stand_on_the_chapters_own_version(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 2)
    made.ok("sync", "2", "--yes")
    records(made, 2, base_state_version=4)
    made.refused(1, "OUTPUT_BROKEN", "advance", step(2, "summarize"))


def test_a_key_chapter_needs_both_judges(tmp_path: Path) -> None:
    made = written(tmp_path)
    made.chapter = 3
    made.key_chapter()
    edit(made, 3)
    made.ok("sync", "3", "--yes")
    records(made, 3)
    made.ok("advance", step(3, "summarize"))
    made.judge(4.2)
    assert made.next()["model"] == "opus"
    made.judge(4.0, role="secondary")
    made.ok("advance", step(3, "judge"))
    made.ok("commit", "--chapter", "3")
    assert made.json(layout.evaluation(3))["overall_final"] == 4.0


def test_only_at_an_idle_stage(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 3)
    made.chapter = 5
    made.until("drafting")
    made.refused(3, "SYNC_NOT_IDLE", "sync", "3")
    made.refused(3, "SYNC_NOT_LANDED", "sync", "5")


def test_one_at_a_time_and_no_new_chapter_meanwhile(tmp_path: Path) -> None:
    made = written(tmp_path)
    made.ok("sync", "3", "--yes")
    made.refused(3, "SYNC_OPEN", "sync", "2")
    made.refused(3, "SYNC_OPEN", "sync", "3", "--accept")
    made.refused(3, "SYNC_NOT_OPEN", "advance", step(2, "summarize"))
    assert made.ok("lock", "acquire")["begun"] is False
    made.chapter = 5
    made.draft()
    made.refused(3, "STEP_NOT_NEXT", "advance", "chapter:005:draft")


def test_commit_before_its_turn(tmp_path: Path) -> None:
    made = written(tmp_path)
    made.ok("sync", "3", "--yes")
    made.refused(3, "GATE_NOT_PASSED", "commit", "--chapter", "3")


def test_cancel_leaves_the_book_and_keeps_the_work(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 3)
    before = made.tree()
    made.ok("sync", "3", "--yes")
    records(made, 3)
    assert made.ok("sync", "--cancel")["cancelled"] == 3
    changed = set(made.changed(before))
    assert all(p.startswith((".novel", layout.CHECKPOINT, "staging")) for p in changed), changed
    assert "sync" not in made.point()
    assert not made.at(made.staged("delta")).exists()
    assert any(name.endswith("chapter-003-delta.json") for name in made.attempts())
    assert made.ok("sync", "--cancel")["cancelled"] is None


def test_a_text_that_changes_meanwhile_is_asked_about_and_recorded_anew(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 3)
    through(made, 3)
    edit(made, 3, "又改了一句。")
    due = made.next()
    assert (due["step"], due["stop"]) == (step(3, "summarize"), True)
    assert [c["command"] for c in due["choices"]] == ["novel sync 3", "novel sync --cancel"]
    made.refused(3, "SYNC_TEXT_CHANGED", "commit", "--chapter", "3")
    made.refused(3, "SYNC_TEXT_CHANGED", "advance", step(3, "summarize"))
    made.refused(3, "SYNC_TEXT_CHANGED", "instructions", step(3, "summarize"))
    assert made.ok("sync", "3", "--yes")["changed"] is True
    assert made.next()["recorded"] is False
    resync(made, 3)
    assert made.ok("sync")["edits"] == []


def test_failing_twice_asks_the_author_and_retry_comes_back(tmp_path: Path) -> None:
    made = written(tmp_path)
    made.ok("sync", "3", "--yes")
    assert made.ok("fail", step(3, "summarize"), "--reason", "没写")["answer"] == "retry"
    assert made.ok("fail", step(3, "summarize"), "--reason", "没写")["answer"] == "stop"
    assert made.next()["step"] is None
    made.ok("retry")
    assert made.next()["step"] == step(3, "summarize")


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
    assert [{**x, "ts": ""} for x in made.lines(layout.CHANGELOG)] == [{**x, "ts": ""} for x in lines]


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
    lines = [[{**x, "ts": ""} for x in one.lines(layout.CHANGELOG)] for one in books]
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


def test_doctor_finds_nothing_wrong_after_a_sync(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 3)
    made.ok("sync")
    before = {d.code for d in made.novel("doctor").diagnostics}
    resync(made, 3, {"op": "inc", "path": "items.lamp.oil", "value": -2}, PLANT)
    after = {d.code for d in made.novel("doctor").diagnostics}
    assert after <= before - {"LANDED_EDITED"}, after


@pytest.mark.parametrize("lost", [(4,), (3, 4), (3,), (2, 3), (2, 4), (1,), (1, 2), (1, 2, 3, 4)])
def test_a_lost_line_of_the_log_is_told_anew_from_the_text(tmp_path: Path, lost: tuple[int, ...]) -> None:
    """Doctor names the commands in their order; what they lead to is the book as it was."""
    made = written(tmp_path)
    right = {path: made.json(path) for path in (layout.STATE, layout.FORESHADOWING)}
    lines = made.lines(layout.CHANGELOG)
    log = made.at(layout.CHANGELOG)
    kept = [
        x for x, line in zip(log.read_bytes().splitlines(keepends=True), lines) if line["chapter"] not in lost
    ]
    log.write_bytes(b"".join(kept) + (b'{"base_state_v' if 4 in lost else b""))
    made.novel("doctor", "--fix")
    (found,) = [d for d in made.novel("doctor").diagnostics if d.code == "CHANGELOG_CHAPTERS_MISSING"]
    told = [int(number) for number in re.findall(r"`novel sync (\d+)`", found.fix)]
    assert told == list(lost)
    for chapter in told:
        line = next(line for line in lines if line["chapter"] == chapter)
        assert base_given(made, chapter) == chapter - 1  # what the summarizer is told is the state before it
        second = 4.1 if chapter == 1 else None
        resync(made, chapter, *line["ops"], base_state_version=chapter - 1, second=second)
    assert [{**x, "ts": ""} for x in made.lines(layout.CHANGELOG)] == [{**x, "ts": ""} for x in lines]
    assert {path: made.json(path) for path in right} == right
    assert [d.code for d in made.novel("doctor").diagnostics if d.severity == "error"] == []


def unjoined(made: Book, ops: list[Any] | None = None) -> None:
    """A log and state as a delta of version 0 left them when the state of version 3 was gone."""
    lines = made.lines(layout.CHANGELOG)
    lines[-1] = {**lines[-1], "base_state_version": 0, "state_version": 1, "ops": ops or lines[-1]["ops"]}
    made.write(layout.CHANGELOG, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    made.write(layout.STATE, changelog.replay([{**lines[-1]}]))


def advice(made: Book, code: str) -> list[list[str]]:
    """The commands that doctor's remedy names, as arguments."""
    (found,) = [d for d in made.novel("doctor").diagnostics if d.code == code]
    return [told.split() for told in re.findall(r"`novel ([^`]+)`", found.fix)]


@pytest.mark.parametrize("last", [2, 4])
def test_a_line_that_does_not_join_is_mended_as_doctor_says(tmp_path: Path, last: int) -> None:
    """By going back before it, or by telling its chapter anew, whatever its version happens to be."""
    whole = written(tmp_path, last - 1) if last > 2 else book(tmp_path, 1)
    before = whole.json(layout.STATE)
    ops = [{"op": "set", "path": "items.lamp.oil", "value": 3}]
    land(whole, last, *ops)
    right = whole.json(layout.STATE)
    unjoined(whole)
    whole.refused(5, "CHANGELOG_BROKEN", "rebuild", "state")
    anew, back = advice(whole, "CHANGELOG_BROKEN")
    assert (anew, back) == (["sync", str(last)], ["rollback", str(last - 1)])

    one = copied(whole, tmp_path / "back")
    one.ok(*back, "--yes")
    assert one.json(layout.STATE) == before
    assert errors_of(one) == []

    text = whole.at(layout.chapter(last)).read_bytes()
    whole.ok(*anew)
    resync(whole, last, *ops, base_state_version=last - 1)
    assert whole.json(layout.STATE) == right
    assert whole.at(layout.chapter(last)).read_bytes() == text
    assert errors_of(whole) == []


def errors_of(made: Book) -> list[str]:
    return [d.code for d in made.novel("doctor").diagnostics if d.severity == "error"]


def test_an_op_that_cannot_be_applied_is_mended_as_doctor_says(tmp_path: Path) -> None:
    made = written(tmp_path)
    lines = made.lines(layout.CHANGELOG)
    right = made.json(layout.STATE)
    ops = lines[2]["ops"]
    lines[2]["ops"] = [{"op": "remove", "path": "characters.nobody.inventory", "value": "x"}]
    made.write(layout.CHANGELOG, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    anew, _ = advice(made, "CHANGELOG_BROKEN")
    made.ok(*anew)
    resync(made, 3, *ops)
    assert made.json(layout.STATE) == right
    assert errors_of(made) == []


@pytest.mark.parametrize("garbage", [b'{"chapter": 3, "ops": [', b"\xff\xfe", b"[]"])
def test_a_line_that_nobody_can_read_is_set_aside_and_told_anew(tmp_path: Path, garbage: bytes) -> None:
    """A chapter with foreshadowing is refused; without any backup, what is advised leads out."""
    made = written(tmp_path)
    right = {path: made.json(path) for path in (layout.STATE, layout.FORESHADOWING)}
    ops = made.lines(layout.CHANGELOG)[2]["ops"]
    raw = made.at(layout.CHANGELOG).read_bytes().split(b"\n")
    made.write(layout.CHANGELOG, b"\n".join([*raw[:2], garbage, *raw[3:]]))
    made.chapter = 5
    made.stage("judged")
    made.draft()
    made.records(ops=[{**PLANT, "path": "new-rope"}], base_state_version=4)
    made.evaluation(4.5)
    refused = made.novel("commit", "--chapter", "5")
    assert refused.exit == 5
    assert "`novel doctor --fix`" in refused.diagnostics[0].fix
    made.novel("doctor", "--fix")
    assert made.at(f"{layout.TORN}/0001-changelog.jsonl").read_bytes() == garbage + b"\n"
    assert advice(made, "CHANGELOG_CHAPTERS_MISSING") == [["sync", "3"]]
    made.ok("commit", "--chapter", "5")
    resync(made, 3, *ops, base_state_version=2)
    assert made.json(layout.STATE)["items"] == right[layout.STATE]["items"]
    assert made.json(layout.STATE) == replayed(made)
    assert errors_of(made) == []


def test_in_the_middle_of_a_chapter_the_way_leads_over_going_back(tmp_path: Path) -> None:
    made = written(tmp_path)
    lines = made.lines(layout.CHANGELOG)
    text = made.at(layout.CHANGELOG).read_bytes().splitlines(keepends=True)
    made.chapter = 5
    made.ok("lock", "acquire")
    draft = made.draft()
    made.write(layout.CHANGELOG, b"".join(text[:-1]))
    refused = made.refused(3, "SYNC_NOT_IDLE", "sync", "4")
    (back,) = re.findall(r"`novel ([^`]+)`", refused.fix)
    found = made.ok(*back.split(), "--yes")
    kept = f"{layout.ARCHIVE}/{found['archive']}/{made.staged('chapter')}"
    assert made.at(kept).read_text("utf-8") == draft
    resync(made, 4, *lines[3]["ops"], base_state_version=3)
    assert [line["ops"] for line in made.lines(layout.CHANGELOG)] == [line["ops"] for line in lines]
    assert errors_of(made) == []


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
