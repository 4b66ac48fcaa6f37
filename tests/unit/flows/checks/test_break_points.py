"""Break points: the author looks after a step, before it is taken; his three answers; a later run goes on."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from builders import OTHER, Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.pipeline import lock as pipeline_lock
from novel_hooks.rules.steps import break_points
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import process
from novel_hooks.store.host.owner import Owner
from novel_hooks.store.lock import lock
from novel_hooks.store.schema import schema

if TYPE_CHECKING:
    from pathlib import Path

KEYS = ["go-on", "again", "stop"]


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path)


def work(made: Book, phase: str, version: int = 1) -> dict[str, Any]:
    """The step handed out, the agent's files; nothing is taken. The packet."""
    written = made.ok("instructions", made.step(phase), "--write-manifest")["manifest"]
    packet: dict[str, Any] = made.json(written)
    if phase == "judge":
        made.judge(4.5, role=packet["role"])
    elif phase == "summarize":
        made.records()
    else:
        made.draft(version=version)
    return packet


def stopped(made: Book, phase: str) -> dict[str, Any]:
    """`next` asks about this step, in the form of its schema."""
    found = made.next()
    assert (found["step"], found["stop"], found["recorded"]) == (made.step(phase), True, True), found
    assert (found["agent"], found["model"]) == (None, None)
    keys = [*KEYS[:1], "revise", *KEYS[1:]] if phase == "judge" else KEYS
    assert [choice["key"] for choice in found["choices"]] == keys
    assert schema.problems("next", found, "next") == []
    return found


def answer(made: Book, said: str, *note: str) -> Any:
    return made.ok("decide", str(made.chapter), said, *note)


def test_every_step_stops_and_go_on_leads_through_the_chapter(made: Book) -> None:
    assert made.ok("lock", "acquire", "--step")["stop_after"] == list(break_points.PHASES)
    places = {"draft": "chapter", "summarize": "delta", "refine": "chapter", "judge": "evaluation"}
    for version, (phase, key) in enumerate(places.items(), 1):
        before = made.next()
        assert (before["step"], before["stop"], before["recorded"]) == (made.step(phase), False, False)
        packet = work(made, phase, version)
        assert "novel next" in packet["next_actions"]
        assert made.staged(key) in stopped(made, phase)["reason"]
        made.refused(3, "BREAK_POINT", "advance", made.step(phase))
        answer(made, "go-on")
        after = made.next()
        assert (after["step"], after["stop"], after["recorded"]) == (made.step(phase), False, True)
        made.advance(phase)
    assert made.next()["phase"] == "commit"
    made.ok("commit", "--chapter", str(made.chapter))
    assert made.ok("lock", "status")["kind"] == "free"


def test_without_a_word_nothing_stops(made: Book) -> None:
    assert made.ok("lock", "acquire")["stop_after"] == []
    packet = work(made, "draft")
    step = made.step("draft")
    assert packet["next_actions"] == [f"novel validate {step}", f"novel advance {step}"]
    assert (made.next()["phase"], made.next()["stop"]) == ("summarize", False)


def test_only_the_phases_that_were_named(made: Book) -> None:
    made.write(layout.CONFIG, "stop_after: [judge, draft]\n")
    assert made.ok("lock", "acquire")["stop_after"] == ["draft", "judge"]
    work(made, "draft")
    stopped(made, "draft")
    answer(made, "go-on")
    made.advance("draft")
    work(made, "summarize")
    assert made.next()["phase"] == "refine"


def test_the_runs_word_goes_before_the_settings_and_ends_with_the_lock(made: Book) -> None:
    made.write(layout.CONFIG, "stop_after: every\n")
    assert made.ok("lock", "acquire", "--step", "none")["stop_after"] == []
    made.ok("lock", "acquire")  # said again without it: one's own lock keeps it
    work(made, "draft")
    assert not made.next()["stop"]
    made.ok("lock", "release")
    stopped(made, "draft")


def test_a_stop_survives_the_commands_of_a_run(made: Book) -> None:
    made.ok("lock", "acquire", "--step", "draft，judge")
    work(made, "draft")
    made.ok("fail", made.step("draft"), "--reason", "没交稿")
    made.ok("instructions", made.step("draft"))
    made.ok("lock", "acquire")
    assert made.json(layout.LOCK_INFO)["stop_after"] == ["draft", "judge"]
    stopped(made, "draft")


@pytest.mark.parametrize("said", ["", "daft", "every,draft", "none,draft"])
def test_a_step_that_does_not_exist_is_refused(made: Book, said: str) -> None:
    made.refused(2, "CLI_USAGE", "lock", "acquire", "--step", said)
    made.refused(2, "CLI_USAGE", "lock", "release", "--step", "draft")
    assert not made.at(layout.LOCK_DIR).exists()


