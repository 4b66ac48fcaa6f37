"""The rows of chapters, each read once."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.book import book as reading
from novel_hooks.flows.report.chapter_rows import ChapterRows
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import moment


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path, chapters=2)


def rows(made: Book, lands: list[dict[str, Any]], own: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    found = reading.Book(Project(str(made.root)))
    return ChapterRows(found, found.cast(), own).read(2, lands, {})


def test_day_and_storyline_come_from_the_change_log_else_from_the_chapters_own(made: Book) -> None:
    land = {"chapter": 1, "ts": "2026-03-01T12:00:00Z", "storyline_id": "b"}
    first, second = rows(made, [land, {"chapter": 2, "ts": "no moment"}])
    assert (first["day"], first["storyline"]) == (moment.local_day(1772366400), "b")
    assert (second["day"], second["storyline"]) == (None, "tower-line")


def test_the_day_is_that_of_the_local_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    for zone, day in (("UTC0", "2026-03-01"), ("CST-8", "2026-03-02"), ("EST5", "2026-03-01")):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        assert moment.local_day(1772395200) == day  # 20:00 UTC
    monkeypatch.delenv("TZ")
    time.tzset()


def test_an_evaluation_that_is_no_object_has_no_scores(made: Book) -> None:
    made.write(layout.evaluation(1), [])
    first, _ = rows(made, [])
    assert (first["overall"], first["evaluated"], first["scores"]) == (None, True, [None] * 8)


def test_own_words_are_counted_and_repeats_come_last(made: Book) -> None:
    made.write(layout.chapter(1), "# 第1章 渡\n\n灯一盏一盏地灭下去了。水声，水声。\n")
    made.write(layout.chapter(2), "# 第2章 渡\n\n灯一盏一盏地灭下去了。\n")
    first, second = rows(made, [], own=("水声",))
    assert first["habits"][-2] == round(2 * 1000 / first["chars"], 2)
    assert second["habits"][-1] == round(1000 / second["chars"], 2)


def test_a_chapter_behind_a_prologue_has_its_own_title(made: Book) -> None:
    made.write(layout.chapter(1), "# 楔子\n\n从前。\n\n# 第 1 章 渡\n\n灯灭了。\n")
    assert rows(made, [])[0]["title"] == "渡"
