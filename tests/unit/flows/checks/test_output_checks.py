"""A step's outputs: a verdict on another text, judges that are missing, chapters too short or too long."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.flows.checks import output_checks
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def made(tmp_path: Path) -> Book:
    made = book(tmp_path)
    made.stage("refined")
    made.draft()
    made.records()
    made.evaluation()
    return made


def desk(made: Book) -> Desk:
    return Desk(Reading(Project(str(made.root))), 1, 2)


def wrong(made: Book, phase: str) -> list[tuple[str, str | None]]:
    return [(p.code, p.path) for p in output_checks.outputs(desk(made), phase)[1]]


UNUSABLE = "EVALUATION_UNUSABLE"


def test_a_verdict_on_this_very_text_passes(made: Book) -> None:
    assert wrong(made, "judge") == []


def test_one_on_another_text_does_not(made: Book) -> None:
    made.draft(version=2)
    (problem,) = output_checks.outputs(desk(made), "judge")[1]
    assert (problem.code, problem.path, problem.severity) == (UNUSABLE, made.staged("evaluation"), "error")


def test_one_that_does_not_say_which_is_taken_at_its_word(made: Book) -> None:
    made.evaluation(text_sha256=None)
    assert wrong(made, "judge") == []


def test_a_key_chapter_waits_for_its_second_judge(made: Book) -> None:
    made.key_chapter()
    (problem,) = output_checks.outputs(desk(made), "judge")[1]
    assert problem.code == UNUSABLE and "第二评审" in str(problem)
    made.evaluation(second=4.2)
    assert wrong(made, "judge") == []


def test_a_broken_verdict_is_not_asked_any_more(made: Book) -> None:
    made.write(made.staged("evaluation"), "{")
    made.draft(version=2)
    assert wrong(made, "judge") == [(UNUSABLE, made.staged("evaluation"))]


def test_only_the_judges_step_looks_at_the_verdict(made: Book) -> None:
    made.draft(version=2)
    assert wrong(made, "summarize") == [] and wrong(made, "draft") == []


# length ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chars", "off", "stub"),
    [
        (100, None, None),
        (200, None, None),
        (150, None, None),
        (95, None, None),
        (210, None, None),
        (94, "还差 6 字", False),
        (50, "还差 50 字", False),
        (49, "还差 51 字", True),
        (211, "多了 11 字", False),
    ],
)
def test_the_ends_of_the_wanted_length_are_in_it(
    made: Book, chars: int, off: str | None, stub: bool | None
) -> None:
    made.write(layout.CONFIG, "chapter_chars: [100, 200]\n")
    found = list(output_checks.length_problems(desk(made), "draft", chars))
    if off is None:
        assert found == []
    else:
        (problem,) = found
        assert (problem.code, problem.severity) == ("CHAPTER_LENGTH", "warning")
        assert off in str(problem) and problem.values["stub"] is stub


@pytest.mark.parametrize(
    ("phase", "advised"), [("draft", True), ("revise", True), ("refine", False), ("polish", False)]
)
def test_only_a_writer_is_advised(made: Book, phase: str, advised: bool) -> None:
    made.write(layout.CONFIG, "chapter_chars: [100, 200]\n")
    for chars in (10, 900):
        (problem,) = output_checks.length_problems(desk(made), phase, chars)
        assert bool(problem.values["how"]) is advised
        assert problem.values["stub"] is (phase == "draft" and chars == 10)
