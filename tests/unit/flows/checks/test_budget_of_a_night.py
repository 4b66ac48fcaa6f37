"""Steps that write no chapter are in the budget of a run: planning, syncs; the morning page tells of them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from builders import OWNER, Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.chapter import work_log
from novel_hooks.flows.chapter.handout import Run
from novel_hooks.flows.pipeline import agent_report
from novel_hooks.flows.pipeline.agent_report import Ended
from novel_hooks.flows.session.caller import Caller
from novel_hooks.store.files.project import Project
from novel_hooks.store.host.owner import owner
from tools import bookmaker

OUTLINE, ARCHITECT = "volume:01:outline", "plot-architect"
RECORD, JUDGE = "sync:002:summarize", "sync:002:judge"


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Three of six chapters landed; a run has begun."""
    made = book(tmp_path, 3, 6)
    made.ok("lock", "acquire", "--run", "3")
    return made


def limit(made: Book, **limits: float) -> None:
    lines = "".join(f"  {key}: {value}\n" for key, value in limits.items())
    made.write(layout.CONFIG, f"budget:\n{lines}")


def work(made: Book, step: str, agent: str, tokens: int, name: str = "a") -> None:
    """Send the step's agent, whose host tells what he cost."""
    made.ok("instructions", step, "--write-manifest")
    run = Run(name, "opus", {"input_tokens": tokens, "output_tokens": 0})
    caller = Caller(owner({}, OWNER), time.time())
    assert agent_report.record_run(Project(str(made.root)), caller, Ended(agent, None), run)


def open_sync(made: Book) -> None:
    path = made.at(layout.chapter(2))
    path.write_text(path.read_text("utf-8") + "\n改过的一段。\n", "utf-8")
    made.ok("sync", "2")


def record(made: Book, tokens: int) -> None:
    """Have chapter 2 recorded, and its verdict be due."""
    work(made, RECORD, "summarizer", tokens)
    made.chapter = 2
    line = next(one for one in made.lines(layout.CHANGELOG) if one["chapter"] == 2)
    made.records(base_state_version=line["base_state_version"])
    made.ok("advance", RECORD)
    assert made.next()["step"] == JUDGE


def logged(made: Book) -> list[tuple[Any, Any]]:
    path = made.at(layout.OTHER_WORK)
    stages = made.json(layout.OTHER_WORK)["stages"] if path.exists() else []
    return [(one["step"], one.get("input_tokens")) for one in stages]


def replan(made: Book) -> None:
    made.ok("replan", "--yes")
    assert made.next()["step"] == OUTLINE


def test_a_step_of_planning_stops_where_the_run_is_used_up(made: Book) -> None:
    limit(made, run_tokens=50)
    replan(made)
    work(made, OUTLINE, ARCHITECT, 60)
    due = made.ok("next")
    assert due["stop"] and due["reason"] == "预算：这一趟已花 60 词元，一趟的预算 50 词元已用完"
    assert [one["key"] for one in due["choices"]] == ["stop", "raise"]
    made.refused(3, "BUDGET_REACHED", "instructions", OUTLINE, "--write-manifest")
    made.ok(*due["choices"][1]["command"].split()[1:])


def test_it_stops_before_what_such_a_step_cost_before(made: Book) -> None:
    stage = {"step": OUTLINE, "name": "outline", "model": "opus", "input_tokens": 40, "output_tokens": 0}
    made.write(layout.OTHER_WORK, {"stages": [stage]})
    made.ok("lock", "acquire", "--run", "3")
    limit(made, run_tokens=39)
    made.ok("replan", "--yes")
    due = made.ok("next")
    assert due["stop"] and "「写本卷大纲」照以往要 40 词元" in due["reason"]
    limit(made, run_tokens=40)
    assert not made.ok("next")["stop"]


def test_a_step_that_failed_says_what_it_costs_to_do_it_again(made: Book) -> None:
    replan(made)
    work(made, OUTLINE, ARCHITECT, 60)
    made.ok("fail", OUTLINE, "--reason", "没有写出来")
    limit(made, run_tokens=119)
    due = made.ok("next")
    assert due["stop"] and "「写本卷大纲」照以往要 60 词元" in due["reason"]
    limit(made, run_tokens=120)
    assert not made.ok("next")["stop"]


