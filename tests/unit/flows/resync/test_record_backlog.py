"""Chapters that moved in are recorded newest first, without a judge; the state follows whatever the order."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from crash import killpoints
from rewriting import write_chapter

from novel_hooks import layout
from novel_hooks.cli.call import call
from tools import bookmaker
from tools import bookparts as parts

CHAPTERS = 4


def _moved(place: Path, chapters: int = CHAPTERS) -> Book:
    """A set-up book into which chapters moved, the next volume not planned yet."""
    model = book(place, 0, name="model")
    call("init", [str(place / "书"), "--title", "十三渡", "--genre", "志怪"], {"NOVEL_OWNER": "x"})
    made = Book(place / "书", chapters + 1)
    text = "".join(f"第{n}章 夜{n}\n沈渡第{n}次上船。乔九看着他。\n" for n in range(1, chapters + 1))
    (place / "书.txt").write_text(text, encoding="utf-8")
    made.ok("adopt", str(place / "书.txt"), "--yes")
    for name in ("characters", "world", "storylines"):
        shutil.copytree(model.at(name), made.at(name), dirs_exist_ok=True)
    for name in (layout.BRIEF, layout.STYLE_PROFILE, layout.BLACKLIST, layout.CONFIG):
        made.write(name, model.at(name).read_bytes())
    made.point(orchestrator_state="VOL_PLANNING")
    return made


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return _moved(tmp_path)


def record(made: Book, chapter: int) -> None:
    """Stage what the summarizer writes, and land it."""
    stage(made, chapter)
    made.ok("commit", "--chapter", str(chapter))


def stage(made: Book, chapter: int) -> None:
    due = made.next()
    assert (due["step"], due["chapter"]) == (f"sync:{chapter:03d}:summarize", chapter)
    packet = made.ok("instructions", due["step"])
    given = {one["key"]: one for one in packet["inputs"]}
    line = given["storyline_id"]["value"]
    delta = {"chapter": chapter, "base_state_version": given["base_state_version"]["value"]}
    ops = [{"op": "set", "path": "characters.shen-du.location", "value": f"第 {chapter} 只船"}]
    if chapter == 2:
        ops.append({"op": "foreshadow", "path": "bell", "value": "planted", "detail": "铃响了"})
    delta.update({"storyline_id": line, "ops": ops})
    crossref = {"storyline_id": line, "cross_references": [], "leak_risk": "none", "leak_detail": None}
    made.write(layout.staged(layout.summary(chapter)), f"第 {chapter} 夜，沈渡上船。\n")
    made.write(layout.staged(layout.delta(chapter)), delta)
    made.write(layout.staged(layout.crossref(chapter)), crossref)
    made.write(layout.staged(layout.memory(line)), f"写到第 {chapter} 章。\n")
    made.ok("advance", due["step"])
    assert made.next()["step"] == f"sync:{chapter:03d}:commit"


def test_before_the_setup_nothing_can_be_recorded(made: Book) -> None:
    made.point(orchestrator_state="INIT")
    made.refused(3, "BACKLOG_NOT_NOW", "sync", "--backlog")


def test_without_storylines_the_plan_comes_first(made: Book) -> None:
    """They are the architect's, who writes them with the first plan."""
    made.at(layout.STORYLINES).unlink()
    assert "排好下一卷" in made.refused(3, "BACKLOG_NOT_NOW", "sync", "--backlog").fix
    found = made.novel("status")
    assert "BACKLOG_WAITS" not in [one.code for one in found.diagnostics]
    assert found.data["menu"][0]["key"] == "plan"


def test_it_is_said_that_chapters_wait(made: Book) -> None:
    found = made.novel("next")
    assert "BACKLOG_WAITS" in [one.code for one in found.diagnostics]
    assert "最后 4 章里还有 4 章" in next(o.message for o in found.diagnostics if o.code == "BACKLOG_WAITS")


def test_one_run_records_all_of_them_newest_first(made: Book) -> None:
    assert made.ok("sync", "--backlog") == {"chapter": 4, "changed": True, "left": 4}
    for chapter in (4, 3, 2, 1):
        record(made, chapter)
    assert made.next()["step"] == "volume:02:outline"
    state = made.json(layout.STATE)
    assert state["characters"]["shen-du"]["location"] == "第 4 只船"
    assert [one["chapter"] for one in made.lines(layout.CHANGELOG)] == [1, 2, 3, 4]
    assert made.json(layout.FORESHADOWING)["foreshadowing"][0]["planted_chapter"] == 2
    assert made.at(layout.memory(parts.LINES[0])).read_text("utf-8") == "写到第 4 章。\n"
    assert made.ok("doctor")["sound"]
    assert made.ok("rebuild", "state")["changed"] is False
    assert made.ok("sync", "--backlog")["changed"] is False
    assert "BACKLOG_WAITS" not in [one.code for one in made.novel("next").diagnostics]


