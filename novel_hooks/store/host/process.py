"""Processes of this computer, named by pid and start. Source: protocol §6.

A pid alone proves nothing, because the system uses it again. `start_mark` gives a mark that no other process
of this host ever has. On Linux it is `linux/BOOT/NAMESPACE/TICKS`: boot id, pid namespace (in a container or
sandbox the same pid is another process), start in clock ticks since boot.
"""

from __future__ import annotations

import os
import sys

_LINUX = sys.platform.startswith("linux")
_WINDOWS = os.name == "nt"
_ENDED = ("Z", "X", "x")


def start_mark(pid: int) -> str | None:
    """Return the mark of the running process `pid`; None when there is none or its start is unknown."""
    if pid <= 0:
        return None
    if _LINUX:
        ticks = _ticks(pid)
        here = _boot_mark()
        return f"{here}/{ticks}" if ticks and here else None
    return None if _WINDOWS else _ps_start(pid)


def is_alive(pid: int, mark: str | None) -> bool | None:
    """Tell whether the process with that pid and mark runs; None when that is unknown (always on Windows)."""
    if _WINDOWS or pid <= 0:
        return None
    if mark is not None and mark.startswith("linux/"):
        return _alive_linux(pid, mark)
    if not _exists(pid) or _has_ended(pid):
        return False
    if mark is None:
        return None
    now = start_mark(pid)
    return None if now is None or now.split("/")[0] != mark.split("/")[0] else now == mark


def host_name() -> str:
    """Return the name of this computer: a pid has a meaning on its own computer only."""
    return os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")


def parent_of(pid: int) -> int | None:
    """Return the pid of the parent of `pid`; None when it has ended, and outside Linux."""
    fields = _stat(pid)
    return int(fields[1]) if fields else None


def name_of(pid: int) -> str | None:
    """Return the short command name of `pid`; None when it has ended, and outside Linux."""
    raw = _read_text(f"/proc/{pid}/comm")
    return raw.strip() if raw is not None else None


def arguments_of(pid: int) -> list[str]:
    """Return the command line of `pid`; [] when it has ended, and outside Linux."""
    return (_read_text(f"/proc/{pid}/cmdline") or "").split("\0")


def open_files(pid: int) -> list[str]:
    """List the paths of the files that `pid` holds open; [] when that cannot be seen, and outside Linux."""
    folder = f"/proc/{pid}/fd"
    found = []
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    for name in names:
        try:
            found.append(os.readlink(f"{folder}/{name}"))
        except OSError:  # closed in the meantime
            continue
    return found


def _alive_linux(pid: int, mark: str) -> bool | None:
    here = _boot_mark()
    parts = mark.split("/")
    if here is None or len(parts) != 4:
        return None
    boot, namespace = here.split("/")[1:]
    if parts[1] != boot:
        return False  # this computer was restarted since
    if parts[2] != namespace:
        return None  # a sandbox or container: its pids are not ours
    ticks = _ticks(pid)
    if ticks is None:
        return None if _exists(pid) and _stat(pid) is None else False
    return ticks == parts[3]


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True  # another user's process
    return True


def _boot_mark() -> str | None:
    boot = _read_text("/proc/sys/kernel/random/boot_id")
    try:
        namespace = os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return None
    return f"linux/{boot.strip()}/{namespace}" if boot else None


def _ticks(pid: int) -> str | None:
    """Return field 22, the start; None for a process that has ended and was not yet waited for (zombie)."""
    fields = _stat(pid)
    return fields[19] if fields and fields[0] not in _ENDED else None


def _has_ended(pid: int) -> bool:
    """Is it a zombie? In a container nobody may ever wait for one. False outside Linux."""
    fields = _stat(pid)
    return fields is not None and fields[0] in _ENDED


def _stat(pid: int) -> list[str] | None:
    """Return `/proc/PID/stat` from field 3 on; the name in field 2 may hold blanks and brackets."""
    raw = _read_text(f"/proc/{pid}/stat")
    fields = raw.rpartition(")")[2].split() if raw else []
    return fields if len(fields) > 19 else None


def _read_text(place: str) -> str | None:
    try:
        with open(place, encoding="utf-8", errors="replace") as handle:
            return handle.read()
    except OSError:
        return None


def _ps_start(pid: int) -> str | None:
    """Return the mark on BSD and macOS. `ps` prints local time and language, so both are fixed."""
    import subprocess

    fixed = {**os.environ, "LC_ALL": "C", "TZ": "UTC"}
    try:
        done = subprocess.run(
            ["ps", "-o", "state=,lstart=", "-p", str(pid)],
            capture_output=True,
            env=fixed,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    words = done.stdout.decode("ascii", "replace").split()
    return None if len(words) < 2 or words[0].startswith("Z") else "ps/" + "-".join(words[1:])
