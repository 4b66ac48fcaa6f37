"""The guard from an event to an answer and a line of the log, and the exact modules that it loads for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import CHECKOUT
from guarding import audit_lines, event, event_text, make_project, run_entry

from novel_hooks.hook.client.event import Malformed
from novel_hooks.hook.guard import audit, pre_tool_use
from novel_hooks.hook.guard.reasons import ALLOWED, REASONS
from novel_hooks.store.files.project import Project
from novel_hooks.store.lock import lock
from novel_hooks.store.lock.lock import Owner

OURS = {
    "novel_hooks",
    "novel_hooks.annotations",
    "novel_hooks.hook",
    "novel_hooks.hook.client",
    "novel_hooks.hook.guard",
    "novel_hooks.hook.guard.audit",
    "novel_hooks.hook.guard.decision",
    "novel_hooks.hook.client.event",
    "novel_hooks.hook.client.patch",
    "novel_hooks.hook.guard.pre_tool_use",
    "novel_hooks.hook.guard.projects",
    "novel_hooks.hook.guard.reasons",
    "novel_hooks.hook.guard.target",
    "novel_hooks.hook.guard.turn",
    "novel_hooks.hook.client.wire",
    "novel_hooks.layout",
    "novel_hooks.record",
    "novel_hooks.roles",
    "novel_hooks.root",
}
STANDARD = {"__future__", "_json", "os", "stat", "sys", "time"}
# Part of every interpreter's start, or of `os` itself, on one version or another.
START = {"_collections", "_collections_abc", "_stat", "abc", "genericpath", "posixpath", "os.path"}
# Leaves as the guard does, at once, but tells on stderr what it has loaded.
TELL = """\
import os, sys
sys.path.insert(0, sys.argv.pop(1))
before = set(sys.modules)
leave = os._exit
os._exit = lambda code: (os.write(2, " ".join(set(sys.modules) - before).encode()), leave(code))
from novel_hooks.hook.guard.pre_tool_use import entry
entry()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "book")


def loaded(given: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-X", "utf8", "-c", TELL, CHECKOUT],
        input=given.encode("utf-8"),
        capture_output=True,
        check=True,
    )
    assert done.stdout.startswith(b"{")
    return set(done.stderr.decode("ascii").split())


@pytest.mark.parametrize("held", [False, True])
def test_a_decision_loads_these_and_no_more(project: Path, held: bool) -> None:
    """In a run the session holds the lock, so that must cost no more."""
    if held:
        lock.acquire(Project(str(project)), Owner("session-one", None, None, "x"), 1, 0.0)
    for place in ("staging/chapters/x.md", "chapters/x.md"):
        found = loaded(
            event_text(event(project, tool_input={"file_path": f"{project}/{place}", "content": "河"}))
        )
        assert {name for name in found if name.startswith("novel_hooks")} == OURS
        assert found - OURS <= STANDARD | START
        assert found >= {"_json"}


# in this process ---------------------------------------------------------------------------------------


def answer(project: Path | None, **changes: Any) -> dict[str, Any]:
    data = pre_tool_use.respond(event_text(event(project, **changes)).encode("utf-8"), {})
    found: dict[str, Any] = json.loads(data)["hookSpecificOutput"]
    return found


@pytest.mark.parametrize(
    ("path", "decision", "rule"),
    [("staging/x.md", "allow", "staging"), ("chapters/x.md", "deny", "outside-staging")],
)
def test_a_decision_is_answered_and_logged(project: Path, path: str, decision: str, rule: str) -> None:
    found = answer(project, tool_input={"file_path": f"{project}/{path}"})
    reason = ALLOWED if decision == "allow" else REASONS[rule]
    assert found == {
        "hookEventName": "PreToolUse",
        "permissionDecision": decision,
        "permissionDecisionReason": reason,
    }
    (line,) = audit_lines(project)
    line.pop("ts")
    assert line == {
        "event": "PreToolUse",
        "tool_name": "Write",
        "path": path,
        "decision": decision,
        "rule": rule,
        "reason": reason,
        "agent_type": "novel:chapter-writer",
        "agent_id": "a1",
        "session_id": "session-one",
    }


