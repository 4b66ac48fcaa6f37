"""Break points: the author looks after a step, before it is taken; his three answers; a later run goes on."""

from __future__ import annotations

import pytest
from builders import OTHER, Book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.rules.steps import break_points
from unit.flows.checks.stopped_book import answer, finished, stopped, work
from unit.flows.checks.stopped_book import made as made


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
