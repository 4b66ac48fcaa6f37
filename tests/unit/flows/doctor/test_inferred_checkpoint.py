"""A checkpoint that cannot be read: made anew where the files leave no doubt, else told how."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from copying import copied
from rewriting import plant, write_chapter

from novel_hooks import layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.doctor import inferred_checkpoint, plan, story
from novel_hooks.flows.doctor.inferred_checkpoint import InferredCheckpoint
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from pathlib import Path

DAMAGES = {
    "empty": b"",
    "blank": b"\n",
    "zeros": b"\0" * 64,
    "half": b'{"last_completed_chapter": 3, "curr',
    "no object": b"[]",
    "no field": b"{}",
    "not utf-8": b"\xff\xfe{}",
}


@pytest.fixture(scope="module")
def landed(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """Chapters 2 and 3 through the commands."""
    made = book(tmp_path_factory.mktemp("landed"), 1)
    write_chapter(made, plant("bell-rope"))
    write_chapter(made)
    return made


@pytest.fixture
def made(landed: Book, tmp_path: Path) -> Book:
    return copied(landed, tmp_path / "book")


def broken(made: Book, *argv: str) -> dict[str, str]:
    """code → fix of what a command says."""
    return {d.code: d.fix for d in made.novel(*argv).diagnostics if d.severity == "error"}


@pytest.mark.parametrize("damage", DAMAGES)
def test_made_anew_from_the_book(made: Book, damage: str) -> None:
    told, due = made.point(), made.next()
    made.at(layout.CHECKPOINT).write_bytes(DAMAGES[damage])
    for argv in (("next",), ("doctor",), ("commit", "--chapter", "4"), ("lock", "acquire")):
        assert all("novel doctor --fix" in fix for fix in broken(made, *argv).values()), argv
    found = made.ok("doctor", "--fix")
    assert any("已完成到第 3 章" in sentence for sentence in found["repaired"])
    again = made.point()
    assert {**again, "last_checkpoint_time": 0} == {**told, "last_checkpoint_time": 0}
    assert made.next() == due and made.ok("doctor")["sound"]
    (kept,) = made.names(layout.TORN)
    assert made.at(f"{layout.TORN}/{kept}").read_bytes() == DAMAGES[damage]
    write_chapter(made)


@pytest.mark.parametrize(
    "changes", [{"current_volume": "一"}, {"pipeline_stage": "done"}, {"revision_count": -1}]
)
def test_one_illegal_field(made: Book, changes: dict[str, object]) -> None:
    """What the rest says agrees with the files; keys that are not ours stay."""
    told = made.point(note="作者的")
    made.point(**changes)
    assert "novel doctor --fix" in broken(made, "next")["CHECKPOINT_BROKEN"]
    made.ok("doctor", "--fix")
    assert {**made.point(), "last_checkpoint_time": 0} == {**told, "last_checkpoint_time": 0}


def test_a_draft_that_waits_is_found_again(made: Book) -> None:
    made.ok("lock", "acquire")
    text = made.draft()
    made.at(layout.CHECKPOINT).write_bytes(b"")
    made.ok("doctor", "--fix")
    point = made.point()
    assert (point["pipeline_stage"], point["inflight_chapter"]) == ("drafting", 4)
    assert made.at(made.staged("chapter")).read_text("utf-8") == text
    made.advance("draft")


def _rewritten(made: Book) -> None:
    made.until("judged", overall=3.2)
    made.at(layout.CHECKPOINT).write_bytes(b"")


def _gap(made: Book) -> None:
    made.drop(layout.chapter(2))
    made.at(layout.CHECKPOINT).write_bytes(b"")


def _beyond(made: Book) -> None:
    made.write(layout.chapter(4), "# 第 4 章 夜\n")
    made.at(layout.CHECKPOINT).write_bytes(b"")


def _planning(made: Book) -> None:
    made.point(orchestrator_state="VOL_PLANNING", current_volume=None)


def _ahead(made: Book) -> None:
    made.point(last_completed_chapter=99, current_volume="")


UNSURE = {"rewritten": _rewritten, "gap": _gap, "beyond": _beyond, "planning": _planning, "ahead": _ahead}


@pytest.mark.parametrize("name", UNSURE)
def test_in_doubt_nothing_is_written_and_the_content_is_shown(made: Book, name: str) -> None:
    UNSURE[name](made)
    before = made.at(layout.CHECKPOINT).read_bytes()
    for argv in (("doctor",), ("doctor", "--fix")):
        fix = broken(made, *argv)["CHECKPOINT_UNSURE"]
        assert made.at(layout.CHECKPOINT).read_bytes() == before
    content = fix.rpartition("\n")[2]
    made.write(layout.CHECKPOINT, content)
    assert made.novel("next").exit == 0
    assert not {"CHECKPOINT_UNSURE", "CHECKPOINT_BROKEN", "OWN_FILE_BROKEN"} & broken(made, "doctor").keys()
    assert json.loads(content)["last_completed_chapter"] == {"gap": 1, "beyond": 4}.get(name, 3)


def test_a_checkpoint_that_is_gone_is_made_anew_as_it_says(made: Book) -> None:
    told = made.point()
    made.drop(layout.CHECKPOINT)
    fix = broken(made, "next")["CHECKPOINT_LOST"]
    assert "空的 .checkpoint.json" in fix and "novel doctor --fix" in fix
    made.write(layout.CHECKPOINT, b"")
    made.ok("doctor", "--fix")
    assert {**made.point(), "last_checkpoint_time": 0} == {**told, "last_checkpoint_time": 0}


def test_a_link_in_its_place_has_to_be_a_file(made: Book) -> None:
    elsewhere = made.root.parent / "checkpoint.json"
    shutil.move(made.at(layout.CHECKPOINT), elsewhere)
    made.at(layout.CHECKPOINT).symlink_to(elsewhere)
    assert "链接" in broken(made, "doctor")["FILE_NOT_REGULAR"]
    assert elsewhere.exists() and made.at(layout.CHECKPOINT).is_symlink()
    made.drop(layout.CHECKPOINT)
    shutil.move(elsewhere, made.at(layout.CHECKPOINT))
    assert made.ok("doctor")["sound"]


# what the files tell and what they do not ------------------------------------------------------------------


def inferred(made: Book) -> InferredCheckpoint:
    return inferred_checkpoint.infer(Reading(Project(str(made.root))), "2027-01-15T08:00:00Z")


def test_fields_that_the_files_do_not_tell_are_taken_over(made: Book) -> None:
    made.point(mine="kept", revision_count="x")
    found = inferred(made)
    assert (found.document["mine"], found.document["revision_count"], found.doubts) == ("kept", 0, ())


def test_open_actions_are_not_taken_over_from_a_broken_file(made: Book) -> None:
    """They speak of chapters by number: a file that is wrong elsewhere is no word on them."""
    made.point(pending_actions=[{"id": "x", "chapters": [5]}], revision_count="x")
    assert not inferred(made).document.get("pending_actions")


@pytest.mark.parametrize("key", ["sync", "error", "failures"])
def test_unfinished_work_that_it_still_names_is_a_doubt(made: Book, key: str) -> None:
    made.point(**{key: {"step": "x"}, "revision_count": "x"})
    found = inferred(made)
    assert any(key in doubt for doubt in found.doubts) and key not in found.document


def test_a_packet_of_a_sync_is_a_doubt(made: Book) -> None:
    made.write(f"{layout.MANIFESTS}/sync-002-summarize.json", "{}")
    assert inferred(made).doubts == ("有一章正在记录",)


@pytest.mark.parametrize("path", [layout.staged(layout.chapter(4)), layout.work_log(4), layout.HANDOUT])
def test_a_chapter_of_which_something_is_there_was_in_flight(made: Book, path: str) -> None:
    assert inferred(made).document["inflight_chapter"] is None
    made.write(path, "{}")
    found = inferred(made).document
    assert (found["pipeline_stage"], found["inflight_chapter"]) == ("drafting", 4)


def test_how_far_a_chapter_was_judged_or_revised_nobody_knows(made: Book) -> None:
    made.write(layout.staged(layout.evaluation(4)), "{}")
    assert len(inferred(made).doubts) == 1 and "评过审" in inferred(made).doubts[0]
    made.at(layout.attempts(4)).mkdir(parents=True)
    assert len(inferred(made).doubts) == 1 and "改过稿" in inferred(made).doubts[0]


# what the log proves ---------------------------------------------------------------------------------


def replayed(made: Book) -> object:
    return story.replayed_state(Reading(Project(str(made.root))), 3)


def test_a_sound_log_makes_the_state_and_another_proves_nothing(made: Book) -> None:
    assert replayed(made) == made.json(layout.STATE)
    whole = made.at(layout.CHANGELOG).read_bytes()
    lines = whole.splitlines(keepends=True)
    for broken in (
        b"".join(lines[:2]),
        b"".join([lines[1], lines[0], lines[2]]),
        whole + lines[2],
        whole[:-5],
        b"garbage\n" + whole,
    ):
        made.write(layout.CHANGELOG, broken)
        assert replayed(made) is None


# a volume that is over --------------------------------------------------------------------------------


def test_headings_of_a_volume_behind_us_move_nothing(tmp_path: Path) -> None:
    made = book(tmp_path, 7)
    text = made.at(layout.outline(1)).read_text("utf-8")
    made.write(layout.outline(1), text.replace("### 第 5 章: ", "## 第五章：", 1))
    assert made.point()["current_volume"] == 2
    book_read = Reading(Project(str(made.root)))
    assert [p.path for p in plan.plan_problems(book_read) if p.path == layout.outline(1)] == []
    current = made.at(layout.outline(2)).read_text("utf-8")
    made.write(layout.outline(2), current.replace("### 第 9 章: ", "## 第九章：", 1))
    again = Reading(Project(str(made.root)))
    assert layout.outline(2) in [p.path for p in plan.plan_problems(again)]
