"""What the client tells us of, through the very commands in hooks.json, as real processes."""

from __future__ import annotations

import fcntl
import json
import os
import re
import time
from pathlib import Path
from typing import Any

import pytest
from builders import HIGH, OTHER, OWNER, Book, book, process
from conftest import CHECKOUT
from e2e.noticed import EVENTS, STEP, hear, words
from e2e.noticed import made as made
from noticing import AGENT, JUDGE, begins, hook_entry, returns, stops, tell, transcript

from novel_hooks import layout, roles


def stages(made: Book) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = made.json(layout.work_log(made.chapter))["stages"]
    return found


def judged(made: Book) -> dict[str, Any]:
    found: dict[str, Any] = made.json(made.staged("evaluation"))["metadata"]["judges"]
    return found


# --- hooks.json -------------------------------------------------------------------------------------


@pytest.mark.parametrize("event", EVENTS)
def test_the_command_is_one_quoted_program_that_never_blocks(event: str) -> None:
    found = hook_entry(event)
    assert re.fullmatch(
        r'"\$\{CLAUDE_PLUGIN_ROOT\}/hooks/notice" (session-start|agent-done)', found["command"]
    )
    assert "onFailure" not in found
    assert 10 <= found["timeout"] <= 60
    assert os.access(os.path.join(CHECKOUT, "hooks", "notice"), os.X_OK)


def test_whom_the_client_asks_about() -> None:
    judge, call = (re.compile(hook_entry(event)["matcher"]) for event in EVENTS[1:])
    assert [
        bool(judge.search(name)) for name in (JUDGE, "quality-judge", "novel:summarizer", "x:quality-judge")
    ] == [*(True, True, False, False)]
    assert [bool(call.search(name)) for name in ("Agent", "Task", "TaskStop", "AgentX", "Write")] == [
        *(True, True, False, False, False)
    ]


def test_the_shell_knows_every_agent() -> None:
    source = Path(CHECKOUT, "hooks", "notice").read_text(encoding="utf-8")
    assert set(re.findall(r'\*\[:\\"\]([a-z-]+)\\"\*', source)) == set(roles.ROLES)


def test_what_a_planner_costs_is_counted(tmp_path: Path) -> None:
    made = book(tmp_path, 3, 6)
    made.ok("lock", "acquire", "--run", "1")
    made.ok("replan", "--yes")
    made.ok("instructions", "volume:01:outline", "--write-manifest")
    assert hear(returns(made.root, "写好了。", "novel:plot-architect")).silent
    assert [run["id"] for run in made.json(layout.HANDOUT)["runs"]] == [AGENT]
    made.write(layout.CONFIG, "budget:\n  run_tokens: 1\n")
    assert made.ok("report")["night"]["spent"]["tokens"]


# --- a judge's words --------------------------------------------------------------------------------


@pytest.mark.parametrize("told", ["stops", "returns"])
@pytest.mark.parametrize("agent", [JUDGE, "quality-judge"])
def test_a_verdict_is_taken_as_it_came(made: Book, told: str, agent: str) -> None:
    said = words(4.3)
    assert hear((stops if told == "stops" else returns)(made.root, said, agent)).silent
    due = made.next()
    assert (due["step"], due["recorded"], due["role"]) == (STEP, True, None)
    assert judged(made)["primary"]["overall"] == 4.3
    assert judged(made)["primary"]["model"] == "sonnet", "the one that the packet asked for"
    kept = made.at(layout.raw_verdict(2, 0, "primary", 1)).read_text(encoding="utf-8")
    assert kept == said
    assert made.advance("judge")["gate"]["decision"] == "pass"


def test_it_is_what_judge_record_makes_of_the_same_words(made: Book, tmp_path: Path) -> None:
    said = words(3.7, violation="l2")
    place = tmp_path / "words.txt"
    place.write_text(said, encoding="utf-8")
    assert hear(stops(made.root, said)).silent
    by_hook = made.at(made.staged("evaluation")).read_bytes()
    made.drop(made.staged("evaluation"))
    made.ok("judge", "record", "--role", "primary", "--model", "sonnet", "--file", str(place))
    assert made.at(made.staged("evaluation")).read_bytes() == by_hook
    assert HIGH["detail"].encode() in by_hook


def test_both_hooks_record_once(made: Book) -> None:
    said = words()
    assert hear(stops(made.root, said)).silent
    before = made.tree()
    assert hear(returns(made.root, said)).silent
    changed = set(made.changed(before))
    assert changed == {layout.HANDOUT, layout.work_log(2)}, "who worked how long, and nothing else"
    again = made.tree()
    assert hear(returns(made.root, said)).silent and hear(stops(made.root, said)).silent
    assert made.changed(again) == {}
    assert [stage["name"] for stage in stages(made)].count("judge") == 1


