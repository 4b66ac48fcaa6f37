"""A volume's outline: its chapters' blocks, their eight key lines, the problems of both and of the numbers.

Source: seed 000 Step 2.1, protocol §7. Texts are read with LF line ends and no BOM.
"""

from __future__ import annotations

from itertools import islice

from novel_hooks import errors
from novel_hooks.annotations import Collection, Iterator, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules.outline import headings as outline_headings
from novel_hooks.rules.outline.author_view import LABELS
from novel_hooks.rules.outline.headings import Heading, NearMiss, Unread

KEYS = tuple(LABELS)
_NEVER_EMPTY = ("Storyline",)

_BLOCK_END = "### "
_SHOWN = 10
_KEY_LINE = Pattern(r"\s*[-*] \*\*([A-Za-z]+)\*\*[ \t]*[:：](.*)\Z")


class Outline(Record):
    """A volume's outline, read once. `lines` are without line ends."""

    path: str
    lines: tuple[str, ...]
    headings: tuple[Heading, ...]
    near: tuple[NearMiss, ...]
    unread: tuple[Unread, ...] = ()

    @property
    def start(self) -> int:
        """The volume's first chapter. Raises ValueError where there is no heading."""
        return min(h.chapter for h in self.headings)

    @property
    def end(self) -> int:
        """The volume's last chapter by its headings. Raises ValueError where there is no heading."""
        return max(h.chapter for h in self.headings)

    @property
    def reach(self) -> int:
        """The volume's last chapter if its near misses, and unread headings behind the last, are chapters."""
        last = max(h.line for h in self.headings)
        behind = sum(heading.line > last for heading in self.unread)
        return max(self.end, *(n.chapter for n in self.near), 0) + behind


def parse(text: str, path: str) -> Outline:
    """Parse an outline's text, whatever is wrong with it; the functions of problems list that."""
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
    near += [miss for miss in maybe if not known.issuperset(miss.chapters)]
    return Outline(path, lines, tuple(headings), tuple(sorted(near, key=lambda n: n.line)), tuple(unread))


def bounds_problems(outline: Outline) -> list[Problem]:
    """List the problems of an outline without a heading, which has no bounds; empty where there is one.

    Source: seed 000 Step 2.1.
    """
    if outline.headings:
        return []
    return [errors.OutlineEmpty(outline.path), *near_miss_problems(outline)]


def near_miss_problems(outline: Outline) -> list[Problem]:
    """List a problem for each near miss and each heading without a readable number, in order of lines.

    Both may move the volume's end. A near miss whose chapter has a heading already has a problem of its own.
    """
    taken = {h.chapter: h.line for h in reversed(outline.headings)}
    found = [(n.line, _near_miss_problem(outline.path, n, taken.get(n.chapter))) for n in outline.near]
    found += [
        (u.line, errors.OutlineHeadingNear(outline.path, "unread", line=u.line, text=u.text.strip()))
        for u in outline.unread
    ]
    return [problem for _, problem in sorted(found, key=lambda pair: pair[0])]


def _near_miss_problem(path: str, near: NearMiss, first: int | None) -> Problem:
    line, text = near.line, near.text.strip()
    if first is not None and near.first is None:
        return errors.OutlineHeadingNear(
            path, "taken", line=line, text=text, chapter=near.chapter, first=first
        )
    return errors.OutlineHeadingNear(path, "near", line=line, text=text, suggestion=near.suggestion)


