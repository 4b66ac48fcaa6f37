"""Who is writing: the session, and the process that hosts it. Source: protocol §6."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
import os

from novel_hooks.record import Record
from novel_hooks.store.host import process

_DEEPEST = 64


class Owner(Record):
    """`id` is the session's. `pid` is None where no process that lasts as long can be named.

    `pid_started` is the mark of `process.started`; None when `pid` is.
    """

    id: str
    pid: int | None
    pid_started: str | None
    host: str


def owner(environ: Mapping[str, str], given: str | None = None) -> Owner:
    """The owner this command acts for.

    In order: `given` (`--owner`) or `NOVEL_OWNER`, whose name alone counts, unless `NOVEL_OWNER_PID` tells
    the process behind it; Claude Code's session and process; Codex's; else the process that called us (a
    shell in a terminal).
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
    """A process that is not to be seen (a sandbox hides it) could not be proven alive or dead later."""
    mark = process.start_mark(pid) if pid else None
    host = process.host_name()
    return Owner(name or f"pid:{host}:{pid}:{mark}", pid if mark else None, mark, host)


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 11 else None


def _ancestor(name: str) -> int | None:
    """The nearest process above us of that name."""
    pid = process.parent_of(os.getpid())
    for _ in range(_DEEPEST):
        if not pid or process.name_of(pid) == name:
            break
        pid = process.parent_of(pid)
    return pid or None
