"""The report's data agree with the book's files; a part that cannot be read costs itself only."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from builders import fast_disk as fast_disk
from reportbook import HOSTILE, lively_book

from novel_hooks import layout
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.report import gathering
from novel_hooks.rules.foreshadowing.item import ACTION_WORDS
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import moment
from tools.bookmaker import make_book

NOW = moment.epoch("2026-03-10T12:00:00Z") or 0.0
CHAPTERS = 24


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lively_book(tmp_path_factory.mktemp("book") / "novel", CHAPTERS)


@pytest.fixture(scope="module")
def data(made: Path) -> dict[str, Any]:
    return gathering.run(Book(Project(str(made))), NOW).data


def test_a_row_has_what_the_files_of_its_chapter_say(data: dict[str, Any]) -> None:
    row = data["chapters"][7]
    assert (row["chapter"], row["title"], row["storyline"]) == (8, "第8趟船", "tower-line")
    assert (row["overall"], row["decision"], row["revisions"]) == (3.8, "polish", 2)
    assert (row["forced"], row["accepted"], row["evaluated"], row["text"]) == (False, False, True, True)
    assert row["gate"] == "润色后通过"
    assert row["duration_ms"] == 4 * 68_000 and row["tokens"] == 4 * (22_400 + 3_000)
    assert row["cost"] == pytest.approx(4 * (22_400 * 3 + 3_000 * 15) / 1e6)
    assert len(row["scores"]) == len(data["dimensions"]) == 8
    assert len(row["habits"]) == len(data["habit_kinds"])
    assert row["opening"] in data["starts"] and row["ending"] in data["ends"]
    assert data["chapters"][2]["title"] == HOSTILE


def test_what_was_never_judged_is_none(data: dict[str, Any]) -> None:
    row = data["chapters"][4]
    assert (row["overall"], row["decision"], row["evaluated"]) == (None, None, False)
    assert row["scores"] == [None] * 8


def test_the_kinds_of_the_gate_are_the_words_that_a_landed_chapter_can_have(data: dict[str, Any]) -> None:
    assert data["gate_kinds"] == ["通过", "润色后通过", "作者接受", "勉强放行"]
    assert {row["gate"] for row in data["chapters"] if row["evaluated"]} <= {*data["gate_kinds"]}


def test_sums_over_the_book_agree_with_the_rows(data: dict[str, Any]) -> None:
    rows = data["chapters"]
    assert len(rows) == CHAPTERS
    assert sum(day["chars"] for day in data["days"]) == sum(row["chars"] for row in rows)
    assert sum(day["chapters"] for day in data["days"]) == CHAPTERS
    assert sum(line["chapters"] for line in data["storylines"]) == CHAPTERS
    assert {one["name"]: len(one["chapters"]) for one in data["people"]} == {
        "沈渡": CHAPTERS,
        "乔九": CHAPTERS,
    }
    assert data["volumes"][-1] == {"volume": 3, "from": 21, "to": 30}
    assert data["pace"]["left"] == 6


def test_threads_attention_and_the_next_step(data: dict[str, Any]) -> None:
    states = {one["id"]: one["state"] for one in data["threads"]}
    assert (states["clue-late"], states["clue-wide"], states["clue-001"]) == ("overdue", "open", "resolved")
    assert "断了的缆绳" in data["attention"][0]["text"]
    assert set(states.values()) <= set(data["thread_states"])
    assert data["thread_actions"] == ACTION_WORDS
    assert data["waiting"]["stop"] is False and data["waiting"]["step"] == "第 25 章 · 写初稿"
    assert data["unread"] == []


def test_an_empty_book_has_a_report(tmp_path: Path) -> None:
    make_book(str(tmp_path), 0)
    found = gathering.run(Book(Project(str(tmp_path))), NOW)
    assert found.data["chapters"] == [] and found.problems == ()
    assert found.data["pace"]["streak"] == 0


@pytest.mark.parametrize(
    ("path", "key"),
    [
        (layout.chapter(2), "chars"),
        (layout.evaluation(2), "overall"),
        (layout.chapter_log(2), "duration_ms"),
        (layout.CHANGELOG, "day"),
        (layout.FORESHADOWING, None),
        (layout.STORYLINES, None),
        (layout.outline(1), None),
        (layout.BLACKLIST, None),
        (layout.character_card("shen-du"), None),
        (layout.schedule(1), None),
        (layout.CONFIG, None),
    ],
)
def test_a_broken_file_costs_its_part_and_is_named(tmp_path: Path, path: str, key: str | None) -> None:
    make_book(str(tmp_path), 3, chapter_chars=100)
    (tmp_path / path).write_bytes(b"\xff\xfe{")
    found = gathering.run(Book(Project(str(tmp_path))), NOW)
    assert any(one.path == path for one in found.problems)
    assert all(one.severity == "warning" for one in found.problems)
    assert len(found.data["chapters"]) == 3
    if key is not None:
        assert found.data["chapters"][1][key] is None
    if key in ("chars", "overall", "duration_ms"):
        assert found.data["chapters"][2][key] is not None


def test_a_text_that_is_gone_leaves_its_row(tmp_path: Path) -> None:
    make_book(str(tmp_path), 3, chapter_chars=100)
    os.remove(tmp_path / layout.chapter(2))
    rows = gathering.run(Book(Project(str(tmp_path))), NOW).data["chapters"]
    assert (rows[1]["chars"], rows[1]["title"], rows[1]["text"], rows[1]["habits"]) == (
        None,
        None,
        False,
        None,
    )
    assert rows[1]["overall"] == 4.2
