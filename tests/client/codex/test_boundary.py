"""What holds in the real Codex when a fence is down: hooks untrusted, sandbox off, a folder not trusted."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from client.codex.test_continue import go, phases
from client.codex.test_guard import GOOD, WRITER, audit, one_agent, patch
from client.scenario import bash, do, say, spawn

if TYPE_CHECKING:
    from builders import Book

    from client.codex.harness import CodexHost
    from client.scenario import Scenario

pytestmark = [pytest.mark.client, pytest.mark.timeout(900)]

ROGUE = '#!/bin/sh\necho rogue >>"$(dirname "$0")/../chapters/rogue"\n'


def test_hooks_that_nobody_trusts(host: CodexHost, novel: Book) -> None:
    """Nothing outside staging, no verdict recorded; the run stops and says what to do."""
    novel.until("refined")
    novel.ok("lock", "release")
    host.connect(novel.root, hooks=False)
    before = novel.tree()
    tries = [
        patch("*** Add File: chapters/x.md\n+坏\n"),
        bash("echo x > chapters/y.md"),
        bash("novel commit --chapter 2 --json"),
    ]
    done = one_agent(host, novel, WRITER, *tries, patch(f"*** Add File: {GOOD[:-3]}-b.md\n+好\n"))
    outcomes = done.outcomes(WRITER)
    assert [one.failed for one in outcomes] == [True, True, True, False]
    assert "HOST_SUB_AGENT" in outcomes[2].text, "outside the sandbox, where a rule has put it"
    assert set(novel.changed(before)) == {f"{GOOD[:-3]}-b.md"}
    done = go(host, novel, "")
    assert phases(done) == ["judge", "judge"], "once more, then the author is asked"
    assert "评审没有记下" in done.text and not novel.at("chapters/chapter-002.md").exists()
    assert not novel.at("staging/evaluations/chapter-002-eval.json").exists()


def test_the_sandbox_is_off(host: CodexHost, novel: Book) -> None:
    """No run begins; patches are denied all the same."""
    host.connect(novel.root)
    before = novel.tree()
    scenario: Scenario = {
        "main": [do(bash("novel lock acquire --json")), do(spawn(WRITER, "写")), say("完了")],
        WRITER: [do(patch("*** Add File: chapters/x.md\n+坏\n")), say("交了")],
    }
    done = host.run(novel.root, "开始", scenario, ("--dangerously-bypass-approvals-and-sandbox",))
    assert "HOST_BOUNDARY_OFF" in done.outcomes("main")[0].text
    assert done.outcomes(WRITER)[0].failed and audit(novel) == [("deny", "outside-staging")]
    assert set(novel.changed(before)) == {"logs/audit.jsonl"}


@pytest.mark.exhaustive
def test_another_program_of_that_name_stays_inside(host: CodexHost, novel: Book) -> None:
    """Neither is what the rules mean; a command that is not plain falls into the sandbox too."""
    host.connect(novel.root)
    for place in ("novel", "staging/novel"):
        novel.write(place, ROGUE)
        novel.at(place).chmod(0o755)
    before = novel.tree()
    commands = (
        "./novel next",
        "staging/novel commit",
        "PATH=staging:$PATH novel next",
        "novel lock acquire | cat",
        f"'{host.checkout}/bin/novel' lock acquire",
    )
    scenario: Scenario = {"main": [*(do(bash(one)) for one in commands), say("完了")]}
    done = host.run(novel.root, "开始", scenario)
    assert [one.failed for one in done.outcomes("main")][:3] == [True] * 3
    assert not novel.at("chapters/rogue").exists()
    assert novel.changed(before) == {}, "not even the lock"


def test_a_folder_that_is_not_trusted(host: CodexHost, novel: Book) -> None:
    """Read-only: no profile, no rules, no roles."""
    host.connect(novel.root, trust=False)
    before = novel.tree()
    scenario: Scenario = {
        "main": [
            do(bash("novel lock acquire --json")),
            do(patch(f"*** Add File: {GOOD}\n+好\n")),
            say("完了"),
        ]
    }
    done = host.run(novel.root, "开始", scenario)
    assert [one.failed for one in done.outcomes("main")] == [True, True]
    assert novel.changed(before) == {}


ALLOWED = {
    "novel next --json": True,
    "novel lock acquire --step draft --json": True,
    "novel decide 2 revise --note 让她先开口 --json": True,
    "novel lock clear --force": False,
    "novel accept-changes --json": False,
    "novel retire 谁 --json": False,
    "novel host codex": False,
    "staging/novel next": False,
    "env novel next": False,
}
"""Does a command run outside the sandbox without a question?"""


def test_the_rules(host: CodexHost, novel: Book) -> None:
    assert host.novel(novel.root, "host", "codex").returncode == 0
    check = ("execpolicy", "check", "--resolve-host-executables", "--rules", ".codex/rules/novel.rules", "--")
    for command, allowed in ALLOWED.items():
        found = json.loads(host.tell(novel.root, *check, *command.split()).stdout)
        assert (found.get("decision") == "allow") == bool(found["matchedRules"]) == allowed, command


def test_doctor_asks_codex_itself(host: CodexHost, novel: Book) -> None:
    host.env["PATH"] = os.pathsep.join((str(host.codex.parent), host.env["PATH"]))

    def found() -> set[str]:
        told = json.loads(host.novel(novel.root, "doctor", "--json").stdout)["diagnostics"]
        return {one["code"] for one in told if one["code"].startswith("HOST_")}

    assert found() == set(), "a book without Codex"
    host.connect(novel.root, trust=False)
    assert found() == {"HOST_UNTRUSTED"}
    host.trust(novel.root)
    assert found() == {"HOST_UNTRUSTED"}
    host.trust_hooks(novel.root)
    before = novel.tree()
    assert found() == set() and novel.changed(before) == {}
    config = novel.at(".codex/config.toml")
    config.write_text(config.read_text("utf-8").replace('"." = "read"', '"." = "write"'), encoding="utf-8")
    assert found() == {"HOST_FILE_STALE", "HOST_UNCONFINED"} and not novel.at(".novel-probe").exists()
