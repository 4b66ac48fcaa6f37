"""The session lock: one session writes one chapter, over many commands. Source: protocol §6.

The lock is the folder `.novel.lock`. It is built below `.novel/` and moved into place, so nobody reads it
half made, and only one of two takers wins. Every change of it runs under the OS lock.
"""

from __future__ import annotations

import os

from novel_hooks import errors, layout
from novel_hooks.annotations import Sequence
from novel_hooks.record import Record
from novel_hooks.store.files import atomic
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from novel_hooks.store.host import moment, process
from novel_hooks.store.host.owner import Owner as Owner
from novel_hooks.store.host.owner import owner as owner
from novel_hooks.store.journal import litter, manifest
from novel_hooks.store.lock.lockstate import (
    ENDED,
    FREE,
    OTHER,
    OWN,
    SHARED,
    STALE,
    LockState,
    holder_text,
    raw_info,
    read_info,
    since_text,
)
from novel_hooks.store.lock.lockstate import lock_state as lock_state  # offered here too

_OLD = f"{layout.OWN}/lock.old-"
_NEW = f"{layout.OWN}/lock.new-"
_BRIEF = "command_only"


class HeldLock(Record):
    """A lock that this command holds; `token` proves it later.

    `note` names, in Chinese, a lock that was taken over. `left` are the break points of the dead session's
    run, which this lock keeps.
    """

    token: str
    note: str | None
    left: tuple[str, ...] = ()


class _Wish(Record):
    """Who takes the lock, when, for which chapter, with which break points; `brief` as in `acquire`."""

    owner: Owner
    now: float
    chapter: int | None
    stop_after: Sequence[str] | None
    brief: bool


def acquire(
    project: Project,
    owner: Owner,
    chapter: int | None,
    now: float,
    stop_after: Sequence[str] | None = None,
    brief: bool = False,
) -> HeldLock:
    """Take the lock for `chapter`, renew one's own, or take over a stale one.

    `stop_after` are this run's break points. None keeps those of the caller's own lock, and those of a dead
    session on the same chapter. With `brief` the lock is for this command alone. Raises `LockBusy` (nothing
    changed), `LockPathOdd`, `WriteFailed`.
    """
    state, wish = lock_state(project, owner, now), _Wish(owner, now, chapter, stop_after, brief)
    if state.kind == OTHER:
        raise busy_refusal(state, owner, now)
    if state.kind == OWN:
        return HeldLock(_rewrite(project, state, wish), None)
    if state.kind == STALE:
        return _take_over(project, state, wish)
    return HeldLock(_create_lock(project, wish), None)


def _take_over(project: Project, state: LockState, wish: _Wish) -> HeldLock:
    info = state.info or {}
    stops_before, chapter_before = info.get("stop_after"), info.get("chapter")
    left = (
        tuple(stop for stop in stops_before if isinstance(stop, str))
        if isinstance(stops_before, list)
        else ()
    )
    if wish.brief and left and isinstance(chapter_before, int):
        wish = wish._replace(chapter=chapter_before)
    elif wish.chapter is None or wish.chapter != chapter_before:
        left = ()
    _take_away(project, state, wish.owner, wish.now)
    if wish.stop_after is None and left:
        wish = wish._replace(stop_after=left)
    return HeldLock(_create_lock(project, wish), f"{state.reason}，写作锁已转到本会话。", left)


def put_back(project: Project, token: str, raw: bytes) -> None:
    """Write `raw` back as the lock's info after a brief take-over; do nothing when `token` is lost."""
    if _token_at(project, layout.LOCK_INFO) == token:
        atomic.write(project, layout.LOCK_INFO, raw)


def is_brief(state: LockState) -> bool:
    """Tell whether the lock was taken for one command and not for a session's chapter."""
    return bool((state.info or {}).get(_BRIEF))


def verify(project: Project, token: str) -> None:
    """Raise `LockLost` unless the lock is still the one that `token` came from."""
    if _token_at(project, layout.LOCK_INFO) != token:
        raise errors.LockLost(layout.LOCK_DIR)


def release(project: Project, token: str) -> bool:
    """Release the caller's own lock; return False, with nothing changed, when it is another's or absent."""
    if _token_at(project, layout.LOCK_INFO) != token:
        return False
    old = _move_away(project, litter.token())
    if _token_at(project, f"{old}/info.json") != token:
        atomic.rename(project, old, layout.LOCK_DIR)
        return False
    litter.remove_tree(project, old)
    return True


