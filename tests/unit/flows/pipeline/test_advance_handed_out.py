"""`novel advance` of a step that was handed out, and whose output is found before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from unit.flows.pipeline.advanced_chapter import full

if TYPE_CHECKING:
    from pathlib import Path


def test_a_step_whose_output_is_found_is_advanced_when_it_was_handed_out(tmp_path: Path) -> None:
    """At judged, a summary that is written makes `next` go on to the gate."""
    made = full(tmp_path, "judged")
    made.drop(made.staged("memory"))
    made.ok("instructions", made.step("summarize"))
    made.records()
    assert made.next()["phase"] == "commit"
    assert made.advance("summarize")["pipeline_stage"] == "drafted"
    assert not made.at(layout.HANDOUT).exists()


@pytest.mark.parametrize(("overall", "phase"), [(3.2, "revise"), (3.7, "polish")])
def test_a_rewrite_handed_out_at_judged_is_advanced_and_the_old_text_is_kept(
    tmp_path: Path, overall: float, phase: str
) -> None:
    made = full(tmp_path, "judged", overall=overall)
    old = made.at(made.staged("chapter")).read_bytes()
    made.ok("instructions", made.step(phase))
    made.draft(version=2)
    assert made.next()["phase"] == "summarize"
    assert made.advance(phase)["changed"] is True
    assert old in made.attempts().values()


def test_an_old_hand_out_opens_nothing(tmp_path: Path) -> None:
    made = full(tmp_path, "judged", overall=3.7)
    made.ok("instructions", made.step("polish"))
    made.evaluation(2.5)
    made.refused(3, "STEP_NOT_NEXT", "advance", made.step("polish"))
    made.write(made.staged("evaluation"), "{}")
    made.refused(3, "STEP_NOT_NEXT", "advance", made.step("polish"))
    made.stage("judged", revisions=1)
    made.evaluation(3.7)
    made.draft(version=2)
    made.refused(3, "STEP_NOT_NEXT", "advance", made.step("polish"))


def test_a_draft_that_does_not_pass_is_kept_when_the_writer_is_called(tmp_path: Path) -> None:
    """It may be the author's own, saved in another encoding."""
    made = book(tmp_path)
    made.ok("lock", "acquire")
    own = "# 第 2 章 夜渡\n\n我自己写的。\n".encode("gbk")
    made.write(made.staged("chapter"), own)
    found = made.novel("next")
    assert found.data["phase"] == "draft"
    assert [d.severity for d in found.diagnostics] == ["warning"]
    assert "UTF-8" in found.diagnostics[0].message and made.staged("chapter") in found.diagnostics[0].message
    for _ in range(2):
        made.ok("instructions", made.step("draft"))
    assert list(made.attempts().values()) == [own]


def test_the_verdict_on_a_text_that_is_gone_goes_with_the_call_for_a_new_one(tmp_path: Path) -> None:
    """Else a new draft would land as the polished old one."""
    made = full(tmp_path, "revising", overall=3.7, decision="polish")
    made.drop(made.staged("chapter"))
    made.ok("instructions", made.step("draft"))
    made.draft(version=2)
    assert made.next()["phase"] == "summarize"
