"""The book's own folder when a book moves in: what the author put there beside its files. Reads only."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

import os

from novel_hooks import errors, layout
from novel_hooks.errors import Problem
from novel_hooks.rules.text import stray_names

_AUTHORS = (layout.RESEARCH, layout.EXPORTS)
"""Folders with texts of the author's own, or made for him: named by him, they may be read."""
_OWN = frozenset(
    path.partition("/")[0]
    for path in (*layout.FENCED_FILES, *layout.PROJECT_DIRS, layout.SENSITIVE_WORDS, "README.md")
)


def problem(path: str, own: str) -> Problem | None:
    """Return the refusal of a path that is the project's, or a folder that the project lies in."""
    root, place = os.path.realpath(own), os.path.realpath(path)
    if os.path.join(root, "").startswith(os.path.join(place, "")):
        return errors.AdoptRefused(None, "own folder", place=path)
    inner = os.path.relpath(place, root).split(os.sep)
    if inner[0] != os.pardir and _is_own(inner[0], os.listdir(root)):
        return errors.AdoptRefused(None, "own file", place=path)
    return None


def is_itself(path: str, own: str) -> bool:
    """Return whether the path is the book's folder itself."""
    return os.path.realpath(path) == os.path.realpath(own)


def put_there(own: str, endings: Sequence[str]) -> list[str]:
    """Return what the author put into the book's folder to move in: the files, or the one folder.

    Raises AdoptRefused where nothing is there, and where it is not clear what he means.
    """
    names = sorted(os.listdir(own))
    free = [n for n in names if not stray_names.is_hidden(n) and n not in _AUTHORS and not _is_own(n, names)]
    files = [n for n in free if n.lower().endswith(tuple(endings)) and not os.path.isdir(_at(own, n))]
    folders = [n for n in free if os.path.isdir(_at(own, n)) and _holds_text(_at(own, n), endings)]
    if folders and (files or len(folders) > 1):
        raise errors.AdoptRefused(None, "which", place=own, names="、".join([*files[:3], *folders[:3]]))
    if not files and not folders:
        raise errors.AdoptRefused(None, "nothing of yours", place=own)
    return [_at(own, name) for name in files or folders]


def _is_own(name: str, names: Sequence[str]) -> bool:
    """Tell whether the name in the book's folder is the project's, or a copy of one that is."""
    first = stray_names.copies(names).get(name, name)
    return any(stray_names.is_same_file(one, known) for one in (name, first) for known in _OWN)


def _at(folder: str, name: str) -> str:
    return os.path.join(folder, name)


def _holds_text(folder: str, endings: Sequence[str]) -> bool:
    return any(name.lower().endswith(tuple(endings)) for _, _, names in os.walk(folder) for name in names)
