"""The end of a turn in Codex: gives the session's lock back.

One server process may run many sessions and outlive them all, so the end of a process does not show that the
author has left. Source: the real client, protocol §6.
"""

from __future__ import annotations

import time

from novel_hooks import errors
from novel_hooks.annotations import Mapping
from novel_hooks.flows.pipeline import lock
from novel_hooks.flows.session.caller import Caller
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import owner

_TRIES = 8
_PAUSE = 0.25


def respond(event: Mapping[str, object], root: str, environ: Mapping[str, str], host: str) -> None:
    """Give the session's lock back. Try for two seconds while another command is running in the book."""
    session = event.get("session_id")
    if not isinstance(session, str) or not session:
        return
    caller = Caller(owner.owner(owner.in_session(environ, host, session)), time.time())
    for left in range(_TRIES, -1, -1):
        try:
            lock.end_turn(Project(root), caller)
            return
        except errors.CommandBusy:
            if not left:
                return  # a command of this very session, or one that takes the book over
            time.sleep(_PAUSE)
