"""`novel judge record` and `novel gate`: verdicts as they came, key chapters, the gate's cases end to end."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from builders import book, make_verdict
from builders import fast_disk as fast_disk
from conftest import CHECKOUT

from novel_hooks import layout
from novel_hooks.flows.pipeline import record_verdict
from novel_hooks.flows.session.caller import Caller
from novel_hooks.flows.session.session import writing
from novel_hooks.store.files.project import Project
from novel_hooks.store.host.owner import owner
from novel_hooks.store.schema import schema
from unit.flows.pipeline.recorded_verdict import record, refined

if TYPE_CHECKING:
    from pathlib import Path

with open(os.path.join(CHECKOUT, "tests", "cases", "gate.json"), encoding="utf-8") as stream:
    CASES: dict[str, Any] = json.load(stream)


def case_verdict(overall: float, violation: dict[str, Any] | None) -> dict[str, Any]:
    """The case's violation put in as it stands."""
    document = make_verdict(overall)
    if violation:
        check = dict(violation)
        layer = check.pop("layer")
        document["contract_verification"][f"{layer}_checks"].append(check)
    return document


@pytest.mark.parametrize("case", CASES["decisions"], ids=str)
def test_every_decision_through_the_commands(tmp_path: Path, case: dict[str, Any]) -> None:
    made = refined(tmp_path, case["revision_count"])
    assert record(made, case_verdict(case["overall"], case["violation"])).exit == 0
    gate = made.advance("judge")["gate"]
    assert (gate["decision"], gate["force_passed"]) == (case["decision"], case["force_passed"])
    told = made.ok("gate", "2")
    assert (told["decision"], told["force_passed"]) == (case["decision"], case["force_passed"])


@pytest.mark.parametrize("case", CASES["key_chapter"], ids=str)
@pytest.mark.parametrize("order", [("primary", "secondary"), ("secondary", "primary")])
def test_every_key_chapter_through_the_commands(
    tmp_path: Path, case: dict[str, Any], order: tuple[str, str]
) -> None:
    made = refined(tmp_path, case["revision_count"], key_chapter=True)
    for role in order:
        said = case_verdict(case[role]["overall"], case[role].get("violation"))
        found = record(made, said, "--model", "opus" if role == "secondary" else "sonnet", role=role)
        assert found.exit == 0, found
    gate = made.advance("judge")["gate"]
    assert (gate["decision"], gate["force_passed"]) == (case["decision"], case["force_passed"])
    assert (gate["overall_final"], gate["used"]) == (case["overall_final"], case["used"])
    document = made.json(made.staged("evaluation"))
    assert schema.problems("chapter-eval", document, "e") == []
    judges = document["metadata"]["judges"]
    assert (judges["primary"]["model"], judges["secondary"]["model"]) == ("sonnet", "opus")
    assert document["overall"] == document["overall_final"] == judges["overall_final"]
    assert {role: judges[role]["verdict"]["overall"] for role in order} == {
        role: case[role]["overall"] for role in order
    }


@pytest.mark.parametrize("overall", CASES["invalid"], ids=str)
def test_an_invalid_overall_is_judged_again(tmp_path: Path, overall: Any) -> None:
    made = refined(tmp_path)
    found = record(made, make_verdict(overall))
    assert (found.exit, found.diagnostics[0].code) == (1, "JUDGE_VERDICT_INVALID")
    assert not made.at(made.staged("evaluation")).exists()
    assert made.next()["phase"] == "judge"


def test_a_reply_that_cannot_be_read_is_kept_as_it_came(tmp_path: Path) -> None:
    made = refined(tmp_path)
    before = made.tree()
    for number, said in ((1, "我觉得这一章很好，4.5 分。"), (1, "我觉得这一章很好，4.5 分。"), (2, "很好。")):
        found = record(made, said)
        assert (found.exit, found.diagnostics[0].code) == (1, "JUDGE_VERDICT_UNREADABLE")
        raw = layout.raw_verdict(2, 0, "primary", number)
        assert made.at(raw).read_text("utf-8") == said
    kept = {layout.raw_verdict(2, 0, "primary", n) for n in (1, 2)}
    assert kept == {path for path in made.changed(before) if path.endswith(".txt")}


def test_bytes_that_are_no_text_are_kept_and_refused(tmp_path: Path) -> None:
    made = refined(tmp_path)
    place = tmp_path / "reply.txt"
    place.write_bytes(b'{"overall": 4.5, "x": "\xff"}')
    found = made.novel("judge", "record", "--role", "primary", "--file", str(place))
    assert found.exit == 1 and "UTF-8" in found.diagnostics[0].message
    assert made.at(layout.raw_verdict(2, 0, "primary", 1)).read_bytes() == place.read_bytes()


def test_the_same_words_again_change_nothing(tmp_path: Path) -> None:
    made = refined(tmp_path)
    assert record(made, make_verdict(4.5)).data["repeat"] is False
    before = made.tree()
    assert record(made, make_verdict(4.5)).data["repeat"] is True
    assert made.changed(before) == {}


