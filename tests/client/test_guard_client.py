"""The write boundary in the real client, in its default permission mode: one session a test.

Where something must be stopped, the author has allowed the tool beforehand (`--allowedTools`): without the
guard it would go through.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from client.harness import Host
from client.plugins import own_agents, plugin_copy, small_plugin
from client.scenario import bash, do, say, spawn, write

if TYPE_CHECKING:
    from pathlib import Path

    from builders import Book

    from client.request import Outcome, Request
    from client.result import Result
    from client.scenario import Answer, Call, Function, Scenario

pytestmark = pytest.mark.client

ALLOW_WRITE = ("--allowedTools", "Write")
DRAFT = "staging/chapters/chapter-002.md"
LANDED = "chapters/chapter-002.md"
WRITER = "novel:chapter-writer"
TEXT = "# 第 2 章 夜渡\n\n船离了岸。\n"
DONE = (say("交了"),)


def session(
    host: Host, novel: Book, agent: str, *calls: Call, options: tuple[str, ...] = ALLOW_WRITE
) -> Result:
    """The main session starts one agent, which makes these calls one after the other."""
    scenario: Scenario = {
        "main": [do(spawn(agent, "写第 2 章")), say("完了")],
        agent: [*(do(call) for call in calls), *DONE],
    }
    return host.run(novel.root, "开始", scenario, options)


def the_one(result: Result, agent: str) -> Outcome:
    (found,) = result.outcomes(agent)
    return found


def audit(novel: Book) -> list[tuple[str, str, str]]:
    """(decision, rule, path), a line each."""
    return [(line["decision"], line["rule"], line["path"]) for line in novel.lines("logs/audit.jsonl")]


def reason(novel: Book, line: int = -1) -> str:
    found: str = novel.lines("logs/audit.jsonl")[line]["reason"]
    return found


def test_a_legal_write_asks_nobody(host: Host, novel: Book) -> None:
    done = session(host, novel, WRITER, write(novel.at(DRAFT), TEXT), options=())
    assert (done.code, done.text, done.denials) == (0, "完了", [])
    assert not the_one(done, WRITER).failed
    assert novel.at(DRAFT).read_text(encoding="utf-8") == TEXT
    assert audit(novel) == [("allow", "staging", DRAFT)]


def test_an_illegal_write_is_stopped_and_the_agent_told_why(host: Host, novel: Book) -> None:
    done = session(host, novel, WRITER, write(novel.at(LANDED)), write(novel.at(DRAFT), TEXT))
    refused, written = done.outcomes(WRITER)
    assert refused.failed and reason(novel, 0) in refused.text
    assert not novel.at(LANDED).exists()
    assert not written.failed and novel.at(DRAFT).exists(), "the agent goes on"
    assert audit(novel) == [("deny", "outside-staging", LANDED), ("allow", "staging", DRAFT)]
    assert [denied["tool_input"]["file_path"] for denied in done.denials] == [str(novel.at(LANDED))]


def test_bash_is_denied(host: Host, novel: Book) -> None:
    """To an agent of ours that a user has copied into his project, with every tool."""
    own_agents(novel.root, {"summarizer": "你是抄来的记录员。"})
    done = session(
        host, novel, "summarizer", bash(f"touch {LANDED}"), options=("--allowedTools", "Bash(touch *)")
    )
    refused = the_one(done, "summarizer")
    assert refused.failed and reason(novel) in refused.text
    assert not novel.at(LANDED).exists()
    assert [line[:2] for line in audit(novel)] == [("deny", "tool-shell")]


@pytest.mark.exhaustive
def test_our_own_agents_are_not_even_offered_more_than_files(host: Host, novel: Book) -> None:
    done = session(host, novel, WRITER, bash(f"touch {LANDED}"), options=("--allowedTools", "Bash"))
    assert the_one(done, WRITER).failed
    assert not novel.at(LANDED).exists()
    assert set(done.asked(WRITER)[0].tools) <= {"Read", "Write", "Edit"}


@pytest.mark.exhaustive
def test_relative_paths(host: Host, novel: Book) -> None:
    done = session(host, novel, WRITER, write(DRAFT, TEXT), write(LANDED), write("staging/../" + LANDED))
    assert [outcome.failed for outcome in done.outcomes(WRITER)] == [False, True, True]
    assert novel.at(DRAFT).exists() and not novel.at(LANDED).exists()
    assert audit(novel)[:2] == [("allow", "staging", DRAFT), ("deny", "outside-staging", LANDED)]


def test_two_agents_at_the_same_time(host: Host, novel: Book) -> None:
    """Neither makes its call before both are at it."""
    both = threading.Barrier(2)

    def at_once(*calls: Call) -> Function:
        def script(request: Request) -> Answer:
            if request.turn == 0:
                both.wait(20)
            return do(*calls) if request.turn == 0 else say("交了")

        return script

    recorder = "novel:summarizer"
    summary = "staging/summaries/chapter-002-summary.md"
    scenario: Scenario = {
        "main": [do(spawn(WRITER, "写第 2 章"), spawn(recorder, "记第 2 章")), say("完了")],
        WRITER: at_once(write(novel.at(DRAFT), TEXT), write(novel.at(LANDED))),
        recorder: at_once(write(novel.at(summary)), write(novel.at("state/current-state.json"))),
    }
    before = novel.tree()
    done = host.run(novel.root, "开始", scenario, ALLOW_WRITE)
    for agent in (WRITER, recorder):
        assert [outcome.failed for outcome in done.outcomes(agent)] == [False, True]
    assert set(novel.changed(before)) == {DRAFT, summary, "logs/audit.jsonl"}
    assert sorted(line[0] for line in audit(novel)) == ["allow", "allow", "deny", "deny"]
    assert done.agents["completed"] == 2


def test_an_agent_in_the_background(host: Host, novel: Book) -> None:
    scenario: Scenario = {
        "main": [do(spawn(WRITER, "写第 2 章", background=None)), say("它在写"), say("完了")],
        WRITER: [do(write(novel.at(DRAFT), TEXT)), do(write(novel.at(LANDED))), *DONE],
    }
    done = host.run(novel.root, "开始", scenario, ALLOW_WRITE)
    assert done.agents["started_in_background"] == 1
    written, refused = done.outcomes(WRITER)
    assert not written.failed and novel.at(DRAFT).exists()
    assert refused.failed and reason(novel) in refused.text
    assert not novel.at(LANDED).exists()


def test_a_main_session_that_is_one_of_our_agents(host: Host, novel: Book) -> None:
    """`--agent` gives it the agent's type and no id."""
    scenario: Scenario = {WRITER: [do(write(novel.at(DRAFT), TEXT)), do(write(novel.at(LANDED))), *DONE]}
    done = host.run(novel.root, "写第 2 章", scenario, (*ALLOW_WRITE, "--agent", WRITER))
    assert [outcome.failed for outcome in done.outcomes(WRITER)] == [False, True]
    assert novel.at(DRAFT).exists() and not novel.at(LANDED).exists()
    assert [line["agent_id"] for line in novel.lines("logs/audit.jsonl")] == [None, None]


