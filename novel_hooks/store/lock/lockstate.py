"""Who holds the chapter? Looks only. Source: protocol §6.

`.novel.lock/info.json` is `{pid, started, chapter, host, owner, token, renewed, pid_started}`; a lock
that seed 000's shell made has the first three.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
import os

from novel_hooks import errors, layout
from novel_hooks.record import Record
from novel_hooks.store.files.project import KIND_NAMES, Project
from novel_hooks.store.formats import jsonio
from novel_hooks.store.host import moment, process
from novel_hooks.store.host.owner import Owner

FREE = "free"
OWN = "own"
OTHER = "other"
STALE = "stale"
PATIENCE = 1800.0


class LockState(Record):
    """`kind` is free, own, other or stale; `reason` says in Chinese why.

    `info` is the info file, `{}` when there is none to read, None when free. `raw` are its bytes, by
    which a take-over knows that it moved the lock it judged. `since` is in seconds since the epoch.
    `undated`: every date of it lies ahead, so that no age proves it dead.
    """

    kind: str
    info: Mapping[str, object] | None
    reason: str
    raw: bytes | None = None
    since: float | None = None
    undated: bool = False


def lock_state(project: Project, owner: Owner, now: float) -> LockState:
    """The session lock, seen by `owner` at `now` (seconds since the epoch). Raises `LockPathOdd`."""
    kind = project.kind(layout.LOCK_DIR)
    if kind not in ("absent", "folder"):
        raise errors.LockPathOdd(layout.LOCK_DIR, kind=KIND_NAMES[kind])
    raw = raw_info(project, layout.LOCK_INFO)
    born = _folder_time(project)
    if kind == "absent" or born is None:
        return LockState(FREE, None, "没有会话在写")
    info = _parse_info(raw)
    started = moment.epoch(info.get("started"))
    verdict, reason = _kind_and_reason(info, owner, now, born)
    if started is None or (started > now >= born):
        started = born
    undated = (
        verdict == OTHER and _last_sign(info, now, born) > now and is_holder_alive(info, owner.host) is None
    )
    return LockState(verdict, info, reason, raw, started, undated)


def since_text(state: LockState, now: float) -> str:
    """When it was taken, for a sentence; a moment that has not come yet is told as such."""
    told = moment.local_text(state.since or 0.0, now)
    return f"{told}（这个时间还没到，像是时钟拨错过）" if state.undated else told


def raw_info(project: Project, path: str) -> bytes | None:
    """The bytes of an info file; None when there is no such readable regular file."""
    try:
        return project.read(path)
    except errors.Problem:
        return None


def is_own(info: Mapping[str, object], owner: Owner) -> bool:
    """Same session id, or same host process: a process of one pid and one start on one host."""
    if info.get("owner") == owner.id:
        return True
    return (
        owner.pid is not None
        and owner.pid_started is not None
        and (info.get("host"), info.get("pid"), info.get("pid_started"))
        == (owner.host, owner.pid, owner.pid_started)
    )


def holder_text(info: Mapping[str, object], here: str) -> str:
    """The holder in Chinese, for a sentence."""
    host = info.get("host")
    if isinstance(host, str) and host and host != here:
        return f"电脑「{host}」上的会话"
    return "本机的另一个会话" if isinstance(info.get("pid"), int) and host else "另一个会话"


def _kind_and_reason(info: Mapping[str, object], owner: Owner, now: float, born: float) -> tuple[str, str]:
    if info and is_own(info, owner):
        return OWN, "由本会话持有"
    alive = is_holder_alive(info, owner.host)
    if alive is True:
        return OTHER, f"由{holder_text(info, owner.host)}持有"
    if alive is False:
        return STALE, f"{holder_text(info, owner.host)}已经结束"
    if now - _last_sign(info, now, born) > PATIENCE:
        return STALE, f"{holder_text(info, owner.host)}已有半小时没有动静"
    return OTHER, f"由{holder_text(info, owner.host)}持有"


def is_holder_alive(info: Mapping[str, object], here: str) -> bool | None:
    """Does the process behind the lock run? None: it named none, or nobody here can tell."""
    pid, mark = info.get("pid"), info.get("pid_started")
    if info.get("host") != here or not isinstance(pid, int) or isinstance(pid, bool):
        return None
    return process.is_alive(pid, mark if isinstance(mark, str) else None)


def _last_sign(info: Mapping[str, object], now: float, born: float) -> float:
    """When the lock was last seen in use; the folder's own time when the file cannot be trusted."""
    started, renewed = moment.epoch(info.get("started")), moment.epoch(info.get("renewed"))
    if started is None or started > now or (renewed is not None and renewed > now):
        return born
    return started if renewed is None else max(started, renewed)


def _parse_info(raw: bytes | None) -> Mapping[str, object]:
    if raw is None:
        return {}
    try:
        found = jsonio.parse(raw, layout.LOCK_INFO)
    except errors.Problem:
        return {}  # half written by something that is not us: only the folder's age counts
    return found if isinstance(found, dict) else {}


def _folder_time(project: Project) -> float | None:
    try:
        return os.lstat(project.absolute(layout.LOCK_DIR)).st_mtime
    except FileNotFoundError:
        return None
