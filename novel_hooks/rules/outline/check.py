"""The check of a whole outline, and the repair of headings that a program may write. Pure.

Source: protocol §7.
"""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.annotations import Iterator
from novel_hooks.errors import Problem
from novel_hooks.record import Record
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.outline.headings import NearMiss
from novel_hooks.rules.outline.outline import Outline

_BOM = b"\xef\xbb\xbf"


class Repair(Record):
    """A repaired outline: its whole `text`, and the near misses that were `mended` to headings."""

    text: str
    mended: tuple[NearMiss, ...]


def problems(outline: Outline, volume: int, data: bytes) -> list[Problem]:
    """List every problem of the outline, by kind.

    The kinds in order: no heading at all, near misses and unread headings, numbers, key lines, raw marks (a
    BOM or carriage returns). `data` are the bytes that the outline was read from.
    """
    found: list[Problem] = list(outlines.bounds_problems(outline))
    if not found:
        found = [*outlines.near_miss_problems(outline), *outlines.numbering_problems(outline)]
    # Of the repaired text, so that no block holds its neighbour's key lines; line numbers are the same.
    mended = outlines.parse(repair(outline).text, outline.path)
    for heading in mended.headings:
        found += outlines.key_problems_under(mended, heading)
    return [*found, *_raw_mark_problems(outline.path, volume, data)]


def _raw_mark_problems(path: str, volume: int, data: bytes) -> Iterator[Problem]:
    if data.startswith(_BOM):
        yield errors.OutlineRawMarks(path, "bom", volume=volume)
    returns = data.count(b"\r")
    if returns:
        first = data[: data.index(b"\r")].count(b"\n") + 1
        yield errors.OutlineRawMarks(path, "returns", volume=volume, line=first, count=returns)


def repair(outline: Outline) -> Repair:
    """Write near misses as headings, when only their form changes.

    A near miss stays when another line has its number too, or when its title would lose a character.
    """
    numbers = [h.chapter for h in outline.headings] + [c for n in outline.near for c in n.chapters]
    mended = tuple(n for n in outline.near if n.plain and numbers.count(n.chapter) == 1)
    lines = list(outline.lines)
    for near in mended:
        lines[near.line - 1] = near.suggestion
    return Repair("\n".join(lines), mended)
