"""Break points over texts that nobody is known to have written, and of runs that were killed."""

from __future__ import annotations

import time
from typing import Any

import pytest
from builders import Book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.pipeline import lock as pipeline_lock
from novel_hooks.rules.steps import break_points
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import process
from novel_hooks.store.host.owner import Owner
from novel_hooks.store.lock import lock
from novel_hooks.store.schema import schema
from unit.flows.checks.stopped_book import KEYS, answer, finished, stopped, work
from unit.flows.checks.stopped_book import made as made

REWRITTEN = {"refine": ("drafted", 4.5), "revise": ("judged", 3.2), "polish": ("judged", 3.7)}


@pytest.fixture(params=REWRITTEN)
def out(made: Book, request: pytest.FixtureRequest) -> str:
    """A phase that writes over a text: handed out at a break point, nobody has worked yet."""
    stage, score = REWRITTEN[request.param]
    made.until(stage, score)
    made.ok("lock", "acquire", "--step")
    made.ok("instructions", made.step(request.param), "--write-manifest")
    return str(request.param)


def still_due(made: Book, phase: str) -> dict[str, Any]:
    found = made.next()
    assert (found["step"], found["stop"], found["recorded"]) == (made.step(phase), False, False), found
    assert schema.problems("next", found, "next") == []
    return found


def test_a_text_that_nobody_wrote_over_is_not_made(made: Book, out: str) -> None:
    """Neither is it taken as such by `advance`; the author may say that it stays as it is."""
    still_due(made, out)
    before = made.tree()
    made.refused(3, "BREAK_POINT", "advance", made.step(out))
    assert made.changed(before) == {}
    made.ok("instructions", made.step(out), "--write-manifest")
    still_due(made, out)
    answer(made, "go-on")
    assert (made.next()["step"], made.next()["recorded"]) == (made.step(out), True)
    made.advance(out)


def refused_unseen(made: Book, phase: str) -> None:
    """`advance` is refused, and `next` has the three answers, its reason says over what."""
    made.refused(3, "BREAK_POINT", "advance", made.step(phase))
    found = still_due(made, phase)
    assert [choice["key"] for choice in found["choices"]] == KEYS
    assert made.staged("chapter") in found["reason"] and "和交出去时一样" in found["reason"]
    assert (found["agent"] is None, found["verdict"]) == (False, None)


def test_an_author_who_is_asked_over_an_untouched_text_may_have_it_done_again(made: Book, out: str) -> None:
    refused_unseen(made, out)
    answer(made, "again", "--note", "再短一些")
    assert still_due(made, out)["choices"] == []
    written = made.ok("instructions", made.step(out), "--write-manifest")["manifest"]
    assert "再短一些" in str(made.json(written)["rules"])
    refused_unseen(made, out)
    made.draft(version=7)
    stopped(made, out)


@pytest.mark.parametrize("setting", ["stop_after: every\n", ""])
def test_an_author_who_stops_over_an_untouched_text_finds_the_step_still_due(
    made: Book, out: str, setting: str
) -> None:
    """Nobody has done it: it is not taken in a later run, with break points or without."""
    refused_unseen(made, out)
    answer(made, "stop")
    assert made.ok("lock", "status")["kind"] == "free"
    made.write(layout.CONFIG, setting or "title: 渡口\n")
    made.ok("lock", "acquire")
    found = still_due(made, out)
    assert bool(found["choices"]) == bool(setting)
    made.ok("instructions", made.step(out), "--write-manifest")
    still_due(made, out)


def test_the_page_offers_the_answers_and_still_the_menu(made: Book, out: str) -> None:
    page = made.novel("status").text
    assert f"novel decide {made.chapter} go-on" in page and "/novel:continue" in page
    answer(made, "go-on")
    assert "novel decide" not in made.novel("next").text


def test_a_killed_agent_is_asked_again_and_what_he_changed_is_shown(made: Book, out: str) -> None:
    made.ok("lock", "release")
    made.ok("lock", "acquire", "--step")
    still_due(made, out)
    made.draft(version=7)
    stopped(made, out)


@pytest.mark.parametrize("half_written", [False, True])
def test_what_failed_is_done_again(made: Book, out: str, half_written: bool) -> None:
    """Once, and after the author's "try again": until it is handed out anew nothing of it counts."""
    for _ in range(2):
        made.ok("instructions", made.step(out), "--write-manifest")
        if half_written:
            made.draft(version=7)
            finished(made)
        made.ok("fail", made.step(out), "--reason", "没交稿")
    assert [choice["key"] for choice in made.next()["choices"]] == ["retry"]
    made.ok("retry")
    made.ok("lock", "acquire", "--step")
    still_due(made, out)
    made.ok("instructions", made.step(out), "--write-manifest")
    still_due(made, out)
    made.draft(version=8)
    stopped(made, out)


def test_an_answer_is_gone_when_the_step_fails_after_it(made: Book, out: str) -> None:
    made.draft(version=7)
    answer(made, "go-on")
    made.ok("fail", made.step(out), "--reason", "不合格")
    still_due(made, out)


@pytest.mark.parametrize("said", KEYS)
def test_an_answer_without_a_question_changes_nothing(made: Book, said: str) -> None:
    made.ok("lock", "acquire", "--step")
    made.refused(3, "DECISION_NOT_DUE", "decide", str(made.chapter), said)
    work(made, "draft")
    made.refused(3, "DECISION_NOT_DUE", "decide", str(made.chapter + 1), said)
    made.refused(3, "DECISION_NOT_DUE", "decide", str(made.chapter), "accept")


