"""`novel gate`: its decision on the chapter in work, the record of a landed one, earlier rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book, make_verdict
from builders import fast_disk as fast_disk

from novel_hooks import errors, layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.briefing import due_step
from novel_hooks.flows.checks import gate
from novel_hooks.flows.checks.gate import Round
from novel_hooks.rules.evaluation.gate_entry import Bands
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Chapter 2 is judged."""
    made = book(tmp_path)
    made.stage("judged")
    made.draft()
    made.records()
    made.evaluation(3.2)
    return made


def reading(made: Book) -> Reading:
    return Reading(Project(str(made.root)))


def decided(decision: str, revisions: int, **more: Any) -> dict[str, Any]:
    return {"decision": decision, "revisions": revisions, "bands": Bands().to_json(), **more}


# the chapter in work ---------------------------------------------------------------------------------


def test_a_verdict_that_was_not_gated_is_weighed_now(made: Book) -> None:
    found = gate.run(reading(made), 2)
    assert (found.landed, found.revisions, found.outcome.decision) == (False, 0, "revise")
    assert (found.outcome.overall_final, found.earlier) == (3.2, ())


def test_used_up_revisions_let_it_pass(made: Book) -> None:
    made.stage("judged", 2)
    found = gate.run(reading(made), 2)
    assert (found.revisions, found.outcome.decision, found.outcome.force_passed) == (2, "pass", True)


def test_one_that_was_gated_is_told_as_it_was_then(made: Book) -> None:
    """A decision of the first round: the checkpoint counts the revision that it led to."""
    made.evaluation(3.2, gate=decided("revise", 0))
    made.stage("revising", 2)
    found = gate.run(reading(made), 2)
    assert (found.revisions, found.outcome.decision, found.outcome.force_passed) == (0, "revise", False)


def test_its_limits_are_those_of_then(made: Book) -> None:
    made.evaluation(3.2, gate=decided("pass", 0, bands=Bands(3.0, 2.5, 2.0, 1.0).to_json()))
    assert gate.run(reading(made), 2).outcome.decision == "pass"
    made.write(layout.CONFIG, "gate:\n  pass: 3.0\n  polish: 2.5\n  revise: 2.0\n  pause: 1.0\n")
    made.evaluation(3.2)
    assert gate.run(reading(made), 2).outcome.decision == "pass"
    made.evaluation(3.2, gate=decided("revise", 0))
    assert gate.run(reading(made), 2).outcome.decision == "revise"


@pytest.mark.parametrize("chapter", [3, 9])
def test_a_chapter_that_is_not_in_work_has_none(made: Book, chapter: int) -> None:
    made.write(layout.staged(layout.evaluation(chapter)), made.json(made.staged("evaluation")))
    with pytest.raises(errors.NoEvaluation) as caught:
        gate.run(reading(made), chapter)
    assert caught.value.path == layout.staged(layout.evaluation(chapter))


def test_neither_has_one_without_a_verdict_or_with_half_of_them(made: Book) -> None:
    made.key_chapter()
    with pytest.raises(errors.NoEvaluation):
        gate.run(reading(made), 2)
    made.evaluation(3.2, second=4.5)
    assert gate.run(reading(made), 2).outcome.overall_final == 3.2
    made.drop(made.staged("evaluation"))
    with pytest.raises(errors.NoEvaluation):
        gate.run(reading(made), 2)


def test_a_broken_verdict_is_told_as_that(made: Book) -> None:
    made.write(made.staged("evaluation"), "{")
    with pytest.raises(errors.Problem) as caught:
        gate.run(reading(made), 2)
    assert [p.code for p in caught.value.problems] == ["EVALUATION_UNUSABLE"]


# a landed chapter ------------------------------------------------------------------------------------


def landed(made: Book, entry: dict[str, Any], overall: float = 3.2) -> None:
    made.evaluation(overall, gate=entry)
    made.write(layout.evaluation(1), {**made.json(made.staged("evaluation")), "chapter": 1})