def test_the_order_does_not_change_what_comes_of_it(made: Book, tmp_path: Path) -> None:
    other = Book(tmp_path / "other", made.chapter)
    shutil.copytree(made.root, other.root)
    made.ok("sync", "--backlog")
    for chapter in (4, 3, 2, 1):
        record(made, chapter)
    for chapter in (2, 4, 1, 3):
        assert other.ok("sync", str(chapter))["changed"]
        record(other, chapter)
    for path in (layout.STATE, layout.FORESHADOWING, layout.memory(parts.LINES[0])):
        assert made.at(path).read_bytes() == other.at(path).read_bytes(), path


def test_it_can_be_stopped_and_gone_on_with(made: Book) -> None:
    assert made.ok("sync", "--backlog", "2")["left"] == 2
    record(made, 4)
    assert made.next()["step"] == "sync:003:summarize"
    assert made.ok("sync", "--cancel") == {"cancelled": 3}
    assert made.next()["step"] == "volume:02:outline"
    assert made.ok("doctor")["sound"]
    assert made.ok("sync", "--backlog")["chapter"] == 3
    record(made, 3)
    assert made.next()["step"] == "sync:002:summarize"


def test_a_run_of_some_ends_by_itself(made: Book) -> None:
    made.ok("sync", "--backlog", "1")
    record(made, 4)
    assert made.next()["step"] == "volume:02:outline"


def test_a_recorded_chapter_knows_of_edits(made: Book) -> None:
    made.ok("sync", "--backlog")
    for chapter in (4, 3, 2, 1):
        record(made, chapter)
    text = made.at(layout.chapter(3)).read_text("utf-8")
    made.write(layout.chapter(3), f"{text}又一句。\n")
    assert made.ok("sync")["chapters"] == [3]
    made.ok("sync", "3", "--accept")
    assert made.ok("sync")["chapters"] == []


def test_going_back_into_them_is_refused(made: Book) -> None:
    made.refused(3, "ROLLBACK_ADOPTED", "rollback", "3", "--yes")
    assert made.ok("rollback", "4", "--yes")["changed"] is False


def test_thirty_are_enough_to_write_on(tmp_path: Path) -> None:
    made = _moved(tmp_path, 40)
    assert made.ok("sync", "--backlog")["left"] == 30
    made.ok("sync", "--cancel")
    assert made.ok("sync", "--backlog", "40")["left"] == 40


def test_the_next_chapter_lands_behind_them(made: Book) -> None:
    made.ok("sync", "--backlog", "1")
    record(made, 4)
    bookmaker._write_plan(str(made.root), 2, range(4, 11))  # so that 5, not its first, has one judge
    made.point(orchestrator_state="WRITING")
    write_chapter(made)
    assert made.point()["last_completed_chapter"] == 5
    assert [one["chapter"] for one in made.lines(layout.CHANGELOG)] == [4, 5]
    made.ok("sync", "--backlog", "1")
    record(made, 3)
    assert [one["chapter"] for one in made.lines(layout.CHANGELOG)] == [3, 4, 5]
    assert made.ok("doctor")["sound"]
    made.ok("rollback", "4", "--yes")
    assert made.json(layout.STATE)["characters"]["shen-du"]["location"] == "第 4 只船"


def test_the_option_stands_alone(made: Book) -> None:
    made.refused(2, "CLI_USAGE", "sync", "3", "--backlog")
    made.refused(2, "CLI_USAGE", "sync", "--backlog", "零")


@killpoints.shares(3)
def test_a_recording_killed_anywhere_lands_once_and_opens_the_next(
    made: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: int | None
) -> None:
    killpoints.still(monkeypatch)
    made.ok("sync", "--backlog")
    stage(made, 4)
    run = killpoints.Run(made, tmp_path / "k", lambda one: one.novel("commit", "--chapter", "4"))
    assert run.through.next()["step"] == "sync:003:summarize"
    assert {left for left, _ in run.said_again(share)} <= {"old", "pending", "new"}


