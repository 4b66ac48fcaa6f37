"""The five lines: each fact makes its line, in the order of urgency, and nothing makes none."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks import errors
from novel_hooks.rules.report import attention
from novel_hooks.rules.report.habit_rates import REPEATED


def row(chapter: int, **fields: Any) -> dict[str, Any]:
    plain = {"chapter": chapter, "overall": 4.2, "forced": False, "chars": 3000, "habits": [1.0, 9.0]}
    return {**plain, **fields}


def report(**fields: Any) -> dict[str, Any]:
    calm = {
        "chapters": [row(n) for n in range(1, 25)],
        "bands": {"polish": 3.5},
        "chapter_chars": [2500, 3800],
        "habit_kinds": ["用词", REPEATED],
        "storylines": [],
        "threads": [],
        "repeats": [],
        "waiting": {"stop": False, "reason": "接着写", "skill": "/novel:continue"},
        "failures": [],
        "edited": [],
    }
    return {**calm, **fields}


def late(name: str) -> dict[str, Any]:
    return {"state": "due", "description": name, "window": [3, 9]}


CASES: dict[str, tuple[dict[str, Any], str]] = {
    "waiting": ({"waiting": {"stop": True, "reason": "分数过低", "skill": "/novel:start"}}, "分数过低"),
    "failure": (
        {"failures": [{"name": "写初稿", "reason": None, "stopped": False}]},
        "「写初稿」没有做成",
    ),
    "edited": ({"edited": [3, 7]}, "第 3、7 章入库后手改过"),
    "threads": (
        {"threads": [late("缆绳"), late("长" * 30), late("丙"), late("丁")]},
        "…（最迟第 9 章）、丙（最迟第 9 章） 等 4 条",
    ),
    "scores": (
        {"chapters": [row(1), row(2, overall=3.1), row(3, forced=True)]},
        "第 2、3 章偏低或勉强放行，最低是第 2 章 3.10",
    ),
    "trend": (
        {"chapters": [row(n, overall=4.5 if n < 6 else 4.0) for n in range(1, 11)]},
        "近 5 章 4.00，之前 4.50",
    ),
    "storylines": ({"storylines": [{"name": "塔", "awake": True, "last": 14}]}, "塔（上次第 14 章）"),
    "lengths": (
        {"chapters": [row(1, chars=900), row(2, chars=None)]},
        "第 1 章不在 2500～3800 字之间",
    ),
    "habits": (
        {"chapters": [row(n, habits=[1.0 if n < 15 else 2.5, 0.0]) for n in range(1, 25)]},
        "「用词」多起来了：近 10 章每千字 2.5 处，之前 1.0 处",
    ),
    "repeats": ({"repeats": [{"count": 4}, {"count": 2}]}, "有 1 句"),
}


def test_a_calm_book_has_no_line() -> None:
    assert attention.first_lines(report()) == []
    assert attention.first_lines(report(chapters=[], waiting=None)) == []


@pytest.mark.parametrize("kind", CASES)
def test_each_fact_has_its_line_and_what_to_do(kind: str) -> None:
    fields, words = CASES[kind]
    (line,) = attention.first_lines(report(**fields))
    assert line["kind"] == kind and words in line["text"] and line["how"].endswith("。")


@pytest.mark.parametrize(
    "fields",
    [
        {"failures": [{"name": "写初稿", "reason": "没有交稿", "stopped": True}]},
        {"threads": [{"state": "open", "description": "缆绳", "window": [3, 90]}]},
        {"storylines": [{"name": "塔", "awake": True, "last": 15}]},
        {
            "storylines": [
                {"name": "塔", "awake": False, "last": 1},
                {"name": "井", "awake": True, "last": None},
            ]
        },
        {"repeats": [{"count": 2}]},
        {"chapters": [row(n, habits=[1.0 if n < 15 else 1.9, 0.0]) for n in range(1, 25)]},
        {"chapters": [row(n, habits=[0.2 if n < 15 else 0.9, 0.0]) for n in range(1, 25)]},
    ],
)
def test_what_is_within_its_limit_makes_none(fields: dict[str, Any]) -> None:
    assert attention.first_lines(report(**fields)) == []


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        (
            {"threads": [late("缆绳"), late("长" * 24), late("长" * 25)]},
            f"该收没收的伏笔：缆绳（最迟第 9 章）、{'长' * 24}（最迟第 9 章）、{'长' * 23}…（最迟第 9 章）。",
        ),
        (
            {"chapters": [row(n, habits=[0.5 if n < 15 else 1.0, 0.0]) for n in range(1, 25)]},
            "「用词」多起来了：近 10 章每千字 1.0 处，之前 0.5 处。",
        ),
    ],
)
def test_a_line_word_by_word(fields: dict[str, Any], text: str) -> None:
    (line,) = attention.first_lines(report(**fields))
    assert line["text"] == text


def test_a_chapter_at_either_end_of_the_length_is_within_it() -> None:
    assert attention.first_lines(report(chapters=[row(1, chars=2500), row(2, chars=3800)])) == []
    assert attention.first_lines(report(chapters=[row(1, chars=2499), row(2, chars=3801)])) != []


def test_of_a_chapter_let_through_without_a_score_none_is_told() -> None:
    (line,) = attention.first_lines(report(chapters=[row(1, forced=True, overall=None)]))
    assert "最低" not in line["text"] and "XX" not in line["text"]


def test_five_at_most_the_urgent_ones_first() -> None:
    everything: dict[str, Any] = {}
    for fields, _ in CASES.values():
        everything.update({key: value for key, value in fields.items() if key != "chapters"})
    everything["chapters"] = [row(n, overall=3.0, chars=900) for n in range(1, 25)]
    kinds = [line["kind"] for line in attention.first_lines(report(**everything))]
    assert kinds == ["waiting", "failure", "edited", "threads", "scores"]


def test_chapters_that_are_not_recorded_come_behind_what_waits() -> None:
    backlog = [errors.BacklogWaits(needed=30, count=28)]
    fields = {"edited": [3], "threads": [late("缆绳")]}
    lines = attention.first_lines(report(**fields), backlog)
    assert [one["kind"] for one in lines] == ["edited", "backlog", "threads"]
    assert "还有 28 章没有补记" in lines[1]["text"] and "novel sync --backlog" in lines[1]["how"]
