"""What a host tells of its agents, in the work log and with the hand-out."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from builders import OTHER, OWNER, Book, book, killed_landing, make_verdict

from novel_hooks import layout
from novel_hooks.errors import LockBusy, Problem
from novel_hooks.flows.chapter.handout import Run
from novel_hooks.flows.pipeline import agent_report
from novel_hooks.flows.pipeline.agent_report import Ended
from novel_hooks.flows.session.caller import Caller
from novel_hooks.store.files.project import Project
from novel_hooks.store.host.owner import owner

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
    return agent_report.record_run(Project(str(made.root)), caller(name), ended, run)


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


def test_a_hand_out_that_a_killed_landing_holds_is_heard(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    handed = made.at(layout.HANDOUT).read_bytes()
    made.drop(layout.HANDOUT)
    killed_landing(made, monkeypatch, {layout.HANDOUT: handed, layout.BLACKLIST: b"{}\n"})
    assert worked(made, run("one", output_tokens=7)) is True


# --- a text that is written over does not tell by itself that its agent is done ---------------------

REFINER = Ended("style-refiner", None)


def due(book: Book) -> tuple[str, bool]:
    found = book.next()
    return found["step"], found["recorded"]


@pytest.fixture
def drafted(tmp_path: Path) -> Book:
    """Chapter 2 is with its refiner."""
    found = book(tmp_path)
    found.until("drafted")
    found.ok("instructions", found.step("refine"))
    return found


def test_a_refiner_who_was_seen_to_finish_is_not_asked_again(drafted: Book) -> None:
    assert due(drafted) == (drafted.step("refine"), False)
    drafted.draft("# 第 2 章 夜渡\n\n润过的。\n")
    assert due(drafted) == (drafted.step("refine"), False), "he may be in the middle of it"
    assert worked(drafted, run("a"), REFINER)
    assert due(drafted) == (drafted.step("refine"), True)
    drafted.advance("refine")
    assert due(drafted) == (drafted.step("judge"), False)


def test_what_failed_is_asked_for_again(drafted: Book) -> None:
    worked(drafted, run("a"), REFINER)
    drafted.ok("fail", drafted.step("refine"), "--reason", "不合格")
    assert due(drafted) == (drafted.step("refine"), False)


def test_what_is_handed_out_again_is_not_done(drafted: Book) -> None:
    worked(drafted, run("a", duration_ms=5), REFINER)
    drafted.ok("instructions", drafted.step("refine"))
    assert due(drafted) == (drafted.step("refine"), False)
    worked(drafted, run("b", duration_ms=7), REFINER)
    drafted.advance("refine")
    assert drafted.json(layout.work_log(2))["stages"][-1]["duration_ms"] == 12, "both have worked"


@pytest.mark.parametrize("changed", [True, False])
def test_a_writer_who_revised_nothing_has_not_finished(tmp_path: Path, changed: bool) -> None:
    """He reports that the plan cannot be written; the step stays with him."""
    found = book(tmp_path)
    found.until("judged", 3.2)
    found.ok("instructions", found.step("revise"))
    if changed:
        found.draft(version=2)
    assert worked(found, run("a"))
    assert due(found) == (found.step("revise"), changed)


def test_a_polish_that_changed_nothing_is_done(tmp_path: Path) -> None:
    found = book(tmp_path)
    found.until("judged", 3.7)
    found.ok("instructions", found.step("polish"))
    assert worked(found, run("a"), REFINER)
    assert due(found) == (found.step("polish"), True)


# a judge's words -----------------------------------------------------------------------------------


JUDGE = Ended("quality-judge", None)


def taken(made: Book, words: str, ended: Ended = JUDGE) -> Any:
    return agent_report.take_verdict(Project(str(made.root)), caller(), ended, words)


@pytest.fixture
def judging(tmp_path: Path) -> Book:
    """The verdict on chapter 2 is waited for."""
    made = book(tmp_path)
    made.until("refined")
    made.ok("instructions", made.step("judge"), "--write-manifest")
    return made


def test_a_verdict_is_taken_once(judging: Book) -> None:
    words = json.dumps(make_verdict(4.5), ensure_ascii=False)
    found = taken(judging, words)
    assert (found.chapter, found.role, found.overall, found.repeat) == (2, "primary", 4.5, False)
    assert judging.json(layout.HANDOUT)["recorded"] is True
    before = judging.tree()
    assert taken(judging, words) is None
    assert taken(judging, json.dumps(make_verdict(1.0), ensure_ascii=False)) is None
    assert judging.changed(before) == {}


def test_of_nobody_else_a_verdict_is_taken(judging: Book, made: Book) -> None:
    words = json.dumps(make_verdict(4.5), ensure_ascii=False)
    before = judging.tree()
    assert taken(judging, words, Ended("chapter-writer", None)) is None
    assert taken(judging, words, Ended("quality-judge", time.time() - 3600)) is None
    assert judging.changed(before) == {}
    assert taken(made, words, WRITER) is None, "a writer's step waits for no verdict"


def test_words_that_nobody_can_read_are_kept_and_refused(judging: Book) -> None:
    with pytest.raises(Problem):
        taken(judging, "这一章很好。\ud800")
    assert judging.at(layout.raw_verdict(2, 0, "primary", 1)).is_file()
    assert "recorded" not in judging.json(layout.HANDOUT)
