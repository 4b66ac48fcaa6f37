"""PreToolUse: the client asks before every tool call. `hooks/guard` starts this for our agents' calls only.

Exit: 0 decided (on stdout: the decision, or nothing where it is not our affair); 70 anything else, and
`hooks/guard` then blocks the call when it is one of our agents'.
"""

from __future__ import annotations

import os

from novel_hooks.hook.client import event as events
from novel_hooks.hook.client import wire
from novel_hooks.hook.guard import audit, decision
from novel_hooks.hook.guard.reasons import REASONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from novel_hooks.hook.client.event import Event
    from novel_hooks.hook.guard.decision import Verdict

BROKEN = 70


def entry() -> None:
    """From stdin to stdout. Never returns; leaves at once, so that nothing buffered follows the answer."""
    try:
        said = respond(wire.drain(0), os.environ)
        while said:
            said = said[os.write(1, said) :]
    except BaseException:  # the boundary: whatever broke, the guard must hear of it, and stdout stay clean
        if os.environ.get("NOVEL_DEBUG"):
            raise
        os._exit(BROKEN)
    os._exit(0)


def respond(data: bytes, environ: Mapping[str, str]) -> bytes:
    """What goes to stdout for the event `data`; raises whatever is wrong with it."""
    event = events.parse(data)
    if event is None:
        return b""
    verdict = decision.decide(event, environ)
    if verdict is None:
        return b""
    return events.dump_decision(*_record(event, verdict))


def _record(event: Event, verdict: Verdict) -> tuple[str, str]:
    """Decision and reason. What cannot be recorded is not allowed."""
    if verdict.project is not None:
        try:
            audit.write_line(verdict.project, _audit_line(event, verdict))
        except OSError:
            if verdict.decision == decision.ALLOW:
                return decision.DENY, REASONS["audit"]
    return verdict.decision, verdict.reason


def _audit_line(event: Event, verdict: Verdict) -> dict[str, str | None]:
    return {
        "event": event.name,
        "tool_name": event.tool,
        "path": verdict.path,
        "decision": verdict.decision,
        "rule": verdict.rule,
        "reason": verdict.reason,
        "agent_type": event.agent_type,
        "agent_id": event.agent_id,
        "session_id": event.session_id,
    }