def test_python_taken_away(claude: Path, tmp_path: Path, novel: Book) -> None:
    """Our agent is blocked, and only our agent."""
    host = Host(claude, tmp_path / "host", plugin_copy(tmp_path / "plugin"))
    host.without_python()
    scenario: Scenario = {
        "main": [
            do(write(novel.at("笔记.md")), bash("touch 记号")),
            do(spawn(WRITER, "写第 2 章")),
            do(write(novel.at("笔记 2.md"))),
            say("完了"),
        ],
        WRITER: [do(write(novel.at(DRAFT))), *DONE],
    }
    before = novel.tree()
    done = host.run(novel.root, "开始", scenario, ("--allowedTools", "Write", "Bash(touch *)"))
    refused = the_one(done, WRITER)
    assert refused.failed and "写作助手" in refused.text
    assert set(novel.changed(before)) == {"笔记.md", "记号", "笔记 2.md"}
    assert [outcome.failed for outcome in done.outcomes("main")] == [False] * 4
    assert done.hooks.count(("PreToolUse:Write", 2)) == 1
    assert {code for _, code in done.hooks} == {0, 2}


@pytest.mark.exhaustive
def test_a_folder_that_is_no_novel(host: Host, tmp_path: Path) -> None:
    """The main session, and an agent that bears one of our names by chance, notice nothing."""
    project = tmp_path / "别的 project"
    project.mkdir()
    own_agents(project, {"summarizer": "你替公司写会议纪要。"})
    scenario: Scenario = {
        "main": [
            do(write(project / "a.txt"), bash("touch b.txt")),
            do(spawn("summarizer", "记")),
            say("完了"),
        ],
        "summarizer": [do(write(project / "chapters.txt"), bash("touch d.txt")), *DONE],
    }
    done = host.run(project, "开始", scenario, ("--allowedTools", "Write", "Bash(touch *)"))
    failed = [one for agent in ("main", "summarizer") for one in done.outcomes(agent) if one.failed]
    assert (failed, done.denials) == ([], [])
    there = sorted(path.name for path in project.iterdir() if path.name != ".claude")
    assert there == ["a.txt", "b.txt", "chapters.txt", "d.txt"]
    assert done.hooks and {code for _, code in done.hooks} == {0}


def test_in_the_novel_the_author_and_foreign_agents_do_as_they_like(
    host: Host, novel: Book, tmp_path: Path
) -> None:
    host.plugins.append(small_plugin(tmp_path / "small", {"summarizer": "你属于别的插件。"}))
    scenario: Scenario = {
        "main": [do(write(novel.at(LANDED))), do(spawn("small:summarizer", "记")), say("完了")],
        "small:summarizer": [do(write(novel.at("summaries/别的.md"))), *DONE],
    }
    before = novel.tree()
    done = host.run(novel.root, "开始", scenario, ALLOW_WRITE)
    assert set(novel.changed(before)) == {LANDED, "summaries/别的.md"}, "no line in the audit log either"
    assert done.denials == []


def test_the_guard_grants_the_main_session_nothing(host: Host, novel: Book) -> None:
    """What the author has not allowed, he is asked for, in staging too."""
    scenario: Scenario = {"main": [do(write(novel.at(DRAFT))), say("完了")]}
    before = novel.tree()
    done = host.run(novel.root, "开始", scenario)
    assert [denied["tool_name"] for denied in done.denials] == ["Write"]
    assert novel.changed(before) == {}
    assert done.hooks == [("SessionStart:startup", 0), ("PreToolUse:Write", 0)]