def test_which_of_two_judges_follows_from_the_step_that_is_out(made: Book) -> None:
    made.key_chapter()
    first, second = words(4.4), words(3.1)
    assert hear(stops(made.root, first)).silent
    due = made.next()
    assert (due["step"], due["recorded"], due["role"], due["model"]) == (STEP, False, "secondary", "opus")
    assert hear(returns(made.root, first)).silent
    assert set(judged(made)) & {"primary", "secondary"} == {"primary"}, (
        "the first one, told again, is no second"
    )
    made.ok("instructions", STEP, "--write-manifest")
    assert hear(stops(made.root, second, agent_id="b2")).silent
    assert hear(returns(made.root, second, answer={"agentId": "b2", "resolvedModel": "claude-opus-5"})).silent
    assert made.next()["recorded"] is True
    assert (judged(made)["primary"]["overall"], judged(made)["secondary"]["overall"]) == (4.4, 3.1)
    assert [s["model"] for s in stages(made)][-2:] == ["claude-sonnet-5", "claude-opus-5"]


def test_a_judge_who_began_before_the_step_was_out_is_not_heard(made: Book, tmp_path: Path) -> None:
    early = transcript(tmp_path / "agent.jsonl", [(1, 1)], began="2001-01-01T00:00:00.000Z")
    before = made.tree()
    assert hear(stops(made.root, words(), agent_transcript_path=str(early))).silent
    session = tmp_path / "s.jsonl"
    transcript(
        session.with_suffix("") / "subagents" / f"agent-{AGENT}.jsonl", [(1, 1)], "2001-01-01T00:00:00Z"
    )
    assert hear(returns(made.root, words(), transcript_path=str(session))).silent
    assert made.changed(before) == {}
    late = transcript(tmp_path / "late.jsonl", [(1, 1)])
    assert hear(stops(made.root, words(), agent_transcript_path=str(late))).silent
    assert made.next()["recorded"] is True


@pytest.mark.parametrize(
    "said", ['{"overall": 4.2', "我看挺好。", words(9.0), words().replace('"l1_checks"', '"l1"')]
)
def test_words_that_cannot_be_read_leave_the_step_with_the_judge(made: Book, said: str) -> None:
    heard = hear(stops(made.root, said))
    assert heard.exit == 0 and heard.stderr == "" and heard.model == ""
    assert heard.author.startswith("评审的意见没有记下。") and heard.author.count("\n") == 0
    before = made.tree()
    told = hear(returns(made.root, said))
    assert told.author == "" and told.model == heard.author, "the front desk hears it once, after the call"
    assert set(made.changed(before)) == {layout.HANDOUT}, "kept once"
    due = made.next()
    assert (due["step"], due["recorded"], due["role"], due["agent"]) == (
        STEP,
        False,
        "primary",
        "quality-judge",
    )
    assert made.at(layout.raw_verdict(2, 0, "primary", 1)).read_text(encoding="utf-8") == said
    assert not made.at(made.staged("evaluation")).exists()
    assert made.ok("fail", STEP, "--reason", told.model)["answer"] == "retry"
    made.ok("instructions", STEP, "--write-manifest")
    assert hear(stops(made.root, words(4.1), agent_id="b2")).silent
    assert made.next()["recorded"] is True


def test_lone_surrogates_are_refused_and_no_bug(made: Book) -> None:
    event = json.dumps(stops(made.root, "\ud800" + words()), ensure_ascii=True)
    heard = tell(event, cwd=made.root, NOVEL_OWNER=OWNER)
    assert heard.exit == 0 and heard.author.startswith("评审的意见没有记下。")
    assert made.next()["recorded"] is False


def test_a_text_that_changed_meanwhile(made: Book) -> None:
    made.draft(version=9)
    heard = hear(stops(made.root, words()))
    assert heard.author.startswith("评审的意见没有记下。")
    assert made.next()["recorded"] is False


def test_a_session_that_does_not_hold_the_chapter(made: Book) -> None:
    before = made.tree()
    heard = hear(stops(made.root, words()), NOVEL_OWNER=OTHER)
    assert heard.exit == 0 and "正在写" in heard.author
    assert made.changed(before) == {}


def test_another_command_is_waited_for(made: Book) -> None:
    place = made.at(layout.OS_LOCK)
    ready, done = os.pipe()
    child = os.fork()
    if child == 0:
        with open(place, "r+b") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            os.write(done, b".")
            time.sleep(1)
        os._exit(0)
    os.read(ready, 1)
    assert hear(stops(made.root, words())).silent
    os.waitpid(child, 0)
    assert made.next()["recorded"] is True


