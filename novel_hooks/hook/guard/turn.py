"""The session lock before an agent's write: another session's lock keeps our agents from writing.

Source: protocol §6. Nearly always there is no lock, or the session's own. Both cases are decided without the
modules that judge another session's lock, because loading them costs more than the rest of the guard.
"""

from __future__ import annotations

import os

from novel_hooks import layout
from novel_hooks.annotations import Mapping
from novel_hooks.hook.client import wire


def other_holder(root: str, session: str | None, environ: Mapping[str, str], host: str = "") -> str | None:
    """Describe another session's lock, as the predicate of a Chinese sentence; None without one."""
    if not os.path.lexists(os.path.join(root, layout.LOCK_DIR)):
        return None
    me = environ.get("NOVEL_OWNER") or session
    if me and _owner(os.path.join(root, *layout.LOCK_INFO.split("/"))) == me:
        return None
    return _other_holder(root, session, environ, host)


def sign(root: str | None, session: str | None) -> None:
    """Record that an agent of the lock's session is at work; do nothing when the lock is another session's.

    `root` is the session's project. Its host may be a process that nobody can see, and then the lock is stale
    half an hour after the last sign of life (protocol §6). Without this sign only commands would count.
    """
    if root is None or _owner(os.path.join(root, *layout.LOCK_INFO.split("/"))) != session:
        return
    place = os.path.join(root, *layout.LOCK_SIGN.split("/"))
    try:
        os.close(os.open(place, os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666))
        os.utime(place)
    except OSError:
        return


def _owner(place: str) -> object:
    info = wire.read(place)  # `_other_holder` reads it closely
    return info.get("owner") if isinstance(info, dict) else None


def _other_holder(root: str, session: str | None, environ: Mapping[str, str], host: str) -> str | None:
    import time

    from novel_hooks.errors import Problem
    from novel_hooks.store.files.project import Project
    from novel_hooks.store.host import owner
    from novel_hooks.store.lock import lockstate

    try:
        mine = owner.owner(owner.in_session(environ, host, session))
        state = lockstate.lock_state(Project(root), mine, time.time())
    except Problem as wrong:
        return f"看不清楚（{wrong}）"
    return state.reason if state.kind == lockstate.OTHER else None
