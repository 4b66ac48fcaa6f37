"""The owner of a lock: a session, and the process that hosts it. Source: protocol §6."""

from __future__ import annotations

import os

from novel_hooks.annotations import Iterator, Mapping
from novel_hooks.record import Record
from novel_hooks.store.host import process

CLAUDE, CODEX = "claude", "codex"
"""The hosts, by the name of their process."""
_DEEPEST = 64
_SHARED = "app-server"


class Owner(Record):
    """The owner of a lock; `id` is the session's. `pid` is None where no lasting process can be named.

    `pid_started` is the mark of `process.start_mark`; None when `pid` is. `shared`: the process hosts other
    sessions too and outlives this one. Its end then proves the session's end; its life proves nothing.
    """

    id: str
    pid: int | None
    pid_started: str | None
    host: str
    shared: bool = False


def owner(environ: Mapping[str, str], given: str | None = None) -> Owner:
    """Return the owner that this command acts for.

    The first of these: `given` (`--owner`), a name alone; `NOVEL_OWNER`, with the process
    `NOVEL_OWNER_PID` when that is set; the nearest host's session and process; else the process that called
    this one (a shell in a terminal).
    """
    named = given or environ.get("NOVEL_OWNER")
    if named:
        return _owner(named, None if given else _number(environ.get("NOVEL_OWNER_PID")))
    host = nearest_host(environ)
    if host == CLAUDE:
        pid = _number(environ.get("CLAUDE_PID")) or _ancestor(CLAUDE)
        return _owner(environ["CLAUDE_CODE_SESSION_ID"], pid)
    pid = _ancestor(CODEX)
    if host == CODEX:
        shared = pid is not None and _SHARED in process.arguments_of(pid)
        return _owner(environ["CODEX_SESSION_ID"], pid)._replace(shared=shared)
    return _owner("", pid or os.getppid())


def nearest_host(environ: Mapping[str, str]) -> str | None:
    """Return the host that runs this command: CLAUDE, CODEX, or None in a terminal.

    A host that was started inside the other leaves both names in the environment; then the nearer process
    counts.
    """
    claude, codex = environ.get("CLAUDE_CODE_SESSION_ID"), environ.get("CODEX_SESSION_ID")
    if not (claude and codex):
        return CLAUDE if claude else CODEX if codex else None
    return nearest_process(_number(environ.get("CLAUDE_PID"))) or CLAUDE


def nearest_process(claude: int | None = None) -> str | None:
    """Return the host whose process is nearest above this one; None when none is seen (outside Linux never).

    `claude` is Claude Code's pid where it is known.
    """
    for pid in _ancestors():
        if process.name_of(pid) == CODEX:
            return CODEX
        if pid == claude or process.name_of(pid) == CLAUDE:
            return CLAUDE
    return None


def in_session(environ: Mapping[str, str], host: str, session: str | None) -> dict[str, str]:
    """Return the environment of a command of that session, unchanged without a session.

    A hook has the session from its event.
    """
    if not session:
        return dict(environ)
    other, mine = ("CLAUDE_CODE_SESSION_ID", "CODEX_SESSION_ID")[:: 1 if host == CODEX else -1]
    return {**{key: value for key, value in environ.items() if key != other}, mine: session}


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
    return next((pid for pid in _ancestors() if process.name_of(pid) == name), None)


def _ancestors() -> Iterator[int]:
    pid = process.parent_of(os.getpid())
    for _ in range(_DEEPEST):
        if not pid:
            return
        yield pid
        pid = process.parent_of(pid)