def numbering_problems(outline: Outline) -> list[Problem]:
    """List duplicate, missing and misplaced chapter numbers with their lines, as one problem each kind.

    A near miss counts as its chapter, so that it leaves no gap. It is no duplicate of a heading:
    `near_miss_problems` lists it.
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
        found.append(errors.OutlineNumbering(outline.path, "missing", chapters=_list_text(gaps, count)))
    stray = _misplaced_chapters(outline, repeated)
    if stray:
        places_text = [f"{n}（第 {line} 行，应在第 {other} 章{side}）" for n, line, other, side in stray]
        chapters = _list_text(places_text, len(places_text))
        found.append(errors.OutlineNumbering(outline.path, "misplaced", chapters=chapters))
    return found


def _misplaced_chapters(outline: Outline, twice: Collection[int]) -> list[tuple[int, int, int, str]]:
    """Return the fewest chapters that must move so that the numbers rise.

    Each is (number, line, the chapter it belongs beside, 之后 or 之前). Numbers in `twice` are left out: they
    have a problem of their own.
    """
    lines = [(heading.line, heading.chapter) for heading in outline.headings]
    lines += [(near.line, number) for near in outline.near for number in near.chapters]
    order = [(number, line) for line, number in sorted(lines) if number not in twice]
    rising = _longest_rising([number for number, _ in order])
    numbers = sorted(number for number, _ in order)
    found = []
    for number, line in order:
        if number not in rising:
            at = numbers.index(number)
            beside = (numbers[at - 1], "之后") if at else (numbers[1], "之前")
            found.append((number, line, *beside))
    return sorted(found)


def _longest_rising(numbers: Sequence[int]) -> set[int]:
    """Return the numbers of the longest rising row among them; of several the one of the smallest numbers."""
    from bisect import bisect_left

    ends: list[int] = []
    before: dict[int, int | None] = {}
    for number in numbers:
        at = bisect_left(ends, number)
        before[number] = ends[at - 1] if at else None
        ends[at : at + 1] = [number]
    row, last = set[int](), ends[-1] if ends else None
    while last is not None:
        row.add(last)
        last = before[last]
    return row


def _repeated_problem(path: str, places: Mapping[int, Sequence[int]]) -> Problem:
    numbers = [f"{n}（第 {'、'.join(map(str, places[n]))} 行）" for n in sorted(places)]
    return errors.OutlineNumbering(path, "repeated", chapters=_list_text(numbers, len(numbers)))


def _gaps(places: Mapping[int, Sequence[int]]) -> tuple[list[str], int]:
    """Return the first missing numbers, the last of each row with its place, and how many are missing.

    Only `_SHOWN` of a row are listed: a slip such as 第 99999999 章 leaves a gap of millions.
    """
    numbers = sorted(places)
    rows = [(n, range(n + 1, other)) for n, other in zip(numbers, numbers[1:]) if other > n + 1]
    missing: list[str] = []
    for before, row in rows[:_SHOWN]:
        *front, last = [str(n) for n in islice(row, _SHOWN)]
        missing += [*front, f"{last}（第 {places[before][0]} 行的第 {before} 章之后）"]
    return missing, sum(len(row) for _, row in rows)


def _list_text(entries: Sequence[str], count: int) -> str:
    """Join the first `_SHOWN` entries; `count` is how many there are in all."""
    shown = entries[:_SHOWN]
    return "、".join(shown) + (f" 等 {count} 个" if count > len(shown) else "")


def block(outline: Outline, chapter: int) -> str:
    """Return the chapter's block: its heading up to the next line that starts with `### `, or the end.

    Every character of the file is kept. Of two blocks the first is returned. Raises OutlineChapterMissing.
    """
    for heading in outline.headings:
        if heading.chapter == chapter:
            return block_under(outline, heading)
    raise errors.OutlineChapterMissing(outline.path, chapter=chapter)


def block_under(outline: Outline, heading: Heading) -> str:
    """Return the block that begins with this heading of the outline."""
    begin, stop = heading.line - 1, heading.line
    while stop < len(outline.lines) and not outline.lines[stop].startswith(_BLOCK_END):
        stop += 1
    return "\n".join(outline.lines[begin:stop]) + ("\n" if stop < len(outline.lines) else "")


def key_lines(block_text: str) -> Mapping[str, str]:
    """Parse the block's `- **Key**: value` lines to a map, values trimmed; of a repeated key the first."""
    found: dict[str, str] = {}
    for line in block_text.split("\n"):
        match = _KEY_LINE.match(line)
        if match and match.group(1) in KEYS:
            found.setdefault(match.group(1), match.group(2).strip())
    return found


def key_problems(outline: Outline, chapter: int) -> list[Problem]:
    """List the problems of a chapter's eight key lines: missing, repeated, `Storyline` without a value.

    Source: seed 000 Step 2.1. Raises OutlineChapterMissing.
    """
    block(outline, chapter)
    return key_problems_under(outline, next(h for h in outline.headings if h.chapter == chapter))


def key_problems_under(outline: Outline, heading: Heading) -> list[Problem]:
    """List the problems of the key lines under one heading; each names the line that is nearly the key."""
    lines = block_under(outline, heading).split("\n")
    found = key_lines("\n".join(lines))
    absent = [k for k in KEYS if k not in found]
    twice = [*_repeated_key_problems(outline.path, heading, lines)]
    if not absent and all(found[k] for k in _NEVER_EMPTY):
        return twice
    from novel_hooks.rules.outline.key_lines import near_keys

    near = near_keys(lines[1:], absent, heading.line + 1)
    empty = [k for k in _NEVER_EMPTY if k in found and not found[k]]
    place = {"chapter": heading.chapter, "line": heading.line}
    faults = [_key_problem(outline.path, place, key, near.get(key)) for key in absent]
    faults += [errors.OutlineKeyMissing(outline.path, "empty", **place, key=key) for key in empty]
    return [*faults, *twice]


def _repeated_key_problems(path: str, heading: Heading, lines: Sequence[str]) -> Iterator[Problem]:
    """Yield a problem for each key with more than one line: a program cannot know which the author means."""
    places: dict[str, list[str]] = {}
    for number, line in enumerate(lines, heading.line):
        match = _KEY_LINE.match(line)
        if match and match.group(1) in KEYS:
            places.setdefault(match.group(1), []).append(str(number))
    for key, found in places.items():
        if len(found) > 1:
            yield errors.OutlineKeyTwice(path, chapter=heading.chapter, key=key, lines="、".join(found))


def _key_problem(path: str, place: Mapping[str, int], key: str, near: Mapping[str, object] | None) -> Problem:
    if near is None:
        return errors.OutlineKeyMissing(path, "absent", **place, key=key)
    at, text, suggestion = near["line"], near["text"], near["suggestion"]
    return errors.OutlineKeyMissing(path, "near", **place, key=key, at=at, text=text, suggestion=suggestion)


def draft_problems(outline: Outline, chapter: int) -> list[Problem]:
    """List the problems that stop a new chapter's draft: near misses anywhere, two blocks of this chapter."""
    places = [h.line for h in outline.headings if h.chapter == chapter]
    repeated = [_repeated_problem(outline.path, {chapter: places})] if len(places) > 1 else []
    return [*near_miss_problems(outline), *repeated]
