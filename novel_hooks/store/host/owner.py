"""The owner of a lock: a session, and the process that hosts it. Source: protocol §6."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
import os

from novel_hooks.record import Record
from novel_hooks.store.host import process

_DEEPEST = 64


class Owner(Record):
    """One owner; `id` is the session's.

    `pid` is None where no process that lasts as long can be named. `pid_started` is the mark of
    `process.start_mark`; None when `pid` is.
    """

    id: str
    pid: int | None
    pid_started: str | None
    host: str


def owner(environ: Mapping[str, str], given: str | None = None) -> Owner:
    """Return the owner that this command acts for.

    The first of these: `given` (`--owner`), a name alone; `NOVEL_OWNER`, with the process
    `NOVEL_OWNER_PID` when that is set; Claude Code's session and process; Codex's; else the process that
    called this one (a shell in a terminal).
    """
    named = given or environ.get("NOVEL_OWNER")
    if named:
        return _owner(named, None if given else _number(environ.get("NOVEL_OWNER_PID")))
    claude = environ.get("CLAUDE_CODE_SESSION_ID")
    if claude:
        return _owner(claude, _number(environ.get("CLAUDE_PID")) or _ancestor("claude"))
    codex, pid = environ.get("CODEX_SESSION_ID"), _ancestor("codex")
    if codex:
        return _owner(codex, pid)
    return _owner("", pid or os.getppid())


def _owner(name: str, pid: int | None) -> Owner:
    """Return the owner, without `pid` when the process cannot be seen (a sandbox hides it).

    Later it could be proved neither alive nor dead.
    """
    mark = process.start_mark(pid) if pid else None
    host = process.host_name()
    return Owner(name or f"pid:{host}:{pid}:{mark}", pid if mark else None, mark, host)


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 11 else None


def _ancestor(name: str) -> int | None:
    """Return the pid of the nearest process of that name above this one."""
    pid = process.parent_of(os.getpid())
    for _ in range(_DEEPEST):
        if not pid or process.name_of(pid) == name:
            return pid or None
        pid = process.parent_of(pid)
    return None
