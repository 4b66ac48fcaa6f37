"""The crossref report has to fit the chapter and itself."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.state import leak_check


def report(**changes: Any) -> dict[str, Any]:
    reference = {"entity": "玉佩", "source_storyline": "side-line", "context": "拾到"}
    return {
        "storyline_id": "main-line",
        "cross_references": [reference],
        "leak_risk": "none",
        "leak_detail": "",
        **changes,
    }


def found(document: Any) -> list[tuple[str, str]]:
    problems = leak_check.problems(document, "main-line", ["side-line"], "x.json")
    assert {problem.path for problem in problems} <= {"x.json"}
    return [(problem.severity, problem.values["where"]) for problem in problems]


@pytest.mark.parametrize(
    ("document", "problems"),
    [
        (report(), []),
        (report(cross_references=[]), []),
        (report(leak_risk="low"), []),
        (report(leak_risk="high", leak_detail="他还不知道"), []),
        (report(leak_risk="high"), [("error", "leak_detail")]),
        (report(leak_risk="high", leak_detail=" "), [("error", "leak_detail")]),
        (report(leak_risk="high", leak_detail=None), [("error", "leak_detail")]),
        (report(leak_risk="some"), [("error", "leak_risk")]),
        (report(leak_risk=["high"]), [("error", "leak_risk")]),
        (report(storyline_id="side-line"), [("error", "storyline_id")]),
        (report(cross_references=[{"source_storyline": "third"}]), [("warning", "cross_references[0]")]),
        (report(cross_references=[{"source_storyline": "main-line"}]), []),
        (report(cross_references=[{}]), [("error", "cross_references[0]")]),
        (report(cross_references=["玉佩"]), [("error", "cross_references[0]")]),
        (report(cross_references=None), [("error", "cross_references")]),
        ([], [("error", "整份内容")]),
    ],
    ids=str,
)
def test_a_report(document: Any, problems: list[tuple[str, str]]) -> None:
    assert found(document) == problems


def test_without_a_schedule_no_storyline_is_unknown() -> None:
    document = report(cross_references=[{"source_storyline": "third"}])
    assert leak_check.problems(document, "main-line", (), "x.json") == []


def test_an_unknown_source_is_named() -> None:
    document = report(cross_references=[{"source_storyline": "side-line"}, {"source_storyline": "third"}])
    (found,) = leak_check.problems(document, "main-line", ["side-line"], "x.json")
    assert (found.values["storyline"], found.values["where"]) == ("third", "cross_references[1]")
