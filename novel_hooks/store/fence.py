"""The second fence: what the files outside `staging/` were when a step was handed out.

A hook does not reach every host and every shell. So the files that protocol §1 names are marked by
stat and hash at each hand-out, and compared before anything advances or lands. A mark's hash is taken
anew only where its stat differs, so the cost is that of a walk.
"""

from __future__ import annotations

import os
import stat

from novel_hooks import layout
from novel_hooks.errors import Problem
from novel_hooks.record import Record
from novel_hooks.store.project import Project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FORMAT = "novel-fence 1"
_PROSE = (".md", ".json", ".jsonl")


class Mark(Record):
    """`look` is what stat says (size, times, kind); `sha256` of the bytes, or of a link's target."""

    look: str
    sha256: str


class Difference(Record):
    """`what` is changed, added or removed."""

    path: str
    what: str


def walk(project: Project) -> dict[str, str]:
    """path → look, of every file that the fence is about."""
    found: dict[str, str] = {}
    for name in layout.FENCED_FILES:
        place = project.absolute(name)
        if os.path.lexists(place):
            found[name] = _look(os.lstat(place))
    for folder in layout.FENCED_FOLDERS:
        for path, status in _below(project.absolute(folder), folder):
            if folder in layout.FENCED_WHOLE or path.endswith(_PROSE):
                found[path] = _look(status)
    return found


def _below(place: str, rel: str) -> Iterator[tuple[str, os.stat_result]]:
    """Files and links below a folder, links never followed."""
    try:
        entries = os.scandir(place)
    except (FileNotFoundError, NotADirectoryError):
        return
    with entries:
        for entry in entries:
            path = f"{rel}/{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                yield from _below(entry.path, path)
            elif not entry.name.startswith("."):
                yield path, entry.stat(follow_symlinks=False)


def _look(status: os.stat_result) -> str:
    kind = stat.S_IFMT(status.st_mode)
    return f"{kind:o} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"


def marks(project: Project, before: Mapping[str, Mark]) -> dict[str, Mark]:
    """The marks of now; the hash of a file whose look is that of `before` is taken from there."""
    found: dict[str, Mark] = {}
    for path, look in sorted(walk(project).items()):
        known = before.get(path)
        same = known is not None and known.look == look
        found[path] = known if same and known is not None else Mark(look, digest(project, path))
    return found


def differences(before: Mapping[str, Mark], now: Mapping[str, Mark]) -> list[Difference]:
    """By hash, in path order: a touch that changes nothing is no difference."""
    found = []
    for path in sorted({*before, *now}):
        old, new = before.get(path), now.get(path)
        if old is None:
            found.append(Difference(path, "added"))
        elif new is None:
            found.append(Difference(path, "removed"))
        elif old.sha256 != new.sha256:
            found.append(Difference(path, "changed"))
    return found


def digest(project: Project, path: str) -> str:
    """Of a file's bytes; a link's target and anything unreadable have a mark of their own."""
    import hashlib

    place = project.absolute(path)
    if os.path.islink(place):
        return f"link:{os.readlink(place)}"
    try:
        data = project.read(path)
    except Problem:
        return "unreadable"
    return "gone" if data is None else hashlib.sha256(data).hexdigest()


def dump(found: Mapping[str, Mark]) -> bytes:
    """One line a mark; a name with a line end in it cannot be marked and is left out."""
    lines = [f"{m.look}\t{m.sha256}\t{p}" for p, m in found.items() if not {"\n", "\t"} & set(p)]
    return "\n".join([_FORMAT, *lines, ""]).encode("utf-8", "surrogateescape")


def load(project: Project) -> dict[str, Mark]:
    """What was marked last; {} when nothing was, or it cannot be read: then all is marked anew."""
    try:
        data = project.read(layout.FENCE)
    except Problem:
        return {}
    lines = (data or b"").decode("utf-8", "surrogateescape").split("\n")
    if lines[0] != _FORMAT:
        return {}
    parts = (line.split("\t", 2) for line in lines[1:] if line)
    return {p[2]: Mark(p[0], p[1]) for p in parts if len(p) == 3}
