"""`novel sync`: a landed chapter recorded anew, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builders import fast_disk as fast_disk

from novel_hooks import layout
from tools import bookparts
from unit.flows.resync.synced import PLANT, edit, records, resync, step, through, written

if TYPE_CHECKING:
    from pathlib import Path


def test_a_landed_chapters_records_get_their_second_chance_too(tmp_path: Path) -> None:
    made = written(tmp_path)
    made.ok("sync", "2", "--yes")
    summarize = step(2, "summarize")
    made.ok("instructions", summarize, "--write-manifest")
    records(made, 2, {**PLANT, "path": "bell-ropes"}, {"op": "set", "path": "items.lamp.oil", "value": 3})
    (told,) = made.ok("validate", summarize)["again"]
    assert "是不是代号「bell-rope」？" in told
    assert made.ok("fail", summarize, "--reason", told)["answer"] == "retry"
    assert made.ok("validate", summarize)["again"] == []
    records(made, 2, PLANT)  # what the chapter itself began is known
    assert made.novel("validate", summarize).diagnostics == ()
    made.ok("advance", summarize)


# the steps -----------------------------------------------------------------------------------------


def test_the_steps_come_one_after_the_other(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 3)
    made.ok("sync", "3", "--yes")
    due = made.next()
    assert (due["step"], due["agent"], due["model"]) == (step(3, "summarize"), "summarizer", "sonnet")
    assert made.novel("next").diagnostics == ()  # the step itself says it
    records(made, 3)
    assert made.next()["recorded"] is True
    made.ok("validate", step(3, "summarize"))
    made.ok("advance", step(3, "summarize"))
    due = made.next()
    assert (due["step"], due["agent"], due["chapter"]) == (step(3, "judge"), "quality-judge", 3)
    made.judge(4.2)
    assert made.next()["recorded"] is True
    made.ok("validate", step(3, "judge"))
    made.ok("advance", step(3, "judge"))
    due = made.next()
    assert (due["step"], due["agent"]) == (step(3, "commit"), None)
    made.ok("commit", "--chapter", "3")
    assert made.next()["step"] == "chapter:005:draft"
    assert "sync" not in made.point()


def test_steps_said_twice_change_nothing(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 3)
    made.ok("sync", "3", "--yes")
    before = made.tree()
    assert made.ok("sync", "3", "--yes")["changed"] is False
    assert made.changed(before) == {}
    records(made, 3)
    made.ok("advance", step(3, "summarize"))
    before = made.tree()
    assert made.ok("advance", step(3, "summarize"))["changed"] is False
    assert made.changed(before) == {}
    made.judge(4.2)
    made.ok("advance", step(3, "judge"))
    made.ok("commit", "--chapter", "3")
    before = made.tree()
    assert made.ok("commit", "--chapter", "3")["repeat"] is True
    assert made.changed(before) == {}


def test_the_packet_gives_what_was_before_the_chapter(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 3)
    made.ok("sync", "3", "--yes")
    packet = made.ok("instructions", step(3, "summarize"))
    given = {i["key"]: i for i in packet["inputs"]}
    assert given["chapter_content"]["path"] == layout.chapter(3)
    assert given["base_state_version"]["value"] == 2
    state = given["current_state"]["value"]
    assert (state["state_version"], state["items"]) == (2, {"lamp": {"oil": 3}})
    places = (
        layout.summary(3),
        layout.delta(3),
        layout.crossref(3),
        layout.memory(bookparts.storyline_id(3)),
    )
    assert [o["path"] for o in packet["outputs"]] == [layout.staged(path) for path in places]
    assert bookparts.memory(bookparts.storyline_id(1), 1).strip() in given["storyline_memory"]["text"]
    assert "path" not in given["storyline_memory"]


def test_a_resolved_thread_is_still_a_task_of_the_chapter_that_resolved_it(tmp_path: Path) -> None:
    made = written(tmp_path)
    plan = made.json(layout.foreshadowing_plan(1))
    plan["foreshadowing"].append(
        {"id": "bell-rope", "description": "钟绳", "scope": "short", "target_resolve_range": [4, 4]}
    )
    made.write(layout.foreshadowing_plan(1), plan)
    edit(made, 4)
    made.ok("sync", "4", "--yes")
    given = {i["key"]: i for i in made.ok("instructions", step(4, "summarize"))["inputs"]}
    task = next(t for t in given["foreshadowing_tasks"]["value"] if t["id"] == "bell-rope")
    assert task["status"] == "planted"
    assert [h["chapter"] for h in task["history"]] == [2]


def test_the_judge_reads_the_landed_text_and_the_new_crossref(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 3)
    made.ok("sync", "3", "--yes")
    records(made, 3)
    made.ok("advance", step(3, "summarize"))
    packet = made.ok("instructions", step(3, "judge"))
    given = {i["key"]: i.get("path") for i in packet["inputs"]}
    assert given["chapter_content"] == layout.chapter(3)
    assert given["cross_references"] == layout.staged(layout.crossref(3))
    assert packet["next_actions"][0] == "novel next"
    assert packet["next_actions"][1].startswith("novel judge record --chapter 3 --role primary")


def test_the_delta_must_stand_on_the_chapters_own_version(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 2)
    made.ok("sync", "2", "--yes")
    records(made, 2, base_state_version=4)
    made.refused(1, "OUTPUT_BROKEN", "advance", step(2, "summarize"))


def test_a_key_chapter_needs_both_judges(tmp_path: Path) -> None:
    made = written(tmp_path)
    made.chapter = 3
    made.key_chapter()
    edit(made, 3)
    made.ok("sync", "3", "--yes")
    records(made, 3)
    made.ok("advance", step(3, "summarize"))
    made.judge(4.2)
    assert made.next()["model"] == "opus"
    made.judge(4.0, role="secondary")
    made.ok("advance", step(3, "judge"))
    made.ok("commit", "--chapter", "3")
    assert made.json(layout.evaluation(3))["overall_final"] == 4.0


def test_only_at_an_idle_stage(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 3)
    made.chapter = 5
    made.until("drafting")
    made.refused(3, "SYNC_NOT_IDLE", "sync", "3")
    made.refused(3, "SYNC_NOT_LANDED", "sync", "5")


def test_one_at_a_time_and_no_new_chapter_meanwhile(tmp_path: Path) -> None:
    made = written(tmp_path)
    made.ok("sync", "3", "--yes")
    made.refused(3, "SYNC_OPEN", "sync", "2")
    made.refused(3, "SYNC_OPEN", "sync", "3", "--accept")
    made.refused(3, "SYNC_NOT_OPEN", "advance", step(2, "summarize"))
    assert made.ok("lock", "acquire")["begun"] is False
    made.chapter = 5
    made.draft()
    made.refused(3, "STEP_NOT_NEXT", "advance", "chapter:005:draft")


def test_commit_before_its_turn(tmp_path: Path) -> None:
    made = written(tmp_path)
    made.ok("sync", "3", "--yes")
    made.refused(3, "GATE_NOT_PASSED", "commit", "--chapter", "3")


def test_cancel_leaves_the_book_and_keeps_the_work(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 3)
    before = made.tree()
    made.ok("sync", "3", "--yes")
    records(made, 3)
    assert made.ok("sync", "--cancel")["cancelled"] == 3
    changed = set(made.changed(before))
    assert all(p.startswith((".novel", layout.CHECKPOINT, "staging")) for p in changed), changed
    assert "sync" not in made.point()
    assert not made.at(made.staged("delta")).exists()
    assert any(name.endswith("chapter-003-delta.json") for name in made.attempts())
    assert made.ok("sync", "--cancel")["cancelled"] is None


def test_a_text_that_changes_meanwhile_is_asked_about_and_recorded_anew(tmp_path: Path) -> None:
    made = written(tmp_path)
    edit(made, 3)
    through(made, 3)
    edit(made, 3, "又改了一句。")
    due = made.next()
    assert (due["step"], due["stop"]) == (step(3, "summarize"), True)
    assert [c["command"] for c in due["choices"]] == ["novel sync 3", "novel sync --cancel"]
    made.refused(3, "SYNC_TEXT_CHANGED", "commit", "--chapter", "3")
    made.refused(3, "SYNC_TEXT_CHANGED", "advance", step(3, "summarize"))
    made.refused(3, "SYNC_TEXT_CHANGED", "instructions", step(3, "summarize"))
    assert made.ok("sync", "3", "--yes")["changed"] is True
    assert made.next()["recorded"] is False
    resync(made, 3)
    assert made.ok("sync")["edits"] == []


def test_failing_twice_asks_the_author_and_retry_comes_back(tmp_path: Path) -> None:
    made = written(tmp_path)
    made.ok("sync", "3", "--yes")
    assert made.ok("fail", step(3, "summarize"), "--reason", "没写")["answer"] == "retry"
    assert made.ok("fail", step(3, "summarize"), "--reason", "没写")["answer"] == "stop"
    assert made.next()["step"] is None
    made.ok("retry")
    assert made.next()["step"] == step(3, "summarize")


def test_the_recorder_of_an_edited_chapter_gets_what_was_recorded_of_it(tmp_path: Path) -> None:
    made = written(tmp_path, 3)
    edit(made, 2)
    made.ok("sync", "2")
    packet = made.ok("instructions", "sync:002:summarize")
    (former,) = [one["value"] for one in packet["inputs"] if one["key"] == "previous_output"]
    assert sorted(former) == ["crossref", "delta", "summary"]
    assert PLANT in former["delta"]["ops"]
    assert former["summary"] == made.at(layout.summary(2)).read_text("utf-8")
    assert any("previous_output" in rule for rule in packet["rules"])
