"""A tool call's event on stdin, and the decision on stdout. Source: the hook payloads of the real clients."""

from __future__ import annotations

from novel_hooks import roles
from novel_hooks.annotations import Mapping
from novel_hooks.hook.client import patch, wire
from novel_hooks.record import Record

PRE_TOOL_USE = "PreToolUse"
PERMISSION_REQUEST = "PermissionRequest"
PATCH, SHELL = "apply_patch", "Bash"


class Malformed(ValueError):
    """An event in a shape that no client sends."""


class Event(Record):
    """One tool call of an agent. `input` holds the tool's own arguments; every string may be hostile."""

    agent_type: str
    agent_id: str | None
    session_id: str | None
    name: str
    tool: str | None
    input: Mapping[str, object]
    cwd: str | None
    host: str = wire.CLAUDE


class Agent(Record):
    """One of our agents. `scoped`: named with the plugin's name; a bare name may be another program's."""

    role: roles.Role
    scoped: bool


def parse(data: bytes, host: str = wire.CLAUDE) -> Event | None:
    """Read the event of a tool call; None when it names no agent (the call is the main session's).

    Raises Malformed or another ValueError for data that is no event, RecursionError for endless nesting.
    """
    found = wire.loads(data)
    if not isinstance(found, dict):
        raise Malformed("the event is no object")
    agent_type = found.get("agent_type")
    if not isinstance(agent_type, str):
        return None
    tool_input = found.get("tool_input")
    cwd = found.get("cwd")
    if cwd is not None and not isinstance(cwd, str):
        raise Malformed("cwd is no text")
    return Event(
        agent_type=agent_type,
        agent_id=_string_or_none(found.get("agent_id")),
        session_id=_string_or_none(found.get("session_id")),
        name=_string_or_none(found.get("hook_event_name")) or PRE_TOOL_USE,
        tool=_string_or_none(found.get("tool_name")),
        input=tool_input if isinstance(tool_input, dict) else {},
        cwd=cwd or None,
        host=host,
    )


def each_write(event: Event) -> list[Event]:
    """Split a patch of Codex into a call for each path, in `file_path`; any other call is returned alone.

    A patch that names no path is one call without `file_path`.
    """
    if event.host != wire.CODEX or event.tool != PATCH:
        return [event]
    text = event.input.get("command")
    named: list[Mapping[str, object]] = [
        {"file_path": path} for path in patch.paths(text if isinstance(text, str) else "")
    ]
    return [event._replace(input=given) for given in named or [{}]]


def agent(agent_type: str) -> Agent | None:
    """Find our agent of that name, `novel:summarizer` or `summarizer`, in any case; None for other agents."""
    plugin, _, name = agent_type.strip().lower().rpartition(":")
    role = roles.ROLES.get(name)
    if role is None or plugin not in ("", roles.PLUGIN):
        return None
    return Agent(role, bool(plugin))


def dump_decision(decision: str, reason: str, name: str = PRE_TOOL_USE) -> bytes:
    """Write the decision on a tool call, one line; the client shows `reason` to the agent when it denies.

    `name` is the event's name: on PermissionRequest Codex takes another form, and the guard never allows
    anything there.
    """
    if name == PERMISSION_REQUEST:
        behavior = wire.record({"behavior": decision, "message": reason})
        output = f'{{"decision":{behavior},"hookEventName":{wire.quoted(name)}}}'
    else:
        output = wire.record(
            {
                "hookEventName": PRE_TOOL_USE,
                "permissionDecision": decision,
                "permissionDecisionReason": reason,
            }
        )
    return f'{{"hookSpecificOutput":{output}}}\n'.encode("utf-8", "replace")


def _string_or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None