def test_the_owner_is_the_session_of_the_event(made: Book) -> None:
    made.ok("lock", "release")
    env = {"NOVEL_OWNER": "", "CLAUDE_CODE_SESSION_ID": "session-one"}
    assert process("lock", "acquire", cwd=made.root, env=env).returncode == 0
    assert tell(stops(made.root, words()), NOVEL_OWNER=None).silent
    assert made.next()["recorded"] is True


def test_at_a_break_point_after_the_judge(made: Book) -> None:
    """The author looks at a verdict, and has the chapter judged again: by the same words, if they are."""
    made.write("novel.yaml", "stop_after: [judge]\n")
    said = words(3.8)
    assert hear(stops(made.root, said)).silent
    assert hear(returns(made.root, said)).silent
    due = made.next()
    assert (due["step"], due["recorded"], due["stop"]) == (STEP, True, True)
    assert hear(begins(made.root)).model.splitlines()[1].startswith("下一步：等作者决定")
    made.ok("decide", "2", "again")
    assert made.next()["recorded"] is False
    made.ok("instructions", STEP, "--write-manifest")
    assert hear(stops(made.root, said, agent_id="b2")).silent
    assert hear(returns(made.root, said, answer={"agentId": "b2"})).silent
    assert made.next()["recorded"] is True
    assert [stage["name"] for stage in stages(made)].count("judge") == 2


def test_a_landed_chapter_recorded_anew(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=2)
    made.write(layout.chapter(2), made.at(layout.chapter(2)).read_text(encoding="utf-8") + "\n又一句。\n")
    made.ok("sync", "2", "--yes")
    made.chapter = 2
    made.records(base_state_version=1)
    made.ok("advance", "sync:002:summarize")
    made.ok("instructions", "sync:002:judge", "--write-manifest")
    assert hear(stops(made.root, words())).silent
    assert made.next()["step"] == "sync:002:judge" and made.next()["recorded"] is True


# --- what the work took -----------------------------------------------------------------------------


def test_an_agents_work_is_in_the_chapters_log(made: Book, tmp_path: Path) -> None:
    session = tmp_path / "sessions" / "one.jsonl"
    transcript(session.with_suffix("") / "subagents" / f"agent-{AGENT}.jsonl", [(100, 20), (300, 40)])
    event = returns(made.root, words(), transcript_path=str(session))
    assert hear(event).silent
    last = stages(made)[-1]
    assert last == {
        "name": "judge",
        "model": "claude-sonnet-5",
        "duration_ms": 1200,
        "input_tokens": 400,
        "output_tokens": 60,
        "cache_read_input_tokens": 14,
    }
    made.advance("judge")
    made.ok("commit", "--chapter", "2")
    log = made.json(layout.chapter_log(2))
    assert log["stages"][-1] == last
    assert log["total_duration_ms"] >= 1200


def test_without_a_transcript_the_clients_own_count(made: Book) -> None:
    assert hear(returns(made.root, words())).silent
    last = stages(made)[-1]
    assert (last["input_tokens"], last["output_tokens"], last["duration_ms"]) == (5000, 500, 1200)


def test_a_writers_work_and_the_time_of_a_failed_try(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"))
    for name in ("one", "two"):
        event = returns(made.root, "写好了", "novel:chapter-writer", {"agentId": name})
        assert hear(event).silent
    made.draft()
    made.advance("draft")
    (draft,) = stages(made)
    assert (draft["name"], draft["model"], draft["duration_ms"]) == ("draft", "claude-sonnet-5", 2400)
    assert (draft["input_tokens"], draft["output_tokens"]) == (10000, 1000)


@pytest.mark.parametrize(
    "answer",
    [
        {"agentId": "x", "isAsync": True, "content": None, "status": "async_launched"},
        {"agentId": None},
        {"content": None},
    ],
)
def test_a_call_that_has_not_come_back(made: Book, answer: dict[str, Any]) -> None:
    before = made.tree()
    assert hear(returns(made.root, words(), answer=answer)).silent
    assert made.changed(before) == {}


@pytest.mark.parametrize("odd", [True, -1, "many", 1e300, None, [1]])
def test_odd_amounts_are_not_known(made: Book, odd: Any) -> None:
    usage = {"input_tokens": odd, "output_tokens": 5}
    event = returns(made.root, words(), answer={"usage": usage, "totalDurationMs": odd, "resolvedModel": odd})
    assert hear(event).silent
    last = stages(made)[-1]
    assert (last["input_tokens"], last["output_tokens"], last["model"]) == (
        None,
        5,
        "sonnet" if odd != "many" else odd,
    )


def test_an_agent_of_another_trade_is_not_counted(made: Book) -> None:
    before = made.tree()
    for agent in ("novel:chapter-writer", "other:quality-judge", "general-purpose"):
        assert hear(returns(made.root, words(), agent)).silent
        assert hear(stops(made.root, words(), agent)).silent
    assert made.changed(before) == {}
