"""Notices of the client, each answered by the module of its event: session, turn or agent.

`hooks/notice` starts this. It never blocks and never decides. Stdout has nothing, or one document with a
sentence for the model or the author. Exit 0; 70 after an error, and `hooks/notice` then reports it. Until a
novel project is found, a small part of the standard library alone is loaded. Source: the hook payloads of the
real client.
"""

from __future__ import annotations

import os
import sys

from novel_hooks import root as roots
from novel_hooks.annotations import Mapping
from novel_hooks.hook.client import answer, wire


def entry() -> None:
    """Answer the notice on stdin on stdout, and end the process.

    Its first argument is `building` while novel's environment is being built, the second is the host.
    """
    host = wire.CODEX if sys.argv[2:3] == [wire.CODEX] else wire.CLAUDE
    wire.serve(lambda data: respond(data, os.environ, building="building" in sys.argv[1:2], host=host))


def respond(
    data: bytes, environ: Mapping[str, str], building: bool = False, host: str = wire.CLAUDE
) -> bytes:
    """Answer the event `data`; b"" outside a novel project, and for every other event.

    `building`: novel's environment is being built. Raises whatever is wrong with the event.
    """
    found = wire.loads(data)
    root = project(found, environ) if isinstance(found, dict) else None
    if root is None or not isinstance(found, dict):
        return b""
    host = wire.CODEX if _is_codex(found) else host
    name = found.get("hook_event_name")
    if name == answer.SESSION_START:
        from novel_hooks.hook.notice import session_start

        return session_start.respond(found, root, environ, building, host)
    if name in (answer.SUBAGENT_STOP, answer.POST_TOOL_USE):
        from novel_hooks.hook.notice import agent_done

        return agent_done.respond(found, root, environ, host)
    if name in answer.TURN_ENDS:
        from novel_hooks.hook.notice import turn_end

        turn_end.respond(found, root, environ, host)
    return b""


def _is_codex(found: Mapping[str, object]) -> bool:
    """Return whether Codex keeps the session's record: this plugin, installed there, is told of no host."""
    record = found.get("transcript_path")
    return isinstance(record, str) and os.path.basename(record).startswith("rollout-")


def project(found: Mapping[str, object], environ: Mapping[str, str]) -> str | None:
    """Find the session's novel project, its root with links resolved; None when there is none."""
    for start in (found.get("cwd"), environ.get("CLAUDE_PROJECT_DIR")):
        if isinstance(start, str) and os.path.isabs(start) and "\0" not in start:
            root = roots.find_root(start) or roots.find_root(os.path.realpath(start))
            if root:
                return os.path.realpath(root)
    return None
