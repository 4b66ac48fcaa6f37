"""The next step: an older checkpoint, what setting up waits for, and when a volume's plan is whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from planbook import staged_book

from novel_hooks import errors, layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.briefing import due_step
from novel_hooks.rules.outline import brief
from novel_hooks.rules.steps.next_step import Planned
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from pathlib import Path


def reading(made: Book) -> Reading:
    return Reading(Project(str(made.root)))


def planned(made: Book) -> Planned:
    book = reading(made)
    return due_step.planned(book, book.checkpoint())


# an older checkpoint -----------------------------------------------------------------------------------


@pytest.fixture
def behind(tmp_path: Path) -> Book:
    """Three chapters landed, and a checkpoint of before the last one came back."""
    made = book(tmp_path, 3)
    made.point(last_completed_chapter=2)
    return made


def test_a_checkpoint_that_is_behind_its_chapters_leads_nowhere(behind: Book) -> None:
    with pytest.raises(errors.CheckpointBehind) as caught:
        due_step.view(reading(behind))
    assert (caught.value.path, caught.value.values["chapter"]) == (layout.CHECKPOINT, 3)


def test_in_the_middle_of_a_landing_it_is_no_older_one(behind: Book) -> None:
    behind.at(layout.JOURNAL).mkdir(parents=True)
    assert due_step.view(reading(behind)).due.step is not None


def test_where_nothing_is_written_no_chapter_is_in_the_way(behind: Book) -> None:
    behind.point(
        orchestrator_state="ERROR_RETRY", error={"step": "chapter:003:draft", "from_state": "WRITING"}
    )
    assert due_step.view(reading(behind)).due.stop


def test_a_contradiction_comes_before_everything(behind: Book) -> None:
    behind.point(pipeline_stage="drafting", inflight_chapter=None)
    with pytest.raises(errors.Problem) as caught:
        due_step.view(reading(behind))
    assert not isinstance(caught.value, errors.CheckpointBehind)


# setting up ------------------------------------------------------------------------------------------


@pytest.fixture
def setup(tmp_path: Path) -> Book:
    """All of the setup is staged, nothing has landed."""
    return staged_book(tmp_path / "book")


def test_a_setup_that_is_staged_and_right_is_whole(setup: Book) -> None:
    assert planned(setup) == Planned()


@pytest.mark.parametrize(
    ("phase", "path"),
    [
        ("brief", layout.BRIEF),
        ("world", layout.WORLD_RULES),
        ("style", layout.STYLE_PROFILE),
    ],
)
def test_the_first_phase_without_an_output_is_due(setup: Book, phase: str, path: str) -> None:
    setup.drop(layout.staged(path))
    assert planned(setup).setup == phase


def test_a_broken_output_is_due_again(setup: Book) -> None:
    setup.write(layout.staged(layout.WORLD_RULES), "{")
    assert planned(setup).setup == "world"


def test_a_brief_with_open_places_is_in_the_making_until_a_step_has_advanced(setup: Book) -> None:
    text = setup.at(layout.staged(layout.BRIEF)).read_text("utf-8")
    setup.write(layout.staged(layout.BRIEF), f"{text}\n{brief.OPEN_MARK}\n")
    assert planned(setup).setup == "brief"
    setup.point(orchestrator_state="QUICK_START")
    assert planned(setup).setup is None


def question() -> dict[str, Any]:
    choices = [{"label": "甲", "effect": "甲"}, {"label": "乙", "effect": "乙"}]
    return {"id": "toll", "header": "价", "question": "要什么？", "why": "要紧。", "choices": choices}


def ask(made: Book, step: str) -> None:
    path = layout.questions(step.replace(":", "-"))
    made.write(path, {"questions": [question()], "conflicts": []})


def test_a_question_of_a_planner_is_due_and_then_his_answer(setup: Book) -> None:
    ask(setup, "setup:world")
    found = planned(setup)
    assert (found.setup, found.asked is not None, found.decided) == ("world", True, False)
    setup.ok("answer", "setup:world", "toll", "2")
    found = planned(setup)
    assert (found.setup, found.asked, found.decided) == ("world", None, True)
    setup.ok("instructions", "setup:world")
    setup.ok("advance", "setup:world")
    assert planned(setup).setup is None


# a volume's plan ---------------------------------------------------------------------------------------


@pytest.fixture
def volume(tmp_path: Path) -> Book:
    """Set up, with a whole plan of the first volume in staging."""
    made = staged_book(tmp_path / "book", "volumes", layout.STORYLINES)
    made.ok("commit", "--setup")
    return made


def test_a_plan_is_validated_and_then_lands(volume: Book) -> None:
    assert planned(volume).volume_phase == "validate"
    volume.point(last_step="volume:01:validate")
    assert planned(volume).volume_phase == "commit"


def test_a_plan_that_is_spoilt_is_planned_again(volume: Book) -> None:
    volume.write(layout.staged(layout.schedule(1)), "{")
    assert planned(volume) == Planned(faulty=True)


def test_an_answer_is_carried_out_before_the_plan_goes_on(volume: Book) -> None:
    ask(volume, "volume:01:outline")
    found = planned(volume)
    assert (found.asked is not None, found.decided, found.volume_phase) == (
        True,
        False,
        Planned().volume_phase,
    )
    volume.ok("answer", "volume:01:outline", "toll", "2")
    found = planned(volume)
    assert (found.asked, found.decided, found.volume_phase) == (None, True, Planned().volume_phase)


def test_a_volume_that_has_a_plan_is_planned_anew(tmp_path: Path) -> None:
    made = book(tmp_path, 3)
    made.point(orchestrator_state="VOL_PLANNING")
    assert planned(made).replan is True
    made.point(last_completed_chapter=6)
    assert planned(made).replan is False


def test_a_volume_that_has_begun_and_of_which_nothing_can_be_read_is_not_planned_anew(tmp_path: Path) -> None:
    made = book(tmp_path, 3)
    assert planned(made) == Planned(outline=True, end=6)
    made.write(layout.outline(1), "没有标题。\n")
    with pytest.raises(errors.OutlineEmpty):
        planned(made)
