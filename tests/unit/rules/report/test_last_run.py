"""The last run."""

from __future__ import annotations

from typing import Any

from novel_hooks.rules.report.last_run import last_run
from novel_hooks.rules.steps.step_name import Step


def row(chapter: int, chars: int | None) -> dict[str, Any]:
    plain = {
        "overall": 4.0,
        "decision": "pass",
        "gate": "通过",
        "revisions": 0,
        "forced": False,
        "accepted": False,
    }
    return {"chapter": chapter, "title": "渡", "chars": chars, "scores": [], **plain}


def test_a_run_has_its_chapters_what_they_cost_and_its_own_limits() -> None:
    stage = {
        "duration_ms": 5,
        "input_tokens": 10,
        "output_tokens": 2,
        "cache_creation_input_tokens": None,
        "cache_read_input_tokens": 3,
        "cost": 0.5,
        "rough": False,
    }
    limits = {"run_tokens": 9.0, "chapter_money": 1.0}
    found = last_run(
        "2026-03-01T22:00:00Z",
        2,
        5,
        [row(1, 10), row(2, 20), row(3, None)],
        [stage, stage],
        [Step("sync", 4, "judge"), Step("volume", 2, "outline"), Step("sync", 4, "summarize")],
        limits,
    )
    assert (found["recorded"], found["planned"]) == ([4], ["第 2 卷 · 写本卷大纲"])
    assert [one["chapter"] for one in found["chapters"]] == [2, 3] and "scores" not in found["chapters"][0]
    assert (found["chars"], found["wanted"], found["limits"]) == (20, 5, {"run_tokens": 9.0})
    assert (found["spent"]["tokens"], found["spent"]["cost"], found["spent"]["duration_ms"]) == (30, 1.0, 10)


def test_a_run_of_which_nothing_is_known() -> None:
    found = last_run("2026-03-01T22:00:00Z", 2, None, [], [], [], {})
    assert (found["chapters"], found["chars"], found["spent"]["tokens"]) == ([], 0, None)
