"""A sync's guards, what it keeps and clears away, and single lines of what lands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from rewriting import write_chapter

from novel_hooks import layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.resync import land, reopen
from novel_hooks.rules.state import changelog
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from unit.flows.resync.synced import (
    OP,
    PLANT,
    edit,
    records,
    resync,
    step,
    through,
    written,
)
from unit.flows.resync.synced import land as land_chapter

if TYPE_CHECKING:
    from pathlib import Path

OUTSIDE = "WRITE_OUTSIDE_STAGING"


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Chapters 2 and 3 by us."""
    return written(tmp_path, 3)


def opened(made: Book, chapter: int) -> None:
    """Open, its first packet handed out, its records staged."""
    made.ok("sync", str(chapter), "--yes")
    made.ok("instructions", step(chapter, "summarize"), "--write-manifest")
    records(made, chapter)


# guards ----------------------------------------------------------------------------------------------


def test_nothing_advances_over_a_write_outside_staging(made: Book) -> None:
    opened(made, 3)
    made.write(layout.BRIEF, "别人改的\n")
    assert made.refused(3, OUTSIDE, "advance", step(3, "summarize")).path == layout.BRIEF


def test_nothing_lands_over_one_and_behind_it_nothing_is_compared(made: Book) -> None:
    through(made, 3)
    before = made.at(layout.BRIEF).read_bytes()
    made.write(layout.BRIEF, "别人改的\n")
    assert made.refused(3, OUTSIDE, "commit", "--chapter", "3").path == layout.BRIEF
    made.write(layout.BRIEF, before)
    assert made.at(layout.FENCE_ARMED).is_file()
    made.ok("commit", "--chapter", "3")
    assert not made.at(layout.FENCE_ARMED).exists()


def test_who_calls_it_says_that_the_changes_are_his(made: Book) -> None:
    """Between chapters a step may be out; a sync is begun over what its author has just changed."""
    made.chapter = 4
    made.ok("instructions", made.step("draft"), "--write-manifest")
    edit(made, 3)
    made.ok("sync", "3", "--yes")
    said = [(one["event"], one["path"], one["decision"]) for one in made.lines(layout.AUDIT)]
    assert said == [("accept-changes", layout.chapter(3), "allow")]
    assert not made.at(layout.HANDOUT).exists() and not made.at(layout.FENCE_ARMED).exists()


def test_a_log_that_cannot_be_replayed_is_refused_before_anything_is_written(made: Book) -> None:
    lines = made.lines(layout.CHANGELOG)
    lines[0]["base_state_version"] = 7
    made.write(layout.CHANGELOG, b"".join(jsonio.dump_line(line) for line in lines))
    made.refused(5, "CHANGELOG_BROKEN", "sync", "3", "--yes")


def test_a_text_that_says_nothing_is_not_recorded(made: Book) -> None:
    made.write(layout.chapter(3), "# 第 3 章 夜渡\n")
    before = made.tree()
    found = made.novel("sync", "3", "--yes")
    assert found.exit != 0 and layout.chapter(3) in [d.path for d in found.diagnostics]
    assert made.changed(before) == {}


# what is kept, what goes --------------------------------------------------------------------------------


def test_a_verdict_does_not_outlive_the_records_that_its_judge_was_given(made: Book) -> None:
    opened(made, 3)
    made.write(made.staged("evaluation"), made.json(layout.evaluation(3)))
    old = made.at(made.staged("evaluation")).read_bytes()
    made.ok("advance", step(3, "summarize"))
    assert not made.at(made.staged("evaluation")).exists()
    (kept,) = [data for path, data in made.attempts().items() if "before-sync-summarize" in path]
    assert kept == old


def test_its_packets_go_and_nobody_elses(made: Book) -> None:
    through(made, 3)
    other = f"{layout.MANIFESTS}/sync-002-summarize.json"
    made.write(other, "{}")
    assert any(name.startswith("sync-003-") for name in made.names(layout.MANIFESTS))
    made.ok("commit", "--chapter", "3")
    names = [name for name in made.names(layout.MANIFESTS) if name.startswith("sync-")]
    assert names == ["sync-002-summarize.json"]
    assert not made.at(layout.HANDOUT).exists() and not made.at(layout.work_log(3)).exists()
    assert not made.at(made.staged("summary")).exists()


def test_the_chapter_is_forgotten_as_edited_and_no_other(made: Book) -> None:
    edit(made, 2)
    edit(made, 3)
    made.ok("sync")
    assert set(made.json(layout.HAND_EDITS)["files"]) == {layout.chapter(2), layout.chapter(3)}
    resync(made, 3)
    assert set(made.json(layout.HAND_EDITS)["files"]) == {layout.chapter(2)}


def test_what_lands_over_is_kept(made: Book) -> None:
    before = {p: made.at(p).read_bytes() for p in (layout.summary(3), layout.STATE, layout.evaluation(3))}
    resync(made, 3)
    kept = {path.partition("/")[2]: data for path, data in made.attempts().items() if "-synced/" in path}
    for path, data in before.items():
        assert kept[path.rpartition("/")[2]] == data
    assert json.loads(kept["changelog-line.json"])["chapter"] == 3


# single files ------------------------------------------------------------------------------------------


