"""The client's event on stdin and the answer on stdout. Source: the hook payloads of the real client."""

from __future__ import annotations

from novel_hooks import roles
from novel_hooks.hook.client import wire
from novel_hooks.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PRE_TOOL_USE = "PreToolUse"


class Malformed(ValueError):
    """The event says what no client says; whoever asked decides what that means."""


class Event(Record):
    """One tool call of an agent. `input` holds the tool's own arguments; strings may be hostile."""

    agent_type: str
    agent_id: str | None
    session_id: str | None
    name: str
    tool: str | None
    input: Mapping[str, object]
    cwd: str | None


class Agent(Record):
    """One of ours. `scoped`: named with the plugin's name; a bare name may be anybody's."""

    role: roles.Role
    scoped: bool


def parse(data: bytes) -> Event | None:
    """The event, or None when no agent is named in it (a main session). Raises ValueError, RecursionError."""
    found = wire.loads(data)
    if not isinstance(found, dict):
        raise Malformed("the event is no object")
    kind = found.get("agent_type")
    if not isinstance(kind, str):
        return None
    given = found.get("tool_input")
    cwd = found.get("cwd")
    if cwd is not None and not isinstance(cwd, str):
        raise Malformed("cwd is no text")
    return Event(
        agent_type=kind,
        agent_id=_string_or_none(found.get("agent_id")),
        session_id=_string_or_none(found.get("session_id")),
        name=_string_or_none(found.get("hook_event_name")) or PRE_TOOL_USE,
        tool=_string_or_none(found.get("tool_name")),
        input=given if isinstance(given, dict) else {},
        cwd=cwd or None,
    )


def agent(agent_type: str) -> Agent | None:
    """Which of our agents is meant: `novel:summarizer`, or bare `summarizer`, in any case."""
    plugin, _, name = agent_type.strip().lower().rpartition(":")
    role = roles.ROLES.get(name)
    if role is None or plugin not in ("", roles.PLUGIN):
        return None
    return Agent(role, bool(plugin))


def dump_decision(decision: str, reason: str) -> bytes:
    """What the client reads on stdout; `reason` reaches the model when the call is denied."""
    said = wire.record(
        {
            "hookEventName": PRE_TOOL_USE,
            "permissionDecision": decision,
            "permissionDecisionReason": reason,
        }
    )
    return f'{{"hookSpecificOutput":{said}}}\n'.encode("utf-8", "replace")


def _string_or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None
