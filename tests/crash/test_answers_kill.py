"""Answers, failures, verdicts and settings, killed anywhere: all of it or nothing, and then it goes on.

Most of these say something once: repeated after it came through, they are refused, or count again. So what is
looked at is the book after recovery: it is as before, or as after an undisturbed run, and once it is as after
it stays so.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builders import OWNER, Book, book, killed_landing, make_verdict
from builders import fast_disk as fast_disk
from crash import killpoints
from rewriting import NOW

from novel_hooks import layout
from novel_hooks.flows.chapter.handout import Run
from novel_hooks.flows.pipeline import agent_report
from novel_hooks.flows.pipeline.agent_report import Ended
from novel_hooks.flows.session.caller import Caller
from novel_hooks.store.files.project import Project
from novel_hooks.store.host.owner import owner

if TYPE_CHECKING:
    from collections.abc import Callable


def _at_work(place: Path, *lock: str) -> Book:
    made = book(place, 1)
    made.ok("lock", "acquire", *lock)
    return made


def _reviewed(place: Path) -> Book:
    """The gate has asked the author."""
    made = book(place, 1)
    made.until("judged", overall=2.5)
    assert made.next()["phase"] == "review"
    return made


def _looked_at(place: Path) -> Book:
    """The author looks at a refined text."""
    made = _at_work(place, "--step", "refine")
    made.draft()
    made.advance("draft")
    made.records()
    made.advance("summarize")
    made.ok("instructions", made.step("refine"), "--write-manifest")
    made.draft(version=2)
    assert made.next()["stop"]
    return made


def _failed(place: Path, times: int) -> Book:
    made = _at_work(place)
    made.draft()
    made.advance("draft")
    made.ok("instructions", made.step("summarize"))
    for _ in range(times):
        made.ok("fail", made.step("summarize"), "--reason", "没有交齐")
    return made


def _judging(place: Path) -> Book:
    made = book(place, 1)
    made.until("refined")
    made.ok("instructions", made.step("judge"), "--write-manifest")
    return made


def _writing(place: Path) -> Book:
    made = _at_work(place)
    made.ok("instructions", made.step("draft"), "--write-manifest")
    return made


def _set(place: Path) -> Book:
    made = book(place, 1)
    made.write(layout.CONFIG, "# 我的\ngate:\n  pass: 4.1  # 高些\nmodels:\n  draft: opus\n")
    return made


def _caller() -> Caller:
    return Caller(owner({}, OWNER), NOW)


def _hear_verdict(made: Book) -> Any:
    words = made.root.parent / "verdict.json"
    return agent_report.take_verdict(
        Project(str(made.root)), _caller(), Ended(agent_report.JUDGE, None), words.read_text("utf-8")
    )


def _hear_work(made: Book) -> Any:
    run = Run("run-1", "claude-sonnet-4-5", {"duration_ms": 7, "input_tokens": 3, "output_tokens": 4})
    return agent_report.record_run(Project(str(made.root)), _caller(), Ended("chapter-writer", None), run)


def _said(*argv: str) -> Callable[[Book], Any]:
    return lambda made: made.novel(*argv)


CASES: dict[str, tuple[Callable[[Path], Book], Callable[[Book], Any]]] = {
    "decide accept": (_reviewed, _said("decide", "2", "accept")),
    "decide revise": (_reviewed, _said("decide", "2", "revise", "--note", "“灯”要先灭\n再回头")),
    "decide rewrite": (_reviewed, _said("decide", "2", "rewrite")),
    "decide go-on": (_looked_at, _said("decide", "2", "go-on")),
    "decide again": (_looked_at, _said("decide", "2", "again", "--note", "慢一点")),
    "decide stop": (_looked_at, _said("decide", "2", "stop")),
    "decide skip-delta": (lambda place: _failed(place, 2), _said("decide", "2", "skip-delta")),
    "fail, the first": (
        lambda place: _failed(place, 0),
        _said("fail", "chapter:002:summarize", "--reason", "x"),
    ),
    "fail, the last": (
        lambda place: _failed(place, 1),
        _said("fail", "chapter:002:summarize", "--reason", "x"),
    ),
    "retry": (lambda place: _failed(place, 2), _said("retry")),
    "a verdict heard": (_judging, _hear_verdict),
    "work heard": (_writing, _hear_work),
    "hand-out": (_set, _said("instructions", "chapter:002:draft", "--write-manifest")),
    "lock acquire --step": (_set, _said("lock", "acquire", "--step", "draft,judge")),
    "config": (_set, _said("config", "prices.sonnet.cache_read", "0.3")),
    "config --unset": (_set, _said("config", "--unset", "gate.pass")),
}


@killpoints.shares(3)
@pytest.mark.parametrize("name", CASES)
def test_killed_anywhere_it_is_as_before_or_as_after(
    name: str, share: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killpoints.still(monkeypatch)
    build, work = CASES[name]
    start = build(tmp_path)
    (tmp_path / "verdict.json").write_text(
        start.at(start.words(make_verdict(4.5))).read_text("utf-8"), "utf-8"
    )
    run = killpoints.Run(start, tmp_path, work)
    assert run.old != run.new
    then = _next(run.through)
    seen = []
    for number in killpoints.spread(run.points, share):
        made = run.killed(number)
        left = run.left(made, number)
        if left == "pending":
            made.ok("config", "--unset", "currency")  # changes nothing, but finishes what waits
        if left == "old":
            work(made)
        assert killpoints.whole(killpoints.tree(made)) == killpoints.whole(run.new), run.where(number)
        assert _next(made) == then, run.where(number)
        seen.append("old" if left == "old" else "new")
    assert seen == sorted(seen, key=("old", "new").index)
    assert set(seen) == {"old", "new"}


def _next(made: Book) -> dict[str, Any]:
    """Without the run's own break points: they go with the lock, whose session is dead after a kill."""
    made.ok("lock", "release")
    return made.next()