def test_a_better_verdict_is_not_fished_for(tmp_path: Path) -> None:
    made = refined(tmp_path)
    record(made, make_verdict(2.5))
    found = record(made, make_verdict(4.5))
    assert (found.exit, found.diagnostics[0].code) == (3, "JUDGE_ROLE_NOT_DUE")
    assert made.json(made.staged("evaluation"))["overall"] == 2.5


@pytest.mark.parametrize("first", ["primary", "secondary"])
def test_nor_from_one_judge_while_the_other_is_missing(tmp_path: Path, first: str) -> None:
    made = refined(tmp_path, key_chapter=True)
    assert record(made, make_verdict(2.5), role=first).exit == 0
    found = record(made, make_verdict(4.5), role=first)
    assert (found.exit, found.diagnostics[0].code) == (3, "JUDGE_ROLE_NOT_DUE")
    kept = made.json(made.staged("evaluation"))["metadata"]["judges"][first]["verdict"]
    assert kept["overall"] == 2.5


def test_a_verdict_on_another_text_does_not_stand_beside_a_new_one(tmp_path: Path) -> None:
    made = refined(tmp_path, key_chapter=True)
    record(made, make_verdict(4.5))
    made.draft(version=2)
    assert record(made, make_verdict(4.4), role="secondary").data["missing"] == ["primary"]
    assert "primary" not in made.json(made.staged("evaluation"))["metadata"]["judges"]


def test_a_second_judge_is_for_key_chapters(tmp_path: Path) -> None:
    made = refined(tmp_path)
    told = made.refused(
        3,
        "JUDGE_ROLE_NOT_DUE",
        "judge",
        "record",
        "--role",
        "secondary",
        "--file",
        made.words(make_verdict(4.5)),
    )
    assert "novel next" in told.fix


@pytest.mark.parametrize("stage", [None, "drafting", "drafted", "revising", "judged"])
def test_who_was_not_asked_is_not_heard(tmp_path: Path, stage: str | None) -> None:
    made = refined(tmp_path)
    made.evaluation(4.5)
    made.stage(stage)
    words = made.words(make_verdict(4.0))
    made.refused(
        3, "JUDGE_ROLE_NOT_DUE", "judge", "record", "--chapter", "2", "--role", "primary", "--file", words
    )
    made.refused(
        3, "JUDGE_ROLE_NOT_DUE", "judge", "record", "--chapter", "1", "--role", "primary", "--file", words
    )


def test_what_is_odd_is_told_and_written_down(tmp_path: Path) -> None:
    made = refined(tmp_path)
    found = record(made, make_verdict(3.0))
    assert found.exit == 0 and found.diagnostics
    assert all(d.severity == "warning" for d in found.diagnostics)
    written = made.json(made.staged("evaluation"))["metadata"]["warnings"]
    assert [d.message for d in found.diagnostics] == written


def test_the_judges_chapter_number_is_not_taken_on_trust(tmp_path: Path) -> None:
    made = refined(tmp_path)
    record(made, make_verdict(4.5, chapter=1981))
    assert made.json(made.staged("evaluation"))["chapter"] == 2


def test_the_gate_tells_of_the_round_it_decided_in(tmp_path: Path) -> None:
    """At R = 1 the gate asked for a revision; that R is 2 now does not make it a pass."""
    made = refined(tmp_path, revisions=1)
    record(made, make_verdict(3.2))
    made.advance("judge")
    assert made.point()["revision_count"] == 2
    told = made.ok("gate", "2")
    assert (told["decision"], told["revisions"]) == ("revise", 1)


def test_the_gate_of_a_landed_chapter_and_of_none(tmp_path: Path) -> None:
    made = refined(tmp_path)
    landed = made.ok("gate", "1")
    assert (landed["landed"], landed["decision"]) == (True, "pass")
    made.refused(1, "EVALUATION_MISSING", "gate", "2")
    made.refused(1, "EVALUATION_MISSING", "gate", "3")
    document = made.json(layout.evaluation(1))
    document["metadata"]["judges"]["used"] = None
    document["metadata"]["judges"].pop("primary")
    document["metadata"]["judges"].pop("secondary", None)
    made.write(layout.evaluation(1), document)
    made.refused(1, "EVALUATION_MISSING", "gate", "1")


def test_the_gate_before_it_was_advanced_uses_the_authors_limits(tmp_path: Path) -> None:
    made = refined(tmp_path)
    made.write(layout.CONFIG, "gate:\n  pass: 4.6\n")
    record(made, make_verdict(4.5))
    assert made.ok("gate", "2")["decision"] == "polish"


