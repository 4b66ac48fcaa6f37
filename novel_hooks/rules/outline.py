"""The volume's outline: chapter blocks, their eight key lines, and headings that nearly fit.

Source: seed 000 Step 2.1, protocol §7. Texts are read with LF line ends and no BOM.
"""

from __future__ import annotations

from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
from novel_hooks.errors import (
    OutlineChapterMissing,
    OutlineEmpty,
    OutlineHeadingNear,
    OutlineHeadingTaken,
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

_HEADING = Pattern(r"### 第 ([1-9][0-9]{0,7}) 章(?:\s*|[:：](.*)|\s+(.*))\Z")
_UNSEEN = numerals.UNSEEN
_BLANKS = " \t\v\f\r\u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000" + _UNSEEN
_GAP = f"[\\s{_UNSEEN}]*"
_NEAR = Pattern(
    rf"{_GAP}[#＃]+{_GAP}(?:(?P<dress>[*_【\[「《〔（(]+){_GAP})?第{_GAP}"
    rf"(?P<number>[^\s#第章節节回]{{1,12}}?){_GAP}[章節节回](?P<rest>.*)\Z"
)
_DRESS = f"*_】]」》〕）):：{_BLANKS}"
_BLOCK_END = "### "
_SHOWN = 10
_KEY_LINE = Pattern(r"\s*[-*] \*\*([A-Za-z]+)\*\*[ \t]*[:：](.*)\Z")


class Heading(Record):
    """`line` counts from 1."""

    chapter: int
    title: str | None
    line: int


class NearMiss(Record):
    """A line that looks like a chapter heading but is not one; `suggestion` is what to write.

    `plain`: the suggestion keeps every character of the title, so that a program may write it.
    """

    chapter: int
    line: int
    text: str
    suggestion: str
    plain: bool = True


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


def near_miss(line: str) -> tuple[str, bool] | None:
    """(what to write instead, no character of the title is lost), when it is nearly a heading; else None.

    Near are: another level, other spacing, other numerals, leading zeros, 节 or 回 for 章, a title without
    a separator, marks around it. A range of chapters and `第 12 章的…` are no headings.
    """
    if heading(line) is not None:
        return None
    found = _NEAR.match(line)
    number = numerals.value(found.group("number")) if found else None
    if found is None or number is None or number < 1 or numerals.NO_TITLE.match(found.group("rest")):
        return None
    dressed = bool(found.group("dress"))
    title = found.group("rest").strip(_DRESS if dressed else _BLANKS)
    if title[:1] in (":", "："):
        title = title[1:].lstrip(_BLANKS)
    suggestion = f"### 第 {number} 章" + (f": {title}" if title else "")
    return (suggestion, not dressed) if heading(suggestion) else None


def read(text: str, path: str) -> Outline:
    """Find every heading and near miss. Never raises: `problems` says what is wrong."""
    lines = tuple(text.split("\n"))
    headings, near = [], []
    for index, line in enumerate(lines, 1):
        if "第" not in line or not line.lstrip(_BLANKS).startswith(("#", "＃")):
            continue
        found = heading(line)
        if found:
            headings.append(Heading(found[0], found[1], index))
            continue
        missed = near_miss(line)
        meant = heading(missed[0]) if missed else None
        if missed and meant:
            near.append(NearMiss(meant[0], index, line, *missed))
    return Outline(path, lines, tuple(headings), tuple(near))


def bounds_problems(outline: Outline) -> list[Problem]:
    """Without a single heading the volume has no bounds (seed 000 Step 2.1)."""
    if outline.headings:
        return []
    return [OutlineEmpty(outline.path), *near_problems(outline)]


def near_problems(outline: Outline) -> list[Problem]:
    """One problem a near miss: they move the volume's end. Where the number is taken, it says so."""
    taken = {h.chapter: h.line for h in reversed(outline.headings)}
    return [_near_problem(outline.path, near, taken.get(near.chapter)) for near in outline.near]


def _near_problem(path: str, near: NearMiss, first: int | None) -> Problem:
    told = {"line": near.line, "text": near.text.strip()}
    if first is not None:
        return OutlineHeadingTaken(path, **told, chapter=near.chapter, first=first)
    return OutlineHeadingNear(path, **told, suggestion=near.suggestion)


def numbering_problems(outline: Outline) -> list[Problem]:
    """Duplicate and missing chapter numbers with their lines, as one problem each kind.

    A near miss counts as its chapter: it is no gap, and no duplicate of a heading (`near_problems` tells).
    """
    places: dict[int, list[int]] = {}
    for heading in outline.headings:
        places.setdefault(heading.chapter, []).append(heading.line)
    twice = [n for n in sorted(places) if len(places[n]) > 1]
    for near in outline.near:
        places.setdefault(near.chapter, []).append(near.line)
    found: list[Problem] = []
    if twice:
        told = [f"{n}（第 {'、'.join(map(str, places[n]))} 行）" for n in twice]
        found.append(OutlineNumbering(outline.path, what="重复", chapters=_listed(told, len(told))))
    gaps, count = _gaps(places)
    if gaps:
        found.append(OutlineNumbering(outline.path, what="缺少", chapters=_listed(gaps, count)))
    return found


def _gaps(places: Mapping[int, Sequence[int]]) -> tuple[list[str], int]:
    """The first missing numbers, the last of each row with its place; and how many are missing at all.

    A slip such as 第 99999999 章 leaves a gap of millions.
    """
    numbers = sorted(places)
    rows = [(one, range(one + 1, other)) for one, other in zip(numbers, numbers[1:]) if other > one + 1]
    told: list[str] = []
    for before, row in rows[:_SHOWN]:
        *front, last = [str(n) for n in islice(row, _SHOWN)]
        told += [*front, f"{last}（第 {places[before][0]} 行的第 {before} 章之后）"]
    return told, sum(len(row) for _, row in rows)


def _listed(told: Sequence[str], count: int) -> str:
    shown = told[:_SHOWN]
    return "、".join(shown) + (f" 等 {count} 个" if count > len(shown) else "")


def block(outline: Outline, chapter: int) -> str:
    """The chapter's block: its heading up to the next line that starts with `### `, or the end.

    Every character of the file is kept; of two blocks the first. Raises OutlineChapterMissing.
    """
    for heading in outline.headings:
        if heading.chapter == chapter:
            return block_at(outline, heading)
    raise OutlineChapterMissing(outline.path, chapter=chapter)


def block_at(outline: Outline, heading: Heading) -> str:
    """The block under one heading of the outline."""
    begin, stop = heading.line - 1, heading.line
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
    block(outline, chapter)
    return key_problems_at(outline, next(h for h in outline.headings if h.chapter == chapter))


def key_problems_at(outline: Outline, heading: Heading) -> list[Problem]:
    """The same for the block under one heading; a line that is nearly a missing key is named."""
    lines = block_at(outline, heading).split("\n")
    found = keys("\n".join(lines))
    absent = [k for k in KEYS if k not in found]
    if not absent and all(found[k] for k in _NEVER_EMPTY):
        return []
    from novel_hooks.rules.outline_keys import near_keys

    near = near_keys(lines[1:], absent, heading.line + 1)
    what = f"（第 {heading.line} 行起）没有"
    empty = [k for k in _NEVER_EMPTY if k in found and not found[k]]
    told = [(key, what, near.get(key)) for key in absent] + [(key, "空着", None) for key in empty]
    return [_key_problem(outline.path, heading.chapter, *one) for one in told]


def _key_problem(path: str, chapter: int, key: str, what: str, near: Mapping[str, object] | None) -> Problem:
    seen, how = "", f"请在第 {chapter} 章的大纲里写上 `- **{key}**: 内容`。"
    if near is not None:
        seen = f"，第 {near['line']} 行像是它，但写法不对：{near['text']}"
        how = f"请把第 {near['line']} 行改成 `{near['suggestion']}`。"
    return OutlineKeyMissing(path, chapter=chapter, key=key, what=what, seen=seen, how=how)


def doubts(outline: Outline, chapter: int) -> list[Problem]:
    """What stops the draft of a new chapter: near misses anywhere, or two blocks for this chapter."""
    twice = sum(h.chapter == chapter for h in outline.headings) > 1
    repeated = [OutlineNumbering(outline.path, what="重复", chapters=str(chapter))] if twice else []
    return [*near_problems(outline), *repeated]
