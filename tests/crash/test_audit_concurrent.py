"""Many agents at once: every decision is one whole line of the audit log."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import CHECKOUT
from guarding import audit_lines, event, event_text, hook, make_project

WRITERS = (30, pytest.param(200, marks=pytest.mark.exhaustive))
# Waits at the gate until all are there, then writes as the guard does.
WRITER = """\
import sys
sys.path.insert(0, sys.argv[1])
from novel_hooks.hook.guard import audit
sys.stdout.write("ready\\n")
sys.stdout.flush()
sys.stdin.readline()
for turn in range(5):
    audit.write_line(sys.argv[2], {"agent_id": sys.argv[3], "path": str(turn), "reason": "河" * 900})
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "book")


@pytest.mark.parametrize("writers", WRITERS)
def test_writers_at_the_same_moment(project: Path, writers: int) -> None:
    command = [sys.executable, "-I", "-S", "-c", WRITER, CHECKOUT, str(project)]
    running = [
        subprocess.Popen([*command, str(number)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for number in range(writers)
    ]
    for child in running:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
    for child in running:
        assert child.stdin is not None
        child.stdin.close()
    assert {child.wait() for child in running} == {0}
    for child in running:
        assert child.stdout is not None
        child.stdout.close()
    lines = audit_lines(project)
    assert sorted((int(line["agent_id"]), int(line["path"])) for line in lines) == [
        (number, turn) for number in range(writers) for turn in range(5)
    ]
    assert {line["reason"] for line in lines} == {"河" * 900}
    written = (project / "logs" / "audit.jsonl").read_bytes()
    assert written.endswith(b"\n")
    assert sum(1 for line in written.split(b"\n") if line) == len(lines)


@pytest.mark.parametrize("writers", WRITERS)
def test_calls_through_the_guard(project: Path, writers: int) -> None:
    command = ["sh", "-c", hook()["command"].replace("${CLAUDE_PLUGIN_ROOT}", CHECKOUT)]
    running = []
    for number in range(writers):
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=dict(os.environ))
        assert child.stdin is not None
        child.stdin.write(event_text(event(project, agent_id=str(number))).encode("utf-8"))
        running.append(child)
    for child in running:
        assert child.stdin is not None
        child.stdin.close()
    for child in running:
        assert child.stdout is not None
        answer = json.loads(child.stdout.read())["hookSpecificOutput"]["permissionDecision"]
        child.stdout.close()
        assert (child.wait(), answer) == (0, "allow")
    lines = audit_lines(project)
    assert sorted(int(line["agent_id"]) for line in lines) == list(range(writers))
    assert {line["decision"] for line in lines} == {"allow"}
