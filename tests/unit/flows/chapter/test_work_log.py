"""A chapter's work log: whose duration it is, and which line a run belongs to."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import errors, layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.chapter import handout, step_result, work_log
from novel_hooks.flows.chapter.handout import Handout, Run
from novel_hooks.flows.session.caller import Caller
from novel_hooks.flows.session.session import writing
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.store.files.project import Project
from novel_hooks.store.host.owner import owner

if TYPE_CHECKING:
    from pathlib import Path

    from novel_hooks.store.journal.journal import Change

DRAFT, JUDGE = "chapter:002:draft", "chapter:002:judge"
RUN = Run("a", "opus", {"input_tokens": 3, "duration_ms": 9})


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path)


def reading(made: Book) -> Reading:
    return Reading(Project(str(made.root)))


def out(made: Book, step: str = DRAFT, **fields: Any) -> None:
    given = Handout(step=step, revisions=0, at=100.0, model="sonnet", given=True)
    made.write(layout.HANDOUT, handout.dump(given.changed(**fields)))


def log(made: Book, *names: str) -> None:
    stages = [{"name": name, "model": None, "duration_ms": 1} for name in names]
    made.write(layout.work_log(2), {"chapter": 2, "started_at": "t", "stages": stages})


def written(changes: list[Change]) -> dict[str, Any]:
    return {change.path: json.loads(change.data) for change in changes}


# the stage's line ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "now", "duration"),
    [(100.0, 101.5, 1500), (100.0, 100.0, 0), (100.0, 99.0, None), (None, 9.0, None)],
)
def test_a_duration_is_since_the_hand_out(
    made: Book, at: float | None, now: float, duration: int | None
) -> None:
    out(made, at=at)
    assert work_log.stage_entry(reading(made), DRAFT, "draft", now) == {
        "name": "draft",
        "model": "sonnet",
        "duration_ms": duration,
        "input_tokens": None,
        "output_tokens": None,
    }


def test_another_steps_hand_out_says_nothing_of_this_one(made: Book) -> None:
    out(made, JUDGE, runs=({"id": "a", "model": "opus", "input_tokens": 5},))
    entry = work_log.stage_entry(reading(made), DRAFT, "draft", 200.0)
    assert (entry["model"], entry["duration_ms"], entry["input_tokens"]) == (None, None, None)


def test_runs_are_summed_and_the_last_model_counts(made: Book) -> None:
    runs = (
        {"id": "a", "model": "haiku", "input_tokens": 5, "duration_ms": 100},
        {"id": "b", "model": "opus", "input_tokens": 7, "output_tokens": None},
        {"id": "c", "model": None, "duration_ms": 50},
    )
    out(made, runs=runs)
    entry = work_log.stage_entry(reading(made), DRAFT, "draft", 101.0)
    assert (entry["model"], entry["duration_ms"]) == ("opus", 150)
    assert (entry["input_tokens"], entry["output_tokens"]) == (12, None)


def test_stages_are_added_and_the_beginning_stays(made: Book) -> None:
    log(made, "draft")
    change = work_log.add_stages(reading(made), 2, [{"name": "refine"}], "later")
    document = json.loads(change.data)
    assert (change.path, document["started_at"]) == (layout.work_log(2), "t")
    assert [stage["name"] for stage in document["stages"]] == ["draft", "refine"]


@pytest.mark.parametrize("content", ["[]", '{"stages": {}}', '{"stages": 3}'])
def test_a_broken_log_is_damage(made: Book, content: str) -> None:
    made.write(layout.work_log(2), content)
    with pytest.raises(errors.OwnFileDamaged):
        work_log.read(reading(made), 2)


# a run -----------------------------------------------------------------------------------------------


def test_a_run_is_noted_with_the_hand_out_and_the_stage_is_still_to_come(made: Book) -> None:
    out(made, JUDGE)
    log(made, "draft", "judge")
    found = written(work_log.run_changes(reading(made), RUN))
    assert list(found) == [layout.HANDOUT], "no verdict of this hand-out has been taken"
    assert found[layout.HANDOUT]["done"] is True
    assert found[layout.HANDOUT]["runs"] == [
        {"id": "a", "model": "opus", "input_tokens": 3, "duration_ms": 9}
    ]


def test_the_line_of_a_verdict_that_was_taken_is_renewed(made: Book) -> None:
    out(made, JUDGE, recorded=True)
    log(made, "judge", "judge")
    stages = written(work_log.run_changes(reading(made), RUN))[layout.work_log(2)]["stages"]
    assert stages[0] == {"name": "judge", "model": None, "duration_ms": 1}
    assert stages[1] == {"name": "judge", "model": "opus", "duration_ms": 9, "input_tokens": 3}


@pytest.mark.parametrize("names", [(), ("judge", "revise")])
def test_a_line_that_is_not_the_judges_stays(made: Book, names: tuple[str, ...]) -> None:
    out(made, JUDGE, recorded=True)
    log(made, *names)
    assert list(written(work_log.run_changes(reading(made), RUN))) == [layout.HANDOUT]


def test_a_run_that_is_told_twice_or_with_nothing_out_changes_nothing(made: Book) -> None:
    assert work_log.run_changes(reading(made), RUN) == []
    out(made, runs=({"id": "a"},))
    assert work_log.run_changes(reading(made), RUN) == []


# a stage that was passed over ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "at_hand", "name"),
    [
        (DRAFT, "chapter:002:summarize", "draft"),
        (DRAFT, "chapter:002:refine", "draft"),
        ("chapter:002:summarize", "chapter:002:refine", "summarize"),
        (DRAFT, "chapter:002:judge", None),
        (DRAFT, "chapter:003:summarize", None),
        ("chapter:002:refine", "chapter:002:judge", None),
        ("sync:002:summarize", "sync:002:refine", None),
    ],
)
def test_a_step_that_was_found_before_it_advanced_has_its_line(
    made: Book, step: str, at_hand: str, name: str | None
) -> None:
    out(made, step)
    found = work_log.passed_stages(reading(made), at_hand, 0)
    assert [one["name"] for one in found] == ([] if name is None else [name])
    assert work_log.passed_stages(reading(made), at_hand, 1) == [], "of another round"


# the bookkeeping of an advance -----------------------------------------------------------------------


def bookkeeping(made: Book, step: str) -> list[tuple[str, str]]:
    with writing(Project(str(made.root)), Caller(owner({}, "a"), 200.0)) as session:
        changes = step_result.bookkeeping(session, Reading(session.project), steps.parse(step))
    return [(change.kind, change.path) for change in changes if change.path != layout.VALIDITY]


def test_an_advance_takes_the_hand_out_back(made: Book) -> None:
    out(made)
    assert bookkeeping(made, DRAFT) == [("put", layout.work_log(2)), ("remove", layout.HANDOUT)]
    made.drop(layout.HANDOUT)
    assert bookkeeping(made, DRAFT) == [("put", layout.work_log(2))]


def test_a_judges_line_was_written_with_his_verdict(made: Book) -> None:
    out(made, JUDGE)
    assert bookkeeping(made, JUDGE) == [("remove", layout.HANDOUT)]
