"""The tally of words: it is what the chapters say, whatever was landed, and no landing is refused for it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.cli.call import call
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.review import word_counts
from novel_hooks.flows.session import word_tally
from novel_hooks.rules.report import tally
from novel_hooks.store.fence import seal
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from unit.flows.resync.synced import edit, land, resync, written

if TYPE_CHECKING:
    from pathlib import Path

    from novel_hooks.rules.report.tally import Written

FORMAT = "novel-words 2"
LONG_AGO = "2026-01-02T03:04:05Z"


def stored(made: Book) -> dict[int, Written]:
    listed = seal.parse_lines(made.at(layout.WORD_TALLY).read_bytes(), FORMAT)
    assert listed is not None
    return tally.parse(listed)


def is_right(made: Book) -> bool:
    """Is the tally what the texts and the change log say, of the chapters that have landed?"""
    last = made.point()["last_completed_chapter"]
    return stored(made) == word_tally.counted(Project(str(made.root)), last)


def age(made: Book, *chapters: int) -> None:
    """The chapters landed long ago."""
    lines = [
        {**line, "ts": LONG_AGO} if line["chapter"] in chapters else line
        for line in made.lines(layout.CHANGELOG)
    ]
    made.write(layout.CHANGELOG, b"".join(map(jsonio.dump_line, lines)))
    made.drop(layout.WORD_TALLY)


def test_a_commit_adds_its_chapter_written_now(tmp_path: Path) -> None:
    made = book(tmp_path, 1)
    before = stored(made)
    land(made, 2)
    assert is_right(made) and {**stored(made), **before} == stored(made)
    assert stored(made)[2][1] == made.lines(layout.CHANGELOG)[-1]["ts"] != LONG_AGO
    assert made.ok("status")["words"]["today"] == {"chars": stored(made)[2][0], "chapters": 1}


def test_a_chapter_recorded_anew_is_counted_anew_and_not_written_today(tmp_path: Path) -> None:
    made = written(tmp_path, 3)
    age(made, 2, 3)
    short = word_tally.read(Project(str(made.root)), 3)[3][0]
    edit(made, 3, "多了十二个字的一句话在这里")
    resync(made, 3)
    assert is_right(made)
    assert stored(made)[3] == (short + 13, LONG_AGO)
    assert made.lines(layout.CHANGELOG)[-1]["first_ts"] == LONG_AGO
    edit(made, 3)
    resync(made, 3)
    assert stored(made)[3][1] == LONG_AGO and made.ok("status")["words"]["today"]["chapters"] == 0


def test_an_edit_counts_when_it_is_accepted(tmp_path: Path) -> None:
    made = written(tmp_path, 3)
    before = stored(made)
    edit(made, 2, "多了五个字")
    assert made.ok("status")["words"]["book"] == sum(chars for chars, _ in before.values())
    made.ok("sync", "2", "--accept")
    assert is_right(made) and stored(made)[2] == (before[2][0] + 5, before[2][1])


def test_length_leaves_out_heading_blanks_and_comments_whatever_the_bytes() -> None:
    assert word_tally.chars_of("\ufeff# 第 1 章 夜渡\r\n\r\n　灯 灭了。\r\n".encode()) == 4
    assert word_tally.chars_of("# 第 1 章 夜渡\r\n\r\n灯灭了。<!-- 再\r\n想想 -->\r\n".encode()) == 4
    assert word_tally.chars_of(None) == 0
    assert word_tally.chars_of("# 第 1 章\n灯".encode() + b"\xff") == 2


def test_a_comment_counts_nowhere(tmp_path: Path) -> None:
    made = written(tmp_path, 2)
    length, before = stored(made)[2][0], made.ok("review", "1")["chars"]
    edit(made, 2, "<!-- 这里再想想 -->")
    edit(made, 2, "改")
    made.ok("sync", "2", "--accept")
    assert stored(made)[2][0] == length + 1 == made.ok("read", "2")["chapters"][0]["chars"]
    assert made.ok("commit", "--chapter", "2")["chars"] == length + 1
    assert made.ok("review", "1")["chars"] == before + 1
    assert made.ok("rollback", "1", "--yes")["chars"] == length + 1


def test_going_back_and_bringing_back(tmp_path: Path) -> None:
    made = written(tmp_path, 4)
    whole = stored(made)
    made.ok("rollback", "2", "--yes")
    assert is_right(made) and set(stored(made)) == {1, 2}
    land(made, 3)
    assert is_right(made) and len(stored(made)) == 3
    made.ok("restore", "1", "--yes")
    assert is_right(made) and stored(made) == whole


def test_a_renaming_changes_lengths(tmp_path: Path) -> None:
    made = written(tmp_path, 2)
    edit(made, 2, "乔九上了船。")
    made.ok("sync", "2", "--accept")
    before = stored(made)
    made.ok("rename", "乔九", "乔久安", "--text", "--yes")
    assert is_right(made) and stored(made)[2][0] > before[2][0] and stored(made)[2][1] == before[2][1]


def test_chapters_that_move_in_are_no_days_work(tmp_path: Path) -> None:
    place = tmp_path / "书"
    made = Book(place, 3)
    call("init", [str(place), "--title", "十三渡", "--genre", "志怪"], {"NOVEL_OWNER": "x"})
    (tmp_path / "书.txt").write_text("第1章 夜\n沈渡上船。\n第2章 河\n灯灭了。\n", encoding="utf-8")
    made.ok("adopt", str(tmp_path / "书.txt"), "--yes")
    assert is_right(made)
    assert stored(made) == {1: (5, ""), 2: (4, "")}
    words = made.ok("status")["words"]
    assert (words["book"], words["today"]["chapters"], words["streak"]) == (9, 0, 0)


@pytest.mark.parametrize(
    "broken", [None, b"", b"novel-words 2\n", b"\xff", "short", "gap", "older", "folder"]
)
def test_a_lost_or_broken_tally_changes_no_answer(tmp_path: Path, broken: bytes | str | None) -> None:
    made = book(tmp_path, 2)
    before = made.ok("status")["words"]
    place = made.at(layout.WORD_TALLY)
    rows = seal.parse_lines(place.read_bytes(), FORMAT) or []
    place.unlink()
    if broken == "folder":
        place.mkdir()
    elif broken == "short":
        place.write_bytes(seal.sealed_lines(FORMAT, rows[:1]))
    elif broken == "gap":
        place.write_bytes(seal.sealed_lines(FORMAT, [*rows[1:], "3\t9\t\t9"]))
    elif broken == "older":
        place.write_bytes(seal.sealed_lines("novel-words 1", ["1\t9\t", "2\t9\t"]))
    elif isinstance(broken, bytes):
        place.write_bytes(broken)
    assert made.ok("status")["words"] == before
    land(made, 3)
    assert broken == "folder" or is_right(made)
    assert made.ok("status")["words"]["book"] > before["book"]


def test_a_lost_text_keeps_its_place(tmp_path: Path) -> None:
    made = book(tmp_path, 3)
    made.drop(layout.chapter(2))
    made.drop(layout.WORD_TALLY)
    found = word_tally.read(Project(str(made.root)), 3)
    assert found[2][0] == 0 and found[3][0] > 0


def test_today_is_that_of_the_local_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chapter of yesterday evening, UTC, is today's in Shanghai."""
    made = book(tmp_path, 1)
    row = (3000, "2026-03-01T20:00:00Z")
    made.write(layout.WORD_TALLY, word_tally.dump({1: row}))
    for zone, chapters in (("UTC0", 0), ("CST-8", 1)):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        project = Project(str(made.root))
        written = word_tally.read(project, 1)
        found = word_counts.summary(Reading(project), written, 1, 1772416800)  # 02:00 UTC, 2 March
        assert (found["today"]["chapters"], found["streak"]) == (chapters, 1)
    monkeypatch.delenv("TZ")
    time.tzset()


def test_the_goal_stands_beside_today(tmp_path: Path) -> None:
    made = book(tmp_path, 1)
    made.write(layout.CONFIG, "daily_chars: 5000\n")
    land(made, 2)
    chars = stored(made)[2][0]
    assert made.ok("status")["words"]["goal"] == 5000
    text = made.novel("status").text
    assert f"今天：写成 1 章 {chars:,} 字，目标 5,000 字，还差 {5000 - chars:,} 字" in text
    made.write(layout.CONFIG, f"daily_chars: {chars}\n")
    assert "，达到了" in made.novel("status").text
    made.write(layout.CONFIG, "daily_chars: 多\n")
    assert made.novel("status").data["words"]["goal"] is None