def test_a_first_recording_tells_of_no_hand_edit_and_of_no_later_chapter(made: Book) -> None:
    made.ok("sync", "--backlog")
    for chapter in (4, 3, 2, 1):
        stage(made, chapter)
        found = made.novel("commit", "--chapter", str(chapter))
        codes = {one.code for one in found.diagnostics}
        assert found.exit == 0 and not codes & {"SYNC_STATE_DIFFERS", "SYNC_LATER_TOUCHED"}, (chapter, codes)
        assert "补记好了" in found.text and "改过" not in found.text and not found.data["later"]


def test_a_state_changed_by_hand_before_a_recording_is_told(made: Book) -> None:
    made.ok("sync", "--backlog", "2")
    record(made, 4)
    state = made.json(layout.STATE)
    state["characters"]["shen-du"]["location"] = "别处"
    stage(made, 3)
    made.write(layout.STATE, state)
    made.ok("accept-changes")
    found = made.novel("commit", "--chapter", "3")
    assert "SYNC_STATE_DIFFERS" in [one.code for one in found.diagnostics]


def test_a_summary_that_never_was_is_not_missed(made: Book) -> None:
    """The next chapter's step tells of the backlog alone; a recorded chapter's lost summary is told."""
    bookmaker._write_plan(str(made.root), 2, range(5, 8))
    made.point(orchestrator_state="WRITING")
    found = made.novel("next")
    codes = [one.code for one in found.diagnostics]
    assert "BACKLOG_WAITS" in codes and "LANDED_FILE_GONE" not in codes
    assert "看不出（有的章没有记录，或读不出来）" in made.novel("status").text
    assert made.ok("report")["attention"][0]["kind"] == "backlog"
    made.ok("sync", "--backlog", "1")
    record(made, 4)
    made.at(layout.summary(4)).unlink()
    assert "LANDED_FILE_GONE" in [one.code for one in made.novel("next").diagnostics]


def test_pages_tell_of_a_chapter_that_moved_in_what_there_is(made: Book) -> None:
    assert made.novel("log", "4").text == "第 4 章　14 字　搬进来的，还没有补记"
    made.ok("sync", "--backlog", "1")
    record(made, 4)
    shown = made.novel("log", "4").text.splitlines()
    assert shown[0] == "第 4 章　14 字　搬进来的，没有评审" and shown[1].startswith("  记摘要与状态　")
    assert [one["adopted"] for one in made.ok("log")["chapters"]] == [True] * 4
    assert "第 3 章　14 字　搬进来的，还没有补记" in made.novel("log").text
    made.at(layout.chapter_log(4)).unlink()
    assert made.novel("log", "4").text.endswith("搬进来的，补记过，用时和词元没有留下")


def test_a_volume_that_moved_in_is_not_held_against_a_plan(made: Book) -> None:
    made.ok("sync", "--backlog", "1")
    record(made, 4)
    assert made.novel("outline", "4").text == "第 4 章　夜4　已写 14 字\n  搬进来的，没有排过大纲"
    found = made.novel("outline", "--volume", "1", "--check")
    assert (found.exit, found.data["sound"]) == (0, True)
    review = made.novel("review", "1")
    assert "契约里共 0 条目标" in review.text and not review.diagnostics


def test_a_chapter_of_an_earlier_volume_is_found_by_its_number(tmp_path: Path) -> None:
    made = book(tmp_path, 8)
    assert made.ok("outline", "3")["volume"] == 1
    assert made.ok("outline", "9")["volume"] == 2


def test_the_first_recording_is_called_so_everywhere(made: Book) -> None:
    made.ok("sync", "--backlog", "2")
    assert [one["label"] for one in made.ok("status")["menu"]] == ["接着补记第 4 章", "放弃这次记录"]
    told = [made.novel(*words).text for words in (("next",), ("status",), ("sync",), ("sync", "--cancel"))]
    assert "第 4 章正在补记" in told[2] and "已放弃第 4 章的补记" in told[3]
    assert not [one for one in told if "重新记录" in one]


def test_a_text_that_changes_while_it_is_recorded_does_not_end_the_run(made: Book) -> None:
    made.ok("sync", "--backlog", "3")
    path = layout.chapter(4)
    made.write(path, made.at(path).read_text("utf-8") + "雨停了。\n")
    due = made.next()
    assert due["stop"] and "在记录期间又改过" in due["reason"]
    made.ok("sync", "4")
    record(made, 4)
    assert made.next()["step"] == "sync:003:summarize"