def test_a_text_that_changed_in_the_judges_hands_is_not_recorded(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("refined")
    made.ok("instructions", made.step("judge"), "--write-manifest")
    made.draft(version=9)
    words = made.words(make_verdict(4.5))
    before = made.tree()
    found = made.novel("judge", "record", "--role", "primary", "--file", words)
    assert (found.exit, found.diagnostics[0].code) == (1, "JUDGED_TEXT_CHANGED")
    assert made.changed(before) == {}
    made.records()
    for phase in ("summarize", "refine"):  # recorded anew first
        made.advance(phase)
    made.ok("instructions", made.step("judge"), "--write-manifest")
    made.ok("judge", "record", "--role", "primary", "--file", words)


def test_one_verdict_for_two_judges_is_noted(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.key_chapter()
    made.until("refined")
    made.judge(4.5)
    words = made.words(make_verdict(4.5))
    found = made.novel("judge", "record", "--role", "secondary", "--file", words)
    assert found.exit == 0 and any("一字不差" in d.message for d in found.diagnostics)


def test_each_note_says_whose_it_is_when_there_are_two_judges(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.key_chapter()
    made.until("refined")
    first = record(made, make_verdict(4.9))
    assert first.diagnostics and not any("主评审" in d.message for d in first.diagnostics)
    words = made.words(make_verdict(3.1, chapter=7))
    both = made.novel("judge", "record", "--role", "secondary", "--file", words).diagnostics
    assert both and all(d.message.startswith("第二评审：") for d in both), "the first's have been told"
    assert all("novel gate 2" in d.fix for d in both)
    assert made.novel("advance", made.step("judge")).diagnostics == ()
    noted = made.novel("gate", "2").data["notes"]
    assert {*noted} == {*(d.message for d in both), *(f"主评审：{d.message}" for d in first.diagnostics)}


def test_what_a_hook_recorded_is_told_by_the_advance(tmp_path: Path) -> None:
    """Nobody read it when the hook took the verdict."""
    made = book(tmp_path)
    made.until("refined")
    made.ok("lock", "release")
    raw = json.dumps(make_verdict(4.5, chapter=7)).encode()
    with writing(Project(str(made.root)), Caller(owner({}, "a"), 200.0), 2) as session:
        found = record_verdict.record(session, 2, "primary", None, raw, "x")
    assert found.warnings
    told = [d.message for d in made.novel("advance", made.step("judge")).diagnostics]
    assert told == [*found.warnings]


def test_the_gate_tells_what_was_odd_about_a_verdict(tmp_path: Path) -> None:
    """What the warning sends the author here for: before the chapter has landed, and after."""
    made = book(tmp_path)
    made.until("refined")
    told = make_verdict(4.5)
    told["scores"]["pacing"]["evidence"] = "她把钟楼搬进了海里"
    recorded = made.novel("judge", "record", "--role", "primary", "--file", made.words(told))
    said = [note.message for note in recorded.diagnostics if note.code == "EVALUATION_NOTE"]
    assert said and "她把钟楼搬进了海里" in "".join(said)
    made.advance("judge")
    for landed in (False, True):
        found = made.novel("gate", "2")
        assert (found.data["landed"], found.data["notes"]) == (landed, said)
        assert all(f"  存疑　{note}" in found.text for note in said)
        if not landed:
            made.ok("commit", "--chapter", "2")


def test_the_gate_tells_of_the_rounds_before(tmp_path: Path) -> None:
    """Those of this life of the chapter: what an earlier one left among the attempts is no round of it."""
    made = book(tmp_path, 1)
    made.until("judged", 2.1)
    made.ok("decide", "2", "rewrite")
    for version, overall in ((2, 3.2), (3, 3.4)):
        made.draft(version=version)
        made.advance("draft" if version == 2 else "revise")
        made.records()
        made.advance("summarize")
        made.advance("refine")
        made.judge(overall)
        made.advance("judge")
        if version == 2:
            made.ok("instructions", made.step("revise"), "--write-manifest")
    found = made.novel("gate", "2")
    assert found.data["earlier"] == [{"revisions": 0, "overall_final": 3.2, "decision": "revise"}]
    assert "之前第 1 轮：3.20 分，修订" in found.text
    for place in made.at(layout.attempts(2)).rglob("*-eval.json"):
        place.write_bytes(b"{")
    assert made.ok("gate", "2")["earlier"] == []


@pytest.mark.parametrize("told", [None, {"a": {"b": 1}}, [1], True])
def test_what_the_judge_wrote_in_a_numbers_place_is_told_in_chinese(tmp_path: Path, told: Any) -> None:
    odd = make_verdict(4.2, chapter=told)
    odd["scores"]["immersion"]["weight"] = told
    found = record(refined(tmp_path), odd)
    said = "\n".join(d.message for d in found.diagnostics)
    assert found.exit == 0 and "章号是" in said
    assert not any(word in said for word in ("None", "True", "{", "[")), said


def test_the_judges_words_are_kept_as_they_came(tmp_path: Path) -> None:
    made = refined(tmp_path)
    made.ok("instructions", made.step("judge"), "--write-manifest")
    made.judge(4.5)
    place = made.at(layout.raw_verdict(2, 0, "primary", 1))
    assert json.loads(place.read_bytes()) == make_verdict(4.5)
    assert made.json(layout.HANDOUT)["recorded"] is True


def test_words_that_were_not_handed_out_leave_another_hand_out_alone(tmp_path: Path) -> None:
    made = refined(tmp_path)
    made.write(layout.HANDOUT, {"step": made.step("refine"), "revisions": 0, "given": True})
    made.judge(4.5)
    assert "recorded" not in made.json(layout.HANDOUT)
