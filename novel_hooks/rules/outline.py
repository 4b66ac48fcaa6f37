"""The volume's outline: chapter blocks, their eight key lines, and headings that nearly fit.

Source: seed 000 Step 2.1, protocol §7. Texts are read with LF line ends and no BOM.
"""

from __future__ import annotations

from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from re import Match
from novel_hooks import errors
from novel_hooks.errors import Problem
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
_LEAD = rf"{_GAP}(?:(?:[-*+>•]|[0-9]{{1,3}}[.)、]){_GAP}){{0,3}}"
_NEAR = Pattern(
    rf"{_LEAD}[#＃]+{_GAP}(?:(?P<dress>[*_【\[「《〔（(]+){_GAP})?第{_GAP}"
    rf"(?P<number>[^\s#第章節节回话話集]{{1,12}}?){_GAP}(?:[章節节回]|[话話集](?=[\s:：*_】\]」》〕）)]|\Z))(?P<rest>.*)\Z"
)
_BARE = Pattern(
    rf"{_GAP}(?:(?P<dress>[*_【\[「《〔]+){_GAP})?第{_GAP}(?P<number>[^\s#第章節节回]{{1,12}}?){_GAP}章(?P<rest>.*)\Z"
)
_BARE_TITLE = Pattern(rf"(?:[*_】\]」》〕:：\s{_UNSEEN}][^。！？；，,.!?;]{{0,30}})?\Z")
_SEVERAL = Pattern(
    rf"{_LEAD}[#＃]{{3}}{_GAP}第{_GAP}(?P<first>[{numerals.MARKS}]{{1,9}}){_GAP}(?:章{_GAP})?"
    rf"[至到和与及、,，\-~—–～－]{{1,2}}{_GAP}(?:第{_GAP})?(?P<last>[{numerals.MARKS}]{{1,9}}){_GAP}章(?P<rest>.*)\Z"
)
_MOST_AT_ONCE = 50
_UNREAD = Pattern(
    rf"{_LEAD}[#＃]+\s{{0,8}}第\s{{0,8}}(?P<number>[^\s#第章]{{1,12}})\s{{0,8}}章(?P<rest>.*)\Z"
)
_JOINS = "至到和与及、,，-~—–～－卷"
_DRESS = f"*_】]」》〕）):：{_BLANKS}"
_CHAPTER_WORDS = "章節节回话話集"
_EMPHASIS = "*_【[「《〔" + _UNSEEN
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

    `plain`: the suggestion keeps every character of the title, so that a program may write it. `first`: the
    line is of several chapters, from `first` to `chapter`.
    """

    chapter: int
    line: int
    text: str
    suggestion: str
    plain: bool = True
    first: int | None = None

    @property
    def chapters(self) -> range:
        return range(self.chapter if self.first is None else self.first, self.chapter + 1)


class Unread(Record):
    """A heading line whose chapter number nobody can read: `### 第 0 章`, `### 第 1.5 章`, `### 第 N 章`."""

    line: int
    text: str


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


def heading(line: str) -> tuple[int, str | None] | None:
    """(number, title) when the line is a chapter heading as it must be written."""
    found = _HEADING.match(line)
    if not found:
        return None
    title = (found.group(2) or found.group(3) or "").strip()
    return int(found.group(1)), title or None


def near_miss(line: str) -> tuple[str, bool] | None:
    """(what to write instead, no character of the title is lost), when it is nearly a heading; else None.

    Near are: another level, other spacing, other numerals, leading zeros, 节, 回 or 话 for 章, a title
    without a separator, marks around it, a list's or quotation's mark before it. `第 12 章的…` is no heading.
    """
    return None if not _marked(line) or heading(line) is not None else _suggested(_NEAR.match(line))


def _marked(line: str) -> bool:
    """Without a mark and a word for chapter it is no heading; the longer patterns need not be compiled."""
    return ("#" in line or "＃" in line) and any(word in line for word in _CHAPTER_WORDS)


def _begins(line: str) -> bool:
    """Does the line begin with 第, but for blanks and marks of emphasis?"""
    head = line.partition("第")[0]
    return all(mark in _EMPHASIS or mark.isspace() for mark in head)


def _suggested(found: Match[str] | None) -> tuple[str, bool] | None:
    number = numerals.value(found.group("number")) if found else None
    if found is None or number is None or number < 1 or numerals.NO_TITLE.match(found.group("rest")):
        return None
    dressed = bool(found.group("dress"))
    title = _title(found.group("rest"), dressed)
    suggestion = f"### 第 {number} 章" + (f": {title}" if title else "")
    return (suggestion, not dressed) if heading(suggestion) else None


def _title(rest: str, dressed: bool) -> str:
    title = rest.strip(_DRESS if dressed else _BLANKS)
    return title[1:].lstrip(_BLANKS) if title[:1] in (":", "：") else title


def read(text: str, path: str) -> Outline:
    """Find every heading and near miss. Never raises: `problems` says what is wrong."""
    lines = tuple(text.split("\n"))
    headings: list[Heading] = []
    near: list[NearMiss] = []
    maybe: list[NearMiss] = []
    unread: list[Unread] = []
    for index, line in enumerate(lines, 1):
        if "第" not in line:
            continue
        found = heading(line)
        if found:
            headings.append(Heading(found[0], found[1], index))
            continue
        sure, missed = _missed(line, index)
        if missed:
            (near if sure else maybe).append(missed)
        elif _is_unread(line):
            unread.append(Unread(index, line))
    known = {h.chapter for h in headings} | {n.chapter for n in near}
    near += [one for one in maybe if not known.issuperset(one.chapters)]
    return Outline(path, lines, tuple(headings), tuple(sorted(near, key=lambda n: n.line)), tuple(unread))


def _missed(line: str, number: int) -> tuple[bool, NearMiss | None]:
    """(is it one even where the chapter has a heading, the near miss in this line).

    A line without `#` and one of several chapters may sum up chapters that have their headings.
    """
    told, sure = near_miss(line), True
    if told is None:
        several = _several(line, number)
        if several:
            return False, several
        bare = _BARE.match(line) if _begins(line) else None
        sure = False
        told = _suggested(bare) if bare and _BARE_TITLE.match(bare.group("rest")) else None
    meant = heading(told[0]) if told else None
    return sure, NearMiss(meant[0], number, line, *told) if told and meant else None


def _several(line: str, number: int) -> NearMiss | None:
    """`### 第 6-7 章: 改口`: each chapter needs its own heading."""
    found = _SEVERAL.match(line) if _marked(line) else None
    if found is None or found.group("rest").startswith("的"):
        return None
    first, last = numerals.value(found.group("first")), numerals.value(found.group("last"))
    if first is None or last is None or not 1 <= first < last <= first + _MOST_AT_ONCE:
        return None
    title = _title(found.group("rest"), dressed=False)
    suggestion = f"### 第 {first} 章" + (f": {title}" if title else "")
    return NearMiss(last, number, line, f"{suggestion}` 和另起的 `### 第 {last} 章: 章名", False, first)


def _is_unread(line: str) -> bool:
    found = _UNREAD.match(line) if _marked(line) else None
    if found is None or any(mark in _JOINS for mark in found.group("number")):
        return False
    return not numerals.NO_TITLE.match(found.group("rest"))


def bounds_problems(outline: Outline) -> list[Problem]:
    """Without a single heading the volume has no bounds (seed 000 Step 2.1)."""
    if outline.headings:
        return []
    return [errors.OutlineEmpty(outline.path), *near_problems(outline)]


def near_problems(outline: Outline) -> list[Problem]:
    """One problem a near miss: they move the volume's end. Where the number is taken, it says so.

    And one for each heading whose number nobody can read.
    """
    taken = {h.chapter: h.line for h in reversed(outline.headings)}
    found = [(n.line, _near_problem(outline.path, n, taken.get(n.chapter))) for n in outline.near]
    found += [
        (u.line, errors.OutlineHeadingUnread(outline.path, line=u.line, text=u.text.strip()))
        for u in outline.unread
    ]
    return [problem for _, problem in sorted(found, key=lambda one: one[0])]


def _near_problem(path: str, near: NearMiss, first: int | None) -> Problem:
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
        found.append(_repeated(outline.path, repeated))
    gaps, count = _gaps(places)
    if gaps:
        found.append(errors.OutlineNumbering(outline.path, what="缺少", chapters=_listed(gaps, count)))
    stray = _misplaced(outline, repeated)
    if stray:
        told = [f"{one}（第 {line} 行，应在第 {other} 章{side}）" for one, line, other, side in stray]
        found.append(
            errors.OutlineNumbering(outline.path, what="放错了位置的", chapters=_listed(told, len(told)))
        )
    return found


def _misplaced(outline: Outline, twice: Collection[int]) -> list[tuple[int, int, int, str]]:
    """The fewest chapters that must move so that the numbers rise: (number, line, of which chapter, side).

    A number that stands twice is told as that.
    """
    lines = [(heading.line, heading.chapter) for heading in outline.headings]
    lines += [(near.line, number) for near in outline.near for number in near.chapters]
    order = [(number, line) for line, number in sorted(lines) if number not in twice]
    kept = set(_rising([number for number, _ in order]))
    known = sorted(number for number, _ in order)
    found = []
    for number, line in order:
        if number not in kept:
            at = known.index(number)
            told = (known[at - 1], "之后") if at else (known[1], "之前")
            found.append((number, line, *told))
    return sorted(found)


def _rising(numbers: Sequence[int]) -> list[int]:
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


def _repeated(path: str, places: Mapping[int, Sequence[int]]) -> Problem:
    told = [f"{n}（第 {'、'.join(map(str, places[n]))} 行）" for n in sorted(places)]
    return errors.OutlineNumbering(path, what="重复", chapters=_listed(told, len(told)))


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
    raise errors.OutlineChapterMissing(outline.path, chapter=chapter)


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
    """The eight lines of seed 000 Step 2.1: all there, each once, `Storyline` with a value."""
    block(outline, chapter)
    return key_problems_at(outline, next(h for h in outline.headings if h.chapter == chapter))


def key_problems_at(outline: Outline, heading: Heading) -> list[Problem]:
    """The same for the block under one heading; a line that is nearly a missing key is named."""
    lines = block_at(outline, heading).split("\n")
    found = keys("\n".join(lines))
    absent = [k for k in KEYS if k not in found]
    twice = [*_twice(outline.path, heading, lines)]
    if not absent and all(found[k] for k in _NEVER_EMPTY):
        return twice
    from novel_hooks.rules.outline_keys import near_keys

    near = near_keys(lines[1:], absent, heading.line + 1)
    what = f"（第 {heading.line} 行起）没有"
    empty = [k for k in _NEVER_EMPTY if k in found and not found[k]]
    told = [(key, what, near.get(key)) for key in absent] + [(key, "空着", None) for key in empty]
    return [*(_key_problem(outline.path, heading.chapter, *one) for one in told), *twice]


def _twice(path: str, heading: Heading, lines: Sequence[str]) -> Iterator[Problem]:
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


def doubts(outline: Outline, chapter: int) -> list[Problem]:
    """What stops the draft of a new chapter: near misses anywhere, or two blocks for this chapter."""
    places = [h.line for h in outline.headings if h.chapter == chapter]
    repeated = [_repeated(outline.path, {chapter: places})] if len(places) > 1 else []
    return [*near_problems(outline), *repeated]
