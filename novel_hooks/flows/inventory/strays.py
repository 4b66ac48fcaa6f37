"""Stray copies in the folders of a book: named with the newer text, never read as the book, never removed.

Sync clients, editors, git and file managers make them (`rules.text.stray_names`).
"""

from __future__ import annotations

import os
from functools import partial

from novel_hooks import errors, layout
from novel_hooks.annotations import Callable, Iterator
from novel_hooks.errors import Problem
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.inventory.lost_chapters import PARTS
from novel_hooks.flows.session import pending_landing
from novel_hooks.record import Record
from novel_hooks.rules.text import name_order, stray_names
from novel_hooks.store.files.project import Project

_MOST = 20
_STAGED = ("", f"{layout.STAGING}/")
_CHAPTERS = {part.folder: part.place for part in PARTS}
"""The folders in which a chapter has a file, and how it is spelled."""
_PAGES = (
    "",
    layout.CHARACTERS.rpartition("/")[0],
    layout.CHARACTERS,
    layout.RETIRED,
    layout.WORLD,
    layout.RESEARCH,
    layout.STYLE_SAMPLES,
    "storylines",
    "foreshadowing",
    "volumes",
    "state",
    "logs",
)
_OWN = ("state/", "logs/", "evaluations/")
"""What only `novel` writes: nobody copies parts of it."""
_LOOSE = ("chapter-000.md", "vol-00")


class Stray(Record):
    """A stray copy: its path, and the path of its original; "" when that is unknown."""

    path: str
    original: str


def problems(project: Project) -> list[Problem]:
    """Name the stray copies in every folder of the book, staging included; of very many only the first."""
    found = [stray for folder in _folders(project) for stray in folder_strays(project, folder)]
    return [*_twice(project), *(_problem(project, stray) for stray in found[:_MOST])]


def _twice(project: Project) -> Iterator[Problem]:
    """Yield the chapters with more files than one, of which any may be the text: not those that a landing
    is about to leave with one."""
    seen, _ = attempt(lambda: pending_landing.after_landing(project))
    if seen is None:  # a broken journal, which another check reports
        return
    for number in seen.titled():
        yield from attempt(partial(seen.place, layout.chapter(number)))[1]


def near_problems(project: Project, volume: int) -> list[Problem]:
    """Name those in the small folders, of the setting and of the current volume, at low cost."""
    folders = (*_NEAR, layout.volume_dir(volume), layout.contract(volume, 1).rpartition("/")[0])
    found = [stray for folder in folders for stray in folder_strays(project, folder)]
    return [_problem(project, stray) for stray in found[:_FEW]]


_FEW = 3
_NEAR = (
    "",
    layout.CHARACTERS,
    layout.WORLD,
    layout.RESEARCH,
    layout.STYLE_SAMPLES,
    "storylines",
    "volumes",
)


def _folders(project: Project) -> Iterator[str]:
    for top in _STAGED:
        for folder in dict.fromkeys((*_PAGES, *_CHAPTERS)):
            yield f"{top}{folder}".rstrip("/")
        for holder in ("storylines", "volumes"):
            for name in _names(project, f"{top}{holder}"):
                yield f"{top}{holder}/{name}"
                if holder == "volumes":
                    yield f"{top}{holder}/{name}/chapter-contracts"


def _names(project: Project, folder: str) -> list[str]:
    """Return the names in a folder; [] where there is none, or no folder: another check reports that."""
    names = attempt(lambda: project.names(folder))[0] or ()
    return [n for n in names if not stray_names.is_hidden(n) and n.isprintable()]


def folder_strays(project: Project, folder: str) -> Iterator[Stray]:
    """Yield the stray copies in one folder, by name."""
    names = _names(project, folder)
    place = _chapter_place(folder)
    found = dict.fromkeys((n for n in names if n in _LOOSE), "")
    plain = place is not None and all(stray_names.is_spelled(name, place) for name in names)
    if not plain:
        found.update(stray_names.copies(names))
    if place is not None and not plain:
        spelled = set(names)
        for name in names:
            meant = None if name in _OTHERS else stray_names.meant_chapter(name, place)
            if meant is not None and (meant in spelled or name not in found):
                found[name] = meant
    if folder.rpartition("/")[2] == "volumes":
        found.update((name, meant) for name in names if (meant := stray_names.meant_volume(name)) is not None)
    own = f"{folder}/" if folder else ""
    if folder == layout.RETIRED:
        here = set(_names(project, layout.CHARACTERS))
        yield from (Stray(f"{own}{n}", f"{layout.CHARACTERS}/{n}") for n in names if n in here)
    made = ((name, found[name]) for name in name_order.in_order(found))
    yield from (Stray(f"{own}{name}", f"{own}{first}" if first else "") for name, first in made)


_OTHERS = ("current-state.json", "changelog.jsonl", "unknown-entities.jsonl", "audit.jsonl")


def _chapter_place(folder: str) -> Callable[[int], str] | None:
    """Return how a chapter's file in this folder is spelled; None for a folder without such files."""
    bare = folder.removeprefix(f"{layout.STAGING}/")
    if bare.endswith("/chapter-contracts"):
        return lambda chapter: f"{layout.chapter_id(chapter)}.json"
    return _CHAPTERS.get(bare)


def _problem(project: Project, stray: Stray) -> Problem:
    copy, original = _text(project, stray.path), _text(project, stray.original)
    if not stray.original:
        case = "no original"
    elif stray.original.rpartition("/")[0] == layout.CHARACTERS != stray.path.rpartition("/")[0]:
        case = "both"
    elif project.kind(stray.path) == "folder":
        case = "folder"
    elif original is None:
        case = "alone"
    elif copy == original:
        case = "same"
    else:
        newer = _modified(project, stray.path) > _modified(project, stray.original)
        own = stray.original.startswith(_OWN)
        case = ("own newer" if own else "newer") if newer else ("own older" if own else "older")
    return errors.StrayCopy(stray.path, case=case, original=stray.original)


def _text(project: Project, path: str) -> bytes | None:
    """Return the file's bytes; None where there is no file, b"" for what cannot be read."""
    data, faults = attempt(lambda: project.read(path) if path else None)
    return b"" if faults else data


def _modified(project: Project, path: str) -> float:
    try:
        return os.lstat(project.absolute(path)).st_mtime
    except OSError:
        return 0.0
