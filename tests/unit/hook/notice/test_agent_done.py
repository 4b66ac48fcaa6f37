"""The end of an agent's work: what is read from the event, what is recorded, who hears of a fault."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any

import pytest
from builders import OWNER, Book, book, make_verdict
from builders import fast_disk as fast_disk
from noticing import AGENT, JUDGE, returns, stops, transcript

from novel_hooks import errors, layout
from novel_hooks.errors import Problem
from novel_hooks.flows.chapter.handout import Run
from novel_hooks.flows.pipeline import agent_report
from novel_hooks.flows.pipeline.agent_report import Ended
from novel_hooks.flows.session.caller import Caller
from novel_hooks.hook.notice import agent_done
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import moment

if TYPE_CHECKING:
    from pathlib import Path

ROOT = "/book"
ENVIRON = {"NOVEL_OWNER": OWNER}


class Desk:
    """Stands in for `agent_report`: notes what it is given, and raises what it is told to."""

    def __init__(self) -> None:
        self.verdicts: list[tuple[str, Caller, Ended, str]] = []
        self.runs: list[tuple[str, Caller, Ended, Run]] = []
        self.faults: list[Problem] = []
        self.models: list[str | None] = []

    def take_verdict(
        self, project: Project, caller: Caller, ended: Ended, words: str, model: str | None = None
    ) -> None:
        self.models.append(model)
        if self.faults:
            raise self.faults.pop(0)
        self.verdicts.append((project.root, caller, ended, words))

    def record_run(self, project: Project, caller: Caller, ended: Ended, run: Run) -> bool:
        if self.faults:
            raise self.faults.pop(0)
        self.runs.append((project.root, caller, ended, run))
        return True


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    made = Desk()
    monkeypatch.setattr(agent_report, "take_verdict", made.take_verdict)
    monkeypatch.setattr(agent_report, "record_run", made.record_run)
    return made


def respond(event: dict[str, Any], environ: dict[str, str] | None = None) -> bytes:
    return agent_done.respond(event, ROOT, ENVIRON if environ is None else environ)


# a verdict ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", [JUDGE, "quality-judge"])
def test_a_judges_last_words_are_his_verdict(desk: Desk, agent: str, tmp_path: Path) -> None:
    place = transcript(tmp_path / "a.jsonl", [(1, 1)], began="2026-01-02T03:04:05Z")
    before = time.time()
    event = stops(ROOT, "我读完了。", agent, agent_transcript_path=str(place))
    assert respond(event) == b""
    ((root, caller, ended, words),) = desk.verdicts
    assert (root, words) == (ROOT, "我读完了。")
    assert ended == Ended("quality-judge", moment.epoch("2026-01-02T03:04:05Z"))
    assert caller.owner.id == OWNER and before <= caller.now <= time.time()
    assert desk.runs == []


def test_a_judges_call_that_comes_back_has_verdict_and_run(desk: Desk, tmp_path: Path) -> None:
    session = tmp_path / "one.jsonl"
    transcript(
        session.with_suffix("") / "subagents" / f"agent-{AGENT}.jsonl",
        [(100, 20), (300, 40)],
        "2026-01-02T03:04:05Z",
    )
    assert respond(returns(ROOT, "我读完了。", transcript_path=str(session))) == b""
    ended = Ended("quality-judge", moment.epoch("2026-01-02T03:04:05Z"))
    assert [(root, ended, words) for root, _, ended, words in desk.verdicts] == [(ROOT, ended, "我读完了。")]
    ((root, caller, of, run),) = desk.runs
    assert (root, of, caller.owner.id) == (ROOT, ended, OWNER)
    amounts = {"duration_ms": 1200, "input_tokens": 400, "output_tokens": 60, "cache_read_input_tokens": 14}
    assert run == Run(AGENT, "claude-sonnet-5", amounts)


@pytest.mark.parametrize("agent", ["novel:chapter-writer", "novel:summarizer", "style-refiner"])
def test_others_of_ours_have_no_verdict_but_a_run(desk: Desk, agent: str) -> None:
    assert respond(stops(ROOT, "写好了。", agent)) == b""
    assert (desk.verdicts, desk.runs) == ([], [])
    assert respond(returns(ROOT, "写好了。", agent)) == b""
    assert desk.verdicts == [] and [ended for _, _, ended, _ in desk.runs] == [
        Ended(agent.rpartition(":")[2], None)
    ]


@pytest.mark.parametrize("agent", ["general-purpose", "other:quality-judge", "", 5, None])
def test_agents_of_others_are_not_ours(desk: Desk, agent: Any) -> None:
    assert respond(stops(ROOT, "好。", agent)) == b""
    assert respond(returns(ROOT, "好。", agent)) == b""
    assert (desk.verdicts, desk.runs) == ([], [])


@pytest.mark.parametrize("words", [None, "", 5, ["好"]])
def test_a_judge_without_words_gives_no_verdict(desk: Desk, words: Any) -> None:
    assert respond(stops(ROOT, words)) == b""
    assert desk.verdicts == []


# what the answer of a call holds --------------------------------------------------------------------------


def one_run(desk: Desk, answer: dict[str, Any], **changes: Any) -> Run:
    assert respond(returns(ROOT, "好。", "novel:chapter-writer", answer, **changes)) == b""
    ((_, _, _, run),) = desk.runs
    return run


@pytest.mark.parametrize(
    "answer",
    [
        {"isAsync": True},
        {"agentId": None},
        {"agentId": ""},
        {"agentId": 7},
        {"content": None},
    ],
)
def test_a_call_that_has_not_come_back(desk: Desk, answer: dict[str, Any]) -> None:
    assert respond(returns(ROOT, "好。", answer=answer)) == b""
    assert (desk.verdicts, desk.runs) == ([], [])


@pytest.mark.parametrize("response", [None, "好", [1]])
def test_a_response_that_is_no_object(desk: Desk, response: Any) -> None:
    assert respond(returns(ROOT, "好。", tool_response=response)) == b""
    assert (desk.verdicts, desk.runs) == ([], [])


def test_the_agent_by_the_answer_and_else_by_the_call(desk: Desk) -> None:
    writer, judge = "novel:chapter-writer", JUDGE
    respond(returns(ROOT, "好。", judge, {"agentType": writer}))
    respond(returns(ROOT, "好。", writer, {"agentType": None}))
    respond(returns(ROOT, "好。", writer, {"agentType": "general-purpose"}))
    respond(returns(ROOT, "好。", writer, {"agentType": None}, tool_input=None))
    assert [ended.agent for _, _, ended, _ in desk.runs] == ["chapter-writer"] * 3


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("好。", "好。"),
        ([{"type": "text", "text": "注"}, {"type": "text", "text": "好。"}], "好。"),
        ([{"type": "text", "text": "好。"}, {"type": "text", "text": ""}, {"type": "image"}, 7], "好。"),
        ([], None),
        ("", None),
        ([{"text": 5}], None),
        ({"text": "好。"}, None),
        (5, None),
    ],
)
def test_the_last_block_with_text_is_the_verdict(desk: Desk, content: Any, words: str | None) -> None:
    assert respond(returns(ROOT, "", answer={"content": content})) == b""
    assert [found for _, _, _, found in desk.verdicts] == ([] if words is None else [words])
    assert len(desk.runs) == 1


def test_without_a_transcript_the_clients_own_count(desk: Desk) -> None:
    usage = {
        "input_tokens": 5000,
        "output_tokens": 500,
        "cache_creation_input_tokens": 7,
        "service_tier": "x",
    }
    assert one_run(desk, {"usage": usage, "totalDurationMs": 1200.4}).amounts == {
        "duration_ms": 1200,
        "input_tokens": 5000,
        "output_tokens": 500,
        "cache_creation_input_tokens": 7,
    }


@pytest.mark.parametrize(
    ("value", "amount"),
    [
        (0, 0),
        (1.5, 2),
        ((1 << 53) - 1, (1 << 53) - 1),
        (1 << 53, None),
        (-1, None),
        (-0.1, None),
        (True, None),
        ("7", None),
        (None, None),
        ([1], None),
        (float("inf"), None),
    ],
)
def test_odd_amounts_are_unknown(desk: Desk, value: Any, amount: int | None) -> None:
    found = one_run(desk, {"usage": {"input_tokens": value}, "totalDurationMs": value}).amounts
    assert found == ({} if amount is None else {"duration_ms": amount, "input_tokens": amount})


@pytest.mark.parametrize("usage", [None, 5, [1]])
def test_a_usage_that_is_no_object_is_unknown(desk: Desk, usage: Any) -> None:
    assert one_run(desk, {"usage": usage}).amounts == {"duration_ms": 1200}


@pytest.mark.parametrize(
    ("model", "told"), [("claude-opus-5", "claude-opus-5"), ("", None), (5, None), (None, None)]
)
def test_the_model_is_the_one_that_was_resolved(desk: Desk, model: Any, told: str | None) -> None:
    assert one_run(desk, {"resolvedModel": model}).model == told


@pytest.mark.parametrize(
    ("session", "agent", "found"),
    [
        ("one.jsonl", AGENT, True),
        ("one.json", AGENT, False),
        ("one.jsonl", "../x", False),
        ("one.jsonl", "a-b", False),
        (None, AGENT, False),
    ],
)
def test_the_agents_transcript_lies_beside_the_sessions(
    desk: Desk, tmp_path: Path, session: str | None, agent: str, found: bool
) -> None:
    for name in ("one", "one.json"):
        transcript(tmp_path / name / "subagents" / f"agent-{agent}.jsonl", [(100, 20)])
    path = None if session is None else str(tmp_path / session)
    run = one_run(desk, {"agentId": agent, "usage": None}, transcript_path=path)
    assert (run.amounts.get("input_tokens") == 100) is found


# who calls --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("session", "environ", "owner"),
    [
        ("session-one", {}, "session-one"),
        ("session-one", {"CLAUDE_CODE_SESSION_ID": "session-two"}, "session-one"),
        ("session-one", {"NOVEL_OWNER": "author"}, "author"),
        ("", {"CLAUDE_CODE_SESSION_ID": "session-two"}, "session-two"),
        (5, {"CLAUDE_CODE_SESSION_ID": "session-two"}, "session-two"),
        (None, {"CLAUDE_CODE_SESSION_ID": "session-two"}, "session-two"),
    ],
)
def test_the_session_of_the_event_is_the_owner(
    desk: Desk, session: Any, environ: dict[str, str], owner: str
) -> None:
    respond(stops(ROOT, "好。", session_id=session), environ)
    assert [caller.owner.id for _, caller, _, _ in desk.verdicts] == [owner]


# faults -----------------------------------------------------------------------------------------------


def test_a_fault_goes_to_the_author_at_once_and_to_the_model_after_the_call(desk: Desk) -> None:
    fault = errors.DependencyMissing(name="x")
    sentence = f"评审的意见没有记下。{fault}"
    desk.faults = [fault]
    assert json.loads(respond(stops(ROOT, "好。"))) == {"systemMessage": sentence}
    desk.faults = [fault]
    assert json.loads(respond(returns(ROOT, "好。"))) == {
        "hookSpecificOutput": {"additionalContext": sentence, "hookEventName": "PostToolUse"}
    }
    assert len(desk.runs) == 1, "the run is noted all the same"


def test_a_run_that_cannot_be_noted_is_nobodys_affair(desk: Desk) -> None:
    desk.faults = [errors.DependencyMissing(name="x")]
    assert respond(returns(ROOT, "好。", "novel:chapter-writer")) == b""
    assert (desk.faults, desk.runs) == ([], [])


def test_another_command_is_waited_for_and_not_for_ever(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(time, "sleep", waited.append)
    busy = errors.CommandBusy(detail="x")
    desk.faults = [busy] * 3
    assert respond(stops(ROOT, "好。")) == b"" and len(desk.verdicts) == 1
    assert len(waited) == 3 and len(set(waited)) == 1
    desk.faults, desk.verdicts = [busy] * 99, []
    assert str(busy) in json.loads(respond(stops(ROOT, "好。")))["systemMessage"]
    assert len(desk.faults) == 99 - 21 and desk.verdicts == []
    assert sum(waited[3:]) == 5.0


def test_a_bug_is_not_taken_for_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(agent_report, "take_verdict", broken)
    with pytest.raises(ZeroDivisionError):
        respond(stops(ROOT, "好。"))


# on a real book -----------------------------------------------------------------------------------------


def test_a_verdict_and_its_run_are_in_the_book(tmp_path: Path) -> None:
    made: Book = book(tmp_path)
    made.until("refined")
    made.ok("instructions", made.step("judge"), "--write-manifest")
    words = json.dumps(make_verdict(4.3), ensure_ascii=False)
    assert agent_done.respond(returns(made.root, words), str(made.root), ENVIRON) == b""
    judges = made.json(made.staged("evaluation"))["metadata"]["judges"]
    assert judges["primary"]["overall"] == 4.3
    last = made.json(layout.work_log(made.chapter))["stages"][-1]
    assert (last["name"], last["input_tokens"], last["duration_ms"]) == ("judge", 5000, 1200)


# Codex ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", ["chapter-writer", "summarizer", "style-refiner", "quality-judge"])
def test_in_codex_one_event_has_words_model_and_tokens(desk: Desk, agent: str, tmp_path: Path) -> None:
    place = tmp_path / "a.jsonl"
    count = {"input_tokens": 9, "cached_input_tokens": 4, "output_tokens": 2}
    info = {"type": "token_count", "info": {"total_token_usage": count}}
    began = moment.iso(time.time() - 5)
    place.write_text(f'{{"timestamp":"{began}"}}\n{json.dumps({"payload": info})}\n', encoding="utf-8")
    event = stops(ROOT, "我读完了。", agent, agent_transcript_path=str(place), agent_id="a1", model="gpt-x")
    assert agent_done.respond(event, ROOT, {"CLAUDE_PID": str(os.getpid())}, "codex") == b""
    ((_, caller, ended, run),) = desk.runs
    assert (caller.owner.id, ended) == (event["session_id"], Ended(agent, moment.epoch(began)))
    assert caller.owner.pid != os.getpid(), "that is Claude Code's process"
    assert (run.id, run.model) == ("a1", "gpt-x")
    amounts = dict(run.amounts)
    assert 4000 <= amounts.pop("duration_ms") < 60_000
    assert amounts == {"input_tokens": 5, "output_tokens": 2, "cache_read_input_tokens": 4}
    judged = agent == "quality-judge"
    assert [words for *_, words in desk.verdicts] == (["我读完了。"] if judged else [])
    assert desk.models == (["gpt-x"] if judged else [])


def test_in_codex_an_agent_without_a_transcript_has_no_amounts(desk: Desk) -> None:
    assert agent_done.respond(stops(ROOT, "好。", JUDGE, agent_id="a1"), ROOT, {}, "codex") == b""
    ((_, _, ended, run),) = desk.runs
    assert (ended, dict(run.amounts)) == (Ended("quality-judge", None), {})


@pytest.mark.parametrize("changes", [{"agent_type": "default"}, {"agent_id": None}])
def test_in_codex_anybody_else_is_passed_over(desk: Desk, changes: dict[str, Any]) -> None:
    event = {**stops(ROOT, "好。", JUDGE, agent_id="a1"), **changes}
    assert agent_done.respond(event, ROOT, {}, "codex") == b""
    assert (desk.verdicts, desk.runs) == ([], [])
