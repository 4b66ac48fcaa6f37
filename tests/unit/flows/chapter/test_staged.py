"""A text that the author changes by hand between the steps: its records and verdict are of another one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from builders import RECORDS, book
from builders import fast_disk as fast_disk

from novel_hooks.flows.chapter import desk

if TYPE_CHECKING:
    from pathlib import Path

    from builders import Book


def test_it_is_recorded_refined_and_judged_as_it_is_now(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("refined")
    assert made.next()["phase"] == "judge"
    place = made.at(made.staged("chapter"))
    made.write(made.staged("chapter"), place.read_text("utf-8") + "\n他又添了一句。\n")
    due = made.next()
    assert (due["phase"], due["reason"]) == ("summarize", "正文在润色之后改过，要重新记录")
    made.records()
    made.advance("summarize")
    assert made.next()["phase"] == "refine"
    made.advance("refine")
    assert made.next()["phase"] == "judge"


def test_one_that_is_left_alone_is_judged(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("refined")
    assert made.next()["phase"] == "judge"
    made.point(refined_sha256=None)  # a chapter in work of an earlier version
    assert made.next()["phase"] == "judge"


def _add(made: Book, words: str = "他又添了一句。") -> None:
    place = made.at(made.staged("chapter"))
    made.write(made.staged("chapter"), f"{place.read_text('utf-8')}\n{words}\n")


def _recorded(place: Path) -> Book:
    """The records are taken; the refiner has not got the text yet."""
    made = book(place)
    made.until("drafting")
    made.ok("instructions", made.step("summarize"))
    made.records()
    made.advance("summarize")
    assert made.next()["phase"] == "refine"
    return made


def test_a_text_that_changes_after_its_records_is_recorded_anew(tmp_path: Path) -> None:
    made = _recorded(tmp_path)
    _add(made)
    due = made.next()
    assert (due["phase"], due["reason"]) == ("summarize", "正文在记摘要与状态之后改过，要重新记录")
    made.ok("instructions", made.step("summarize"))
    made.advance("summarize")
    assert made.next()["phase"] == "refine"


def test_a_text_that_changes_while_it_is_recorded_is_recorded_anew(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("drafting")
    made.ok("instructions", made.step("summarize"))
    made.records()
    _add(made)
    made.advance("summarize")
    assert made.next()["phase"] == "summarize"
    made.advance("summarize")  # his word that they hold
    assert made.next()["phase"] == "refine"


def test_what_the_refiner_changes_is_no_change_of_somebody_else(tmp_path: Path) -> None:
    made = _recorded(tmp_path)
    made.ok("instructions", made.step("refine"))
    _add(made)
    assert made.next()["phase"] == "refine"
    made.advance("refine")
    assert made.next()["phase"] == "judge"


def test_who_refines_by_hand_advances_all_the_same(tmp_path: Path) -> None:
    made = _recorded(tmp_path)
    _add(made)
    made.advance("refine")
    assert made.next()["phase"] == "judge"


_OPS = [{"op": "set", "path": "world_state.note", "value": "有人添的"}]


def _changed(made: Book, command: str = "next") -> list[str | None]:
    return [d.path for d in made.novel(command).diagnostics if d.code == "RECORDS_CHANGED"]


@pytest.mark.parametrize("stage", ["drafted", "refined", "judged"])
@pytest.mark.parametrize("key", RECORDS)
def test_a_record_that_changes_behind_its_step_is_told_until_it_lands(
    tmp_path: Path, stage: str, key: str
) -> None:
    made = _recorded(tmp_path)
    if stage != "drafted":
        made.advance("refine")
    if stage == "judged":
        made.judge(4.5)
        made.advance("judge")
    assert _changed(made) == []
    before = made.at(made.staged(key)).read_text("utf-8")
    if key in ("summary", "memory"):
        made.write(made.staged(key), before.rstrip("\n") + "有人添了一句。\n")
    else:
        more = {"leak_detail": "有人添的"} if key == "crossref" else {"ops": _OPS}
        made.write(made.staged(key), {**made.json(made.staged(key)), **more})
    assert made.next()["phase"] != "summarize"
    assert _changed(made) == [made.staged(key)]
    if stage == "judged":
        assert _changed(made, "status") == [made.staged(key)]
        landed = made.novel("commit", "--chapter", str(made.chapter))
        (told,) = [d for d in landed.diagnostics if d.code == "RECORDS_CHANGED"]
        assert landed.exit == 0 and told.path is None
        assert "staging" not in f"{told.message}{told.fix}", "no path that is gone"
        assert desk.WHAT[key] in told.message and f"novel sync {made.chapter}" in told.fix
        assert "records_sha256" not in made.point()


@pytest.mark.parametrize("key", RECORDS)
def test_a_record_in_another_layout_says_the_same(tmp_path: Path, key: str) -> None:
    made = _recorded(tmp_path)
    text = made.at(made.staged(key)).read_text("utf-8")
    if text.startswith("{"):
        text = json.dumps(json.loads(text), indent=7)
    made.write(made.staged(key), text.replace("\n", "\r\n").encode("utf-8-sig"))
    assert _changed(made) == []


def test_a_changed_record_that_is_taken_away_is_made_anew(tmp_path: Path) -> None:
    """What the fix says leads on: the summarizer records again, and nothing is told any more."""
    made = _recorded(tmp_path)
    made.advance("refine")
    made.write(made.staged("summary"), "谁也不知道这是谁写的。\n")
    assert _changed(made) == [made.staged("summary")]
    made.drop(made.staged("summary"))
    assert made.next()["phase"] == "summarize"
    made.ok("instructions", made.step("summarize"))
    made.write(made.staged("summary"), "沈渡守住了最后一根缆，重记的。\n")
    assert _changed(made) == []
    made.advance("summarize")
    assert _changed(made) == []
    made.write(made.staged("summary"), "又改了一遍。\n")
    assert _changed(made) == [made.staged("summary")]


def test_a_delta_that_the_author_left_out_is_not_told_as_changed(tmp_path: Path) -> None:
    made = _recorded(tmp_path)
    skipped = {"chapter": made.chapter, "skipped": True, "reason": "记不下来"}
    made.write(made.staged("delta"), skipped)
    assert _changed(made) == []


def test_a_chapter_of_an_earlier_version_has_nothing_to_compare(tmp_path: Path) -> None:
    made = _recorded(tmp_path)
    made.write(made.staged("summary"), "改过。\n")
    made.point(records_sha256=None)
    assert _changed(made) == []


def test_a_text_that_changes_behind_a_verdict_is_recorded_anew_before_it_is_judged_again(
    tmp_path: Path,
) -> None:
    made = book(tmp_path)
    made.until("refined")
    made.judge(4.5)
    _add(made)
    assert made.next()["phase"] == "summarize"
    made.ok("instructions", made.step("summarize"))
    made.records()
    made.advance("summarize")
    made.advance("refine")
    assert made.next()["phase"] == "judge"


def _told_codes(made: Book) -> list[str]:
    return [d.code for d in made.novel("next").diagnostics]


def test_a_text_that_changes_before_it_is_polished_is_told_and_what_the_refiner_does_is_not(
    tmp_path: Path,
) -> None:
    made = book(tmp_path)
    made.until("judged", overall=3.7)
    assert made.next()["phase"] == "polish"
    assert "TEXT_SINCE_JUDGED" not in _told_codes(made)
    _add(made)
    assert made.next()["phase"] == "polish"
    assert _told_codes(made) == ["TEXT_SINCE_JUDGED"]
    made.ok("instructions", made.step("polish"))
    _add(made, "润色师添的。")
    assert "TEXT_SINCE_JUDGED" not in _told_codes(made)
