"""Failures counted apart: of form and of content."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks import errors
from novel_hooks.rules.steps import checkpoint, failures, step_name

STEP = step_name.parse("chapter:001:draft")


def point(*sorts: str, step: str = "chapter:001:draft") -> checkpoint.Checkpoint:
    listed = [
        {"step": step, "revision_count": 0, "reason": "x", **({"form": True} if sort == "form" else {})}
        for sort in sorts
    ]
    document: dict[str, Any] = {**checkpoint.initial(1, "WRITING").document, "failures": listed}
    return checkpoint.parse(document)


@pytest.mark.parametrize(
    ("before", "sort", "last"),
    [
        ((), "form", False),
        (("form",), "form", False),
        (("form", "form"), "form", True),
        ((), "content", False),
        (("content",), "content", True),
        (("form",), "content", False),
        (("form", "form"), "content", False),
        (("content",), "form", False),
    ],
)
def test_which_failure_is_the_last(before: tuple[str, ...], sort: str, last: bool) -> None:
    assert failures.is_last(point(*before), STEP, sort == "form") is last


def test_another_steps_failures_do_not_count() -> None:
    other = point("content", "form", step="chapter:001:refine")
    assert not failures.has_failed(other, STEP)
    assert failures.count(other, STEP, True) == 0


def test_form_alone() -> None:
    form = errors.HeadingWrong("a.md", found=3, chapter=2)
    content = errors.TextEmpty("a.md", what="正文")
    warning = errors.SummaryTooLong("a.md", count=400, limit=300)
    assert failures.only_form([form, warning]) is True
    assert failures.only_form([form, content]) is False
    assert failures.only_form([warning]) is False


def test_an_entry_says_its_sort() -> None:
    assert failures.entry(point(), STEP, "坏了", True)["form"] is True
    assert "form" not in failures.entry(point(), STEP, "坏了", False)
