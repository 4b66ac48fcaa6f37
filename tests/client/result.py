"""What came of one session with the real client."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from client.request import Outcome, Request

_HOOK_RAN = re.compile(r"Hooks: (\w+(?::\w+)?) \[.*\] \(plugin .*\) finished with status (\d+)")


class Result(NamedTuple):
    """What came of one session.

    `code`: the process's exit code, negative after a signal. `document`: what the client told of the session,
    empty when it told nothing. `debug`: the client's own log. `stderr` is the client's.
    """

    code: int
    document: Mapping[str, Any]
    requests: Sequence[Request]
    stdout: str
    stderr: str
    debug: Path

    @property
    def text(self) -> str:
        """The main session's last words."""
        return str(self.document.get("result", ""))

    @property
    def denials(self) -> list[Mapping[str, Any]]:
        """What the client's own report calls denied: by a prompt that nobody could answer, or by a hook."""
        return list(self.document.get("permission_denials", ()))

    @property
    def log(self) -> str:
        """The client's own log: plugins loaded, hooks run, permissions asked."""
        return self.debug.read_text(encoding="utf-8")

    @property
    def hooks(self) -> list[tuple[str, int]]:
        """Every command hook that ran, as ("PreToolUse:Write", its exit code), from the client's log.

        Some events have no second part: ("SubagentStop", 0).
        """
        return [(event, int(code)) for event, code in _HOOK_RAN.findall(self.log)]

    @property
    def agents(self) -> Mapping[str, Any]:
        """The client's count of sub-agents."""
        found: Mapping[str, Any] = self.document.get("subagent_stats", {})
        return found

    def asked(self, agent: str) -> list[Request]:
        """The questions of one agent, or of the main session."""
        return [request for request in self.requests if request.agent == agent]

    @property
    def begun(self) -> list[Request]:
        """The first question of every agent of ours."""
        return [one for one in self.requests if one.agent.startswith("novel:") and not one.outcomes]

    def outcomes(self, agent: str) -> list[Outcome]:
        """Every tool call of this agent with its result, as its model got to know it."""
        longest: dict[str, Request] = {}
        for request in self.asked(agent):
            if request.turn >= longest.get(request.task, request).turn:
                longest[request.task] = request
        return [outcome for request in longest.values() for outcome in request.outcomes]
