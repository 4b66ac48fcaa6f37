"""PreToolUse: the client asks before every tool call. `hooks/guard` starts this for our agents' calls only.

Exit 0: decided. Stdout then has the decision, or nothing for a call that is not our affair. Exit 70: an
error; `hooks/guard` then blocks the call when it is one of our agents'.
"""

from __future__ import annotations

import os
import sys

from novel_hooks.annotations import Mapping
from novel_hooks.hook.client import event as events
from novel_hooks.hook.client import wire
from novel_hooks.hook.guard import audit, decision, projects, turn


def entry() -> None:
    """Answer the event on stdin, and end the process. Its first argument is the host: none is Claude Code."""
    host = wire.CODEX if sys.argv[1:2] == [wire.CODEX] else wire.CLAUDE
    wire.serve(lambda data: respond(data, os.environ, host))


def respond(data: bytes, environ: Mapping[str, str], host: str = wire.CLAUDE) -> bytes:
    """Answer the event `data` with the decision's bytes, and log it; b"" when the call is not our affair.

    A patch is refused whole when one of its paths is refused. Raises whatever is wrong with the event.
    """
    call = events.parse(data, host)
    if call is None:
        return b""
    if host == wire.CODEX:
        turn.sign(projects.home_project(call, environ), call.session_id)
    found = [(event, decision.decide(event, environ)) for event in events.each_write(call)]
    judged = [(event, verdict) for event, verdict in found if verdict is not None]
    if not judged:
        return b""
    refused = [one for one in judged if one[1].decision == decision.DENY]
    answers = [audit.log(event, verdict) for event, verdict in refused or judged]
    last = next((answer for answer in answers if answer[0] == decision.DENY), answers[0])
    return events.dump_decision(*last, call.name if host == wire.CODEX else events.PRE_TOOL_USE)