def end_turn(project: Project, owner: Owner, now: float) -> bool:
    """Release the lock of this session; return False when the lock is not this session's.

    A lock with break points stays and is marked as ended: anybody may take it over, and its session may go on
    with it.
    """
    info = lock_state(project, owner, now).info or {}
    token = info.get("token")
    if info.get("owner") != owner.id or not isinstance(token, str):
        return False
    if not info.get("stop_after"):
        return release(project, token)
    ended = {**info, "pid": None, "pid_started": None, ENDED: True}
    atomic.write(project, layout.LOCK_INFO, jsonio.dump(ended))
    return True


def clear(project: Project, owner: Owner, now: float, force: bool) -> str | None:
    """Remove the lock; return a Chinese note that names its owner, None when there was none.

    Raises `LockBusy` for another's lock that may be in use, unless `force`.
    """
    state = lock_state(project, owner, now)
    if state.kind == FREE:
        return None
    if state.kind == OTHER and not force:
        raise busy_refusal(state, owner, now)
    litter.remove_tree(project, _take_away(project, state, owner, now))
    return f"写作锁已清除（原来{state.reason}）。"


def busy_refusal(state: LockState, owner: Owner, now: float) -> errors.LockBusy:
    """Return the refusal with the lock's holder, chapter and start."""
    info = state.info or {}
    chapter = info.get("chapter")
    return errors.LockBusy(
        layout.LOCK_DIR,
        who=holder_text(info, owner.host),
        chapter=f"第 {chapter} 章" if isinstance(chapter, int) else "这本书",
        since=since_text(state, now),
    )


def _lock_info(wish: _Wish, token: str, started: float) -> dict[str, object]:
    """Return the content of `info.json`; a brief lock names this process, not its session's."""
    owner = wish.owner
    run: dict[str, object] = {} if wish.stop_after is None else {"stop_after": list(wish.stop_after)}
    pid, mark = owner.pid, owner.pid_started
    if owner.shared and not wish.brief:
        run[SHARED] = True
    if wish.brief:
        run[_BRIEF] = True
        mark = process.start_mark(os.getpid())
        pid = os.getpid() if mark else None
    return {
        "pid": pid,
        "pid_started": mark,
        "host": owner.host,
        "owner": owner.id,
        "token": token,
        "chapter": wish.chapter,
        "started": moment.iso(started),
        "renewed": moment.iso(wish.now),
        **run,
    }


def _rewrite(project: Project, state: LockState, wish: _Wish) -> str:
    """Write one's own lock again and return its token.

    `/clear` changes the session's id, a resumed session its process.
    """
    held = state.info or {}
    token, chapter_before = held.get("token"), held.get("chapter")
    name = token if isinstance(token, str) and token else litter.token()
    if wish.chapter is None and isinstance(chapter_before, int):
        wish = wish._replace(chapter=chapter_before)
    stops_before = held.get("stop_after")
    if wish.stop_after is None and isinstance(stops_before, list):
        wish = wish._replace(stop_after=stops_before)  # a run's break points live as long as its lock
    started = wish.now if state.since is None else min(state.since, wish.now)
    atomic.write(project, layout.LOCK_INFO, jsonio.dump(_lock_info(wish, name, started)))
    return name


def _create_lock(project: Project, wish: _Wish) -> str:
    """Make the lock and return its token."""
    token, fresh = litter.token(), _NEW + litter.token()
    try:
        atomic.make_folders(project, fresh)
        atomic.create(project, f"{fresh}/info.json", jsonio.dump(_lock_info(wish, token, wish.now)))
        atomic.rename(project, fresh, layout.LOCK_DIR)
    except errors.WriteFailed as wrong:
        litter.remove_tree(project, fresh)
        state = lock_state(project, wish.owner, wish.now)
        if state.kind in (OTHER, OWN):
            raise busy_refusal(state, wish.owner, wish.now) from wrong
        raise
    return token


def _take_away(project: Project, judged: LockState, owner: Owner, now: float) -> str:
    """Move the judged lock to a place named after it, and return that place.

    While it is there, another command that judged the same lock cannot move its successor by mistake; so a
    take-over leaves it to `litter.sweep`. A lock that is not the judged one after all is put back.
    """
    try:
        old = _move_away(project, manifest.digest(f"{judged.raw!r} {judged.since}".encode())[:16])
    except errors.WriteFailed as wrong:
        state = lock_state(project, owner, now)
        if state.raw == judged.raw and state.kind != FREE:
            raise
        raise busy_refusal(state, owner, now) from wrong
    if raw_info(project, f"{old}/info.json") != judged.raw:
        atomic.rename(project, old, layout.LOCK_DIR)
        raise busy_refusal(lock_state(project, owner, now), owner, now)
    return old


def _move_away(project: Project, name: str) -> str:
    atomic.make_folders(project, layout.OWN)
    atomic.rename(project, layout.LOCK_DIR, _OLD + name)
    return _OLD + name


def _token_at(project: Project, path: str) -> object:
    return read_info(project, path).get("token")
