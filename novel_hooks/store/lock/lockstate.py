"""The state of the session lock; nothing is changed. Source: protocol §6.

`.novel.lock/info.json` is `{pid, started, chapter, host, owner, token, renewed, pid_started}`; a lock by
the shell of seed 000 has the first three.
"""

from __future__ import annotations

import os

from novel_hooks import errors, layout
from novel_hooks.annotations import Mapping
from novel_hooks.record import Record
from novel_hooks.store.files.project import KIND_NAMES, Project
from novel_hooks.store.formats import jsonio
from novel_hooks.store.host import codex, moment, process
from novel_hooks.store.host.owner import Owner

FREE = "free"
OWN = "own"
OTHER = "other"
STALE = "stale"
PATIENCE = 1800.0
"""Seconds without a sign of life after which a lock is stale whose process nobody can see (protocol §6)."""
PATIENCE_TEXT = f"{PATIENCE / 60:.0f} 分钟"
ENDED = "ended"
SHARED = "shared"


class LockState(Record):
    """The state of the lock; `kind` is free, own, other or stale, `reason` says in Chinese why.

    `info` is the info file, `{}` when it cannot be read, None when free. `raw` are its bytes: by them a
    take-over checks that it moved the lock it judged. `since` is in seconds since the epoch. `undated`: all
    its dates lie in the future, so its age cannot show that it is stale.
    """

    kind: str
    info: Mapping[str, object] | None
    reason: str
    raw: bytes | None = None
    since: float | None = None
    undated: bool = False


def lock_state(project: Project, owner: Owner, now: float) -> LockState:
    """Return the state of the session lock for `owner` at `now` (seconds since the epoch).

    Raises `LockPathOdd`.
    """
    kind = project.kind(layout.LOCK_DIR)
    if kind not in ("absent", "folder"):
        raise errors.LockPathOdd(layout.LOCK_DIR, kind=KIND_NAMES[kind])
    raw = raw_info(project, layout.LOCK_INFO)
    born = _folder_time(project)
    if kind == "absent" or born is None:
        return LockState(FREE, None, "没有会话在写")
    info = _parse_info(raw)
    started = moment.epoch(info.get("started"))
    sign = max(_last_sign(info, now, born), _sign_time(project, now))
    verdict, reason = _kind_and_reason(info, owner, now, sign)
    if started is None or (started > now >= born):
        started = born
    undated = (
        verdict == OTHER and _last_sign(info, now, born) > now and is_holder_alive(info, owner.host) is None
    )
    return LockState(verdict, info, reason, raw, started, undated)


def since_text(state: LockState, now: float) -> str:
    """Return the moment when the lock was taken, for a Chinese sentence that marks a future one."""
    start = moment.local_text(state.since or 0.0, now)
    return f"{start}（这个时间还没到，像是时钟拨错过）" if state.undated else start


def raw_info(project: Project, path: str) -> bytes | None:
    """Return the bytes of an info file; None when there is no regular file that can be read."""
    try:
        return project.read(path)
    except errors.Problem:
        return None


def is_own(info: Mapping[str, object], owner: Owner) -> bool:
    """Tell whether the lock is the owner's: the same session id or process (host, pid and start)."""
    if info.get("owner") == owner.id:
        return True
    return (
        owner.pid is not None
        and owner.pid_started is not None
        and not (owner.shared or info.get(SHARED))
        and (info.get("host"), info.get("pid"), info.get("pid_started"))
        == (owner.host, owner.pid, owner.pid_started)
    )


def holder_text(info: Mapping[str, object], here: str) -> str:
    """Return the lock's holder for a Chinese sentence; `here` is this computer's name."""
    host = info.get("host")
    if isinstance(host, str) and host and host != here:
        return f"电脑「{host}」上的会话"
    return "本机的另一个会话" if isinstance(info.get("pid"), int) and host else "另一个会话"


def _kind_and_reason(info: Mapping[str, object], owner: Owner, now: float, sign: float) -> tuple[str, str]:
    if info and is_own(info, owner):
        return OWN, "由本会话持有"
    if info.get(ENDED) is True:
        return STALE, f"{holder_text(info, owner.host)}已经停笔"
    alive = is_holder_alive(info, owner.host)
    if alive is True:
        return OTHER, f"由{holder_text(info, owner.host)}持有"
    if alive is False:
        return STALE, f"{holder_text(info, owner.host)}已经结束"
    if now - sign > PATIENCE:
        return STALE, f"{holder_text(info, owner.host)}已有 {PATIENCE_TEXT}没有动静"
    return OTHER, f"由{holder_text(info, owner.host)}持有"


def stays_dead(state: LockState, owner: Owner, now: float) -> bool:
    """Tell whether a dead session's lock would still be stale if its file were written anew now."""
    info = state.info or {}
    return state.kind == STALE and _kind_and_reason(info, owner, now, _last_sign(info, now, now))[0] == STALE


def is_holder_alive(info: Mapping[str, object], here: str) -> bool | None:
    """Tell whether the process behind the lock runs; None when it names none, or that is unknown here.

    A process that other sessions share counts as alive only while this session is in a turn.
    """
    pid, mark = info.get("pid"), info.get("pid_started")
    if info.get("host") != here or not isinstance(pid, int) or isinstance(pid, bool):
        return None
    alive = process.is_alive(pid, mark if isinstance(mark, str) else None)
    if alive and info.get(SHARED):
        return codex.is_in_turn(pid, str(info.get("owner"))) or None
    return alive


def _last_sign(info: Mapping[str, object], now: float, born: float) -> float:
    """Return the lock's last moment of use; the folder's time when a date of the file cannot be true."""
    started, renewed = moment.epoch(info.get("started")), moment.epoch(info.get("renewed"))
    if started is None or started > now or (renewed is not None and renewed > now):
        return born
    return started if renewed is None else max(started, renewed)


def _sign_time(project: Project, now: float) -> float:
    """Return when an agent of the lock's session was last seen at work; 0 when none was, or in the future."""
    try:
        found = os.lstat(project.absolute(layout.LOCK_SIGN)).st_mtime
    except OSError:
        return 0.0
    return found if found <= now else 0.0


def read_info(project: Project, path: str = layout.LOCK_INFO) -> Mapping[str, object]:
    """Return the document of an info file; an empty one when there is none of ours."""
    return _parse_info(raw_info(project, path))


def _parse_info(raw: bytes | None) -> Mapping[str, object]:
    if raw is None:
        return {}
    try:
        found = jsonio.parse(raw, layout.LOCK_INFO)
    except errors.Problem:
        return {}  # half written by another program: only the folder's age counts
    return found if isinstance(found, dict) else {}


def _folder_time(project: Project) -> float | None:
    try:
        return os.lstat(project.absolute(layout.LOCK_DIR)).st_mtime
    except FileNotFoundError:
        return None