@pytest.mark.parametrize(
    "changes",
    [{"agent_type": None}, {"agent_type": "general-purpose"}, {"tool_name": "Read"}],
)
def test_what_is_none_of_our_affair_is_neither_answered_nor_logged(
    project: Path, changes: dict[str, Any]
) -> None:
    assert pre_tool_use.respond(event_text(event(project, **changes)).encode("utf-8"), {}) == b""
    assert audit_lines(project) == []


def test_a_call_outside_every_project_is_answered_and_logged_nowhere(tmp_path: Path) -> None:
    assert answer(tmp_path)["permissionDecisionReason"] == REASONS["no-project"]
    assert os.listdir(tmp_path) == []


def test_what_cannot_be_logged_is_not_allowed(project: Path) -> None:
    (project / "logs").write_bytes(b"")
    assert answer(project) == {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": REASONS["audit"],
    }
    refused = answer(project, tool_name="Bash")
    assert refused["permissionDecision"] == "deny"
    assert refused["permissionDecisionReason"] == REASONS["tool-shell"]


def test_claude_code_is_answered_under_the_name_that_the_guard_is_asked_by(project: Path) -> None:
    assert answer(project, hook_event_name="PermissionRequest")["hookEventName"] == "PreToolUse"


def test_the_environment_decides_whose_lock_it_is(project: Path) -> None:
    lock.acquire(Project(str(project)), Owner("author", None, None, "x"), 1, time.time())
    data = event_text(event(project)).encode("utf-8")
    assert b'"deny"' in pre_tool_use.respond(data, {})
    assert b'"allow"' in pre_tool_use.respond(data, {"NOVEL_OWNER": "author"})


