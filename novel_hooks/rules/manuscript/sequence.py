"""Which lines are headings where nothing marks them: by their number's place, and by how they are set. Pure.

A clear heading stays unless the numbers go on without it. A faint one, whose title ends as a sentence does
(`第 3 章 “走”`), is one where its number is the next and comes nowhere else. Of both kinds those that are set
like the other headings, and unlike the prose, are believed.
"""

from __future__ import annotations

from bisect import bisect

from novel_hooks.annotations import TYPE_CHECKING, Collection, Iterator, Mapping, Sequence
from novel_hooks.rules.manuscript.volume_headings import CHAPTER, EXTRA, VOLUME

if TYPE_CHECKING:
    from novel_hooks.rules.manuscript.volume_headings import Piece

    Parted = tuple[list[Piece], list[Piece]]

_JUMP = 50
_AHEAD = 4
"""So many headings behind a line say whether the numbers go on without it."""
_NEAR = 4000
"""So many characters before a line say how prose is set."""


class _Setting:
    """How the chapters' headings of a text are set: indented, one empty line before, two, one behind."""

    def __init__(self, text: str, heads: Sequence[Piece], chapters: Sequence[Piece]) -> None:
        self.text = text
        self._starts = {one.start for one in heads}
        looks = [self._layout(one.start, one.body) for one in chapters]
        starts = [one.start for one in chapters]
        self._shortest = min((b - a for a, b in zip(starts, starts[1:])), default=0)
        self._usual = [_shared([look[at] for look in looks]) for at in range(4)]

    def is_like(self, one: Piece) -> bool:
        """Tell whether the line is set as the headings are."""
        return self._is_like(one.start, one.body)

    def _tells(self, one: Piece) -> bool:
        """Tell whether the prose before the line is set in another way."""
        lines = [*self._lines(max(0, one.start - _NEAR), one.start)]
        return sum(self._is_like(*line) for line in lines) * 5 < len(lines)

    def is_prose(self, one: Piece, needless: bool) -> bool:
        """Tell whether the line is prose; where its setting tells nothing, its number does (`needless`)."""
        return not self.is_like(one) if self._tells(one) else needless

    def is_chapter(self, one: Piece) -> bool:
        """Tell whether a last chapter may begin here: set as one, or with as much text behind as another."""
        return not self.is_prose(one, 2 * (len(self.text) - one.start) < self._shortest)

    def is_first(self, one: Piece) -> bool:
        """Tell whether no prose stands before it."""
        return not any(self._lines(0, one.start))

    def stands_before(self, one: Piece, starts: set[int]) -> bool:
        """Tell whether a line that begins at one of these places follows at once."""
        behind = self.text[one.body : one.body + _NEAR]
        begin = one.body + len(behind) - len(behind.lstrip())
        return self.text.rfind("\n", 0, begin) + 1 in starts

    def stands_behind(self, one: Piece) -> bool:
        """Tell whether a heading stands right before it."""
        before = self.text[max(0, one.start - _NEAR) : one.start]
        end = one.start - len(before) + len(before.rstrip())
        return self.text.rfind("\n", 0, end) + 1 in self._starts

    def _is_like(self, start: int, end: int) -> bool:
        look = self._layout(start, end)
        return all(usual is None or usual == found for usual, found in zip(self._usual, look))

    def _layout(self, start: int, end: int) -> tuple[bool, ...]:
        before = self.text.rfind("\n", 0, max(0, start - 1)) + 1
        earlier = self.text.rfind("\n", 0, max(0, before - 1)) + 1
        after = self.text.find("\n", end + 1)
        spaces = (
            self.text[before:start],
            self.text[earlier:start],
            self.text[end : None if after < 0 else after],
        )
        return self.text[start].isspace(), *(not one.strip() for one in spaces)

    def _lines(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield (start, end) of each whole line of prose between the places."""
        if start:
            start = self.text.find("\n", start, end) + 1 or end
        while start < end:
            stop = self.text.find("\n", start, end)
            stop = end if stop < 0 else stop
            if start not in self._starts and self.text[start:stop].strip():
                yield start, stop
            start = stop + 1


def _shared(values: Sequence[bool]) -> bool | None:
    """Return the value that four of five have; None without such a one."""
    return next((one for one in (True, False) if values and values.count(one) * 5 >= len(values) * 4), None)


def _numbers_behind(heads: Sequence[Piece]) -> dict[int, list[int]]:
    """Return for the start of each numbered chapter the next `_AHEAD` numbers, in order."""
    ordered = sorted(
        (one.start, one.number) for one in heads if one.kind == CHAPTER and one.number is not None
    )
    numbers = [number for _, number in ordered]
    return {start: numbers[at + 1 : at + 1 + _AHEAD] for at, (start, _) in enumerate(ordered)}


def without_prose(heads: Sequence[Piece], faint: Sequence[Piece], text: str) -> Parted:
    """Part the clear headings from chapters' numbers that are out of order: (headings, lines of the text).

    `faint` ones only show how the numbers go on.
    """
    chapters = [one for one in heads if one.kind == CHAPTER and one.number is not None]
    following = _numbers_behind([*heads, *faint])
    titled = sum(one.title is not None for one in chapters) * 5 > len(chapters) * 4
    setting, lines = _Setting(text, heads, chapters), [one.line for one in chapters]
    counts = _counts(chapters, following)
    kept: list[Piece] = []
    left: list[Piece] = []
    last = before = at = 0
    for one in heads:
        if one.kind != CHAPTER or one.number is None:
            last = 0 if one.kind == VOLUME else last
            kept.append(one)
            continue
        behind = following[one.start]
        bare = titled and one.title is None and not _is_in_order(one.number, last, behind)
        prose = bare or (
            one.number not in (last, before, last + 1, before + 1)
            and lines.count(one.line) == 1  # a chapter may be there twice
            and setting.is_prose(one, _is_needless(one.number, (last, before), behind, counts[at]))
        )
        at += 1
        if prose and not one.line.startswith("#"):
            left.append(one)
            continue
        kept.append(one)
        last = before = one.number
    return kept, left


def without_others(heads: Sequence[Piece], faint: Sequence[Piece], elsewhere: Collection[int]) -> Parted:
    """Part the clear headings from lines with the number of a chapter that has its place `elsewhere`.

    Behind the first heading, clear or faint, unless the number is the next.
    """
    first = next((one for one in heads if one.kind == CHAPTER), None)
    ahead = [one.number for one in faint if one.kind == CHAPTER and first and one.start < first.start]
    last = ahead[0] if ahead else None
    kept: list[Piece] = []
    left: list[Piece] = []
    for one in heads:
        taken = last is not None and one.number in elsewhere and one.number not in (last, last + 1)
        if one.kind == CHAPTER and taken and not one.line.startswith("#"):
            left.append(one)
            continue
        last = one.number if one.kind == CHAPTER else last
        kept.append(one)
    return kept, left


def _counts(chapters: Sequence[Piece], following: Mapping[int, Sequence[int]]) -> list[list[int]]:
    """Return for each number those of its count: they begin again at a 1 behind which they do not go on."""
    found: list[list[int]] = []
    before = 0
    for one in chapters:
        again = one.number == 1 and before + 1 not in following[one.start]
        found.append([] if again or not found else found[-1])
        before = one.number or 0
        found[-1].append(before)
    return found


def _is_in_order(number: int, last: int, behind: Sequence[int]) -> bool:
    return last <= number <= last + _JUMP or number == 1 or behind[:1] == [number + 1]


def _is_needless(number: int, before: tuple[int, int], behind: Sequence[int], count: Sequence[int]) -> bool:
    """Tell whether the numbers go on without this one, whose own place is taken, or far from here.

    `before` are the last number in the volume and in the book, `behind` the next ones.
    """
    following = [one + 1 for one in before]
    if not behind:
        return number < before[1] and count.count(number) > 1
    for one in behind:
        if one == number + 1:
            return False
        if one in following:
            others = [other for other in count if other != number] or [number]
            return count.count(number) > 1 or number > max(others) + 1 or number < min(others)
    return False


def with_faint(heads: Sequence[Piece], faint: Sequence[Piece], text: str) -> Parted:
    """Return (the headings with those faint ones that are some, faint ones that may be some)."""
    if not faint:
        return list(heads), []
    clear = [one for one in heads if one.kind == CHAPTER and one.number is not None]
    others = [one for one in faint if one.kind != CHAPTER]
    setting = _Setting(text, [*heads, *others], clear or [one for one in faint if one.kind == CHAPTER])
    doubtful, following = {one.start for one in faint}, _numbers_behind([*heads, *faint])
    clearly = _clear_behind(clear, faint)
    kept: list[Piece] = []
    left: list[Piece] = []
    last, begun = 0, False
    for one in sorted([*heads, *faint], key=lambda one: one.start):
        if one.kind == CHAPTER and one.number is not None:
            if one.start in doubtful:
                behind = following[one.start]
                follows = _is_next(one.number, last, begun, behind) or setting.is_first(one)
                if not follows or one.number in clearly[one.start]:
                    continue
                known = bool(clear or last) and (bool(behind) or setting.is_chapter(one))
                set_so = setting.is_like(one) and (known or one.number + 1 in behind)
                if not (set_so or setting.is_first(one)):
                    left.append(one)
                    continue
            last, begun = one.number, False
        begun = begun or (one.kind == VOLUME and one.start not in doubtful)
        kept.append(one)
    return _with_faint_others(kept, doubtful, _Setting(text, kept, clear), left)


def _clear_behind(clear: Sequence[Piece], faint: Sequence[Piece]) -> dict[int, list[int | None]]:
    """Return for the start of each faint heading the next `_AHEAD` clear numbers."""
    starts = [one.start for one in clear]
    found = {}
    for one in faint:
        at = bisect(starts, one.start)
        found[one.start] = [two.number for two in clear[at : at + _AHEAD]]
    return found


def _is_next(number: int, last: int, begun: bool, behind: Sequence[int | None]) -> bool:
    """Tell whether the number follows on the last one, or the next on it. `begun`: a volume begins here."""
    return number == last + 1 or bool(begun and number == 1) or (number > last and number + 1 in behind[:1])


def _with_faint_others(
    kept: Sequence[Piece], doubtful: set[int], setting: _Setting, left: list[Piece]
) -> Parted:
    """Take a faint volume that stands right before a heading, a faint side story that is set as one."""
    starts = {one.start for one in kept if one.kind != VOLUME}
    found = []
    for one in kept:
        if one.start in doubtful and one.kind == VOLUME and not setting.stands_before(one, starts):
            continue
        side = one.start in doubtful and one.kind == EXTRA
        alone = not (setting.is_first(one) or setting.stands_behind(one))
        if side and alone and setting.is_prose(one, True):
            left.append(one)
            continue
        found.append(one)
    return found, left
