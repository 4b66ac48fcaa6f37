"""The client's notices, SessionStart, SubagentStop and PostToolUse. `hooks/notice` starts this.

It never blocks and never decides. stdout: nothing, or one document with a sentence for the model or the
author. Exit: 0; 70 when something broke, and `hooks/notice` then says so. Until a novel project is found, the
standard library alone is loaded, and little of it. Source: the hook payloads of the real client.
"""

from __future__ import annotations

import os
import sys

from novel_hooks import root as roots
from novel_hooks.hook.client import answer, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

BROKEN = 70


def entry() -> None:
    """Answer the notice on stdin on stdout. Never returns.

    The first argument of the process is `building` while novel's environment is being built.
    """
    try:
        output = respond(wire.drain(0), os.environ, building="building" in sys.argv[1:2])
        while output:
            output = output[os.write(1, output) :]
    except BaseException:  # the border: what breaks here must not disturb anybody's work
        if os.environ.get("NOVEL_DEBUG"):
            raise
        os._exit(BROKEN)
    os._exit(0)


def respond(data: bytes, environ: Mapping[str, str], building: bool = False) -> bytes:
    """Answer the event `data`; b"" outside a novel project, and for every other event.

    `building`: novel's environment is being built. Raises whatever is wrong with the event.
    """
    event = wire.loads(data)
    root = project(event, environ) if isinstance(event, dict) else None
    if root is None or not isinstance(event, dict):
        return b""
    name = event.get("hook_event_name")
    if name == answer.SESSION_START:
        from novel_hooks.hook.notice import session_start

        return session_start.respond(event, root, environ, building)
    if name in (answer.SUBAGENT_STOP, answer.POST_TOOL_USE):
        from novel_hooks.hook.notice import agent_done

        return agent_done.respond(event, root, environ)
    return b""


def project(event: Mapping[str, object], environ: Mapping[str, str]) -> str | None:
    """Find the session's novel project, its root with links resolved; None without one."""
    for start in (event.get("cwd"), environ.get("CLAUDE_PROJECT_DIR")):
        if isinstance(start, str) and os.path.isabs(start) and "\0" not in start:
            found = roots.find_root(start) or roots.find_root(os.path.realpath(start))
            if found:
                return os.path.realpath(found)
    return None
