"""`novel sync`: a change log that is broken or lacks lines is told anew from the texts."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from copying import copied

from novel_hooks import layout
from novel_hooks.rules.state import changelog
from unit.flows.resync.synced import PLANT, edit, land, replayed, resync, step, written

if TYPE_CHECKING:
    from pathlib import Path


def base_given(made: Book, chapter: int) -> Any:
    made.ok("sync", str(chapter), "--yes")
    packet = made.ok("instructions", step(chapter, "summarize"))
    return next(i["value"] for i in packet["inputs"] if i["key"] == "base_state_version")


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
    no_time = {"ts": "", "first_ts": ""}
    assert [{**x, **no_time} for x in made.lines(layout.CHANGELOG)] == [{**x, **no_time} for x in lines]
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
