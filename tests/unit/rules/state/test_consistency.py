"""The change log by itself and against the landed chapters; where two states differ."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.state import changelog, consistency


def line(chapter: Any, base: Any, version: Any, **more: Any) -> dict[str, Any]:
    return {"chapter": chapter, "base_state_version": base, "state_version": version, "ops": [], **more}


WHOLE = [
    line(1, 0, 1),
    line(2, 1, 2),
    changelog.skipped_line("t", 3, "main-line", 2, "读不懂"),
    line(4, 2, 3),
]


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ([], ""),
        ([4], "4"),
        ([3, 1, 2, 7, 2], "1-3、7"),
        ([5, 4], "4-5"),
        ([1, 3], "1、3"),
        (range(2, 17, 2), "2、4、6、8、10、12、14、16"),
        (range(2, 19, 2), "2、4、6、8、10、12、14、16 等 9 段"),
    ],
)
def test_ranges(numbers: Any, text: str) -> None:
    assert consistency.ranges(numbers) == text


def test_a_whole_log_has_no_faults() -> None:
    assert consistency.log_problems(WHOLE, 4) == []
    assert consistency.log_problems([], 0) == []
    assert consistency.log_problems(WHOLE, 3) == []  # the chapter after `last` is no fault of the log


def said(lines: list[dict[str, Any]], last: int) -> list[tuple[int, str, str]]:
    """(line, detail, advice) of each fault."""
    found = consistency.log_problems(lines, last)
    assert {p.code for p in found} <= {"CHANGELOG_BROKEN"}
    assert {p.path for p in found} <= {"state/changelog.jsonl"}
    return [(p.values["line"], p.values["detail"], p.values["anew"]) for p in found]


def sync(chapter: int) -> str:
    return (
        f"没有备份时，运行 `novel sync {chapter}` 照正文重新记一遍，正文不动；"
        f"或者 `novel rollback {chapter - 1}`，退回这一章之前。"
    )


NUMBERS = "缺少章号或状态版本"


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        ([line(1, 0, 1), line(2, None, 2)], [(2, NUMBERS, sync(2))]),
        ([line(1, 0, 1), line(2, 1, "2")], [(2, NUMBERS, sync(2))]),
        ([line(1, 0, 1), line(1, None, 2)], [(2, NUMBERS, "")]),
        ([line("1", 0, 1)], [(1, NUMBERS, "")]),
        ([line(0, None, 1)], [(1, NUMBERS, "")]),
        ([line(1, 0, 1), line(1, 1, 2)], [(2, "第 1 章记了两次", "")]),
        (
            [line(1, 0, 1), line(3, 1, 2), line(2, 2, 3)],
            [(3, "第 2 章排在第 3 章后面", "")],
        ),
        (
            [line(1, 0, 1), line(2, 0, 1)],
            [(2, "版本应是 1 → 2，写的是 0 → 1", sync(2))],
        ),
        ([line(1, 0, 1), line(2, 1, 3)], [(2, "版本应是 1 → 2，写的是 1 → 3", sync(2))]),
        ([line(1, 0, 1), line(2, 1, 2, skipped=True)], [(2, "版本应是 1 → 1，写的是 1 → 2", sync(2))]),
        ([line(1, 0, 1), line(2, 1, 1, skipped="true")], [(2, "版本应是 1 → 2，写的是 1 → 1", sync(2))]),
        (
            [line(1, 0, 1), line(1, 5, 6)],
            [(2, "第 1 章记了两次", ""), (2, "版本应是 1 → 2，写的是 5 → 6", "")],
        ),
        # each line is held against the one before it, so one fault is one finding
        ([line(1, 0, 1), line(2, 7, 8), line(3, 8, 9)], [(2, "版本应是 1 → 2，写的是 7 → 8", sync(2))]),
        # a line that cannot be read breaks nothing behind it
        ([line(1, 0, 1), line(2, 1, None), line(3, 1, 2)], [(2, NUMBERS, sync(2))]),
        # after a line out of order the last chapter is still the highest
        (
            [line(3, 0, 1), line(1, 1, 2), line(2, 2, 3), line(4, 3, 4)],
            [(2, "第 1 章排在第 3 章后面", ""), (3, "第 2 章排在第 3 章后面", "")],
        ),
    ],
    ids=str,
)
def test_a_fault_of_the_log_is_named_by_its_line(
    lines: list[dict[str, Any]], wanted: list[tuple[int, str, str]]
) -> None:
    assert said(lines, 0) == wanted


def test_of_many_faults_the_first_twenty_and_always_the_missing_chapters() -> None:
    lines = [line(None, None, None)] * 30
    found = consistency.log_problems(lines, 2)
    assert [p.values.get("line") for p in found] == [*range(1, 21), None]
    assert found[-1].code == "CHANGELOG_CHAPTERS_MISSING" and found[-1].values["chapters"] == "1-2"


@pytest.mark.parametrize(
    ("logged", "last", "chapters", "anew"),
    [
        ([1, 2], 3, "3", "没有备份时，运行 `novel sync 3`，照正文"),
        ([2], 3, "1、3", "没有备份时，按这个次序运行 `novel sync 1`、`novel sync 3`，照正文"),
        ([], 5, "1-5", "`novel sync 4`、`novel sync 5`，照正文"),
        ([7], 6, "1-6", None),
    ],
)
def test_chapters_without_a_line(logged: list[int], last: int, chapters: str, anew: str | None) -> None:
    (found,) = consistency.unlogged_problems([line(n, 0, 1) for n in logged], last)
    assert (found.path, found.values["chapters"]) == ("state/changelog.jsonl", chapters)
    assert found.values["anew"] == "" if anew is None else anew in found.values["anew"]
    assert ("复制一份留底" in found.diagnostic().fix) == bool(logged)


def test_every_landed_chapter_has_its_line() -> None:
    assert consistency.unlogged_problems([line(n, 0, 1) for n in (3, 1, 2, 9)], 3) == []


ONE = {"items": {"lamp": {"oil": 1, "marks": [1]}}, "version": None, "a": {}}


@pytest.mark.parametrize(
    ("found", "places"),
    [
        ({"items": {"lamp": {"oil": 1.0, "marks": [1]}}, "version": None, "a": {}}, []),
        ({**ONE, "items": {"lamp": {"oil": True, "marks": [2]}}}, ["items.lamp.marks", "items.lamp.oil"]),
        ({**ONE, "items": {}}, ["items.lamp"]),
        ({**ONE, "items": {"lamp": 3}}, ["items.lamp"]),
        ({"items": ONE["items"], "a": {}}, ["version"]),
        ({**ONE, "b": None, "A": 1}, ["A", "b"]),
        ({**ONE, "a": []}, ["a"]),
    ],
)
def test_differences_have_their_paths_in_order(found: dict[str, Any], places: list[str]) -> None:
    assert consistency.state_differences(ONE, found) == places
    assert consistency.state_differences(found, ONE) == places


def test_states_of_different_kinds_differ_as_a_whole() -> None:
    assert consistency.state_differences(ONE, [1]) == ["整份内容"]  # type: ignore[arg-type]


def test_paths_for_the_author() -> None:
    assert consistency.paths_text(list("abcde"), {}) == "a、b、c、d、e"
    assert consistency.paths_text(list("abcdefg"), {}) == "a、b、c、d、e 等 7 处"
    assert consistency.paths_text([], {}) == ""
    places = ["characters.shen-du.location", "world_state.time_marker", "items", "characters.x"]
    assert consistency.paths_text(places, {"shen-du": "沈渡"}) == "「沈渡」的所在、书里的时日、物品、「x」"