def test_what_is_no_list_of_phases_is_not_understood() -> None:
    for nonsense in (None, 7, {}, ["draft", 3], "drafts", ["every", "draft"]):
        assert break_points.parse_phases(nonsense) is None
    assert break_points.parse_phases(["polish", "draft"]) == ("draft", "polish")
    assert break_points.parse_phases("none") == break_points.parse_phases([]) == ()


# a run that was killed ----------------------------------------------------------------------------


def killed(made: Book) -> dict[str, Any]:
    """The session is gone with its process; its lock is left."""
    info: dict[str, Any] = made.json(layout.LOCK_INFO)
    gone = {"owner": "gone", "pid": 4_194_304, "pid_started": None, "host": process.host_name()}
    made.write(layout.LOCK_INFO, {**info, **gone})
    return made.json(layout.LOCK_INFO)


def test_the_break_points_of_a_killed_run_hold_until_its_chapter_lands(made: Book) -> None:
    made.ok("lock", "acquire", "--step", "draft,judge")
    work(made, "draft")
    killed(made)
    stopped(made, "draft")
    found = made.novel("lock", "acquire")
    assert found.data["stop_after"] == ["draft", "judge"]
    assert any(note.message == pipeline_lock.RUN_LEFT for note in found.diagnostics)
    stopped(made, "draft")
    answer(made, "go-on")
    made.advance("draft")
    for phase in ("summarize", "refine"):
        work(made, phase)
        assert made.next()["stop"] is False
        made.advance(phase)
    work(made, "judge")
    stopped(made, "judge")
    answer(made, "go-on")
    made.advance("judge")
    made.ok("commit", "--chapter", "2")
    assert made.ok("lock", "acquire")["stop_after"] == []


@pytest.mark.parametrize("said", [("--step", "none"), ("--step", "refine")])
def test_a_new_word_goes_before_that_of_a_killed_run(made: Book, said: tuple[str, ...]) -> None:
    made.ok("lock", "acquire", "--step")
    killed(made)
    found = made.novel("lock", "acquire", *said)
    assert found.data["stop_after"] == [one for one in said[1:] if one != "none"]
    assert pipeline_lock.RUN_LEFT not in [note.message for note in found.diagnostics]


@pytest.mark.parametrize(
    "argv",
    [
        ("config", "title", "长夜"),
        ("decide", "2", "go-on"),
        ("decide", "2", "again"),
        ("decide", "9", "accept"),
        ("instructions", "chapter:002:draft", "--write-manifest"),
        ("fail", "chapter:002:draft", "--reason", "x"),
        ("commit", "--chapter", "2"),
    ],
    ids=" ".join,
)
def test_a_command_in_between_does_not_forget_them(made: Book, argv: tuple[str, ...]) -> None:
    """The author may answer what `next` asks before the lock is taken anew."""
    made.ok("lock", "acquire", "--step")
    work(made, "draft")
    left = killed(made)
    stopped(made, "draft")
    assert made.novel(*argv).exit == (3 if argv[0] == "commit" or "9" in argv else 0)
    assert made.json(layout.LOCK_INFO) == left
    assert made.ok("lock", "acquire")["stop_after"] == list(break_points.PHASES)


@pytest.mark.parametrize(
    "argv", [("decide", "2", "stop"), ("doctor", "--fix"), ("lock", "clear")], ids=" ".join
)
def test_what_ends_a_killed_run_takes_its_break_points_along(made: Book, argv: tuple[str, ...]) -> None:
    made.ok("lock", "acquire", "--step")
    work(made, "draft")
    killed(made)
    made.ok(*argv)
    assert made.ok("lock", "status")["kind"] == "free"
    assert made.ok("lock", "acquire")["stop_after"] == []


def test_a_killed_run_says_nothing_of_another_chapter(made: Book) -> None:
    made.ok("lock", "acquire", "--step")
    info = killed(made)
    made.write(layout.LOCK_INFO, {**info, "chapter": 1})
    assert made.ok("lock", "acquire")["stop_after"] == []


def test_a_command_that_is_killed_in_between_forgets_them_neither(made: Book) -> None:
    made.ok("lock", "acquire", "--step")
    killed(made)
    held = lock.acquire(
        Project(str(made.root)),
        Owner("brief", None, None, process.host_name()),
        None,
        time.time(),
        brief=True,
    )
    assert held.left == tuple(break_points.PHASES)
    killed(made)
    assert made.ok("lock", "acquire")["stop_after"] == list(break_points.PHASES)


# the hand-out that counts -------------------------------------------------------------------------


def test_a_hand_out_of_another_round_says_nothing_of_this_one(made: Book) -> None:
    """The text is found, and the note of the first round is still there."""
    made.ok("lock", "acquire", "--step", "revise")
    made.stage("revising", 1)
    made.draft()
    made.records()
    made.evaluation(3.2, gate={"decision": "revise", "revisions": 0})
    for revisions, unseen in ((1, True), (0, False), (2, False)):
        made.write(layout.HANDOUT, {"step": made.step("revise"), "revisions": revisions, "given": True})
        found = made.next()
        assert found["step"] == made.step("revise")
        assert ([choice["key"] for choice in found["choices"]] == KEYS) is unseen


def test_a_pause_tells_the_length_before_it_asks(made: Book) -> None:
    made.ok("lock", "acquire", "--step", "draft")
    made.write(layout.CONFIG, "chapter_chars: [1000, 2000]\n")
    work(made, "draft")
    reason = stopped(made, "draft")["reason"]
    assert "想要 1000 到 2000 字，还差" in reason