def test_a_step_of_planning_is_logged_when_it_advances(made: Book) -> None:
    replan(made)
    work(made, OUTLINE, ARCHITECT, 60)
    bookmaker._write_plan(str(made.at(layout.STAGING)), 1, range(1, 7))
    made.ok("advance", OUTLINE)
    assert logged(made) == [(OUTLINE, 60)]
    made.ok("advance", "volume:01:validate")
    made.ok("commit", "--volume", "1")
    assert logged(made) == [(OUTLINE, 60)]
    made.ok("lock", "acquire")
    limit(made, run_tokens=60)
    assert made.ok("next")["stop"], "the run goes on with the chapters, and the plan counts"


def test_a_hand_out_that_goes_without_an_advance_is_logged(made: Book) -> None:
    replan(made)
    work(made, OUTLINE, ARCHITECT, 60)
    made.ok("replan", "--cancel", "--yes")
    assert logged(made) == [(OUTLINE, 60)]


def test_a_sync_counts_for_its_chapter_and_for_the_run(made: Book) -> None:
    open_sync(made)
    limit(made, chapter_tokens=30)
    record(made, 30)
    due = made.ok("next")
    assert due["stop"] and due["reason"].startswith("预算：第 2 章已花 30 词元")
    made.refused(3, "BUDGET_REACHED", "instructions", JUDGE, "--write-manifest")
    limit(made, run_tokens=30)
    assert made.ok("next")["reason"].startswith("预算：这一趟已花 30 词元")


def test_a_sync_that_is_given_up_was_paid_for(made: Book) -> None:
    open_sync(made)
    work(made, RECORD, "summarizer", 30)
    made.ok("sync", "--cancel")
    assert logged(made) == [(RECORD, 30)]


def test_a_verdict_of_a_sync_is_counted_once(made: Book) -> None:
    """Its cost is told after its words, and the landing puts it into the log of a chapter of this run."""
    made.write(layout.RUN, {**made.json(layout.RUN), "chapter": 2})
    open_sync(made)
    record(made, 30)
    made.ok("instructions", JUDGE, "--write-manifest")
    made.judge(4.5)
    run = Run("b", "opus", {"input_tokens": 5, "output_tokens": 0})
    caller = Caller(owner({}, OWNER), time.time())
    assert agent_report.record_run(Project(str(made.root)), caller, Ended("quality-judge", None), run)
    made.ok("advance", JUDGE)
    made.ok("commit", "--chapter", "2")
    assert logged(made) == [(RECORD, 30), (JUDGE, 5)]
    assert [one["input_tokens"] for one in made.json(layout.chapter_log(2))["stages"][-2:]] == [30, 5]
    found = made.ok("report")["night"]
    assert (found["spent"]["tokens"], found["recorded"], found["planned"]) == (35, [2], [])


def test_the_morning_page_tells_of_it(made: Book) -> None:
    replan(made)
    work(made, OUTLINE, ARCHITECT, 60)
    made.ok("replan", "--cancel", "--yes")
    open_sync(made)
    record(made, 30)
    lines = made.novel("report").text.splitlines()
    assert lines[1:3] == ["  补记、重记了第 2 章", "  另外做了：第 1 卷 · 写本卷大纲"]
    assert "词元 读 90" in lines[3]


def test_a_new_run_begins_behind_it_and_keeps_the_last_stages(made: Book) -> None:
    stages = [{"step": OUTLINE, "name": "outline", "input_tokens": n, "output_tokens": 0} for n in range(60)]
    made.write(layout.OTHER_WORK, {"stages": stages})
    made.ok("lock", "acquire", "--run", "1")
    assert [tokens for _, tokens in logged(made)] == [*range(60 - work_log.OTHER_KEPT, 60)]
    limit(made, run_tokens=1000)
    made.ok("replan", "--yes")
    assert not made.ok("next")["stop"]


def test_a_log_that_is_not_ours_stops_nothing(made: Book) -> None:
    limit(made, run_tokens=10)
    made.write(layout.OTHER_WORK, b"{")
    made.ok("replan", "--yes")
    assert not made.ok("next")["stop"]
