"""The habits of the table that a chapter has, with how often and where. Source: craft notes §2."""

from __future__ import annotations

from novel_hooks.annotations import Iterable, Iterator, Sequence
from novel_hooks.record import Record
from novel_hooks.rules.lint import habit_table as table
from novel_hooks.rules.lint.habit_table import Row
from novel_hooks.rules.lint.sheet import HIDDEN, Sheet

_CLAUSE_MARKS, _SENTENCE_MARKS = "，。！？；", "。！？"
_HALF_WIDTH = (",", ".", "!", "?", ";", ":")
_DOUBLED = ("！！", "。。")
_ENDING_CHARS = 120
_COMPLEMENTS = 16
"""Number of the row with a rate and a least number: six in 1,000 字 are too many, and at least five."""


class Finding(Record):
    """A habit over its limit: `places` are (start, end) offsets, up to `allowed` of them would pass."""

    rule: int
    kind: str
    name: str
    times: int
    allowed: float
    advice: str
    places: tuple[tuple[int, int], ...]


class Streams:
    """The texts in which the rows are counted, made when first used, all at the offsets of the sheet."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self._made: dict[str, str] = {}

    def text(self, stream: str) -> str:
        """Return the text of a stream, such as `CLAUSES`."""
        if stream not in self._made:
            self._made[stream] = self._make(stream)
        return self._made[stream]

    def _make(self, stream: str) -> str:
        if stream in (table.CLAUSES, table.ENDING):
            return with_line_breaks(self.sheet.narration, _CLAUSE_MARKS)
        if stream == table.SENTENCES:
            return with_line_breaks(self.sheet.narration, _SENTENCE_MARKS)
        if stream in (table.BODY, table.DIALOGUE, table.OPENING):
            return self.sheet.plain
        return self.sheet.narration

    def start(self, stream: str) -> int:
        """Return the offset at which counting begins in a stream."""
        if stream == table.ENDING:
            return _ending_start(self.sheet.narration, self.sheet.body)
        if stream == table.OPENING and self.sheet.lines:
            first = self.sheet.lines[0]
            return first.end - len(first.text.lstrip())
        return self.sheet.body


def findings(sheet: Sheet, chars: int) -> list[Finding]:
    """Return the habits over their limits, in the table's order. `chars` is the chapter's length in 字."""
    streams = Streams(sheet)
    found: list[Finding] = []
    for row in table.ROWS:
        limit = allowed_count(row, chars)
        places = tuple(_row_places(row, streams))
        if len(places) > limit:
            found.append(Finding(row.number, row.kind, row.name, len(places), limit, row.advice, places))
    marks = tuple(sorted([*_half_width_marks(sheet), *find_words(sheet.plain, _DOUBLED, sheet.body)]))
    if marks:
        found.append(Finding(51, "标点", "半角标点、叠用标点", len(marks), 0, "换成全角，只用一个", marks))
    return found


def allowed_count(row: Row, chars: int) -> float:
    """Return how many times a chapter of `chars` 字 may have the habit; a short one counts as 1,000 字."""
    if row.per == "c":
        return row.limit
    if row.number == _COMPLEMENTS:
        return float(max(4, -(-int(row.limit) * chars // 1000) - 1))
    return round(max(1.0, row.limit, row.limit * chars / 1000), 1)


def weight(kinds: Sequence[str]) -> str:
    """Return the weight of the kinds over their limits: 重 from four, 中 from two, 轻 for one, else 无."""
    return "重" if len(kinds) >= 4 else "中" if len(kinds) >= 2 else "轻" if kinds else "无"


def find_words(
    text: str, wanted: Iterable[str], start: int = 0, but: Iterable[str] = ()
) -> list[tuple[int, int]]:
    """Return the (start, end) offsets of the words from `start` on, in the order of the text.

    A word inside a longer one, or inside one of `but`, does not count.
    """
    excluded = frozenset(but)
    taken: list[tuple[int, int]] = []
    for word in sorted({*wanted, *excluded}, key=lambda w: (-len(w), w)):
        at = text.find(word, start) if word.strip() else -1
        if at < 0:
            continue
        while at >= 0:
            if word not in excluded:
                taken.append((at, at + len(word)))
            at = text.find(word, at + len(word))
        text = text[:start] + text[start:].replace(word, HIDDEN * len(word))
    return sorted(taken)


def _row_places(row: Row, streams: Streams) -> Iterator[tuple[int, int]]:
    text, start = streams.text(row.stream), streams.start(row.stream)
    found = find_words(text, row.words, start, row.but) if row.words else []
    if row.pattern is not None and row.stream == table.OPENING:
        first = row.pattern.match(text, start)
        found += [first.span()] if first else []
    elif row.pattern is not None and any(sign in text for sign in row.signs):
        found += [match.span() for match in row.pattern.finditer(text, start)]
    for begin, end in sorted(found):
        if row.stream != table.DIALOGUE or streams.sheet.apart(begin):
            yield begin, end


def _half_width_marks(sheet: Sheet) -> Iterator[tuple[int, int]]:
    """Yield the places of half-width marks behind a Han character, and of straight quotes before one."""
    text = sheet.plain
    for mark in _HALF_WIDTH:
        at = text.find(mark, sheet.body + 1)
        while at >= 0:
            if is_han(text[at - 1]) and not text[at + 1 : at + 2].isdigit():
                yield at, at + 1
            at = text.find(mark, at + 1)
    for mark in ('"', "'"):
        at = text.find(mark, sheet.body)
        while at >= 0:
            if is_han(text[at + 1 : at + 2]):
                yield at, at + 1
            at = text.find(mark, at + 1)


def is_han(mark: str) -> bool:
    """Tell whether the mark is a common Chinese character."""
    return "\u4e00" <= mark <= "\u9fff"


def _ending_start(text: str, start: int) -> int:
    """Return the offset at which the last 120 characters of the narration begin."""
    left, at = _ENDING_CHARS, len(text)
    while at > start and left:
        at -= 1
        if text[at] != HIDDEN and not text[at].isspace():
            left -= 1
    return at


def with_line_breaks(text: str, marks: str) -> str:
    """Return the text with a line end for each of the marks and each hidden character."""
    return text.translate(dict.fromkeys(map(ord, marks + HIDDEN), "\n"))
