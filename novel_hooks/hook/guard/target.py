"""The target of a write: from an agent's path to a place in the real staging, or a refusal.

A tool resolves a path by its text, the system by the disk. A path is allowed only when both lead to the same
place and no link is on the way below the project's root.
"""

from __future__ import annotations

import os
import stat

from novel_hooks import layout, roles
from novel_hooks.annotations import Sequence
from novel_hooks.hook.guard.reasons import Refusal

_MOST_BYTES = 4096
_MOST_NAME_BYTES = 255
# Ranges of marks that no path may hold: control characters, line ends, half characters, the byte order mark.
_UNPLAIN = (
    ("\0", "\x1f"),
    ("\x7f", "\x9f"),
    ("\u2028", "\u2029"),
    ("\ud800", "\udfff"),
    ("\ufeff", "\ufeff"),
)
# Marks that some file systems ignore in a name.
_IGNORED = (("\u200b", "\u200f"), ("\u202a", "\u202e"), ("\u2060", "\u206f"))
_OWN_RULES = {"staging/evaluations": "own-evaluations", "staging/manifests": "own-manifests"}
_JUNCTION = 0xA0000003
_WINDOWS_DEVICES = ("con", "prn", "aux", "nul")


def absolute(raw: object, cwd: str | None) -> str:
    """Return the path from the root, its dots kept; a relative one starts at `cwd`.

    Raises Refusal for a path that is missing, too long, that holds odd characters, or that names a folder.
    """
    if not isinstance(raw, str) or not raw:
        raise Refusal("path-missing")
    # The client trims a path, and replaces `~` by the home folder, after it has asked us.
    if raw != raw.strip() or _holds(raw, _UNPLAIN) or (os.name == "nt" and _odd_on_windows(raw)):
        raise Refusal("path-odd")
    if raw.startswith("~"):
        raise Refusal("path-home")
    if not os.path.isabs(raw):
        if cwd is None or not os.path.isabs(cwd) or _holds(cwd, _UNPLAIN):
            raise Refusal("path-relative")
        raw = os.path.join(cwd, raw)
    if len(os.fsencode(raw)) > _MOST_BYTES:
        raise Refusal("path-long")
    if os.path.basename(raw) in ("", ".", ".."):
        raise Refusal("path-folder")
    return raw


def lexical(path: str) -> str:
    """Resolve `.` and `..` in `path` by its text alone, as the tools do."""
    plain = os.path.normpath(path)
    # POSIX lets two leading slashes mean something else, and `normpath` keeps them; no system we run on does.
    return plain[1:] if os.sep == "/" and plain.startswith("//") else plain


def below(path: str, root: str) -> list[str]:
    """Split `path` into the names of folders and file below the project's root."""
    return lexical(path)[len(root) :].strip(os.sep).split(os.sep)


def check(path: str, root: str, writes: Sequence[str]) -> None:
    """Refuse a write outside the project's folders `writes`.

    `path` comes from `absolute` and is below `root`. Raises Refusal.
    """
    parts = below(path, root)
    if parts == [layout.STAGING]:
        raise Refusal("path-folder")
    if not any(len(parts) > folder.count("/") + 1 and _leads(root, parts, folder) for folder in writes):
        raise Refusal("outside-staging")
    for folder in roles.OWN_STAGING:
        if _leads(root, parts, folder, in_doubt=True):
            raise Refusal(_OWN_RULES[folder])
    for part in parts:
        _check_name(part)
    _check_way(root, parts)
    real = os.path.join(os.path.realpath(root), *parts)
    if os.path.normcase(os.path.realpath(path)) != os.path.normcase(real):
        raise Refusal("detour")


def _leads(root: str, parts: Sequence[str], folder: str, in_doubt: bool = False) -> bool:
    """Return whether `parts` name `folder` or something in it, as the file system compares names."""
    names = folder.split("/")
    if len(parts) < len(names):
        return False
    place = root
    for part, name in zip(parts, names):
        if part != name and not _same(place, part, name, in_doubt):
            return False
        place = os.path.join(place, part)
    return True


def _same(folder: str, one: str, other: str, in_doubt: bool) -> bool:
    """Return whether two names mean one entry of `folder`.

    Whether case and Unicode form matter differs from disk to disk, so the entries themselves are compared.
    When neither exists yet, names that differ by case alone are the same if `in_doubt` says so.
    """
    first, second = (_identity(os.path.join(folder, name)) for name in (one, other))
    if first is None and second is None:
        return in_doubt and one.casefold() == other.casefold()
    return first == second


def _identity(place: str) -> tuple[int, int] | None:
    try:
        found = os.lstat(place)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def _check_name(part: str) -> None:
    if len(os.fsencode(part)) > _MOST_NAME_BYTES:
        raise Refusal("path-long")
    # Some systems drop a last dot or blank, and read a backslash as a slash.
    if part[-1] in " ." or "\\" in part or _holds(part, _IGNORED):
        raise Refusal("path-odd")
    if part.casefold() == layout.CHECKPOINT:
        raise Refusal("own-checkpoint")


def _check_way(root: str, parts: Sequence[str]) -> None:
    """Refuse a way through a link or through no folder, and a last part that is no file of its own."""
    place = root
    for depth, part in enumerate(parts, start=1):
        place = os.path.join(place, part)
        try:
            found = os.lstat(place)
        except FileNotFoundError:
            return
        except (OSError, ValueError):
            raise Refusal("unreadable", part="/".join(parts[:depth])) from None
        rule = _obstacle(found, depth == len(parts))
        if rule:
            raise Refusal(rule, part="/".join(parts[:depth]))


def _obstacle(found: os.stat_result, last: bool) -> str | None:
    if stat.S_ISLNK(found.st_mode) or getattr(found, "st_reparse_tag", 0) == _JUNCTION:
        return "link"
    if not last:
        return None if stat.S_ISDIR(found.st_mode) else "not-a-folder"
    if stat.S_ISDIR(found.st_mode):
        return "path-folder"
    if not stat.S_ISREG(found.st_mode):
        return "not-a-file"
    return "hard-link" if found.st_nlink > 1 else None


def _holds(text: str, spans: Sequence[tuple[str, str]]) -> bool:
    return any(low <= char <= high for char in text for low, high in spans)


def _odd_on_windows(raw: str) -> bool:
    """Return whether Windows reads the path in another way.

    Such are Git Bash's `/c/…`, a device, a stream, a path within a drive's current folder.
    """
    drive, rest = os.path.splitdrive(raw)
    names = rest.replace("\\", "/").split("/")
    return (
        drive.startswith(("\\\\?", "\\\\.", "//?", "//."))
        or (bool(drive) != rest.startswith(("\\", "/")))
        or any(char in '<>:"|?*' for char in rest)
        or any(name.split(".")[0].strip().casefold() in _WINDOWS_DEVICES for name in names)
    )
