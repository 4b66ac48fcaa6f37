"""The second fence: marks of the files outside `staging/`, taken when a step is handed out.

A hook does not reach every host and every shell. So the files that protocol §1 names are marked by signature
(of stat) and hash at each hand-out, and compared before a step advances or a chapter lands. A file is hashed
again only where its signature differs, so the cost is that of a walk. A link is marked by its target. A
commit must not grow with the book. So the signatures of near paths are kept apart: of every folder, and of
every file but those of chapters landed long ago. A file that replaces another changes its folder's signature.
"""

from __future__ import annotations

import math
import os

from novel_hooks import errors, layout, sha2
from novel_hooks.annotations import TYPE_CHECKING, Collection
from novel_hooks.errors import Problem
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.store.fence import marks as filemarks
from novel_hooks.store.fence import seal
from novel_hooks.store.fence.marks import signature
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from novel_hooks.store.fence.marks import Marks

_FORMAT = "novel-fence 2"
_NEAR_FORMAT = "novel-fence-near 2"
_SEAL_FORMAT = "novel-checkpoint 1"
_OLD_SEAL = Pattern(r"([0-9a-f]{64})\n\Z")
_ABSENT = "-"
NEAR = 20
"""This many chapters up to the last are near: a packet may still hold them."""
_PROSE = (".md", ".json", ".jsonl")


class Difference(Record):
    """One file that differs from its mark; `what` is changed, added or removed."""

    path: str
    what: str


def walk(project: Project, folders: dict[str, str] | None = None) -> dict[str, str]:
    """Return the signature of every fenced file, by path. Links are never followed.

    `folders` is filled with the signatures of the folders walked through, taken before their files'.
    Raises `ChapterTwice`.
    """
    found: dict[str, str] = {}
    through: dict[str, str] = {} if folders is None else folders
    for name in layout.FENCED_FILES:
        place = project.absolute(name)
        if os.path.lexists(place):
            found[name] = signature(os.lstat(place))
    for folder in layout.FENCED_FOLDERS:
        place = project.absolute(folder)
        if os.path.islink(place):  # a link in a folder's place is marked itself
            found[folder] = signature(os.lstat(place))
        else:
            _below(place, folder, folder in layout.FENCED_WHOLE, found, through)
    return _by_plain_paths(project, found) if project.titled() else found


def _by_plain_paths(project: Project, found: dict[str, str]) -> dict[str, str]:
    """Return the signatures with a titled chapter's under its plain path: a new name is no other text."""
    return {_plain_path(project, path): look for path, look in found.items()}


def _plain_path(project: Project, path: str) -> str:
    number = layout.titled_chapter_number(path[len(layout.CHAPTERS) + 1 :])
    if number is None or not path.startswith(f"{layout.CHAPTERS}/"):
        return path
    plain = layout.chapter(number)
    return plain if project.place(plain) == path else path


def _below(place: str, rel: str, whole: bool, found: dict[str, str], folders: dict[str, str]) -> None:
    try:
        folders[rel] = signature(os.stat(place))
        entries = os.scandir(place)
    except (FileNotFoundError, NotADirectoryError):
        return
    with entries:
        for entry in entries:
            name = entry.name
            if entry.is_dir(follow_symlinks=False):
                _below(entry.path, f"{rel}/{name}", whole, found, folders)
            elif whole or (name.endswith(_PROSE) and not name.startswith(".")):
                found[f"{rel}/{name}"] = signature(entry.stat(follow_symlinks=False))


def marks(project: Project, before: Marks, folders: dict[str, str] | None = None) -> Marks:
    """Return the marks of the fenced files now; a file with the signature of `before` keeps that hash.

    A path with a tab or a line end cannot be marked and is left out. `folders`: see `walk`.
    """
    found: Marks = {}
    for path, look in walk(project, folders).items():
        if "\t" in path or "\n" in path:  # no line can hold it, so it would be new each time
            continue
        known = before.get(path)
        if known is not None and known[0] == look:
            found[path] = known
        else:
            found[path] = (look, digest(project, path))
    return found


def marks_of(project: Project, paths: Collection[str]) -> Marks:
    """Return the marks of these `paths` now, of those that are fenced and there. Raises nothing."""
    found: Marks = {}
    for path in paths:
        if not _is_watched(path):
            continue
        try:
            found[path] = (signature(os.lstat(project.absolute(path))), digest(project, path))
        except OSError:
            continue
    return found


