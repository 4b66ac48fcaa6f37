"""The course of the scores, and storylines that do not appear."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.review import trend


def rows(*scores: float | None, forced: tuple[int, ...] = ()) -> list[dict[str, Any]]:
    return [{"chapter": n, "overall": s, "force_passed": n in forced} for n, s in enumerate(scores, 1)]


# scores ---------------------------------------------------------------------------------------------


def test_the_last_five_against_those_before() -> None:
    found = trend.score_trend(rows(4.5, 4.4, 4.3, 3.9, 3.8, 3.4, 3.9, 4.0, forced=(8,)), 3.5)
    assert found == {
        "chapters": [
            {"chapter": n, "overall": score}
            for n, score in enumerate((4.5, 4.4, 4.3, 3.9, 3.8, 3.4, 3.9, 4.0), 1)
        ],
        "average": 3.8,
        "before": 4.4,
        "direction": "down",
        "low": [{"chapter": 6, "overall": 3.4}, {"chapter": 8, "overall": 4.0}],
    }


def test_chapters_without_a_score_do_not_count() -> None:
    found = trend.score_trend(rows(4.0, None, 3.0), 3.5)
    assert (found["average"], found["before"], found["direction"]) == (3.5, None, None)
    assert found["low"] == [{"chapter": 3, "overall": 3.0}]


@pytest.mark.parametrize(
    ("score", "forced", "low"),
    [(3.49, False, True), (3.5, False, False), (None, False, False), (None, True, True), (4.5, True, True)],
)
def test_a_chapter_is_low_below_the_line_or_when_it_was_force_passed(
    score: float | None, forced: bool, low: bool
) -> None:
    found = trend.low_chapters(rows(score, forced=(1,) if forced else ()), 3.5)
    assert found == ([{"chapter": 1, "overall": score}] if low else [])


@pytest.mark.parametrize(
    ("scores", "mean"),
    [((), None), ((None,), None), ((4.0,), 4.0), ((4.0, None, 3.0, 3.0), 3.33), ((3.0, 3.0, 3.02), 3.01)],
)
def test_the_mean_is_of_scores_only(scores: tuple[float | None, ...], mean: float | None) -> None:
    assert trend.mean_score(rows(*scores)) == mean


@pytest.mark.parametrize(
    ("average", "before", "direction"),
    [
        (4.2, 4.0, "up"),
        (4.0, 4.2, "down"),
        (4.1, 4.0, "level"),
        (4.0, 4.1, "level"),
        (0.15, 0.0, "up"),
        (None, 4.0, None),
        (4.0, None, None),
    ],
)
def test_a_small_difference_says_nothing(
    average: float | None, before: float | None, direction: str | None
) -> None:
    assert trend.score_direction(average, before) == direction


@pytest.mark.parametrize(
    ("overall", "text"),
    [
        (3.9999, "3.99"),
        (3.996, "3.99"),
        (4.0, "4.00"),
        (4.35, "4.35"),
        (3.86, "3.86"),
        (4.29, "4.29"),
        (5, "5.00"),
        (0, "0.00"),
    ],
)
def test_a_score_is_never_shown_as_more_than_it_is(overall: float, text: str) -> None:
    assert trend.score_text(overall) == text


@given(st.integers(0, 500))
def test_a_score_of_two_decimals_is_shown_as_it_is(hundredths: int) -> None:
    assert trend.score_text(hundredths / 100) == f"{hundredths // 100}.{hundredths % 100:02d}"


# storylines -----------------------------------------------------------------------------------------


def presence(
    listed: list[Any],
    active: tuple[str, ...] = (),
    dormant: tuple[str, ...] = (),
    seen: dict[str, int] | None = None,
    last: int = 30,
    **more: bool,
) -> list[dict[str, Any]]:
    return trend.storyline_presence(listed, active, dormant, seen or {}, last, **more)


def test_a_storyline_in_full() -> None:
    assert presence([{"id": "a", "name": "渡口线", "status": "active"}], seen={"a": 28}) == [
        {"id": "a", "name": "渡口线", "last_seen": 28, "asleep": False, "late": False, "unsure": False}
    ]


@pytest.mark.parametrize(
    ("status", "active", "dormant", "asleep"),
    [
        ("active", (), (), False),
        (None, (), (), False),
        (7, (), (), False),
        *((status, (), (), True) for status in ("dormant", " Resolved ", "completed", "closed", "ended")),
        *((status, (), (), True) for status in ("休眠", "完结", "已完结", "已收束")),
        ("dormant", ("a",), (), False),
        ("active", ("b",), (), True),
        ("active", (), ("a",), True),
        ("active", ("a",), ("a",), True),
        ("active", (), ("b",), False),
    ],
)
def test_who_is_asleep(
    status: object, active: tuple[str, ...], dormant: tuple[str, ...], asleep: bool
) -> None:
    line = presence([{"id": "a", "status": status}], active, dormant)[0]
    assert (line["id"], line["asleep"], line["late"]) == ("a", asleep, not asleep)


@pytest.mark.parametrize(
    ("seen", "last", "gaps", "late", "unsure"),
    [
        ({}, 10, False, True, False),
        ({}, 9, False, False, False),
        ({}, 10, True, False, True),
        ({}, 9, True, False, True),
        ({"a": 10}, 10, False, False, False),
        ({"a": 10}, 10, True, False, False),
        ({"b": 10}, 10, False, True, False),
    ],
)
def test_who_is_late_and_who_may_have_been_there(
    seen: dict[str, int], last: int, gaps: bool, late: bool, unsure: bool
) -> None:
    line = presence([{"id": "a"}], seen=seen, last=last, gaps=gaps)[0]
    assert (line["late"], line["unsure"]) == (late, unsure)
    asleep = presence([{"id": "a"}], dormant=("a",), seen=seen, last=last, gaps=gaps)[0]
    assert (asleep["late"], asleep["unsure"]) == (False, False)


def test_gaps_are_none_unless_said() -> None:
    assert presence([{"id": "a"}])[0]["unsure"] is False


def test_the_books_list_then_the_schedule_then_what_was_seen() -> None:
    found = presence([{"id": "b"}, {"id": "a"}], ("d", "a"), (), {"f": 3, "e": 2, "b": 1})
    assert [one["id"] for one in found] == ["b", "a", "d", "e", "f"]
    assert [(one["name"], one["last_seen"]) for one in found][3:] == [("e", 2), ("f", 3)]


def test_nonsense_in_the_list_of_storylines_is_passed_over_and_the_first_of_an_id_counts() -> None:
    listed = [7, {"id": ""}, {"id": 5}, {"name": "x"}, {"id": "a", "name": 3}, {"id": "a", "name": "二"}]
    assert [(one["id"], one["name"]) for one in presence(listed, last=3)] == [("a", "a")]


# half lines -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, "近 5 章均分 3.74，之前 4.50，在下降；偏低：第 10 章 3.40"),
        ({"direction": "up", "low": []}, "近 5 章均分 3.74，之前 4.50，在上升"),
        ({"direction": "level", "low": []}, "近 5 章均分 3.74，之前 4.50，持平"),
        ({"direction": None, "chapters": [1, 2, 3], "low": []}, "近 3 章均分 3.74"),
        ({"average": None}, ""),
    ],
)
def test_a_trend_as_half_a_line(changes: dict[str, Any], text: str) -> None:
    low = [{"chapter": 10, "overall": 3.4}]
    scores = {"average": 3.74, "before": 4.5, "direction": "down", "chapters": list(range(6)), "low": low}
    assert trend.trend_text({**scores, **changes}) == text


@pytest.mark.parametrize(
    ("description", "due", "text"),
    [
        ("灯的数目", 9, "灯的数目（clue-001，最迟第 9 章收）"),
        ("灯的数目", None, "灯的数目（clue-001）"),
        ("clue-001", 9, "clue-001，最迟第 9 章收"),
        ("clue-001", None, "clue-001"),
        ("灯" * 61, 0, "灯" * 59 + "…（clue-001，最迟第 0 章收）"),
    ],
)
def test_a_thread_as_half_a_line(description: str, due: int | None, text: str) -> None:
    assert trend.thread_text({"id": "clue-001", "description": description, "due": due}) == text


@pytest.mark.parametrize(
    ("seen", "unsure", "late", "text"),
    [
        (7, False, False, "塔线 第 7 章"),
        (7, True, True, "塔线 第 7 章"),
        (None, True, False, "塔线 看不出（有的章没有记录，或读不出来）"),
        (None, False, True, "塔线 近 10 章没出现"),
        (None, False, False, "塔线 还没出现"),
    ],
)
def test_a_storyline_as_half_a_line(seen: int | None, unsure: bool, late: bool, text: str) -> None:
    one = {"id": "a", "name": "塔线", "last_seen": seen, "unsure": unsure, "late": late}
    assert trend.storyline_text(one) == text
