"""Files of landed chapters that are gone: what cannot be built upon stops, the rest is told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.cli.blocks import AHEAD
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.inventory import lost_inputs
from novel_hooks.store.files.project import Project
from tools import bookparts

if TYPE_CHECKING:
    from pathlib import Path

PLANT = {"op": "foreshadow", "path": "bell-rope", "value": "planted", "detail": "钟绳断了一股"}


def written(tmp_path: Path, last: int = 3) -> Book:
    """A book of `last` chapters, all but the first by the real commands; the next one is due."""
    made = book(tmp_path, volume_size=12)
    for number in range(2, last + 1):
        made.chapter = number
        land(made, ops=[PLANT] if number == 2 else [])
    made.chapter = last + 1
    return made


def land(made: Book, **delta: object) -> None:
    made.stage("judged")
    made.draft()
    made.records(**({"no_change": True, **delta} if delta.get("ops") == [] else delta))
    made.evaluation()
    made.ok("commit", "--chapter", str(made.chapter))


def codes(made: Book, *argv: str) -> list[str]:
    return [d.code for d in made.novel(*argv).diagnostics]


def lines(made: Book, keep: int) -> None:
    """Only the first lines of the change log stay."""
    kept = made.at(layout.CHANGELOG).read_text("utf-8").splitlines(keepends=True)[:keep]
    made.write(layout.CHANGELOG, "".join(kept))


def rewind_state(made: Book, version: int) -> None:
    made.write(layout.STATE, {**made.json(layout.STATE), "state_version": version})


BREAKS = {
    "state gone": (lambda made: made.drop(layout.STATE), "STATE_DIFFERS"),
    "state behind": (lambda made: rewind_state(made, 1), "STATE_DIFFERS"),
    "state ahead": (lambda made: rewind_state(made, 9), "LOG_BEHIND_STATE"),
    "log gone": (lambda made: made.drop(layout.CHANGELOG), "CHANGELOG_CHAPTERS_MISSING"),
    "log empty": (lambda made: made.write(layout.CHANGELOG, ""), "CHANGELOG_CHAPTERS_MISSING"),
    "log cut": (lambda made: lines(made, 2), "CHANGELOG_CHAPTERS_MISSING"),
    "log torn": (
        lambda made: made.write(layout.CHANGELOG, made.at(layout.CHANGELOG).read_bytes()[:-9]),
        "LOG_TAIL_BROKEN",
    ),
    "both gone": (
        lambda made: (made.drop(layout.STATE), made.drop(layout.CHANGELOG)),
        "CHANGELOG_CHAPTERS_MISSING",
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_what_does_not_join_stops_hand_out_and_commit(tmp_path: Path, name: str) -> None:
    breaks, code = BREAKS[name]
    made = written(tmp_path)
    made.ok("lock", "acquire")
    made.draft()
    for phase in ("draft", "summarize", "refine"):
        if phase == "summarize":
            made.records()
        made.advance(phase)
    made.judge(4.5)
    made.advance("judge")
    breaks(made)
    for argv in (["commit", "--chapter", str(made.chapter)], ["instructions", made.step("draft")]):
        refused = made.novel(*argv)
        told = [d for d in refused.diagnostics if d.code == code]
        assert refused.exit == 5
        assert told, refused.diagnostics
        assert told[0].path in (layout.STATE, layout.CHANGELOG)
    assert code in codes(made, "next")
    assert code in codes(made, "status")
    assert {code, "STATE_DIFFERS"} & set(codes(made, "doctor"))


@pytest.mark.parametrize("name", BREAKS)
def test_it_is_told_before_anybody_sets_to_work(tmp_path: Path, name: str) -> None:
    breaks, code = BREAKS[name]
    made = written(tmp_path)
    breaks(made)
    asked = made.novel("next")
    assert asked.exit == 0
    assert AHEAD in asked.text
    assert code in [d.code for d in asked.diagnostics]
    assert code in codes(made, "status")
    made.refused(5, code, "instructions", made.step("draft"))
    made.refused(5, code, "context", "chapter-writer", "--chapter", str(made.chapter))


def test_a_log_that_is_ahead_of_the_checkpoint_stops_too(tmp_path: Path) -> None:
    made = written(tmp_path)
    made.drop(layout.chapter(3))
    made.point(last_completed_chapter=2)
    made.chapter = 3
    assert codes(made, "next")[0] == "LOG_BEYOND_CHECKPOINT"
    made.refused(5, "LOG_BEYOND_CHECKPOINT", "instructions", made.step("draft"))


def test_a_state_that_is_gone_is_built_anew_and_the_chapter_lands(tmp_path: Path) -> None:
    made = written(tmp_path)
    state = made.at(layout.STATE).read_bytes()
    made.drop(layout.STATE)
    assert made.novel("next").diagnostics[0].fix.startswith("请运行 `novel rebuild state`")
    made.ok("rebuild", "state")
    assert made.at(layout.STATE).read_bytes() == state
    land(made)
    assert codes(made, "doctor") == []


def test_a_log_of_one_long_line_is_read_to_its_start(tmp_path: Path) -> None:
    """The last line may be longer than the piece of the file that is looked at first."""
    made = written(tmp_path)
    told = made.lines(layout.CHANGELOG)
    told[-1]["ops"] = [
        {"op": "set", "path": "world_state.note", "value": "水" * 40_000},
        *told[-1]["ops"],
    ]
    made.write(layout.CHANGELOG, "".join(json.dumps(one) + "\n" for one in told))
    made.ok("rebuild", "state")
    assert codes(made, "next") == []


def test_what_the_step_would_have_used_is_told(tmp_path: Path) -> None:
    made = written(tmp_path)
    memory = layout.memory(bookparts.storyline_id(made.chapter))
    gone = {
        layout.summary(2): "LANDED_FILE_GONE",
        memory: "MEMORY_GONE",
        layout.FORESHADOWING: "FORESHADOWING_GONE",
    }
    for path in gone:
        made.drop(path)
    for told in (made.novel("next"), made.novel("status")):
        assert {d.path: d.code for d in told.diagnostics} == gone
    found = {d.path: d.code for d in made.novel("doctor").diagnostics}
    assert found == {**gone, layout.summary(2): "LANDED_FILE_MISSING"}


@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize("kind", ["summary", "memory", "foreshadowing"])
def test_what_is_lost_stops_a_chapter_before_it_is_written(tmp_path: Path, kind: str, begun: bool) -> None:
    """Nothing is handed out, and the way that the fix names brings it back, lock or not."""
    made = written(tmp_path)
    path, code, way = {
        "summary": (layout.summary(2), "LANDED_FILE_GONE", ("sync", "2", "--yes")),
        "memory": (layout.memory(bookparts.storyline_id(4)), "MEMORY_GONE", ("sync", "2", "--yes")),
        "foreshadowing": (layout.FORESHADOWING, "FORESHADOWING_GONE", ("doctor", "--fix")),
    }[kind]
    kept = made.at(path).read_bytes()
    if begun:
        made.ok("lock", "acquire")
    made.drop(path)
    made.refused(3, code, "instructions", made.step("draft"), "--write-manifest")
    (told,) = [d for d in made.novel("next").diagnostics if d.code == code]
    assert " ".join(part for part in way if part != "--yes") in told.fix
    made.ok(*way)
    if kind != "foreshadowing":
        assert made.ok("next")["step"] == f"sync:00{way[1]}:summarize"
        made.ok("sync", "--cancel")
        made.write(path, kept)
    made.ok("lock", "acquire")
    assert made.ok("next")["step"] == made.step("draft")
    made.ok("instructions", made.step("draft"))


def test_a_lost_text_stops_the_chapter_behind_it_before_it_is_written(tmp_path: Path) -> None:
    made = written(tmp_path)
    kept = made.at(layout.chapter(3)).read_bytes()
    made.drop(layout.chapter(3))
    made.refused(5, "LANDED_TEXT_GONE", "instructions", made.step("draft"))
    made.write(layout.staged(layout.hints(4)), {})
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"))
    made.drop(layout.staged(layout.hints(4)))
    made.write(layout.chapter(3), kept)
    made.ok("instructions", made.step("draft"))


@pytest.mark.parametrize("left", [b"", b"\n", b" \r\n\n"])
def test_a_summary_or_memory_of_nothing_is_as_good_as_lost(tmp_path: Path, left: bytes) -> None:
    """A sync client may leave a placeholder of no bytes."""
    made = written(tmp_path)
    for path, code in (
        (layout.summary(3), "LANDED_FILE_GONE"),
        (layout.memory(bookparts.storyline_id(4)), "MEMORY_GONE"),
    ):
        kept = made.at(path).read_bytes()
        made.write(path, left)
        (told,) = [d for d in made.novel("next").diagnostics if d.code == code]
        assert told.path == path and "是空的" in told.message
        made.refused(3, code, "instructions", made.step("draft"))
        made.write(path, kept)


@pytest.mark.parametrize("what", ["text", "hints", "rounds"])
def test_a_chapter_with_anything_written_of_it_is_not_set_aside_for_a_sync(tmp_path: Path, what: str) -> None:
    """Nor does a lost summary stop it: then it is told, and the chapter is written to its end."""
    made = written(tmp_path)
    made.ok("lock", "acquire")
    if what == "text":
        made.draft()
    elif what == "hints":
        made.write(layout.staged(layout.hints(4)), {})
    else:
        made.point(revision_count=1)
    made.drop(layout.summary(2))
    made.refused(3, "SYNC_NOT_IDLE", "sync", "2", "--yes")


def test_nothing_is_missed_that_never_was(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=0)
    for path in (layout.FORESHADOWING, layout.memory(bookparts.storyline_id(1))):
        if made.at(path).exists():
            made.drop(path)
    assert codes(made, "next") == []


@pytest.mark.parametrize("by", ["doctor", "commit"])
def test_foreshadowing_is_derived_from_the_log(tmp_path: Path, by: str) -> None:
    made = written(tmp_path)
    told = {item["id"]: item["history"] for item in made.json(layout.FORESHADOWING)["foreshadowing"]}
    assert "bell-rope" in told
    made.drop(layout.FORESHADOWING)
    if by == "doctor":
        made.ok("doctor", "--fix")
    else:
        land(made)
    now = {item["id"]: item["history"] for item in made.json(layout.FORESHADOWING)["foreshadowing"]}
    assert now == told
    assert codes(made, "doctor") == []


def test_doctor_misses_what_the_book_was_written_with(tmp_path: Path) -> None:
    made = written(tmp_path)
    gone = [layout.BLACKLIST, layout.WORLD_RULES, layout.contract(1, 6)]
    gone += [f"{layout.CHARACTERS}/{name}" for name in made.names(layout.CHARACTERS)]
    for path in gone:
        made.drop(path)
    found = {d.path: d.code for d in made.novel("doctor").diagnostics}
    assert found == {
        layout.BLACKLIST: "FILE_MISSING",
        layout.WORLD_RULES: "FILE_MISSING",
        layout.contract(1, 6): "FILE_MISSING",
        layout.CHARACTERS: "CHARACTER_CARDS_MISSING",
    }


def test_the_next_chapters_contract_is_told_by_next_and_doctor(tmp_path: Path) -> None:
    made = written(tmp_path)
    path = layout.contract(1, made.chapter)
    made.drop(path)
    for command in ("next", "status", "doctor"):
        told = [d for d in made.novel(command).diagnostics if d.path == path]
        assert [d.code for d in told] == ["FILE_MISSING"], command
        assert "备份" in told[0].fix


def test_a_chapter_that_was_renamed_is_named(tmp_path: Path) -> None:
    made = written(tmp_path)
    made.at(layout.chapter(3)).rename(made.at("chapters/第三章.md"))
    told = [d for d in made.novel("doctor").diagnostics if d.code == "LANDED_FILE_MISSING"]
    assert [d.path for d in told] == [layout.chapter(3)]
    assert "chapters/第三章.md" in told[0].fix


def test_foreshadowing_that_waits_to_be_merged_is_not_lost(tmp_path: Path) -> None:
    made = written(tmp_path)
    made.drop(layout.FORESHADOWING)
    reading = Reading(Project(str(made.root)))
    assert [p.code for p in lost_inputs.foreshadowing_problems(reading)] == ["FORESHADOWING_GONE"]
    assert lost_inputs.foreshadowing_chapters(reading) == [1, 2]
    made.write(layout.FORESHADOW_BACKLOG, "[2]")
    assert list(lost_inputs.foreshadowing_problems(Reading(Project(str(made.root))))) == []


@pytest.mark.parametrize("command", ["next", "status"])
@pytest.mark.parametrize("path", [layout.chapter(3), layout.summary(3)])
def test_where_a_landed_file_may_have_gone_is_said_where_its_loss_is(
    tmp_path: Path, command: str, path: str
) -> None:
    made = written(tmp_path)
    folder, name = path.split("/")

    def fix() -> str:
        (told,) = [d for d in made.novel(command).diagnostics if d.path == path]
        assert told.fix.startswith("请从备份取回")
        return told.fix

    kept = made.at(path).read_bytes()
    made.drop(path)
    bare = fix()
    places = (f"{folder}/旧/{name}", name, f"{folder}/{name[:-3]} (1).md", f"定稿/第一卷/{name}")
    for place in places:
        made.write(place, kept)
        assert f"{place} 像是它" in fix() and f"移回 {path}" in fix()
        made.drop(place)
    made.write(f"{folder}/.{name}.icloud", b"bplist")
    assert "网盘" in fix()
    made.drop(f"{folder}/.{name}.icloud")
    assert fix() == bare
