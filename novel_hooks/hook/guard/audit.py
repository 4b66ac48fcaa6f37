"""The audit log, `logs/audit.jsonl`: a line for every decision on an agent's call. Source: protocol §1.

A call that cannot be logged is refused. One `write` on a handle opened to append, so that the lines of any
number of agents stay whole.
"""

from __future__ import annotations

import os
import stat
import time

from novel_hooks import layout
from novel_hooks.annotations import Mapping
from novel_hooks.hook.client import wire
from novel_hooks.hook.client.event import Event
from novel_hooks.hook.guard.decision import ALLOW, DENY, Verdict
from novel_hooks.hook.guard.reasons import REASONS

_MOST = 1000
_FLAGS = (
    os.O_RDWR
    | os.O_APPEND
    | os.O_CREAT
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_SETTLING = 0.02


def log(event: Event, verdict: Verdict) -> tuple[str, str]:
    """Log the verdict, and return (decision, reason): a call that cannot be logged is not allowed."""
    if verdict.project is not None:
        try:
            write_line(verdict.project, _audit_line(event, verdict))
        except OSError:
            if verdict.decision == ALLOW:
                return DENY, REASONS["audit"]
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


def write_line(root: str, fields: Mapping[str, str | None]) -> None:
    """Append one line with these fields and `ts`, each field cut to 1000 characters.

    Raises OSError when it could not be written whole.
    """
    cut = {key: None if value is None else value[:_MOST] for key, value in fields.items()}
    line = wire.record({"ts": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), **cut}) + "\n"
    data = line.encode("utf-8", "replace")
    handle = os.open(_log_path(root), _FLAGS, 0o666)
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
            raise OSError("the audit log is no file of its own")
        if _is_torn(handle):
            data = b"\n" + data
        if os.write(handle, data) != len(data):
            raise OSError("the audit line was cut off")
    finally:
        os.close(handle)


def _log_path(root: str) -> str:
    place = os.path.join(root, *layout.AUDIT.split("/"))
    folder = os.path.dirname(place)
    try:
        os.mkdir(folder)
    except FileExistsError:
        if not stat.S_ISDIR(os.lstat(folder).st_mode):
            raise
    if not hasattr(os, "O_NOFOLLOW") and os.path.islink(place):
        raise OSError("the audit log is a link")
    return place


def _is_torn(handle: int) -> bool:
    """Return whether the file ends in a line that a power cut left unfinished.

    Another guard's line looks the same while it is being written, for a moment. Should that moment last
    longer than this waits, a blank line stands between the two: readers skip it.
    """
    size = _unfinished(handle)
    if size is None:
        return False
    time.sleep(_SETTLING)
    return _unfinished(handle) == size


def _unfinished(handle: int) -> int | None:
    """The file's size when it does not end in a line end, else None."""
    size = os.lseek(handle, 0, os.SEEK_END)
    if size == 0:
        return None
    os.lseek(handle, size - 1, os.SEEK_SET)
    return None if os.read(handle, 1) == b"\n" else size
