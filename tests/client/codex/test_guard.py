"""The write boundary in the real Codex: the guard's cases as patches, and a guard that does not answer."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import CHECKOUT

from client.codex.model import CodexModel
from client.codex.server import Server
from client.plugins import plugin_copy
from client.scenario import Call, bash, do, say, spawn
from novel_hooks.store.host.codex import is_in_turn

if TYPE_CHECKING:
    from builders import Book

    from client.codex.harness import CodexHost, Result
    from client.request import Request
    from client.scenario import Answer, Scenario

pytestmark = [pytest.mark.client, pytest.mark.timeout(900)]

CASES = json.loads(Path(CHECKOUT, "tests", "cases", "guard.json").read_text(encoding="utf-8"))["cases"]
WRITER = "novel:chapter-writer"
GOOD = "staging/chapters/chapter-002.md"
RETIRE = "novel retire mo-lan --yes --json"
ADD = "*** Add File: {}\n+好\n"


def patch(body: str) -> Call:
    return Call("Patch", {"body": body})


def one_agent(host: CodexHost, novel: Book, agent: str, *calls: Call, **more: Any) -> Result:
    """The session starts one agent, which makes these calls one after the other."""
    scenario: Scenario = {
        "main": [do(spawn(agent, "写第 2 章")), say("完了")],
        agent: [*(do(call) for call in calls), say("交了")],
    }
    return host.run(novel.root, "开始", scenario, **more)


def audit(novel: Book) -> list[tuple[str, str]]:
    return [(line["decision"], line["rule"]) for line in novel.lines("logs/audit.jsonl")]


def table(novel: Book) -> list[tuple[str, str]]:
    """(patch, what becomes of it) for each path of the guard's table that a patch can say from the root."""
    found = []
    for case in CASES:
        path = (case.get("tool_input") or {}).get("file_path")
        plain = isinstance(path, str) and path and "\n" not in path and "setup" not in case
        if plain and (case["agent_type"], case["cwd"]) == (WRITER, "{P}"):
            place = path.replace("{P}", str(novel.root)).replace("{Q}", str(novel.root.parent / "other"))
            found.append((ADD.format(place), case["expect"]))
    return found


def shapes(novel: Book) -> list[tuple[str, str]]:
    """Update, Delete, Move, mixed, a here-document, blanks before a header, a link, a host's settings."""
    landed, mine, link = "chapters/chapter-001.md", "staging/mine.md", "staging/link"
    first = novel.at(landed).read_text(encoding="utf-8").split("\n")[0]
    novel.write(mine, "甲\n")
    novel.at(link).symlink_to(novel.at("chapters"))
    here = "<<'EOF'\n*** Begin Patch\n{}*** End Patch\nEOF\n"
    good, bad = ADD.format(GOOD), ADD.format("chapters/x.md")
    refused = [
        f"*** Update File: {landed}\n@@\n-{first}\n+坏\n",
        f"*** Delete File: {landed}\n",
        f"*** Update File: {mine}\n*** Move to: chapters/x.md\n@@\n-甲\n+乙\n",
        good + bad,
        here.format(bad),
        f"  {bad}",
        ADD.format(f"{link}/x.md"),
        ADD.format(".codex/agents/summarizer.toml"),
    ]
    allowed = [here.format(good), f"*** Update File: {mine}\n@@\n-甲\n+乙\n", f"*** Delete File: {mine}\n"]
    return [*((one, "deny") for one in refused), *((one, "allow") for one in allowed)]


def test_patches(host: CodexHost, novel: Book) -> None:
    """The guard and the client mean the same file: what is allowed is written in staging, the rest is not."""
    host.connect(novel.root)
    tried = [*table(novel), *shapes(novel)]
    before = novel.tree()
    done = one_agent(host, novel, WRITER, *(patch(body) for body, _ in tried))
    outcomes = done.outcomes(WRITER)
    assert ["deny" if one.failed else "allow" for one in outcomes] == [expected for _, expected in tried]
    lines = novel.lines("logs/audit.jsonl")
    assert [line["decision"] for line in lines] == [expected for _, expected in tried]
    for one, line in zip(outcomes, lines):
        assert one.failed == ("blocked by PreToolUse hook" in one.text)
        assert not one.failed or line["reason"] in one.text
    written = set(novel.changed(before)) - {"logs/audit.jsonl"}
    assert novel.at(GOOD).read_text(encoding="utf-8") == "好\n"
    assert GOOD in written and {path.split("/")[0] for path in written} == {"staging"}


def test_more_than_files(host: CodexHost, novel: Book) -> None:
    """A judge writes nothing; nobody calls `novel`, or gets more rights."""
    host.connect(novel.root)
    judge = "novel:quality-judge"
    more = {"sandbox_permissions": "require_escalated", "justification": "要写"}
    before = novel.tree()
    done = one_agent(
        host,
        novel,
        judge,
        patch(f"*** Add File: {GOOD}\n+好\n"),
        Call("Bash", {"command": "novel lock acquire"}),
        Call("Bash", {"command": "touch chapters/x.md", **more}),
        Call("Bash", {"command": "touch chapters/y.md"}),
        Call("Bash", {"command": "sh -c 'n=nov; ${n}el lock acquire --json'"}),
        Call("Bash", {"command": "head -c 30 brief.md"}),
    )
    outcomes = done.outcomes(judge)
    assert [one.failed for one in outcomes] == [True] * 5 + [False]
    assert "Read-only file system" in outcomes[3].text
    assert "HOST_SUB_AGENT" in outcomes[4].text
    assert [rule for _, rule in audit(novel)] == ["read-only-role", "command-novel"]
    assert set(novel.changed(before)) == {"logs/audit.jsonl"}