def test_a_verdict_has_no_gate_of_its_own(made: Book) -> None:
    """The chapter has landed: the gate is not asked again, and where none was there is none."""
    landed = made.json(layout.evaluation(3))
    del landed["metadata"]["gate"]
    made.write(layout.evaluation(3), landed)
    through(made, 3, overall=2.5)
    staged = made.json(made.staged("evaluation"))
    staged["metadata"]["gate"] = {"decision": "revise", "revisions": 0}
    made.write(made.staged("evaluation"), staged)
    made.ok("commit", "--chapter", "3")
    found = made.json(layout.evaluation(3))
    assert found["overall_final"] == 2.5 and "gate" not in found["metadata"]


def test_the_gates_decision_stays_the_one_that_let_it_land(made: Book) -> None:
    before = made.json(layout.evaluation(3))["metadata"]["gate"]
    resync(made, 3, overall=2.5)
    assert made.json(layout.evaluation(3))["metadata"]["gate"] == before


def test_a_name_that_was_noted_before_keeps_its_line(tmp_path: Path) -> None:
    def name(mention: str) -> dict[str, str]:
        return {"mention": mention, "context": "在岸上", "suggested_type": "character"}

    made = book(tmp_path, 1)
    land_chapter(made, 2, OP, unknown_entities=[name("渔夫"), name("船娘")])
    land_chapter(made, 3, OP, unknown_entities=[name("老周")])
    before = made.at(layout.UNKNOWN_ENTITIES).read_bytes().splitlines()
    resync(made, 2, OP, unknown_entities=[name("渔夫"), name("铁匠")])
    now = made.at(layout.UNKNOWN_ENTITIES).read_bytes().splitlines()
    assert now[:2] == [before[0], before[2]], "the boat-woman is in the text no more"
    assert [json.loads(line)["mention"] for line in now] == ["渔夫", "老周", "铁匠"]


def test_without_a_change_left_there_is_no_state(tmp_path: Path) -> None:
    """The only chapter's delta is skipped: the book is at version 0, as before its first chapter."""
    made = book(tmp_path, 0)
    write_chapter(made)
    assert made.json(layout.STATE)["state_version"] == 1
    made.ok("sync", "1", "--yes")
    made.ok("instructions", step(1, "summarize"), "--write-manifest")
    records(made, 1, base_state_version=0)
    made.write(made.staged("delta"), {"chapter": 1, "skipped": True, "reason": "写坏了"})
    made.ok("advance", step(1, "summarize"))
    for role in ("primary", "secondary"):
        made.judge(4.5, role=role)
    made.ok("advance", step(1, "judge"))
    made.ok("commit", "--chapter", "1")
    assert not made.at(layout.STATE).exists()
    assert made.lines(layout.CHANGELOG)[0]["skipped"] is True
    assert made.point()["skipped_deltas"] == 1


def test_foreshadowing_that_waits_is_not_merged_before_its_turn(tmp_path: Path) -> None:
    made = book(tmp_path, 1)
    good = made.at(layout.FORESHADOWING).read_bytes()
    made.write(layout.FORESHADOWING, "{")
    land_chapter(made, 2, OP, PLANT)
    assert made.json(layout.FORESHADOW_BACKLOG) == [2]
    made.write(layout.FORESHADOWING, good)
    resync(made, 2, OP, PLANT, {**PLANT, "path": "third-lamp"})
    assert made.at(layout.FORESHADOWING).read_bytes() == good
    assert made.json(layout.FORESHADOW_BACKLOG) == [2]
    land_chapter(made, 3, OP)
    names = {item["id"] for item in made.json(layout.FORESHADOWING)["foreshadowing"]}
    assert {"bell-rope", "third-lamp"} <= names and not made.at(layout.FORESHADOW_BACKLOG).exists()


def test_a_thread_that_was_resolved_before_is_not_opened_again(tmp_path: Path) -> None:
    made = book(tmp_path, 1)
    land_chapter(made, 2, OP, PLANT)
    land_chapter(made, 3, {**PLANT, "value": "resolved"})
    land_chapter(made, 4, OP)
    resync(made, 4, {**PLANT, "value": "advanced"})
    assert "bell-rope" not in str(made.json(layout.STATE).get("active_foreshadowing"))
    assert made.json(layout.STATE) == changelog.replay(made.lines(layout.CHANGELOG))


# planning without writing ------------------------------------------------------------------------------


def prepared(made: Book, chapter: int) -> Any:
    return land.prepare(Reading(Project(str(made.root))), chapter, "2027-01-15T08:00:00Z")


def test_without_an_open_sync_there_is_nothing_to_land(made: Book) -> None:
    assert prepared(made, 3) is None
    opened(made, 3)
    assert prepared(made, 2) is None


def test_the_checkpoint_lands_behind_all_that_is_written(made: Book) -> None:
    through(made, 3)
    before = made.tree()
    paths = [change.path for change in prepared(made, 3).changes if change.kind != "remove"]
    assert paths[-1] == layout.CHECKPOINT and layout.landed_record(3) in paths
    assert made.changed(before) == {}


def test_cancelled_it_leaves_the_book_as_it_was(made: Book) -> None:
    kept = {p: made.at(p).read_bytes() for p in (layout.summary(3), layout.STATE, layout.CHANGELOG)}
    opened(made, 3)
    made.ok("sync", "--cancel")
    assert "sync" not in made.point()
    assert {p: made.at(p).read_bytes() for p in kept} == kept
    assert any("sync-cancelled" in path for path in made.attempts())
    assert all(not made.at(made.staged(key)).exists() for key in reopen.STAGED if key != "hints")