def _out(place: Path) -> Book:
    """Chapter 2 is with its writer."""
    made = book(place, 1)
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"), "--write-manifest")
    return made


def _asked(place: Path) -> Book:
    """Chapter 2 waits for its author."""
    made = book(place, 1)
    made.stage("refined")
    made.draft()
    made.records()
    made.evaluation(1.0)
    made.advance("judge")
    return made


COUNTED: dict[str, tuple[Callable[[Path], Book], tuple[str, ...]]] = {
    "fail": (_out, ("fail", "chapter:002:draft", "--reason", "没交稿")),
    "decide revise": (_asked, ("decide", "2", "revise", "--note", "桥要先断")),
    "decide rewrite": (_asked, ("decide", "2", "rewrite")),
}


@killpoints.shares(3)
@pytest.mark.parametrize("name", COUNTED)
def test_what_is_not_the_same_twice_is_taken_once(
    name: str, share: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as anything of its journal is left, the command said again knows its own landing."""
    killpoints.still(monkeypatch)
    build, argv = COUNTED[name]
    run = killpoints.Run(build(tmp_path), tmp_path, lambda made: made.ok(*argv))
    told = run.fresh("told").ok(*argv)
    seen = set()
    for number in killpoints.spread(run.points, share):
        made = run.killed(number)
        left = run.left(made, number)
        if left == "new" and not list(made.at(layout.OWN).glob("journal.done-*/manifest.json")):
            continue
        seen.add(left)
        assert made.ok(*argv) == told, run.where(number)
        assert killpoints.tree(made) == run.new, run.where(number)
    assert {"old", "pending"} <= seen


def test_a_second_failure_counts_behind_another_commands_landing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = _out(tmp_path)
    step = made.step("draft")
    assert made.ok("fail", step, "--reason", "x")["answer"] == "retry"
    killed_landing(made, monkeypatch, {f"research/{n}.md": b"1\n" for n in (1, 2)})
    assert made.ok("fail", step, "--reason", "x")["answer"] == "stop"


@killpoints.shares(4)
def test_init_in_the_folder_where_one_stands(
    share: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Said again without `--yes`: what it has made itself is nothing to ask about."""
    killpoints.still(monkeypatch)

    def begin(made: Book) -> None:
        monkeypatch.chdir(made.root)
        found = made.novel("init", "--title", "长夜")
        assert found.exit == 0 and not found.diagnostics, found

    (tmp_path / "start").mkdir()
    run = killpoints.Run(Book(tmp_path / "start", 1), tmp_path, begin)
    seen = set()
    for number in killpoints.spread(run.points, share):
        made = run.killed(number)
        left = run.left(made, number)
        seen.add(left)
        if left == "new" and not list(made.at(layout.OWN).glob("journal.done-*/manifest.json")):
            monkeypatch.chdir(made.root)
            assert [one.code for one in made.novel("init").diagnostics] == ["PROJECT_EXISTS"]
            continue
        begin(made)
        assert killpoints.tree(made) == run.new, run.where(number)
    assert {"old", "pending"} <= seen