def _is_watched(path: str) -> bool:
    """Would `marks` mark a file of that path?"""
    if "\t" in path or "\n" in path:
        return False
    if path in layout.FENCED_FILES:
        return True
    name = path.rpartition("/")[2]
    if any(path.startswith(f"{folder}/") for folder in layout.FENCED_WHOLE):
        return True
    inside = any(path.startswith(f"{folder}/") for folder in layout.FENCED_FOLDERS)
    return inside and name.endswith(_PROSE) and not name.startswith(".")


def differences(before: Marks, now: Marks) -> list[Difference]:
    """List the differences of two sets of marks by hash, in path order.

    A file whose signature alone differs has none.
    """
    found = []
    # A kept mark is the same object, so most of a long book is passed over at once.
    unlike = [path for path, known in now.items() if before.get(path) is not known]
    removed = before.keys() - now.keys()
    for path in sorted((*unlike, *removed)):
        old, new = before.get(path), now.get(path)
        if old is None:
            found.append(Difference(path, "added"))
        elif new is None:
            found.append(Difference(path, "removed"))
        elif old[1] != new[1]:
            found.append(Difference(path, "changed"))
    return found


def digest(project: Project, path: str) -> str:
    """Return the sha256 of the file's bytes.

    `link:` with its target, `unreadable` or `gone` where there is none.
    """
    place = project.absolute(path)
    if os.path.islink(place):
        return f"link:{os.readlink(place)!r}"
    try:
        data = project.read(path)
    except Problem:
        return "unreadable"
    return "gone" if data is None else sha2.digest(data)


def dump(found: Marks) -> bytes:
    """Return the bytes of `layout.FENCE`: one line a mark, by path."""
    return filemarks.dump(found, _FORMAT)


def read(project: Project) -> Marks | None:
    """Read the last marks; None when there are none, or they are damaged."""
    data = _readable(project, layout.FENCE)
    return None if data is None else filemarks.parse(data, _FORMAT)


def _readable(project: Project, path: str) -> bytes | None:
    """Return the file's bytes; None when it is absent or cannot be read."""
    try:
        return project.read(path)
    except Problem:
        return None


def checkpoint_seal(sha256: str) -> bytes:
    """Return the bytes of `layout.CHECKPOINT_SEAL` for a checkpoint of this hash."""
    return seal.sealed_lines(_SEAL_FORMAT, [sha256])


def sealed_checkpoint(project: Project) -> str | None:
    """Return the hash of the checkpoint as `novel` wrote it last; None without a seal.

    Raises `CheckpointSealLost`.
    """
    data = project.read(layout.CHECKPOINT_SEAL)
    if data is None:
        return None
    old = _OLD_SEAL.match(data.decode("latin-1"))
    if old:
        return old.group(1)
    lines = seal.parse_lines(data, _SEAL_FORMAT)
    if not lines:
        raise errors.CheckpointSealLost(layout.CHECKPOINT_SEAL)
    return lines[0]


def near_marks(found: Marks, folders: dict[str, str], last: int) -> bytes:
    """Return the bytes of `layout.FENCE_NEAR`: a line with signature and path for each near path.

    `found` and `folders` are those of `marks`; `last` is the newest landed chapter.
    """
    looks = {path: look for path, (look, _) in found.items() if _chapter_of(path) > last - NEAR}
    for path in (*layout.FENCED_FILES, *layout.FENCED_FOLDERS):
        looks.setdefault(path, _ABSENT)
    looks.update({path: look for path, look in folders.items() if "\t" not in path and "\n" not in path})
    lines = [f"{look}\t{path}" for path, look in sorted(looks.items())]
    return seal.sealed_lines(_NEAR_FORMAT, lines)


def _chapter_of(path: str) -> float:
    """Return the chapter of a file by its name (`chapter-012-eval.json` → 12); of any other, infinity."""
    name = path.rpartition("/")[2]
    digits = name[len("chapter-") :].partition("-")[0].partition(".")[0]
    return int(digits) if name.startswith("chapter-") and digits.isascii() and digits.isdigit() else math.inf


def near_unchanged(project: Project) -> bool:
    """Tell whether every near path has the signature of its mark; False when those are absent or damaged."""
    lines = seal.parse_lines(_readable(project, layout.FENCE_NEAR) or b"", _NEAR_FORMAT)
    if lines is None:
        return False
    return all(_current_mark(project, path) == look for look, _, path in map(_split_line, lines))


def _split_line(line: str) -> tuple[str, str, str]:
    return line.partition("\t")


def _current_mark(project: Project, path: str) -> str:
    try:
        return signature(os.lstat(os.path.join(project.root, project.place(path))))
    except OSError:
        return _ABSENT
