"""A checkpoint that cannot be read: made anew where the files leave no doubt, else told how."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from builders import Book, book, copied
from builders import fast_disk as fast_disk
from rewriting import plant, write_chapter

from novel_hooks import layout

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
    assert "普通文件" in broken(made, "doctor")["FILE_NOT_REGULAR"]
    assert elsewhere.exists() and made.at(layout.CHECKPOINT).is_symlink()
    made.drop(layout.CHECKPOINT)
    shutil.move(elsewhere, made.at(layout.CHECKPOINT))
    assert made.ok("doctor")["sound"]
