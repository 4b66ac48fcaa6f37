"""The volume's outline: chapter blocks, their eight key lines, and headings that nearly fit.

Source: seed 000 Step 2.1, protocol §7. Texts are read with LF line ends and no BOM.
"""

from __future__ import annotations

from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
from novel_hooks.errors import (
    OutlineChapterMissing,
    OutlineEmpty,
    OutlineHeadingNear,
    OutlineKeyMissing,
    OutlineNumbering,
    Problem,
)
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules import numerals

KEYS = (
    "Storyline",
    "POV",
    "Location",
    "Conflict",
    "Arc",
    "Foreshadowing",
    "StateChanges",
    "TransitionHint",
)
_NEVER_EMPTY = ("Storyline",)

_HEADING = Pattern(r"### 第 ([1-9][0-9]{0,7}) 章(?:[ \t\u3000]*|[:：](.*)|[ \t\u3000]+(.*))\Z")
_NEAR = Pattern(
    r"[ \t\u3000]*[#＃]{1,6}[ \t\u3000]*第[ \t\u3000]*"
    r"(?P<number>[^\s#第章节回卷\-~—–至到]{1,12}?)[ \t\u3000]*[章节回](?P<rest>(?![至到和、\-~—–]).*|)\Z"
)
_BLOCK_END = "### "
_SHOWN = 10
_KEY_LINE = Pattern(r"\s*[-*] \*\*([A-Za-z]+)\*\*[ \t]*[:：](.*)\Z")


class Heading(Record):
    """`line` counts from 1."""

    chapter: int
    title: str | None
    line: int


class NearMiss(Record):
    """A line that looks like a chapter heading but is not one; `suggestion` is what to write."""

    chapter: int
    line: int
    text: str
    suggestion: str


class Outline(Record):
    """A whole outline, read once. `lines` are without line ends."""

    path: str
    lines: tuple[str, ...]
    headings: tuple[Heading, ...]
    near: tuple[NearMiss, ...]

    @property
    def start(self) -> int:
        return min(h.chapter for h in self.headings)

    @property
    def end(self) -> int:
        return max(h.chapter for h in self.headings)

    @property
    def reach(self) -> int:
        """Where the volume ends if the near misses are chapters: never behind `end`."""
        return max(self.end, *(n.chapter for n in self.near), 0)


def heading(line: str) -> tuple[int, str | None] | None:
    """(number, title) when the line is a chapter heading as it must be written."""
    found = _HEADING.match(line)
    if not found:
        return None
    title = (found.group(2) or found.group(3) or "").strip()
    return int(found.group(1)), title or None


def near_miss(line: str) -> str | None:
    """What to write instead, when the line is nearly a chapter heading; else None."""
    if heading(line) is not None:
        return None
    found = _NEAR.match(line)
    number = numerals.value(found.group("number")) if found else None
    if found is None or number is None or number < 1:
        return None
    title = found.group("rest").strip(" \t\u3000:：#")
    suggestion = f"### 第 {number} 章" + (f": {title}" if title else "")
    return suggestion if heading(suggestion) else None


def read(text: str, path: str) -> Outline:
    """Find every heading and near miss. Never raises: `problems` says what is wrong."""
    lines = tuple(text.split("\n"))
    headings, near = [], []
    for index, line in enumerate(lines, 1):
        if "第" not in line or not line.lstrip(" \t\u3000").startswith(("#", "＃")):
            continue
        found = heading(line)
        if found:
            headings.append(Heading(found[0], found[1], index))
            continue
        suggestion = near_miss(line)
        meant = heading(suggestion) if suggestion else None
        if suggestion and meant:
            near.append(NearMiss(meant[0], index, line, suggestion))
    return Outline(path, lines, tuple(headings), tuple(near))


def bounds_problems(outline: Outline) -> list[Problem]:
    """Without a single heading the volume has no bounds (seed 000 Step 2.1)."""
    if outline.headings:
        return []
    return [OutlineEmpty(outline.path), *near_problems(outline)]


def near_problems(outline: Outline) -> list[Problem]:
    """One problem a near miss: they move the volume's end."""
    return [
        OutlineHeadingNear(outline.path, line=n.line, text=n.text.strip(), suggestion=n.suggestion)
        for n in outline.near
    ]


def numbering_problems(outline: Outline) -> list[Problem]:
    """Duplicate and missing chapter numbers, as one problem each kind."""
    numbers = sorted(h.chapter for h in outline.headings)
    pairs = list(zip(numbers, numbers[1:]))
    twice = sorted({first for first, second in pairs if first == second})
    gaps = [range(first + 1, second) for first, second in pairs if second > first + 1]
    found: list[Problem] = []
    if twice:
        found.append(
            OutlineNumbering(outline.path, what="重复", chapters=_listed([range(n, n + 1) for n in twice]))
        )
    if gaps:
        found.append(OutlineNumbering(outline.path, what="缺少", chapters=_listed(gaps)))
    return found


def _listed(ranges: list[range]) -> str:
    """The first ten and how many there are; a slip such as 第 99999999 章 leaves a gap of millions."""
    numbers = list(islice((n for one in ranges for n in one), _SHOWN + 1))
    count = sum(map(len, ranges))
    return "、".join(map(str, numbers[:_SHOWN])) + (f" 等 {count} 个" if count > _SHOWN else "")


def block(outline: Outline, chapter: int) -> str:
    """The chapter's block: its heading up to the next line that starts with `### `, or the end.

    Every character of the file is kept; raises OutlineChapterMissing.
    """
    starts = [h.line for h in outline.headings if h.chapter == chapter]
    if not starts:
        raise OutlineChapterMissing(outline.path, chapter=chapter)
    begin = starts[0] - 1
    stop = begin + 1
    while stop < len(outline.lines) and not outline.lines[stop].startswith(_BLOCK_END):
        stop += 1
    ended = stop < len(outline.lines)
    return "\n".join(outline.lines[begin:stop]) + ("\n" if ended else "")


def keys(block_text: str) -> Mapping[str, str]:
    """The block's `- **Key**: value` lines, values trimmed; the first of a repeated key counts."""
    found: dict[str, str] = {}
    for line in block_text.split("\n"):
        match = _KEY_LINE.match(line)
        if match and match.group(1) in KEYS:
            found.setdefault(match.group(1), match.group(2).strip())
    return found


def key_problems(outline: Outline, chapter: int) -> list[Problem]:
    """The eight lines of seed 000 Step 2.1: all there, `Storyline` with a value."""
    found = keys(block(outline, chapter))
    absent = [k for k in KEYS if k not in found]
    empty = [k for k in _NEVER_EMPTY if k in found and not found[k]]
    return [
        OutlineKeyMissing(outline.path, chapter=chapter, key=key, what=what)
        for names, what in ((absent, "没有"), (empty, "是空的"))
        for key in names
    ]


def doubts(outline: Outline, chapter: int) -> list[Problem]:
    """What stops the draft of a new chapter: near misses anywhere, or two blocks for this chapter."""
    twice = sum(h.chapter == chapter for h in outline.headings) > 1
    repeated = [OutlineNumbering(outline.path, what="重复", chapters=str(chapter))] if twice else []
    return [*near_problems(outline), *repeated]
