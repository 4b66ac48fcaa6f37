"""Storylines of a volume: rhythm, convergences, and what their relationships share."""

from __future__ import annotations

from typing import Any

import pytest
from reviewing import material

from novel_hooks.rules.review import storylines


def log(*lines: str, first: int = 7) -> list[dict[str, Any]]:
    return [{"chapter": chapter, "storyline_id": line} for chapter, line in enumerate(lines, first)]


def written(text: str) -> dict[str, Any]:
    """Chapters 1, 2, … of the storylines `a`, `b`, … by letters; `.` is a chapter of none."""
    return {
        "written": tuple(range(1, len(text) + 1)),
        "log": log(*("" if mark == "." else mark for mark in text), first=1),
    }


def summaries(**changes: Any) -> list[dict[str, Any]]:
    found = storylines.storyline_summaries(material(**changes))
    assert found is not None
    return found


def test_one_storyline_in_full() -> None:
    found = summaries(
        log=log("river-line", "tower-line", "river-line", "tower-line"),
        schedule={
            "active_storylines": [
                {"storyline_id": "river-line", "volume_role": "primary", "target_chapters": [7, 8, "x", 12]}
            ]
        },
        storylines={
            "storylines": [{"id": "river-line", "name": "渡口线"}, {"id": "tower-line", "name": " "}]
        },
    )
    assert found == [
        {
            "id": "river-line",
            "name": "渡口线",
            "role": "primary",
            "chapters": [7, 9],
            "planned_chapters": [7, 8, 12],
            "unwritten": [8],
            "longest_run": 1,
            "longest_gap": 1,
            "remarks": [],
        },
        {
            "id": "tower-line",
            "name": "tower-line",
            "role": None,
            "chapters": [8, 10],
            "planned_chapters": None,
            "unwritten": [],
            "longest_run": 1,
            "longest_gap": 1,
            "remarks": [],
        },
    ]


def test_the_schedule_goes_first_then_the_order_of_chapters() -> None:
    schedule = {"active_storylines": ["d", {"storyline_id": "b"}, 7, {"volume_role": "primary"}, "", "b"]}
    unsorted = log("c", "a", "b")[::-1]
    found = summaries(log=unsorted, schedule=schedule)
    assert [one["id"] for one in found] == ["d", "b", "c", "a"]
    assert [one["id"] for one in summaries(log=unsorted, schedule=None, storylines=None)] == ["c", "a", "b"]
    assert storylines.storyline_summaries(material(log=None)) is None


def test_only_written_chapters_with_a_storyline_count() -> None:
    entries = [
        *log("a", "", "a"),
        {"chapter": 11, "storyline_id": "b"},
        {"chapter": "10", "storyline_id": "c"},
    ]
    assert [(one["id"], one["chapters"]) for one in summaries(log=entries)] == [("a", [7, 9])]


@pytest.mark.parametrize(
    ("text", "run", "gap", "remarks"),
    [
        ("aaaaab", 5, 1, []),
        ("aaaaaab", 6, 1, ["run"]),
        ("aabaaabaab", 3, 1, []),
        ("abbbbbbbbba", 1, 9, []),
        ("abbbbbbbbbba", 1, 10, ["gap"]),
        ("bbbbbbbbbba", 1, 10, ["gap"]),
        ("abbbbbbbbbb", 1, 10, ["gap"]),
        ("aaaaaabbbbb.....", 6, 10, ["run", "gap"]),
        ("abbaba", 1, 2, []),
    ],
)
def test_runs_and_gaps(text: str, run: int, gap: int, remarks: list[str]) -> None:
    (found,) = (one for one in summaries(**written(text)) if one["id"] == "a")
    assert (found["longest_run"], found["longest_gap"], found["remarks"]) == (run, gap, remarks)


def test_a_scheduled_storyline_that_never_came() -> None:
    (absent, _) = summaries(**written("b" * 12), schedule={"active_storylines": ["a"]})
    assert (absent["id"], absent["remarks"]) == ("a", ["absent"])
    assert (absent["chapters"], absent["longest_run"], absent["longest_gap"]) == ([], 0, 12)


