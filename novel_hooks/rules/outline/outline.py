"""The volume's outline: chapter blocks, their eight key lines, what is wrong with its numbers.

Source: seed 000 Step 2.1, protocol §7. Texts are read with LF line ends and no BOM.
"""

from __future__ import annotations

from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
from novel_hooks import errors
from novel_hooks.errors import Problem
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules.outline import headings as outline_headings
from novel_hooks.rules.outline.headings import Heading, NearMiss, Unread

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

_BLOCK_END = "### "
_SHOWN = 10
_KEY_LINE = Pattern(r"\s*[-*] \*\*([A-Za-z]+)\*\*[ \t]*[:：](.*)\Z")


class Outline(Record):
    """A whole outline, read once. `lines` are without line ends."""

    path: str
    lines: tuple[str, ...]
    headings: tuple[Heading, ...]
    near: tuple[NearMiss, ...]
    unread: tuple[Unread, ...] = ()

    @property
    def start(self) -> int:
        return min(h.chapter for h in self.headings)

    @property
    def end(self) -> int:
        return max(h.chapter for h in self.headings)

    @property
    def reach(self) -> int:
        """Where the volume ends if the near misses are chapters, and unread ones at the end too."""
        last = max(h.line for h in self.headings)
        behind = sum(one.line > last for one in self.unread)
        return max(self.end, *(n.chapter for n in self.near), 0) + behind


def parse(text: str, path: str) -> Outline:
    """Find every heading and near miss. Never raises: `problems` says what is wrong."""
    lines = tuple(text.split("\n"))
    headings: list[Heading] = []
    near: list[NearMiss] = []
    maybe: list[NearMiss] = []
    unread: list[Unread] = []
    for index, line in enumerate(lines, 1):
        if "第" not in line:
            continue
        found = outline_headings.parse_heading(line)
        if found:
            headings.append(Heading(found[0], found[1], index))
            continue
        sure, missed = outline_headings.find_near(line, index)
        if missed:
            (near if sure else maybe).append(missed)
        elif outline_headings.is_unread(line):
            unread.append(Unread(index, line))
    known = {h.chapter for h in headings} | {n.chapter for n in near}
    near += [one for one in maybe if not known.issuperset(one.chapters)]
    return Outline(path, lines, tuple(headings), tuple(sorted(near, key=lambda n: n.line)), tuple(unread))


def bounds_problems(outline: Outline) -> list[Problem]:
    """Without a single heading the volume has no bounds (seed 000 Step 2.1)."""
    if outline.headings:
        return []
    return [errors.OutlineEmpty(outline.path), *near_miss_problems(outline)]


def near_miss_problems(outline: Outline) -> list[Problem]:
    """One problem a near miss: they move the volume's end. Where the number is taken, it says so.

    And one for each heading whose number nobody can read.
    """
    taken = {h.chapter: h.line for h in reversed(outline.headings)}
    found = [(n.line, _near_miss_problem(outline.path, n, taken.get(n.chapter))) for n in outline.near]
    found += [
        (u.line, errors.OutlineHeadingUnread(outline.path, line=u.line, text=u.text.strip()))
        for u in outline.unread
    ]
    return [problem for _, problem in sorted(found, key=lambda one: one[0])]


def _near_miss_problem(path: str, near: NearMiss, first: int | None) -> Problem:
    told = {"line": near.line, "text": near.text.strip()}
    if first is not None and near.first is None:
        return errors.OutlineHeadingTaken(path, **told, chapter=near.chapter, first=first)
    return errors.OutlineHeadingNear(path, **told, suggestion=near.suggestion)


def numbering_problems(outline: Outline) -> list[Problem]:
    """Duplicate, missing and misplaced chapter numbers with their lines, as one problem each kind.

    A near miss counts as its chapter: it is no gap, and no duplicate of a heading (`near_problems` tells).
    """
    places: dict[int, list[int]] = {}
    for heading in outline.headings:
        places.setdefault(heading.chapter, []).append(heading.line)
    repeated = {number: list(lines) for number, lines in places.items() if len(lines) > 1}
    for near in outline.near:
        for number in near.chapters:
            places.setdefault(number, []).append(near.line)
    found: list[Problem] = []
    if repeated:
        found.append(_repeated_problem(outline.path, repeated))
    gaps, count = _gaps(places)
    if gaps:
        found.append(errors.OutlineNumbering(outline.path, what="缺少", chapters=_list_text(gaps, count)))
    stray = _misplaced_chapters(outline, repeated)
    if stray:
        told = [f"{one}（第 {line} 行，应在第 {other} 章{side}）" for one, line, other, side in stray]
        found.append(
            errors.OutlineNumbering(outline.path, what="放错了位置的", chapters=_list_text(told, len(told)))
        )
    return found


def _misplaced_chapters(outline: Outline, twice: Collection[int]) -> list[tuple[int, int, int, str]]:
    """The fewest chapters that must move so that the numbers rise: (number, line, of which chapter, side).

    A number that stands twice is told as that.
    """
    lines = [(heading.line, heading.chapter) for heading in outline.headings]
    lines += [(near.line, number) for near in outline.near for number in near.chapters]
    order = [(number, line) for line, number in sorted(lines) if number not in twice]
    kept = set(_longest_rising([number for number, _ in order]))
    known = sorted(number for number, _ in order)
    found = []
    for number, line in order:
        if number not in kept:
            at = known.index(number)
            told = (known[at - 1], "之后") if at else (known[1], "之前")
            found.append((number, line, *told))
    return sorted(found)