def test_what_the_author_changed_by_hand_is_taken_as_he_left_it(made: Book) -> None:
    made.ok("lock", "acquire", "--step")
    work(made, "draft")
    stopped(made, "draft")
    mine = made.draft(version=8)
    stopped(made, "draft")
    answer(made, "go-on")
    mine = made.draft(version=9)  # and once more after the answer: no second question
    assert (made.next()["recorded"], made.next()["stop"]) == (True, False)
    made.advance("draft")
    assert made.next()["phase"] == "summarize"
    assert made.at(made.staged("chapter")).read_text("utf-8") == mine


def test_a_comment_that_he_leaves_at_a_stop_is_his_note(made: Book) -> None:
    made.ok("lock", "acquire", "--step", "draft")
    work(made, "draft")
    place = made.at(made.staged("chapter"))
    place.write_text(place.read_text("utf-8") + "\n<!-- 再冷一点 -->\n", "utf-8")
    stopped(made, "draft")
    assert "CHAPTER_RESIDUE" in [one.code for one in made.novel("validate", made.step("draft")).diagnostics]
    answer(made, "go-on")
    made.ok("validate", made.step("draft"))
    made.advance("draft")
    assert "再冷一点" in place.read_text("utf-8") and "再冷一点" in made.novel("note", "2").text


def test_a_text_broken_by_hand_is_told_and_nothing_is_taken(made: Book) -> None:
    made.ok("lock", "acquire", "--step")
    work(made, "draft")
    made.write(made.staged("chapter"), "只有标题".encode("gbk"))
    found = made.novel("decide", str(made.chapter), "go-on")
    assert found.exit and [d.code for d in found.diagnostics] == ["DECISION_NOT_DUE", "OUTPUT_BROKEN"]
    assert made.json(layout.HANDOUT).get("said") is None
    made.draft(version=3)
    stopped(made, "draft")


@pytest.mark.parametrize("phase", ["draft", "refine"])
def test_again_gives_the_agent_the_note_and_the_text_of_before(made: Book, phase: str) -> None:
    made.ok("lock", "acquire", "--step")
    if phase == "refine":
        made.until("drafted")
    before = made.at(made.staged("chapter")).read_bytes() if phase == "refine" else None
    first = work(made, phase, 5)
    assert "别改口头禅" not in str(first["rules"])
    stopped(made, phase)
    put_aside = made.at(made.staged("chapter")).read_bytes()
    answer(made, "again", "--note", "别改口头禅")
    found = made.next()
    assert (found["step"], found["stop"], found["recorded"]) == (made.step(phase), False, False)
    place = made.at(made.staged("chapter"))
    assert (place.read_bytes() if place.exists() else None) == before
    assert put_aside in made.attempts().values()
    second = work(made, phase, 6)
    assert "别改口头禅" in str(second["rules"])
    stopped(made, phase)
    answer(made, "again")  # without a new note the old one still counts; the text is the first one still
    assert (place.read_bytes() if place.exists() else None) == before
    assert "别改口头禅" in str(work(made, phase, 7)["rules"])
    answer(made, "go-on")
    made.advance(phase)
    following = made.next()["step"]
    assert "别改口头禅" not in str(made.ok("instructions", following)["rules"])


def test_again_for_records_and_for_a_verdict(made: Book) -> None:
    made.ok("lock", "acquire", "--step", "summarize,judge")
    work(made, "draft")
    made.advance("draft")
    work(made, "summarize")
    stopped(made, "summarize")
    answer(made, "again", "--note", "漏了渡口")
    assert not made.at(made.staged("delta")).exists()
    assert "漏了渡口" in str(work(made, "summarize")["rules"])
    answer(made, "go-on")
    made.advance("summarize")
    work(made, "refine", 2)
    made.advance("refine")
    work(made, "judge")
    assert "4.5" in stopped(made, "judge")["reason"]
    answer(made, "again", "--note", "第二幕看错了")
    assert made.next()["agent"] == "quality-judge"
    assert "第二幕看错了" in str(made.ok("instructions", made.step("judge"))["rules"])
    made.judge(3.7)
    stopped(made, "judge")
    answer(made, "go-on")
    assert made.advance("judge")["gate"]["decision"] == "polish"


def test_after_the_verdict_the_author_may_have_the_text_revised_as_he_says(made: Book) -> None:
    made.ok("lock", "acquire", "--step", "judge")
    made.until("refined")
    made.refused(3, "DECISION_NOT_DUE", "decide", "2", "revise", "--note", "灯先灭")
    work(made, "judge")
    assert "revise" in [choice["key"] for choice in made.next()["choices"]]
    made.refused(3, "DECISION_NOT_DUE", "decide", "2", "accept")
    made.ok("decide", "2", "revise", "--note", "灯先灭")
    assert made.next()["phase"] == "revise"
    packet = made.ok("instructions", made.step("revise"))
    (fixes,) = [i["value"] for i in packet["inputs"] if i["key"] == "required_fixes"]
    assert fixes == [{"target": "作者的意见", "instruction": "灯先灭"}], "no score that passed is a fault"


