"""The book's own folder as the source of an adoption: the author's files beside the book's. Reads only."""

from __future__ import annotations

import os

from novel_hooks import errors, layout
from novel_hooks.annotations import Sequence
from novel_hooks.errors import Problem
from novel_hooks.rules.text import stray_names

_AUTHORS = (layout.RESEARCH, layout.EXPORTS)
"""Folders with texts of the author's own, or made for him: named by him, they may be read."""
_OWN = frozenset(
    path.partition("/")[0]
    for path in (*layout.FENCED_FILES, *layout.PROJECT_DIRS, layout.SENSITIVE_WORDS, "README.md")
)


def problems(paths: Sequence[str], own: str) -> list[Problem]:
    """Return a refusal for each path that is the project's, or a folder in which the project lies."""
    root = os.path.realpath(own)
    names = _own_names(os.listdir(root))
    found: list[Problem] = []
    for path in paths:
        place = os.path.realpath(path)
        if os.path.join(root, "").startswith(os.path.join(place, "")):
            found.append(errors.AdoptRefused(None, "own folder", place=path))
        elif os.path.relpath(place, root).split(os.sep)[0] in names:
            found.append(errors.AdoptRefused(None, "own file", place=path))
    return found


def put_there(own: str, endings: Sequence[str]) -> list[str]:
    """Return the author's manuscript in the book's folder: files, or one folder.

    Raises AdoptRefused when there is none, and when it is not clear which files he means.
    """
    names = sorted(os.listdir(own))
    others = {*_own_names(names), *_AUTHORS}
    free = [n for n in names if n not in others and not stray_names.is_hidden(n)]
    inside = {name: os.path.join(own, name) for name in free}
    files = [n for n in free if n.lower().endswith(tuple(endings)) and not os.path.isdir(inside[n])]
    folders = [n for n in free if os.path.isdir(inside[n]) and _holds_text(inside[n], endings)]
    if folders and (files or len(folders) > 1):
        raise errors.AdoptRefused(None, "which", place=own, names="、".join([*files[:3], *folders[:3]]))
    if not files and not folders:
        raise errors.AdoptRefused(None, "nothing of yours", place=own)
    return [inside[name] for name in files or folders]


def _own_names(names: Sequence[str]) -> set[str]:
    """Return the names in the book's folder that are the project's, and copies of such."""
    firsts = stray_names.copies(names)
    return {
        name
        for name in names
        if any(stray_names.is_same_file(firsts.get(name, name), known) for known in _OWN)
    }


def _holds_text(folder: str, endings: Sequence[str]) -> bool:
    return any(name.lower().endswith(tuple(endings)) for _, _, names in os.walk(folder) for name in names)
