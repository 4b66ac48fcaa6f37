"""Checkpoint, change log and state: what joins, and what each break is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import errors, layout
from novel_hooks.errors import DAMAGED
from novel_hooks.flows.book import log_join
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.chapter import landed_desk
from novel_hooks.rules.state import consistency
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio

if TYPE_CHECKING:
    from pathlib import Path

LAST = 3


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Three chapters with a line each, the last one with a landed record."""
    made = book(tmp_path, LAST)
    made.write(layout.landed_record(LAST), {})
    return made


def reading(made: Book) -> Reading:
    return Reading(Project(str(made.root)))


def found(made: Book) -> list[tuple[str, str | None]]:
    problems = log_join.problems(reading(made))
    assert all((p.severity, p.exit) == ("error", DAMAGED) for p in problems)
    return [(p.code, p.path) for p in problems]


def log(made: Book, *lines: Any) -> None:
    made.write(layout.CHANGELOG, b"".join(jsonio.dump_line(line) for line in lines))


def state_at(made: Book, version: int) -> None:
    made.write(layout.STATE, {**made.json(layout.STATE), "state_version": version})


def test_what_joins(made: Book) -> None:
    assert found(made) == []
    assert log_join.checked_state(reading(made))["state_version"] == LAST


def test_a_book_that_was_not_begun_joins(tmp_path: Path) -> None:
    made = book(tmp_path, 0)
    made.at(layout.CHANGELOG).unlink(missing_ok=True)
    made.write(layout.landed_record(0), {})
    assert found(made) == []


@pytest.mark.parametrize("gone", [True, False])
def test_a_log_that_is_lost(made: Book, gone: bool) -> None:
    if gone:
        made.drop(layout.CHANGELOG)
    else:
        made.write(layout.CHANGELOG, " \n")
    assert found(made) == [
        ("CHANGELOG_CHAPTERS_MISSING", layout.CHANGELOG),
        ("LOG_BEHIND_STATE", layout.CHANGELOG),
    ]


def test_another_tools_chapters_have_nothing_to_join(made: Book) -> None:
    """Without a landed record of the last chapter nobody says that it should have a line."""
    made.drop(layout.landed_record(LAST))
    lines = made.lines(layout.CHANGELOG)
    log(made, *lines[:2])
    state_at(made, 2)
    assert found(made) == []
    made.drop(layout.CHANGELOG)
    assert found(made) == []


def test_chapters_without_a_line_are_named(made: Book) -> None:
    log(made, *made.lines(layout.CHANGELOG)[:2])
    state_at(made, 2)
    (problem,) = log_join.problems(reading(made))
    assert problem.code == "CHANGELOG_CHAPTERS_MISSING" and "3" in str(problem)


def test_a_line_of_a_chapter_that_has_not_landed(made: Book) -> None:
    lines = made.lines(layout.CHANGELOG)
    log(made, *lines, {**lines[-1], "chapter": LAST + 1})
    (problem,) = log_join.problems(reading(made))
    assert isinstance(problem, errors.LogBeyond)
    assert (problem.path, problem.values["chapter"], problem.values["last"]) == (layout.CHANGELOG, 4, 3)


@pytest.mark.parametrize(
    "line",
    [
        {"other": 1},
        {"chapter": 3},
        {"state_version": 3},
        {"chapter": "3", "state_version": 3},
        {"chapter": True, "state_version": 3},
    ],
)
def test_a_last_line_without_its_numbers(made: Book, line: Any) -> None:
    log(made, line)
    assert found(made) == [("OWN_FILE_DAMAGED", layout.CHANGELOG)]


def test_a_torn_last_line(made: Book) -> None:
    made.write(layout.CHANGELOG, made.at(layout.CHANGELOG).read_bytes()[:-20])
    assert found(made) == [("LOG_TAIL_BROKEN", layout.CHANGELOG)]


@pytest.mark.parametrize(
    ("version", "code", "path"),
    [
        (LAST - 1, "STATE_DIFFERS", layout.STATE),
        (LAST, None, None),
        (LAST + 1, "LOG_BEHIND_STATE", layout.CHANGELOG),
    ],
)
def test_the_state_is_of_the_logs_version(
    made: Book, version: int, code: str | None, path: str | None
) -> None:
    state_at(made, version)
    assert found(made) == ([] if code is None else [(code, path)])


def test_a_state_that_is_lost_is_said_to_be(made: Book) -> None:
    state_at(made, 2)
    (behind,) = log_join.problems(reading(made))
    assert "状态是第 2 版" in str(behind) and "第 3 版" in str(behind)
    made.drop(layout.STATE)
    (lost,) = log_join.problems(reading(made))
    assert lost.code == "STATE_DIFFERS" and "状态文件不见了" in str(lost)


def test_a_state_that_does_not_join_is_not_built_on(made: Book) -> None:
    state_at(made, 2)
    with pytest.raises(errors.Problem) as caught:
        log_join.checked_state(reading(made))
    assert [p.code for p in caught.value.problems] == ["STATE_DIFFERS"]


def test_a_replayed_state_joins_by_itself(made: Book) -> None:
    made.drop(layout.landed_record(LAST))
    state_at(made, 9)
    before = landed_desk.BookBefore(reading(made), LAST)
    assert log_join.checked_state(before)["state_version"] == LAST - 1


def test_a_lost_log_tells_of_no_chapter_and_no_version(made: Book) -> None:
    made.drop(layout.CHANGELOG)
    missing, behind = log_join.problems(reading(made))
    assert missing.values["chapters"] == consistency.ranges([1, 2, 3])
    assert (behind.values["told"], behind.values["version"]) == (0, 3)


def test_a_book_of_one_chapter_misses_its_log_too(tmp_path: Path) -> None:
    made = book(tmp_path, 1)
    made.write(layout.landed_record(1), {})
    assert found(made) == []
    made.drop(layout.CHANGELOG)
    made.drop(layout.STATE)
    assert found(made) == [("CHANGELOG_CHAPTERS_MISSING", layout.CHANGELOG)]


def test_a_state_ahead_of_the_log_names_both_versions(made: Book) -> None:
    state_at(made, 9)
    (behind,) = log_join.problems(reading(made))
    assert (behind.values["told"], behind.values["version"]) == (3, 9)