def test_an_answer_about_a_verdict_is_about_that_verdict_only(made: Book) -> None:
    made.ok("lock", "acquire", "--step", "judge")
    made.until("refined")
    work(made, "judge")
    answer(made, "go-on")
    assert not made.next()["stop"]
    document = made.json(made.staged("evaluation"))
    document["metadata"]["judges"]["primary"]["model"] = "opus"
    made.write(made.staged("evaluation"), document)
    stopped(made, "judge")


def test_both_judges_are_heard_before_the_stop(made: Book) -> None:
    made.key_chapter()
    made.ok("lock", "acquire", "--step", "judge")
    made.until("refined")
    work(made, "judge")
    assert (made.next()["stop"], made.next()["model"]) == (False, "opus")
    work(made, "judge")
    stopped(made, "judge")


def test_revise_and_polish_stop_too(made: Book) -> None:
    made.until("judged", 3.2)
    made.ok("lock", "acquire", "--step", "revise,polish")
    judged = made.at(made.staged("chapter")).read_bytes()
    work(made, "revise", 2)
    stopped(made, "revise")
    answer(made, "again", "--note", "第三段别动")
    assert made.at(made.staged("chapter")).read_bytes() == judged
    work(made, "revise", 3)
    stopped(made, "revise")
    answer(made, "go-on")
    made.advance("revise")
    assert (made.next()["phase"], made.point()["pipeline_stage"]) == ("summarize", "drafting")


def test_stopping_releases_the_lock_and_a_later_run_goes_on_without_new_work(made: Book) -> None:
    made.until("drafted")
    made.ok("lock", "acquire", "--step")
    work(made, "refine", 4)
    stopped(made, "refine")
    answer(made, "stop")
    assert made.ok("lock", "status")["kind"] == "free"
    mine = made.draft(version=5)
    assert made.novel("lock", "acquire", owner=OTHER).exit == 0
    found = made.next()
    assert (found["step"], found["recorded"], found["stop"]) == (made.step("refine"), True, False)
    assert made.novel("advance", made.step("refine"), owner=OTHER).exit == 0
    assert made.at(made.staged("chapter")).read_text("utf-8") == mine


def test_stopped_and_still_told_to_stop_asks_again(made: Book) -> None:
    made.write(layout.CONFIG, "stop_after: [draft]\n")
    made.ok("lock", "acquire")
    work(made, "draft")
    answer(made, "stop")
    made.ok("lock", "acquire")
    stopped(made, "draft")
    answer(made, "go-on")
    made.advance("draft")


def test_a_step_out_without_new_work_is_told_as_it_is(made: Book) -> None:
    made.until("drafted")
    made.ok("lock", "acquire", "--step")
    made.ok("instructions", made.step("refine"))
    finished(made)
    assert "一字不差" in stopped(made, "refine")["reason"]
    work(made, "refine", 2)
    assert "一字不差" not in stopped(made, "refine")["reason"]


REWRITTEN = {"refine": ("drafted", 4.5), "revise": ("judged", 3.2), "polish": ("judged", 3.7)}


@pytest.fixture(params=REWRITTEN)
def out(made: Book, request: pytest.FixtureRequest) -> str:
    """A phase that writes over a text: handed out at a break point, nobody has worked yet."""
    stage, score = REWRITTEN[request.param]
    made.until(stage, score)
    made.ok("lock", "acquire", "--step")
    made.ok("instructions", made.step(request.param), "--write-manifest")
    return str(request.param)


def finished(made: Book) -> None:
    """What the host's hook notes when the agent is done."""
    made.write(layout.HANDOUT, {**made.json(layout.HANDOUT), "done": True})


def still_due(made: Book, phase: str) -> dict[str, Any]:
    found = made.next()
    assert (found["step"], found["stop"], found["recorded"]) == (made.step(phase), False, False), found
    assert schema.problems("next", found, "next") == []
    return found


def test_a_text_that_nobody_wrote_over_is_not_made(made: Book, out: str) -> None:
    """Neither is it taken as such by `advance`; the author may say that it stays as it is."""
    still_due(made, out)
    before = made.tree()
    made.refused(3, "BREAK_POINT_UNSEEN", "advance", made.step(out))
    assert made.changed(before) == {}
    made.ok("instructions", made.step(out), "--write-manifest")
    still_due(made, out)
    answer(made, "go-on")
    assert (made.next()["step"], made.next()["recorded"]) == (made.step(out), True)
    made.advance(out)


def refused_unseen(made: Book, phase: str) -> None:
    """`advance` is refused, and `next` has the three answers, its reason says over what."""
    made.refused(3, "BREAK_POINT_UNSEEN", "advance", made.step(phase))
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