def _longest_rising(numbers: Sequence[int]) -> list[int]:
    """The longest rising row among them; of several the one of the smallest numbers."""
    from bisect import bisect_left

    ends: list[int] = []
    before: dict[int, int | None] = {}
    for number in numbers:
        at = bisect_left(ends, number)
        before[number] = ends[at - 1] if at else None
        ends[at : at + 1] = [number]
    row, last = list[int](), ends[-1] if ends else None
    while last is not None:
        row.append(last)
        last = before[last]
    return row[::-1]


def _repeated_problem(path: str, places: Mapping[int, Sequence[int]]) -> Problem:
    told = [f"{n}（第 {'、'.join(map(str, places[n]))} 行）" for n in sorted(places)]
    return errors.OutlineNumbering(path, what="重复", chapters=_list_text(told, len(told)))


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


def _list_text(told: Sequence[str], count: int) -> str:
    shown = told[:_SHOWN]
    return "、".join(shown) + (f" 等 {count} 个" if count > len(shown) else "")


def block(outline: Outline, chapter: int) -> str:
    """The chapter's block: its heading up to the next line that starts with `### `, or the end.

    Every character of the file is kept; of two blocks the first. Raises OutlineChapterMissing.
    """
    for heading in outline.headings:
        if heading.chapter == chapter:
            return block_under(outline, heading)
    raise errors.OutlineChapterMissing(outline.path, chapter=chapter)


def block_under(outline: Outline, heading: Heading) -> str:
    """The block under one heading of the outline."""
    begin, stop = heading.line - 1, heading.line
    while stop < len(outline.lines) and not outline.lines[stop].startswith(_BLOCK_END):
        stop += 1
    ended = stop < len(outline.lines)
    return "\n".join(outline.lines[begin:stop]) + ("\n" if ended else "")


def key_lines(block_text: str) -> Mapping[str, str]:
    """The block's `- **Key**: value` lines, values trimmed; the first of a repeated key counts."""
    found: dict[str, str] = {}
    for line in block_text.split("\n"):
        match = _KEY_LINE.match(line)
        if match and match.group(1) in KEYS:
            found.setdefault(match.group(1), match.group(2).strip())
    return found


def key_problems(outline: Outline, chapter: int) -> list[Problem]:
    """The eight lines of seed 000 Step 2.1: all there, each once, `Storyline` with a value."""
    block(outline, chapter)
    return key_problems_under(outline, next(h for h in outline.headings if h.chapter == chapter))


def key_problems_under(outline: Outline, heading: Heading) -> list[Problem]:
    """The same for the block under one heading; a line that is nearly a missing key is named."""
    lines = block_under(outline, heading).split("\n")
    found = key_lines("\n".join(lines))
    absent = [k for k in KEYS if k not in found]
    twice = [*_repeated_key_problems(outline.path, heading, lines)]
    if not absent and all(found[k] for k in _NEVER_EMPTY):
        return twice
    from novel_hooks.rules.outline.key_lines import near_keys

    near = near_keys(lines[1:], absent, heading.line + 1)
    what = f"（第 {heading.line} 行起）没有"
    empty = [k for k in _NEVER_EMPTY if k in found and not found[k]]
    told = [(key, what, near.get(key)) for key in absent] + [(key, "空着", None) for key in empty]
    return [*(_key_problem(outline.path, heading.chapter, *one) for one in told), *twice]


def _repeated_key_problems(path: str, heading: Heading, lines: Sequence[str]) -> Iterator[Problem]:
    """Key lines that stand more than once: which of them counts is not for a program to say."""
    places: dict[str, list[str]] = {}
    for number, line in enumerate(lines, heading.line):
        match = _KEY_LINE.match(line)
        if match and match.group(1) in KEYS:
            places.setdefault(match.group(1), []).append(str(number))
    for key, found in places.items():
        if len(found) > 1:
            yield errors.OutlineKeyTwice(path, chapter=heading.chapter, key=key, lines="、".join(found))


def _key_problem(path: str, chapter: int, key: str, what: str, near: Mapping[str, object] | None) -> Problem:
    seen, how = "", f"请在第 {chapter} 章的大纲里写上 `- **{key}**: 内容`。"
    if near is not None:
        seen = f"，第 {near['line']} 行像是它，但写法不对：{near['text']}"
        how = f"请把第 {near['line']} 行改成 `{near['suggestion']}`。"
    return errors.OutlineKeyMissing(path, chapter=chapter, key=key, what=what, seen=seen, how=how)


def draft_problems(outline: Outline, chapter: int) -> list[Problem]:
    """What stops the draft of a new chapter: near misses anywhere, or two blocks for this chapter."""
    places = [h.line for h in outline.headings if h.chapter == chapter]
    repeated = [_repeated_problem(outline.path, {chapter: places})] if len(places) > 1 else []
    return [*near_miss_problems(outline), *repeated]