@pytest.mark.parametrize("targets", [None, "7", 7, {"7": 1}])
def test_target_chapters_that_are_no_list(targets: Any) -> None:
    schedule = {"active_storylines": [{"storyline_id": "a", "target_chapters": targets}]}
    (found,) = summaries(schedule=schedule)
    assert (found["planned_chapters"], found["unwritten"]) == (None, [])


def test_chapters_planned_and_not_written_are_not_missed_yet() -> None:
    schedule = {"active_storylines": [{"storyline_id": "a", "target_chapters": [9, 10, 11]}]}
    found = summaries(log=log("b", "b", "a", "b"), schedule=schedule)
    assert found[0]["unwritten"] == [10]


# convergences ---------------------------------------------------------------------------------------


def convergences(*ranges: tuple[int, int], **changes: Any) -> list[dict[str, Any]] | None:
    events = [{"chapter_range": list(one), "involved_storylines": ["a", "b"]} for one in ranges]
    return storylines.convergence_summaries(material(schedule={"convergence_events": events}, **changes))


def test_a_convergence_and_the_storylines_that_did_not_come() -> None:
    found = convergences((7, 8), (8, 9), (9, 10), (9, 11), log=log("a", "b", "c", "a"))
    assert found == [
        {"chapter_range": [7, 8], "involved": ["a", "b"], "missing": []},
        {"chapter_range": [8, 9], "involved": ["a", "b"], "missing": ["a"]},
        {"chapter_range": [9, 10], "involved": ["a", "b"], "missing": ["b"]},
    ]


def test_no_convergence_is_over_before_the_first_chapter() -> None:
    assert convergences((7, 7), log=[], written=()) == []
    assert convergences((0, 0), (1, 1), log=[], written=()) == [
        {"chapter_range": [0, 0], "involved": ["a", "b"], "missing": ["a", "b"]}
    ]


def test_without_log_or_schedule_no_convergence_can_be_said() -> None:
    assert convergences((7, 8), log=None) is None
    assert storylines.convergence_summaries(material(schedule=None)) is None


# bridges --------------------------------------------------------------------------------------------


def bridges(*relationships: Any, **changes: Any) -> list[tuple[str, str, str, str]]:
    book = {"storylines": [{"id": "a"}, "x", {"id": "b"}], "relationships": list(relationships)}
    fields = {
        "storylines": book,
        "people": frozenset(["沈渡"]),
        "plan": [{"id": "lamp"}],
        "facts": [{"id": "boat"}],
    }
    found = storylines.undefined_bridges(material(**{**fields, **changes}))
    assert found is not None
    return [(one["from"], one["to"], one["kind"], one["name"]) for one in found]


def test_ends_and_shared_things_that_the_book_does_not_define() -> None:
    shared = {"shared_characters": ["沈渡", "无人", 5], "shared_foreshadowing": ["lamp", "boat", "ghost"]}
    assert bridges({"from": "a", "to": "sea", "bridges": shared}, 7) == [
        ("a", "sea", "storyline", "sea"),
        ("a", "sea", "character", "无人"),
        ("a", "sea", "character", "5"),
        ("a", "sea", "foreshadowing", "ghost"),
    ]
    assert bridges({"to": "b"}) == [("None", "b", "storyline", "None")]


@pytest.mark.parametrize("shared", [None, [], "x", {}, {"shared_characters": None}])
def test_a_relationship_that_shares_nothing(shared: Any) -> None:
    assert bridges({"from": "a", "to": "b", "bridges": shared}) == []


@pytest.mark.parametrize("field", ["storylines", "people", "plan", "facts"])
def test_without_what_defines_them_no_bridge_can_be_said(field: str) -> None:
    assert storylines.undefined_bridges(material(**{field: None})) is None


@pytest.mark.parametrize("book", [{}, {"relationships": None}, {"relationships": {"from": "a"}}])
def test_a_book_without_relationships(book: Any) -> None:
    assert storylines.undefined_bridges(material(storylines=book)) == []
