"""What the client tells us of, as it runs our hooks: the commands of hooks.json, an event on stdin."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from conftest import CHECKOUT
from guarding import HOOKS, event_text

if TYPE_CHECKING:
    from collections.abc import Sequence

JUDGE = "novel:quality-judge"
SESSION = "session-one"
AGENT = "a1b2c3"
CLIENT = "claude-code_2-1-332_cli"
TIMES = "2100-01-01T00:00:00.000Z"


class HookOutcome(NamedTuple):
    """What came of one event. `model` and `author` are what each of them is told."""

    exit: int
    stdout: str
    stderr: str

    @property
    def model(self) -> str:
        found = self._document.get("hookSpecificOutput", {})
        return str(found.get("additionalContext", ""))

    @property
    def author(self) -> str:
        return str(self._document.get("systemMessage", ""))

    @property
    def silent(self) -> bool:
        return (self.exit, self.stdout, self.stderr) == (0, "", "")

    @property
    def _document(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.stdout) if self.stdout else {}
        return found


def hook_entry(event: str) -> dict[str, Any]:
    """The one entry of an event in hooks.json, with its matcher."""
    (found,) = json.loads(Path(HOOKS).read_text(encoding="utf-8"))["hooks"][event]
    (command,) = found["hooks"]
    return {"matcher": found.get("matcher"), **command}


def tell(
    given: dict[str, Any] | str | bytes,
    event: str = "",
    plugin: Path | str = CHECKOUT,
    shell: tuple[str, ...] = ("sh", "-c"),
    cwd: Path | None = None,
    **environ: str | None,
) -> HookOutcome:
    """Run the command for the event. `environ` changes the environment; None takes a variable away."""
    name = event or str(
        json.loads(given)["hook_event_name"] if isinstance(given, str) else given["hook_event_name"]
    )  # type: ignore[index]
    command = hook_entry(name)["command"].replace("${CLAUDE_PLUGIN_ROOT}", str(plugin))
    changed = {**os.environ, "CLAUDE_PLUGIN_ROOT": str(plugin), "AI_AGENT": CLIENT, **environ}
    done = subprocess.run(
        [shutil.which(shell[0]) or shell[0], *shell[1:], command],
        env={key: value for key, value in changed.items() if value is not None},
        cwd=cwd,
        input=given if isinstance(given, bytes) else event_text(given).encode("utf-8"),
        capture_output=True,
        check=False,
        timeout=60,
    )
    return HookOutcome(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


def begins(project: Path | str, **changes: Any) -> dict[str, Any]:
    """A session begins."""
    return _event(project, "SessionStart", {"source": "startup", **changes})


def stops(project: Path | str, words: str | None, agent: str = JUDGE, **changes: Any) -> dict[str, Any]:
    """An agent has said his last word."""
    fields = {
        "agent_id": AGENT,
        "agent_type": agent,
        "stop_hook_active": False,
        "agent_transcript_path": "/nowhere/agent.jsonl",
        "last_assistant_message": words,
    }
    return _event(project, "SubagentStop", {**fields, **changes})


def returns(
    project: Path | str, words: str, agent: str = JUDGE, answer: dict[str, Any] | None = None, **changes: Any
) -> dict[str, Any]:
    """The call of an agent has come back; `answer` is put over what it brings."""
    response = {
        "status": "completed",
        "prompt": "评",
        "agentId": AGENT,
        "agentType": agent,
        "content": [
            {"type": "text", "text": "<tools-used-before-summary>Read</tools-used-before-summary>\n"},
            {"type": "text", "text": words},
        ],
        "resolvedModel": "claude-sonnet-5",
        "totalDurationMs": 1200,
        "totalTokens": 5500,
        "totalToolUseCount": 1,
        "usage": {"input_tokens": 5000, "output_tokens": 500},
        **(answer or {}),
    }
    fields = {
        "tool_name": "Agent",
        "tool_input": {"description": "做一步", "prompt": "评", "subagent_type": agent},
        "tool_response": {key: value for key, value in response.items() if value is not None},
        "tool_use_id": "toolu_1",
    }
    return _event(project, "PostToolUse", {**fields, **changes})


def transcript(place: Path, turns: Sequence[tuple[int, int]], began: str = TIMES) -> Path:
    """An agent's transcript: (input, output) tokens a turn; every message stands on two lines."""
    lines: list[dict[str, Any]] = [{"type": "user", "timestamp": began, "message": {"role": "user"}}]
    for number, (read, written) in enumerate(turns):
        for so_far in (1, written):
            usage = {"input_tokens": read, "output_tokens": so_far, "cache_read_input_tokens": 7}
            message = {"id": f"msg_{number}", "role": "assistant", "usage": usage}
            lines.append({"type": "assistant", "timestamp": began, "message": message})
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return place


def _event(project: Path | str, name: str, fields: dict[str, Any]) -> dict[str, Any]:
    found = {
        "session_id": SESSION,
        "transcript_path": "/nowhere/session-one.jsonl",
        "cwd": str(project),
        "permission_mode": "default",
        "hook_event_name": name,
        **fields,
    }
    return {key: value for key, value in found.items() if value is not None}
