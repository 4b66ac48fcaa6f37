"""The guard as the client runs it: the command of hooks.json, an event on stdin."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from conftest import CHECKOUT

from novel_hooks.hook.client import event as events
from novel_hooks.hook.guard import decision

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from novel_hooks.hook.guard.decision import Verdict

HOOKS = os.path.join(CHECKOUT, "hooks", "hooks.json")
# What the guard needs of the plugin.
PLUGIN_PARTS = ("hooks", "novel_hooks", "requirements", "scripts")


class Outcome(NamedTuple):
    exit: int
    stdout: str
    stderr: str

    @property
    def answer(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.stdout)["hookSpecificOutput"]
        return found

    @property
    def decision(self) -> str:
        """`silent`, `allow`, `deny`, or `blocked` (exit 2); anything else is no answer a client knows."""
        if self.exit == 2 and not self.stdout and self.stderr.count("\n") == 1:
            return "blocked"
        if self.exit != 0:
            return f"exit {self.exit}: {self.stdout}{self.stderr}"
        return str(self.answer["permissionDecision"]) if self.stdout else "silent"

    @property
    def reason(self) -> str:
        return str(self.answer["permissionDecisionReason"])


def hook() -> dict[str, Any]:
    """The one entry under PreToolUse, with its matcher."""
    document = json.loads(Path(HOOKS).read_text(encoding="utf-8"))
    (entry,) = document["hooks"]["PreToolUse"]
    (command,) = entry["hooks"]
    return {"matcher": entry["matcher"], **command}


def event(project: Path | str | None, **changes: Any) -> dict[str, Any]:
    """A legal write by the chapter writer; a change to None takes the key away."""
    found = {
        "session_id": "session-one",
        "transcript_path": "/nowhere/session-one.jsonl",
        "cwd": None if project is None else str(project),
        "permission_mode": "default",
        "agent_id": "a1",
        "agent_type": "novel:chapter-writer",
        "hook_event_name": "PreToolUse",
        "tool_name": "Write",
        "tool_input": {"file_path": f"{project}/staging/chapters/chapter-001.md", "content": "河上起雾了。"},
        "tool_use_id": "toolu_1",
    }
    return {key: value for key, value in {**found, **changes}.items() if value is not None}


def ask(
    given: dict[str, Any] | str | bytes,
    plugin: Path | str = CHECKOUT,
    shell: tuple[str, ...] = ("sh", "-c"),
    cwd: Path | None = None,
    **environ: str | None,
) -> Outcome:
    """What the client would see. `environ` changes the environment; None takes a variable away."""
    command = hook()["command"].replace("${CLAUDE_PLUGIN_ROOT}", str(plugin))
    changed = {**os.environ, "CLAUDE_PLUGIN_ROOT": str(plugin), **environ}
    done = subprocess.run(
        [shutil.which(shell[0]) or shell[0], *shell[1:], command],
        env={name: value for name, value in changed.items() if value is not None},
        cwd=cwd,
        input=given if isinstance(given, bytes) else event_text(given).encode("utf-8"),
        capture_output=True,
        check=False,
        timeout=60,
    )
    return Outcome(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


def event_text(given: dict[str, Any] | str) -> str:
    """As the client writes it: compact, not escaped beyond need."""
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False, separators=(",", ":"))


def make_project(root: Path) -> Path:
    for folder in ("staging/chapters", "staging/evaluations", "staging/manifests", "chapters", "state"):
        (root / folder).mkdir(parents=True)
    (root / ".checkpoint.json").write_text("{}\n", encoding="ascii")
    return root


class Left(BaseException):
    """Instead of `os._exit`, which would end the tests."""


def run_entry(entry: Callable[[], None], data: bytes, monkeypatch: pytest.MonkeyPatch) -> tuple[int, bytes]:
    """The exit code and stdout of a hook's entry, in this process, with `data` on stdin."""

    def leave(code: int) -> None:
        raise Left(code)

    monkeypatch.setattr(os, "_exit", leave)
    kept = os.dup(0), os.dup(1)
    own = os.environ["TMPDIR"]
    with tempfile.TemporaryFile(dir=own) as given, tempfile.TemporaryFile(dir=own) as output:
        given.write(data)
        given.seek(0)
        os.dup2(given.fileno(), 0)
        os.dup2(output.fileno(), 1)
        try:
            entry()
        except Left as left:
            output.seek(0)
            return left.args[0], output.read()
        finally:
            for number, handle in enumerate(kept):
                os.dup2(handle, number)
                os.close(handle)
    raise AssertionError("the entry returned")


def audit_lines(root: Path) -> list[dict[str, Any]]:
    place = root / "logs" / "audit.jsonl"
    if not place.is_file():
        return []
    # A blank line is allowed: a line that another was just writing looked torn, and was ended first.
    return [json.loads(line) for line in place.read_text(encoding="utf-8").splitlines() if line]


def copy_plugin(place: Path) -> Path:
    """A plugin folder of its own, to be damaged."""
    for part in PLUGIN_PARTS:
        skip = shutil.ignore_patterns("__pycache__", "sample", "schemas", "templates")
        shutil.copytree(os.path.join(CHECKOUT, part), place / part, ignore=skip)
    return place


def guarded_names() -> list[str]:
    """The agents that the shell part looks for, out of its patterns."""
    source = Path(CHECKOUT, "hooks", "guard").read_text(encoding="utf-8")
    block = re.search(r"novel_agents='\n(.*?)'", source, re.S)
    assert block is not None
    return [re.sub(r"\[[A-Z]([a-z])\]", r"\1", line) for line in block.group(1).split("\n")]


def decide(given: dict[str, Any], **environ: str) -> Verdict | None:
    parsed = events.parse(event_text(given).encode("utf-8"))
    assert parsed is not None
    found: Verdict | None = decision.decide(parsed, environ)
    return found


def rule(given: dict[str, Any], **environ: str) -> str:
    """The rule that decides, `silent` when none does."""
    verdict = decide(given, **environ)
    return "silent" if verdict is None else verdict.rule