def test_from_stdin_to_stdout(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = event_text(event(project)).encode("utf-8")
    monkeypatch.setenv("NOVEL_OWNER", "author")
    lock.acquire(Project(str(project)), Owner("author", None, None, "x"), 1, time.time())
    code, output = run_entry(pre_tool_use.entry, data, monkeypatch)
    assert (code, json.loads(output)["hookSpecificOutput"]["permissionDecision"]) == (0, "allow")
    assert run_entry(pre_tool_use.entry, b"{}", monkeypatch) == (0, b"")


def test_an_answer_that_the_system_takes_in_pieces_is_whole(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = event_text(event(project)).encode("utf-8")
    whole = run_entry(pre_tool_use.entry, data, monkeypatch)
    write = os.write
    (project / "logs" / "audit.jsonl").write_bytes(b"")
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:7] if handle == 1 else data))
    assert run_entry(pre_tool_use.entry, data, monkeypatch) == whole


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"agent_type":"x","cwd":7}', b"[" * 200_000])
def test_whatever_breaks_ends_with_a_code_of_its_own_and_a_clean_stdout(
    data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOVEL_DEBUG", raising=False)
    assert run_entry(pre_tool_use.entry, data, monkeypatch) == (70, b"")


def test_who_looks_for_the_fault_sees_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOVEL_DEBUG", "1")
    with pytest.raises(Malformed):
        run_entry(pre_tool_use.entry, b"[]", monkeypatch)


# in Codex ------------------------------------------------------------------------------------------------

CASES = json.loads(Path(CHECKOUT, "tests", "cases", "guard.json").read_text(encoding="utf-8"))["cases"]


def is_line(case: dict[str, Any]) -> bool:
    """Can a patch say its path? One with a line end, or blanks around it, no line can."""
    path = (case.get("tool_input") or {}).get("file_path")
    return isinstance(path, str) and "\n" not in path and path == path.strip(" \t")


WRITES = [one for one in CASES if one.get("tool_name") in ("Write", "Edit", "MultiEdit") and is_line(one)]
ADD = "*** Add File: {}\n+x\n"
SHAPES = {
    "add": ADD,
    "update": "*** Update File: {}\n@@\n-x\n+y\n",
    "delete": "*** Delete File: {}\n",
    "move": "*** Update File: {{P}}/staging/chapters/a.md\n*** Move to: {}\n@@\n-x\n+y\n",
    "mixed": ADD.format("{{P}}/staging/chapters/a.md") + ADD,
    "blanks": "  *** Add File: {}  \n+x\n",
    "here-document": "<<'EOF'\n*** Begin Patch\n" + ADD + "*** End Patch\nEOF\n",
}


def patched(project: Path, body: str, **changes: Any) -> bytes:
    """The guard's answer to a patch of a chapter's writer."""
    text = body if body.startswith("<<") else f"*** Begin Patch\n{body}*** End Patch\n"
    given = event(project, **{"agent_type": "chapter-writer", "tool_name": "apply_patch", **changes})
    given["tool_input"] = {"command": text}
    return pre_tool_use.respond(event_text(given).encode("utf-8"), {}, "codex")


# The other path of a patch with two is the novel's, so somebody is judged there.
ROWS = [
    pytest.param(case, shape, id=f"{case['name']}-{shape}")
    for case in WRITES
    for shape in SHAPES
    if case["expect"] != "silent" or "{{P}}" not in SHAPES[shape]
]


@pytest.mark.parametrize(("case", "shape"), ROWS)
def test_every_case_of_the_table_as_a_patch(project: Path, case: dict[str, Any], shape: str) -> None:
    def filled(text: str) -> str:
        return text.replace("{P}", str(project)).replace("{Q}", str(project.parent / "other"))

    make_project(project.parent / "other")
    for line in case.get("setup", ()):
        subprocess.run(["sh", "-c", filled(line)], check=True)
    path = case["tool_input"]["file_path"]
    cwd = filled(case["cwd"]) if case.get("cwd") else None
    agent = case["agent_type"]
    found = patched(project, filled(SHAPES[shape].format(path)), cwd=cwd, agent_type=agent)
    decision = json.loads(found)["hookSpecificOutput"]["permissionDecision"] if found else "silent"
    assert decision == case["expect"]


def test_a_patch_is_refused_whole_and_only_what_is_refused_is_logged(project: Path) -> None:
    found = json.loads(patched(project, ADD.format("staging/a.md") + ADD.format("chapters/a.md")))[
        "hookSpecificOutput"
    ]
    assert found["permissionDecision"] == "deny"
    assert [(line["path"], line["tool_name"]) for line in audit_lines(project)] == [
        ("chapters/a.md", "apply_patch")
    ]
    two = ADD.format("staging/a.md") + ADD.format("staging/b.md")
    assert json.loads(patched(project, two))["hookSpecificOutput"]["permissionDecision"] == "allow"
    assert [line["path"] for line in audit_lines(project)[1:]] == ["staging/a.md", "staging/b.md"]


def test_a_patch_of_which_one_path_cannot_be_logged_is_refused(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[object] = []

    def once(*line: object) -> None:
        written.append(line)
        if len(written) > 1:
            raise OSError

    monkeypatch.setattr(audit, "write_line", once)
    two = ADD.format("staging/a.md") + ADD.format("staging/b.md")
    found = json.loads(patched(project, two))["hookSpecificOutput"]
    assert (found["permissionDecision"], found["permissionDecisionReason"]) == ("deny", REASONS["audit"])


@pytest.mark.parametrize(
    ("tool", "given", "rule"),
    [
        ("Bash", {"command": "cat staging/manifests/a.json | head -c 9"}, None),
        ("Bash", {"command": "ls /home/me/novel/staging; cat novel.yaml"}, None),
        ("Bash", {"command": "novel commit --chapter 2"}, "command-novel"),
        ("Bash", {"command": "cd x && '/p/bin/novel' next"}, "command-novel"),
        ("Bash", {"command": "echo $(novel next)"}, "command-novel"),
        ("Bash", {"command": "python3 -m novel_hooks.cli.main"}, "command-novel"),
        ("Bash", {}, "command-novel"),
        ("apply_patch", {"command": "no patch"}, "patch"),
        ("apply_patch", {}, "patch"),
        ("collaborationspawn_agent", {"agent_type": "summarizer"}, "tool-codex"),
        ("collaborationsend_message", {}, "tool-codex"),
        ("mcp__files__write", {}, "tool-codex"),
        (None, {}, "tool-codex"),
    ],
)
def test_other_calls_of_an_agent(
    project: Path, tool: str | None, given: dict[str, Any], rule: str | None
) -> None:
    asked = event(project, agent_type="chapter-writer", tool_name=tool, tool_input=given)
    found = pre_tool_use.respond(event_text(asked).encode("utf-8"), {}, "codex")
    assert bool(found) == bool(rule)
    assert [line["rule"] for line in audit_lines(project)] == ([rule] if rule else [])


def test_more_rights_are_refused_before_the_author_is_asked(project: Path) -> None:
    asked = event(
        project,
        agent_type="chapter-writer",
        tool_name="Bash",
        tool_input={"command": "touch x"},
        hook_event_name="PermissionRequest",
    )
    found = json.loads(pre_tool_use.respond(event_text(asked).encode("utf-8"), {}, "codex"))
    assert found["hookSpecificOutput"] == {
        "hookEventName": "PermissionRequest",
        "decision": {"behavior": "deny", "message": REASONS["escalation"]},
    }


@pytest.mark.parametrize("named", ["/", "", None])
@pytest.mark.parametrize(
    ("name", "tool", "given"),
    [
        ("PermissionRequest", "Bash", {"command": "touch x"}),
        ("PreToolUse", "Bash", {"command": "novel export txt --to /x --project /p"}),
        ("PreToolUse", "collaborationspawn_agent", {"agent_type": "summarizer"}),
        ("PreToolUse", "apply_patch", {"command": ADD.format("/etc/x.md")}),
    ],
)
def test_a_folder_that_the_call_names_leads_nobody_out_of_the_book(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    named: str | None,
    name: str,
    tool: str,
    given: dict[str, Any],
) -> None:
    monkeypatch.chdir(project)
    asked = {**event(project, agent_type="chapter-writer", tool_name=tool, tool_input=given), "cwd": named}
    asked["hook_event_name"] = name
    assert b"deny" in pre_tool_use.respond(json.dumps(asked).encode("utf-8"), {}, "codex")


def test_an_agent_at_work_leaves_a_sign_in_its_sessions_lock(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = event(project, agent_type="chapter-writer", tool_name="Bash", tool_input={"command": "ls"})
    data = event_text(given).encode("utf-8")
    sign = project / ".novel.lock" / "sign"
    pre_tool_use.respond(data, {}, "codex")
    assert not sign.exists(), "nobody holds the book"
    lock.acquire(Project(str(project)), Owner("session-two", None, None, "x"), 1, time.time())
    pre_tool_use.respond(data, {}, "codex")
    assert not sign.exists(), "another session holds it"
    lock.clear(Project(str(project)), Owner("session-two", None, None, "x"), time.time(), True)
    lock.acquire(Project(str(project)), Owner("session-one", None, None, "x"), 1, time.time())
    pre_tool_use.respond(data, {}, "codex")
    os.utime(sign, (1, 1))
    pre_tool_use.respond(data, {}, "codex")
    assert sign.stat().st_mtime > 1
    os.utime(sign, (1, 1))
    monkeypatch.chdir(project)
    pre_tool_use.respond(event_text({**given, "cwd": "/"}).encode("utf-8"), {}, "codex")
    assert sign.stat().st_mtime > 1, "the call names a folder of its own"
    os.utime(sign, (1, 1))
    pre_tool_use.respond(data, {}, "claude")
    assert sign.stat().st_mtime == 1


def test_the_host_is_the_first_argument(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = event(project, agent_type="chapter-writer", tool_name="Bash", tool_input={"command": "ls"})
    data = event_text(given).encode("utf-8")
    for argv, said in ((["-c", "codex"], False), (["-c", "claude"], True), (["-c"], True)):
        monkeypatch.setattr(sys, "argv", argv)
        code, output = run_entry(pre_tool_use.entry, data, monkeypatch)
        assert (code, bool(output)) == (0, said)
