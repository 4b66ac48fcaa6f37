"""A step handed out: its marks, whose hand-out it stays, what is kept of the text, and what stops it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import OWNER, Book, book
from builders import fast_disk as fast_disk
from planbook import sample_book, staged_book

from novel_hooks import layout
from novel_hooks.flows.briefing import instructions
from novel_hooks.flows.briefing.instructions import Instructions
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.flows.packet import chapter_inputs
from novel_hooks.flows.packet.gathering import Assembled
from novel_hooks.flows.session.caller import Caller
from novel_hooks.flows.session.session import writing
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.store.files.project import Project
from novel_hooks.store.host.owner import owner

if TYPE_CHECKING:
    from pathlib import Path

NOW = 1_800_000_000.0


@pytest.fixture
def made(tmp_path: Path) -> Book:
    made = book(tmp_path)
    made.ok("lock", "acquire")
    return made


def hand_out(
    made: Book, phase: str, write: bool = True, now: float = NOW, embed: bool = False
) -> Instructions:
    step = phase if ":" in phase else made.step(phase)
    with writing(Project(str(made.root)), Caller(owner({}, OWNER), now)) as session:
        return instructions.hand_out(session, steps.parse(step), embed, write)


def out(made: Book) -> dict[str, Any]:
    found: dict[str, Any] = made.json(layout.HANDOUT)
    return found


# marks -----------------------------------------------------------------------------------------------


def test_a_hand_out_marks_everything_outside_staging(made: Book) -> None:
    hand_out(made, "draft")
    assert made.at(layout.FENCE).is_file() and made.at(layout.FENCE_NEAR).is_file()
    assert made.at(layout.FENCE_ARMED).read_text("utf-8") == f"{made.step('draft')}\n"


def test_a_step_that_is_still_out_keeps_the_marks_it_was_handed_out_with(made: Book) -> None:
    hand_out(made, "draft")
    before = made.at(layout.FENCE).read_bytes()
    made.write(layout.BRIEF, "别人改的\n")
    hand_out(made, "draft", now=NOW + 5)
    assert made.at(layout.FENCE).read_bytes() == before
    made.draft()
    made.refused(3, "WRITE_OUTSIDE_STAGING", "advance", made.step("draft"))


def test_a_step_that_is_not_due_is_not_handed_out(made: Book) -> None:
    made.draft()
    made.records()
    hand_out(made, "draft")
    assert not made.at(layout.HANDOUT).exists() and not made.at(layout.FENCE_ARMED).exists()


def test_a_packet_is_made_once(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading all that a packet holds is most of the command's cost."""
    asked: list[str] = []
    gather = chapter_inputs.for_phase

    def noted(desk: Desk, phase: str, revisions: int) -> Assembled:
        asked.append(phase)
        return gather(desk, phase, revisions)

    monkeypatch.setattr(chapter_inputs, "for_phase", noted)
    made.ok("instructions", made.step("draft"), "--write-manifest")
    assert asked == ["draft"]


def test_a_refused_packet_leaves_the_authors_comments_in_the_text(made: Book) -> None:
    made.until("refined")
    made.stage("drafted")
    text = made.draft() + "\n<!-- 再慢一点 -->\n"
    made.write(made.staged("chapter"), text)
    made.drop(layout.STYLE_PROFILE)
    made.refused(3, "FILE_MISSING", "instructions", made.step("refine"), "--write-manifest")
    assert made.at(made.staged("chapter")).read_text("utf-8") == text


# the hand-out ----------------------------------------------------------------------------------------


def test_a_packet_that_was_only_read_is_with_nobody(made: Book) -> None:
    hand_out(made, "draft", write=False)
    assert (out(made)["step"], out(made).get("given"), out(made)["at"]) == (made.step("draft"), None, NOW)
    hand_out(made, "draft", write=True, now=NOW + 5)
    assert (out(made)["given"], out(made)["at"]) == (True, NOW + 5), "from now on an agent has it"
    hand_out(made, "draft", write=False, now=NOW + 9)
    assert (out(made)["given"], out(made)["at"]) == (True, NOW + 5)


def test_an_embedded_packet_is_given_too(made: Book) -> None:
    hand_out(made, "draft", write=False, embed=True)
    assert out(made)["given"] is True
    assert [name for name in made.names(layout.MANIFESTS) if name.endswith(".json")] == []


def test_the_same_step_again_keeps_its_first_moment(made: Book) -> None:
    hand_out(made, "draft")
    before = made.tree()
    hand_out(made, "draft", now=NOW + 60)
    assert made.changed(before) == {}


def test_a_step_that_is_done_again_keeps_its_note_and_what_it_has_cost(made: Book) -> None:
    hand_out(made, "draft")
    runs = [{"id": "a", "model": "m", "input_tokens": 5}]
    made.write(layout.HANDOUT, {**out(made), "runs": runs, "done": True, "note": "短一些"})
    found = hand_out(made, "draft", now=NOW + 60)
    assert "短一些" in str(found.packet)
    assert (out(made)["runs"], out(made)["note"], out(made)["at"]) == (runs, "短一些", NOW + 60)
    assert "done" not in out(made)


def test_another_step_takes_nothing_of_it(made: Book) -> None:
    hand_out(made, "draft")
    runs = [{"id": "a", "model": "m", "input_tokens": 5}]
    made.write(layout.HANDOUT, {**out(made), "runs": runs, "done": True, "note": "短一些"})
    made.draft()
    hand_out(made, "summarize", now=NOW + 60)
    assert out(made)["step"] == made.step("summarize")
    assert "runs" not in out(made) and "note" not in out(made)
    stages = made.json(layout.work_log(2))["stages"]
    assert [(one["name"], one["input_tokens"]) for one in stages] == [("draft", 5)], "it was passed over"