def test_what_an_agent_asks_for_never_reaches_the_author(host: CodexHost, novel: Book) -> None:
    """His own session's does, with questions on as in a terminal; at his word the command takes effect.

    An agent's call in another folder is told of with that folder: the book is the session's all the same.
    """
    host.connect(novel.root)
    more = {"sandbox_permissions": "require_escalated", "justification": "要写"}
    escalates = do(Call("Bash", {"command": "touch chapters/x.md", **more}))
    elsewhere = do(Call("Bash", {"command": f"touch '{novel.at('chapters/x.md')}'", "workdir": "/", **more}))
    scenario: Scenario = {
        "main": [
            do(spawn(WRITER, "写第 2 章")),
            escalates,
            do(bash(RETIRE)),
            do(Call("Bash", {"command": RETIRE, **more})),
            say("完了"),
        ],
        WRITER: [escalates, elsewhere, do(patch("*** Add File: chapters/x.md\n+坏\n")), say("交了")],
    }
    model = CodexModel(novel.root, scenario, host.prompts(), lambda: None)
    with model, Server(host, novel.root, model.url) as server:
        server.allowed = RETIRE
        thread, _ = server.begin("开始", approval="on-request")
        server.await_end(thread)
        assert server.leaves == ["item/commandExecution/requestApproval"] * 2
    assert model.faults == [] and not novel.at("chapters/x.md").exists()
    assert [rule for _, rule in audit(novel)] == ["escalation", "escalation", "outside-staging"]
    assert [one.failed for one in model.requests[-1].outcomes] == [False, True, True, False]
    assert novel.at("characters/retired/mo-lan.json").exists()


def test_the_agent_of_a_stopped_session_goes_on(host: CodexHost, novel: Book) -> None:
    """Esc ends the turn and lets the book go; his agent's patches count until another session has it."""
    host.connect(novel.root)
    parts = [f"{GOOD[:-3]}-{name}.md" for name in "abc"]
    waits = {name: threading.Event() for name in ("begun", "stopped", "patched", "held", "refused")}

    def writer(request: Request) -> Answer:
        done = len(request.outcomes)
        for name in ("begun", "patched", "refused")[:done]:
            waits[name].set()
        if done == len(parts):
            return say("交了")
        waits[("stopped", "held")[done - 1]].wait(60) if done else None
        return do(patch(ADD.format(parts[done])))

    def desk(request: Request) -> Answer:
        if not request.outcomes:
            return do(bash("novel lock acquire --json"))
        if "甲" in request.task:
            return do(spawn(WRITER, "写第 2 章"))
        waits["held"].set()
        waits["refused"].wait(60)
        return say("完了")

    model = CodexModel(novel.root, {"main": desk, WRITER: writer}, host.prompts(), lambda: None)
    with model, Server(host, novel.root, model.url) as server:
        thread, turn = server.begin("甲")
        assert waits["begun"].wait(60) and is_in_turn(server.process.pid, thread)
        server.ask("turn/interrupt", threadId=thread, turnId=turn)
        server.await_end(thread)
        assert novel.ok("lock", "status")["kind"] == "free"
        assert not is_in_turn(server.process.pid, thread)
        waits["stopped"].set()
        assert waits["patched"].wait(60)
        server.await_end(server.begin("乙")[0])
    assert model.faults == [] and waits["refused"].is_set()
    assert audit(novel) == [("allow", "staging")] * 2 + [("deny", "lock")]
    assert [novel.at(path).exists() for path in parts] == [True, True, False]


@pytest.mark.parametrize(
    "fault",
    ["hanging", *(pytest.param(one, marks=pytest.mark.exhaustive) for one in ("missing", "crashing"))],
)
def test_a_guard_that_does_not_answer(codex: Path, tmp_path: Path, novel: Book, fault: str) -> None:
    from client.codex.harness import CodexHost

    host = CodexHost(codex, tmp_path / "host", plugin_copy(tmp_path / "plugin"))
    assert host.novel(novel.root, "host", "codex").returncode == 0
    hooks = novel.at(".codex/hooks.json")
    hooks.write_text(hooks.read_text(encoding="utf-8").replace("-t 25 ", "-t 2 "), encoding="utf-8")
    host.trust(novel.root)
    host.trust_hooks(novel.root)
    guard = host.checkout / "hooks" / "guard"
    if fault == "missing":
        guard.unlink()
    else:
        guard.write_text({"crashing": "#!/bin/sh\nexit 1\n", "hanging": "#!/bin/sh\nsleep 30\n"}[fault])
    before = novel.tree()
    scenario: Scenario = {"main": [do(patch(f"*** Add File: {GOOD}\n+好\n")), say("完了")]}
    done = host.run(novel.root, "开始", scenario)
    (outcome,) = done.outcomes("main")
    assert outcome.failed and "写作助手的写入检查没有回答" in outcome.text
    assert novel.changed(before) == {}
