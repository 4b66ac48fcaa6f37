"""What a host tells of its agents, in the work log and with the hand-out."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from builders import OTHER, OWNER, Book, book

from novel_hooks import layout
from novel_hooks.errors import LockBusy
from novel_hooks.flows import heard
from novel_hooks.flows.caller import Caller
from novel_hooks.flows.handout import Run
from novel_hooks.flows.heard import Ended
from novel_hooks.store.owner import owner
from novel_hooks.store.project import Project

if TYPE_CHECKING:
    from pathlib import Path

WRITER = Ended("chapter-writer", None)


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """The draft of chapter 2 is handed out."""
    found = book(tmp_path)
    found.ok("lock", "acquire")
    found.ok("instructions", found.step("draft"))
    return found


def caller(name: str = OWNER) -> Caller:
    return Caller(owner({}, name), time.time())


def worked(made: Book, run: Run, ended: Ended = WRITER, name: str = OWNER) -> bool:
    return heard.worked(Project(str(made.root)), caller(name), ended, run)


def run(name: str, model: str | None = "m-1", **amounts: int) -> Run:
    return Run(name, model, amounts)


def draft(made: Book) -> dict[str, Any]:
    made.draft()
    made.advance("draft")
    (found,) = made.json(layout.work_log(2))["stages"]
    return dict(found)


def test_runs_are_summed_and_the_last_model_stands(made: Book) -> None:
    assert worked(made, run("a", duration_ms=5, input_tokens=10))
    assert worked(made, run("b", "m-2", duration_ms=7, output_tokens=3))
    assert worked(made, run("c", None))
    found = draft(made)
    assert (found["model"], found["duration_ms"]) == ("m-2", 12)
    assert (found["input_tokens"], found["output_tokens"]) == (10, 3)


def test_told_twice_is_as_good_as_once(made: Book) -> None:
    assert worked(made, run("a", duration_ms=5))
    before = made.tree()
    assert not worked(made, run("a", duration_ms=500))
    assert made.changed(before) == {}
    assert draft(made)["duration_ms"] == 5


def test_nothing_told_is_as_before(made: Book) -> None:
    found = draft(made)
    assert found["model"] == "sonnet" and found["duration_ms"] >= 0
    assert (found["input_tokens"], found["output_tokens"]) == (None, None)
    assert set(found) == {"name", "model", "duration_ms", "input_tokens", "output_tokens"}


def test_who_is_of_another_trade_or_began_earlier_is_not_heard(made: Book) -> None:
    before = made.tree()
    assert not worked(made, run("a"), Ended("summarizer", None))
    assert not worked(made, run("a"), Ended("chapter-writer", time.time() - 3600))
    assert made.changed(before) == {}
    assert worked(made, run("a"), Ended("chapter-writer", time.time()))


def test_after_the_step_nobody_is_heard(made: Book) -> None:
    draft(made)
    before = made.tree()
    assert not worked(made, run("late"))
    assert made.changed(before) == {}


def test_another_session_is_refused(made: Book) -> None:
    before = made.tree()
    with pytest.raises(LockBusy):
        worked(made, run("a"), name=OTHER)
    assert made.changed(before) == {}


def test_a_hand_out_that_is_damaged_is_none(made: Book) -> None:
    made.write(
        layout.HANDOUT,
        '{"step": "chapter:',
    )
    assert not worked(made, run("a"))
    made.write(layout.HANDOUT, {"step": "nonsense"})
    assert not worked(made, run("a"))
