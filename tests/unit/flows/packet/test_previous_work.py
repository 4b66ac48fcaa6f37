"""A redone step gets what was made before, and what was wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from unit.flows.packet.test_chapter_inputs import AGENTS, at_phase, packet, value

if TYPE_CHECKING:
    from pathlib import Path

BROKEN = "# 第 5 章 夜渡\n\n水声。\n\n## 修改说明\n\n以上是按要求写的第 5 章。\n"


def keys(found: dict[str, Any]) -> set[str]:
    return {one["key"] for one in found["inputs"]}


def given(found: dict[str, Any], key: str) -> str:
    (one,) = [i for i in found["inputs"] if i["key"] == key]
    return str(one["text"])


@pytest.mark.parametrize("phase", AGENTS)
def test_a_step_that_is_not_redone_gets_neither(tmp_path: Path, phase: str) -> None:
    made = at_phase(tmp_path, phase)
    assert not {"previous_output", "previous_problems"} & keys(packet(made, phase))


def test_a_draft_after_a_failed_check_gets_its_text_and_what_was_wrong(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    packet(made, "draft")
    made.draft(BROKEN)
    (wrong,) = [d for d in made.novel("validate", made.step("draft")).diagnostics if d.severity == "error"]
    made.ok("fail", made.step("draft"), "--reason", "正文里有说明")
    found = packet(made, "draft")
    assert "按要求写的第 5 章" in given(found, "previous_output")
    (told,) = value(found, "previous_problems")
    assert (told["problem"], told["fix"]) == (wrong.message, wrong.fix)
    assert any("previous_output" in rule for rule in found["rules"])


def test_a_draft_that_failed_for_the_hosts_reason_gets_that_reason(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    packet(made, "draft")
    text = made.draft()
    made.ok("fail", made.step("draft"), "--reason", "第二场没有写完")
    found = packet(made, "draft")
    assert text.strip() in given(found, "previous_output")
    assert value(found, "previous_problems") == [{"path": None, "problem": "第二场没有写完", "fix": ""}]


def test_a_text_that_nobody_can_read_is_told_and_not_given(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    made.write(made.staged("chapter"), "# 第 5 章\n\n水声。\n".encode("gb18030"))
    found = packet(made, "draft")
    assert "previous_output" not in keys(found)
    assert "UTF-8" in value(found, "previous_problems")[0]["problem"]


def test_records_after_a_failed_check(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "summarize")
    made.records(base_state_version=99)
    made.ok("fail", made.step("summarize"), "--reason", "版本不对")
    found = packet(made, "summarize")
    former = value(found, "previous_output")
    assert set(former) == {"summary", "delta", "crossref", "memory"}
    assert former["delta"]["base_state_version"] == 99
    assert any(one["path"] == made.staged("delta") for one in value(found, "previous_problems"))


def test_what_only_its_agent_can_mend_is_a_problem_of_the_redo(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "summarize")
    packet(made, "summarize")
    made.records(ops=[{"op": "inc", "path": "characters.shen-du.location", "value": 1}])
    (again,) = made.ok("validate", made.step("summarize"))["again"]
    made.ok("fail", made.step("summarize"), "--reason", again)
    assert [one["problem"] for one in value(packet(made, "summarize"), "previous_problems")] == [again]


def test_a_refiners_second_try_gets_what_was_wrong_with_the_first(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "refine")
    made.draft(BROKEN)
    made.ok("fail", made.step("refine"), "--reason", "不合格")
    found = packet(made, "refine")
    assert "previous_output" not in keys(found), "the text is his chapter_content"
    assert [one["path"] for one in value(found, "previous_problems")] == [made.staged("chapter")]


def test_after_a_revise_the_summarizer_gets_his_former_records(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "revise")
    former = {key: made.at(made.staged(key)).read_text("utf-8") for key in ("summary", "memory")}
    delta = made.json(made.staged("delta"))
    packet(made, "revise", "--write-manifest")
    made.draft(version=2)
    made.advance("revise")
    assert made.next()["phase"] == "summarize"
    found = packet(made, "summarize")
    told = value(found, "previous_output")
    assert {key: told[key] for key in former} == former and told["delta"] == delta
    assert "previous_problems" not in keys(found)
    made.records()
    made.advance("summarize")
    assert "former" not in made.point(), "the next step is none that is redone"


def test_a_rewrite_gets_the_former_draft_and_what_the_judge_found(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=4, volume_size=8)
    made.stage("judged", 2)
    text = made.draft()
    made.records()
    made.evaluation(2.5, gate={"decision": "pause_for_user"})
    made.ok("decide", "5", "rewrite")
    found = packet(made, "draft")
    assert text.strip() in given(found, "previous_output")
    assert value(found, "previous_problems")
    assert packet(made, "draft") == found, "the same files give the same packet"
    made.draft(version=2)
    made.advance("draft")
    made.ok("instructions", made.step("summarize"))


def test_a_rollback_forgets_what_was_put_aside(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=4, volume_size=8)
    made.stage("judged", 2)
    made.draft()
    made.records()
    made.evaluation(2.5, gate={"decision": "pause_for_user"})
    made.ok("decide", "5", "rewrite")
    made.ok("rollback", "4", "--yes")
    assert "former" not in made.point()
    assert "previous_output" not in keys(packet(made, "draft"))


@pytest.mark.parametrize("phase", ["draft", "summarize"])
def test_again_at_a_break_point_gives_the_text_that_was_put_aside(tmp_path: Path, phase: str) -> None:
    made = at_phase(tmp_path, phase)
    made.ok("lock", "acquire", "--step")
    packet(made, phase, "--write-manifest")
    text = made.draft() if phase == "draft" else ""
    if phase == "summarize":
        made.records()
    assert made.next()["stop"]
    made.ok("decide", "5", "again", "--note", "留着第一句")
    for _ in range(2):
        packet(made, phase, "--write-manifest")
        found = packet(made, phase)
        assert any("留着第一句" in rule for rule in found["rules"])
        if phase == "draft":
            assert text.strip() in given(found, "previous_output")
        else:
            assert value(found, "previous_output")["delta"]["chapter"] == 5
    assert made.names(layout.attempts(5))


def test_what_the_rejected_verdict_tells_too_early_is_kept_back(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=4, volume_size=8)
    payoff = "船灯是守塔人的父亲亲手换的"
    one = {"id": "lamp", "description": "灯", "signal": "灯底新", "payoff": payoff, "status": "planted"}
    made.write(layout.FORESHADOWING, {"foreshadowing": [one]})
    made.stage("judged", 2)
    made.draft()
    made.records()
    document = made.evaluation(2.5, gate={"decision": "pause_for_user"})
    verdict = document["metadata"]["judges"]["primary"]["verdict"]
    verdict["required_fixes"] = [{"target": "末段", "instruction": f"没有写出{payoff}。收短。"}]
    made.write(made.staged("evaluation"), document)
    made.ok("decide", "5", "rewrite")
    assert [p["problem"] for p in value(packet(made, "draft"), "previous_problems")] == ["末段：收短。"]


def test_a_redo_that_fails_gets_its_own_text_and_faults(tmp_path: Path) -> None:
    """Not what the author had put aside before."""
    made = at_phase(tmp_path, "draft")
    made.ok("lock", "acquire", "--step")
    packet(made, "draft", "--write-manifest")
    made.draft()
    made.ok("decide", "5", "again", "--note", "留着第一句")
    packet(made, "draft", "--write-manifest")
    made.draft(BROKEN)
    (wrong,) = [d for d in made.novel("validate", made.step("draft")).diagnostics if d.severity == "error"]
    made.ok("fail", made.step("draft"), "--reason", "正文里有说明")
    found = packet(made, "draft")
    assert "按要求写的第 5 章" in given(found, "previous_output")
    assert [one["problem"] for one in value(found, "previous_problems")] == [wrong.message]


def test_a_text_that_changed_after_its_verdict_is_recorded_anew_over_the_former_records(
    tmp_path: Path,
) -> None:
    made = book(tmp_path, chapters=4, volume_size=8)
    made.stage("judged")
    made.draft()
    made.records()
    made.evaluation(4.5)
    delta = made.json(made.staged("delta"))
    made.draft(version=2)
    assert made.next()["phase"] == "summarize"
    found = packet(made, "summarize")
    assert value(found, "previous_output")["delta"] == delta
    assert "previous_problems" not in keys(found)