# the text that an agent writes over --------------------------------------------------------------------


def judged(made: Book, decision: str) -> None:
    made.stage("revising" if decision == "polish" else "judged")
    made.draft()
    made.records()
    made.evaluation(3.7 if decision == "polish" else 3.2, gate={"decision": decision, "revisions": 0})


def test_a_draft_that_does_not_pass_is_kept_and_its_verdict_goes(made: Book) -> None:
    made.stage("drafting")
    made.write(made.staged("chapter"), "夜渡".encode("gbk"))
    made.write(made.staged("evaluation"), {"overall": 1})
    hand_out(made, "draft")
    assert {path.rpartition("/")[2] for path in made.attempts()} == {
        "chapter-002.md",
        "chapter-002-eval.json",
    }
    assert made.at(made.staged("chapter")).is_file()
    assert not made.at(made.staged("evaluation")).exists()


def test_before_a_break_point_the_refiners_text_is_kept(made: Book) -> None:
    made.write(layout.CONFIG, "stop_after: refine\n")
    made.stage("drafted")
    first = made.draft()
    made.records()
    hand_out(made, "refine")
    (kept,) = made.attempts().items()
    assert kept == ("0001-r0-before-refine/chapter-002.md", first.encode())
    assert out(made)["before"] == f"{layout.attempts(2)}/{kept[0]}"
    assert out(made)["handed"] == made.sha("chapter")


def test_a_draft_is_kept_when_it_is_refined(made: Book) -> None:
    made.stage("drafted")
    made.draft()
    made.records()
    text = made.at(made.staged("chapter")).read_bytes()
    hand_out(made, "refine")
    kept = "0001-r0-before-refine/chapter-002.md"
    assert made.attempts() == {kept: text} and out(made)["before"] == f"{layout.attempts(2)}/{kept}"
    assert out(made)["handed"] == made.sha("chapter")


def test_the_first_copy_stays_the_one_that_the_step_began_with(made: Book) -> None:
    """Handed out again after a run that came to nothing: what was written then is not what was given."""
    made.write(layout.CONFIG, "stop_after: refine\n")
    made.stage("drafted")
    made.draft()
    made.records()
    hand_out(made, "refine")
    first = out(made)["before"]
    made.write(layout.HANDOUT, {**out(made), "failed": True})
    made.draft(version=2)
    hand_out(made, "refine", now=NOW + 60)
    assert out(made)["before"] == first
    assert len(made.attempts()) == 2


def test_a_judges_text_is_known_by_its_hash(made: Book) -> None:
    made.stage("refined")
    made.draft()
    made.records()
    hand_out(made, "judge")
    assert (out(made)["text_sha256"], out(made)["role"]) == (made.sha("chapter"), "primary")
    assert "handed" not in out(made) and "before" not in out(made)


# planning --------------------------------------------------------------------------------------------


def test_a_volumes_packet_is_remembered_with_its_setting(tmp_path: Path) -> None:
    made = sample_book(tmp_path / "book")
    made.point(orchestrator_state="VOL_PLANNING", current_volume=1)
    hand_out(made, "volume:01:outline")
    given = made.json(layout.SETTING_GIVEN)
    assert given["taken"] == [] and given["setting"]
    made.drop(layout.SETTING_GIVEN)
    hand_out(made, "volume:01:outline", now=NOW + 1)
    assert made.at(layout.SETTING_GIVEN).is_file()


def test_a_setup_step_remembers_no_setting(tmp_path: Path) -> None:
    made = staged_book(tmp_path / "book")
    hand_out(made, "setup:world")
    assert not made.at(layout.SETTING_GIVEN).exists()
    assert out(made)["step"] == "setup:world"


def test_the_answers_that_a_planner_is_given_are_marked_as_given(tmp_path: Path) -> None:
    made = staged_book(tmp_path / "book")
    choices = [{"label": "甲", "effect": "甲"}, {"label": "乙", "effect": "乙"}]
    asked = {"id": "toll", "header": "价", "question": "要什么？", "why": "要紧。", "choices": choices}
    made.write(layout.questions("setup-world"), {"questions": [asked], "conflicts": []})
    made.ok("answer", "setup:world", "toll", "2")
    (before,) = answers(made)
    hand_out(made, "setup:world")
    (after,) = answers(made)
    assert (before["told"], after["told"]) == (None, after["answer"])


def answers(made: Book) -> list[dict[str, Any]]:
    known = made.json(layout.DECISIONS)
    return next(value for value in known.values() if isinstance(value, list))


# what stops it ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["VOL_REVIEW", "VOL_PLANNING", "INIT", "QUICK_START"])
def test_between_chapters_of_other_states_no_chapter_is_handed_out(tmp_path: Path, state: str) -> None:
    made = book(tmp_path)
    made.point(orchestrator_state=state)
    before = made.tree()
    found = made.novel("instructions", "chapter:002:draft")
    assert (found.exit, found.diagnostics[0].code) == (3, "CHAPTER_NOT_DUE")
    assert made.changed(before) == {}


@pytest.mark.parametrize("chapter", [1, 3, 99])
def test_another_chapter_is_not_handed_out(made: Book, chapter: int) -> None:
    made.refused(3, "CHAPTER_NOT_DUE", "instructions", f"chapter:{chapter:03d}:draft")


def test_a_sync_whose_text_has_changed_is_not_handed_out(tmp_path: Path) -> None:
    made = book(tmp_path, 2)
    made.ok("sync", "2")
    made.ok("instructions", "sync:002:summarize")
    made.write(layout.chapter(2), "# 第 2 章 夜渡\n\n我又改了一句。\n")
    made.refused(3, "SYNC_TEXT_CHANGED", "instructions", "sync:002:summarize")