def test_a_landed_chapter_is_told_as_it_is_on_record(made: Book) -> None:
    landed(made, decided("pass", 2, force_passed=True))
    found = gate.run(reading(made), 1)
    assert (found.landed, found.revisions, found.outcome.decision) == (True, 2, "pass")
    assert found.outcome.force_passed is True


def test_its_staged_namesake_does_not_count(made: Book) -> None:
    landed(made, decided("pass", 0), 4.5)
    made.write(layout.staged(layout.evaluation(1)), {"overall": 1})
    assert gate.run(reading(made), 1).outcome.overall_final == 4.5


@pytest.mark.parametrize("content", [None, {}, {"overall": 4}])
def test_a_landed_one_without_verdicts_has_none(made: Book, content: Any) -> None:
    made.drop(layout.evaluation(1))
    if content is not None:
        made.write(layout.evaluation(1), content)
    with pytest.raises(errors.Problem):
        gate.run(reading(made), 1)


# earlier rounds --------------------------------------------------------------------------------------


def attempt(made: Book, number: int, entry: Any, overall: float = 3.1) -> None:
    document = {**make_verdict(overall), "overall_final": overall, "metadata": {"gate": entry}}
    made.write(f"{layout.attempts(2)}/{number:04d}-r/chapter-002-eval.json", document)


def test_the_rounds_before_are_told_the_first_one_first(made: Book) -> None:
    attempt(made, 1, decided("revise", 0), 3.0)
    attempt(made, 2, decided("revise", 1), 3.1)
    made.evaluation(4.5, gate=decided("pass", 2))
    found = gate.run(reading(made), 2)
    assert found.earlier == (Round(0, 3.0, "revise"), Round(1, 3.1, "revise"))


def test_what_is_of_an_earlier_life_is_not(made: Book) -> None:
    """The chapter was rewritten: its old rounds are none of the new ones."""
    attempt(made, 1, decided("revise", 0), 2.5)
    attempt(made, 2, decided("pause_for_user", 2), 2.6)
    attempt(made, 3, decided("revise", 0), 3.1)
    made.evaluation(4.5, gate=decided("pass", 1))
    assert gate.run(reading(made), 2).earlier == (Round(0, 3.1, "revise"),)


def test_a_first_round_has_none_before_it(made: Book) -> None:
    attempt(made, 1, decided("revise", 0))
    made.evaluation(4.5, gate=decided("pass", 0))
    assert gate.run(reading(made), 2).earlier == ()


@pytest.mark.parametrize("entry", [None, [], {"decision": 3, "revisions": 0}, {"decision": "revise"}])
def test_an_attempt_that_says_nothing_of_a_gate_is_passed_over(made: Book, entry: Any) -> None:
    attempt(made, 1, decided("revise", 0), 3.0)
    attempt(made, 2, entry)
    made.write(f"{layout.attempts(2)}/0003-r/chapter-002-eval.json", "{")
    made.write(f"{layout.attempts(2)}/0004-r/chapter-002-eval.json", "[]")
    made.write(f"{layout.attempts(2)}/0005-r/chapter-002.md", "x")
    made.evaluation(4.5, gate=decided("pass", 1))
    assert gate.run(reading(made), 2).earlier == (Round(0, 3.0, "revise"),)


# what the author is asked over -----------------------------------------------------------------------


def test_the_author_is_told_the_verdict_that_he_is_asked_about(made: Book) -> None:
    made.evaluation(2.2)
    found = gate.verdict_for_author(due_step.view(reading(made)))
    assert found is not None
    assert (found["overall"], found["decision"], found["text"]) == (
        2.2,
        "pause_for_user",
        made.staged("chapter"),
    )
    assert isinstance(found["faults"], list)


def test_where_nobody_is_asked_there_is_none(made: Book) -> None:
    assert gate.verdict_for_author(due_step.view(reading(made))) is None
    made.stage("refined")
    assert gate.verdict_for_author(due_step.view(reading(made))) is None
    made.stage(None)
    assert gate.verdict_for_author(due_step.view(reading(made))) is None
