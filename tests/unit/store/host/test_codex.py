"""What Codex tells a command of itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from novel_hooks.store.host import codex, owner, process
from novel_hooks.store.host.codex import Call

ROOT = {"CODEX_SESSION_ID": "s", "CODEX_THREAD_ID": "s", "CODEX_PERMISSION_PROFILE": "novel-staging"}


def test_a_command_of_the_root() -> None:
    assert codex.call(ROOT) == Call("s", "s", "novel-staging")
    assert not Call("s", "s", "").by_sub_agent


def test_a_command_of_a_sub_agent() -> None:
    found = codex.call({**ROOT, "CODEX_THREAD_ID": "t"})
    assert found is not None and found.by_sub_agent
    unknown = codex.call({"CODEX_SESSION_ID": "s"})
    assert unknown is not None and unknown.by_sub_agent and unknown.profile == ""


def test_a_codex_too_old_to_name_its_session() -> None:
    """Nobody can be told apart there, so nothing is taken for its root or its boundary."""
    found = codex.call({"CODEX_THREAD_ID": "t", "CODEX_PERMISSION_PROFILE": "novel-staging"})
    assert found == Call("", "t", "") and found.by_sub_agent


@pytest.mark.parametrize(
    "environ", [{}, {"CLAUDE_CODE_SESSION_ID": "c"}, {"CLAUDE_CODE_SESSION_ID": "c", "CODEX_THREAD_ID": "t"}]
)
def test_another_host(environ: dict[str, str]) -> None:
    assert codex.call(environ) is None


@pytest.mark.parametrize(
    ("names", "nearest"),
    [(("sh", "codex", "claude"), "codex"), (("sh", "claude", "codex"), "claude"), (("sh", "init"), "claude")],
)
def test_of_two_hosts_the_nearer_one_runs_the_command(
    names: tuple[str, ...], nearest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    above = dict(enumerate(names, start=1))
    monkeypatch.setattr(process, "parent_of", lambda pid: 1 if pid == os.getpid() else (pid + 1) % 4)
    monkeypatch.setattr(process, "name_of", above.get)
    assert owner.nearest_host({**ROOT, "CLAUDE_CODE_SESSION_ID": "c"}) == nearest


def test_the_process_that_claude_code_names_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "parent_of", lambda pid: 1 if pid == os.getpid() else (pid + 1) % 4)
    monkeypatch.setattr(process, "name_of", {1: "node", 2: "codex"}.get)
    assert owner.nearest_host({**ROOT, "CLAUDE_CODE_SESSION_ID": "c", "CLAUDE_PID": "1"}) == "claude"


def test_a_server_that_sessions_share_is_known_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owner, "_ancestor", lambda _name: os.getpid())
    assert (owner.owner(ROOT).pid, owner.owner(ROOT).shared) == (os.getpid(), False)
    monkeypatch.setattr(process, "arguments_of", lambda _pid: ["codex", "app-server", "--managed-daemon"])
    assert (owner.owner(ROOT).pid, owner.owner(ROOT).shared) == (os.getpid(), True)


def test_a_hook_speaks_for_the_session_of_its_event() -> None:
    both = {"CLAUDE_CODE_SESSION_ID": "c", "CODEX_SESSION_ID": "x", "HOME": "h"}
    assert owner.in_session(both, "codex", "new") == {"CODEX_SESSION_ID": "new", "HOME": "h"}
    assert owner.in_session(both, "claude", "new") == {"CLAUDE_CODE_SESSION_ID": "new", "HOME": "h"}
    assert owner.in_session(both, "codex", None) == both


STARTED, COMPLETE, ABORTED = (
    f'{{"type":"event_msg","payload":{{"type":"{name}","turn_id":"t"}}}}\n'
    for name in ("task_started", "task_complete", "turn_aborted")
)
SAID = '{"type":"response_item","payload":{"text":"\\"type\\":\\"task_started\\""}}\n'


@pytest.mark.parametrize(
    ("told", "runs"),
    [
        (STARTED, True),
        (STARTED + SAID, True),
        (STARTED + COMPLETE, False),
        (STARTED + ABORTED, False),
        (STARTED + COMPLETE + SAID, False),
        (STARTED + ABORTED + STARTED + SAID, True),
        (SAID, False),
        ("", False),
    ],
)
def test_a_turn_runs_from_its_start_to_its_end(
    told: str, runs: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "rollout-2026-11-29T11-07-39-s-1.jsonl"
    record.write_text(told)
    monkeypatch.setattr(process, "open_files", lambda _pid: ["/dev/null", str(record)])
    assert codex.is_in_turn(7, "s-1") == runs
    assert not codex.is_in_turn(7, "s-2")
    record.unlink()
    assert not codex.is_in_turn(7, "s-1")
