"""What goes back to the client for an event: the names of the events, the document of the answer."""

from __future__ import annotations

from novel_hooks.hook.client import wire

SESSION_START = "SessionStart"
SUBAGENT_STOP = "SubagentStop"
POST_TOOL_USE = "PostToolUse"


def dump(event: str, *, model: str = "", author: str = "") -> bytes:
    """The answer: `model` is added to what the model reads, `author` is shown to the person."""
    parts = []
    if model:
        told = wire.record({"additionalContext": model, "hookEventName": event})
        parts.append(f'"hookSpecificOutput":{told}')
    if author:
        parts.append(f'"systemMessage":{wire.quoted(author)}')
    return ("{" + ",".join(parts) + "}\n").encode("utf-8", "replace") if parts else b""
