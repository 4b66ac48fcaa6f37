"""The exact modules that the guard loads: each costs every call of an agent."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import CHECKOUT
from guarding import event, event_text, make_project

from novel_hooks.store.files.project import Project
from novel_hooks.store.lock import lock
from novel_hooks.store.lock.lock import Owner

OURS = {
    "novel_hooks",
    "novel_hooks.hook",
    "novel_hooks.hook.client",
    "novel_hooks.hook.guard",
    "novel_hooks.hook.guard.audit",
    "novel_hooks.hook.guard.decision",
    "novel_hooks.hook.client.event",
    "novel_hooks.hook.guard.pre_tool_use",
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


NOTICE = TELL.replace("hook.guard.pre_tool_use", "hook.notice.dispatch")


def test_what_is_told_elsewhere_loads_next_to_nothing(tmp_path: Path) -> None:
    """Until a novel project is known."""
    for name in ("SessionStart", "SubagentStop", "PostToolUse"):
        told = event_text(
            {"hook_event_name": name, "cwd": str(tmp_path), "agent_type": "novel:quality-judge"}
        )
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-X", "utf8", "-c", NOTICE, CHECKOUT],
            input=told.encode("utf-8"),
            capture_output=True,
            check=True,
        )
        found = set(done.stderr.decode("ascii").split())
        assert done.stdout == b""
        ours = {name for name in found if name.startswith("novel_hooks")}
        assert ours == {
            f"novel_hooks{part}"
            for part in (
                "",
                ".hook",
                ".hook.client",
                ".hook.client.answer",
                ".hook.client.wire",
                ".hook.notice",
                ".hook.notice.dispatch",
                ".layout",
                ".root",
            )
        }
        assert found - ours <= STANDARD | START
