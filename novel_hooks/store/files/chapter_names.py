"""Names of landed chapters on disk: plain (`chapter-012.md`), or with the title (`第012章 夜雨.md`)."""

from __future__ import annotations

import os
import time

from novel_hooks import layout
from novel_hooks.annotations import Iterable, Mapping

SETTING = "chapter_names"
_BEGINS = f"{layout.CHAPTERS}/"
_PLAIN = f"{_BEGINS}chapter-"
_SETTLED_NS = 50_000_000
"""A folder changed this lately may change again and look the same: its clock ticks every few milliseconds."""


def is_set(config: bytes) -> bool:
    """Tell whether a line of `novel.yaml` that is more than a comment has the setting; no YAML is loaded."""
    lines = config.replace(b"\r", b"\n").split(b"\n") if SETTING.encode() in config else []
    return any(SETTING.encode() in line and not line.lstrip().startswith(b"#") for line in lines)


def may_be_plain(rel: str) -> bool:
    """Tell by the look of a path whether it may be a landed chapter's plain path.

    Every path is asked, so it is fast.
    """
    return rel.startswith(_PLAIN)


def plain_number(rel: str) -> int | None:
    """Return the number of the landed chapter whose plain path this is; None for every other path."""
    return layout.chapter_number(rel[len(_BEGINS) :]) if rel.startswith(_BEGINS) else None


def titled(names: Iterable[str]) -> Mapping[int, tuple[str, ...]]:
    """Map the number of each chapter with a titled file to the names of all its files; {} without any."""
    found: dict[int, tuple[str, ...]] = {}
    listed = list(names)
    for name in [each for each in listed if each[:1] == "第"]:
        number = layout.titled_chapter_number(name)
        if number is not None:
            found[number] = (*found.get(number, ()), name)
    if not found:
        return found
    there = set(listed)
    named = {number: f"{layout.chapter_id(number)}.md" for number in found}
    return {n: (named[n], *files) if named[n] in there else files for n, files in found.items()}


def plain(names: Iterable[str]) -> list[str]:
    """Return the names sorted, each chapter's once and plain: a caller that lists chapters sees no titles."""
    listed = list(names)
    numbers = {name: layout.titled_chapter_number(name) for name in listed if name.startswith("第")}
    return sorted({name if not (n := numbers.get(name)) else f"{layout.chapter_id(n)}.md" for name in listed})


def folder_mark(place: str) -> tuple[int, int] | None:
    """Return the time of the folder's last change, by its stat.

    None where the stat cannot be relied on yet.
    """
    try:
        found = os.lstat(place)
    except OSError:
        return None
    changed = (found.st_mtime_ns, found.st_ctime_ns)
    return changed if time.time_ns() - max(changed) > _SETTLED_NS else None
