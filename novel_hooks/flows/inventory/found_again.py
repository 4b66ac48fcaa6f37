"""The possible place of a lost file: a cloud folder, another folder, or a name in another spelling."""

from __future__ import annotations

import os

from novel_hooks import layout
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules.text import stray_names
from novel_hooks.store.files.project import Project

_LEFT_OUT = (layout.OWN, layout.STAGING, layout.LOCK_DIR, ".git", ".claude", ".codex")
_CLOUD = ".icloud"
_MOST = 20_000
"""Names looked at; a book has far fewer."""
_BOOK = ("vol-", "chapter-contracts")
_NUMBER = Pattern(r"[0-9]{1,9}")


class Place(Record):
    """A possible place of a lost file. `placeholder`: a cloud's stand-in, without the text on this disk."""

    path: str
    placeholder: bool


def search(project: Project, path: str) -> Place | None:
    """Find a file that may be the lost one: beside its place first, then anywhere in the book."""
    folder, _, name = path.rpartition("/")
    for each in _names(project, folder):
        waits = each.startswith(".") and each.lower().endswith(_CLOUD)
        if waits and (each[1:].startswith(name) or _is_of_chapter(each[1 : -len(_CLOUD)], path)):
            return Place(f"{folder}/{each}".lstrip("/"), True)
    for each in _names(project, folder):
        copied = stray_names.copied_name(each)
        if each != name and stray_names.is_same_file(copied.name if copied else each, name):
            return Place(f"{folder}/{each}".lstrip("/"), False)
    return _moved(project, folder, name) or _renamed(project, folder, name)


def _is_of_chapter(name: str, path: str) -> bool:
    """Is it the titled name of the chapter with that plain path?"""
    number = layout.titled_chapter_number(name)
    return number is not None and layout.chapter(number) == path


def _names(project: Project, folder: str) -> list[str]:
    try:
        return sorted(os.listdir(project.absolute(folder)))
    except OSError:
        return []


def _moved(project: Project, folder: str, name: str) -> Place | None:
    """Return the file of that name in another folder; one that is the book's own in its place is none.

    Each volume has an outline: of names that several folders share, only one below the own folder counts, or
    below a folder that is none of the book's.
    """
    seen = 0
    for here, folders, names in os.walk(project.root):
        rel = os.path.relpath(here, project.root).replace(os.sep, "/")
        folders[:] = sorted(f for f in folders if rel != "." or f not in _LEFT_OUT)
        seen += len(names)
        if seen > _MOST:
            return None
        if rel == folder or name not in names or _is_home(rel, folder):
            continue
        return Place(name if rel == "." else f"{rel}/{name}", False)
    return None


def _renamed(project: Project, folder: str, name: str) -> Place | None:
    """Return the one text beside a chapter's place that bears its number in a way of the author's own."""
    number = layout.chapter_number(name) if folder == layout.CHAPTERS else None
    if number is None:
        return None
    found = [
        each
        for each in _names(project, folder)
        if each.endswith(".md") and each.isprintable() and not each.startswith(".")
        if layout.chapter_number(each) is None and layout.titled_chapter_number(each) is None
        if (told := _NUMBER.search(each)) and int(told[0]) == number
    ]
    return Place(f"{folder}/{found[0]}", False) if len(found) == 1 else None


def _is_home(rel: str, folder: str) -> bool:
    """Has a folder of the book a file of this name by right?"""
    if rel.startswith(f"{folder}/") and folder:
        return False
    top, _, last = rel.rpartition("/")
    if top == "storylines" and layout.SLUG.match(last):
        return True  # the memory of another storyline
    of_volume = last.startswith(_BOOK) and top in ("volumes", folder.rpartition("/")[0])
    return of_volume or rel in layout.PROJECT_DIRS
