"""The answer to a notice of the client: names of the events, and one JSON document for stdout."""

from __future__ import annotations

from novel_hooks.hook.client import wire

SESSION_START = "SessionStart"
SUBAGENT_STOP = "SubagentStop"
POST_TOOL_USE = "PostToolUse"
TURN_ENDS = ("Stop", "Interrupt", "SessionEnd")


def dump(event: str, *, model: str = "", author: str = "") -> bytes:
    """Write the answer to the event `event`, one line; b"" when there is nothing to tell.

    `model` is added to the model's context, `author` is shown to the author. Half characters become `?`.
    """
    parts = []
    if model:
        output = wire.record({"additionalContext": model, "hookEventName": event})
        parts.append(f'"hookSpecificOutput":{output}')
    if author:
        parts.append(f'"systemMessage":{wire.quoted(author)}')
    return ("{" + ",".join(parts) + "}\n").encode("utf-8", "replace") if parts else b""
