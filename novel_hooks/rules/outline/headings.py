"""The headings of chapters in an outline, lines that are nearly one, and headings without a readable number.

Source: seed 000 Step 2.1.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules.text import numerals

if TYPE_CHECKING:
    from re import Match

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


class Heading(Record):
    """A chapter's heading in an outline. `line` counts from 1."""

    chapter: int
    title: str | None
    line: int


class NearMiss(Record):
    """A line that looks like a chapter's heading but is not written as one; `suggestion` is to replace it.

    `plain`: the suggestion keeps every character of the title, so a program may write it. `first` is None,
    or the line stands for several chapters, from `first` to `chapter`.
    """

    chapter: int
    line: int
    text: str
    suggestion: str
    plain: bool = True
    first: int | None = None

    @property
    def chapters(self) -> range:
        """The numbers of the chapters that the line stands for."""
        return range(self.chapter if self.first is None else self.first, self.chapter + 1)


class Unread(Record):
    """A heading line without a readable chapter number: `### 第 0 章`, `### 第 1.5 章`, `### 第 N 章`."""

    line: int
    text: str


def parse_heading(line: str) -> tuple[int, str | None] | None:
    """Parse a chapter's heading written as it must be: `### 第 12 章: 夜雨` → (12, `夜雨`); else None."""
    found = _HEADING.match(line)
    if not found:
        return None
    title = (found.group(2) or found.group(3) or "").strip()
    return int(found.group(1)), title or None


def near_miss(line: str) -> tuple[str, bool] | None:
    """Return (the heading to write instead, does it keep the whole title) of a near miss; else None.

    Near are: another level, other spacing, other numerals, leading zeros, 节, 回 or 话 for 章, a title
    without a separator, marks around it, a list's or quotation's mark before it. `第 12 章的…` is no heading.
    """
    if not _may_be_heading(line) or parse_heading(line) is not None:
        return None
    return _suggestion(_NEAR.match(line))


def _may_be_heading(line: str) -> bool:
    """Tell whether the line has a heading's mark and a word for chapter.

    Without them the longer patterns need not be compiled.
    """
    return ("#" in line or "＃" in line) and any(word in line for word in _CHAPTER_WORDS)


def _begins_with_ordinal(line: str) -> bool:
    """Tell whether only blanks and marks of emphasis stand before the line's first 第."""
    return not "".join(line.partition("第")[0].split()).strip(_EMPHASIS)


def _suggestion(found: Match[str] | None) -> tuple[str, bool] | None:
    """Return (heading, does it keep the whole title) of a match with `number`, `rest` and `dress`."""
    number = numerals.parse(found.group("number")) if found else None
    if found is None or number is None or number < 1 or numerals.NO_TITLE.match(found.group("rest")):
        return None
    dressed = bool(found.group("dress"))
    title = _title(found.group("rest"), dressed)
    suggestion = f"### 第 {number} 章" + (f": {title}" if title else "")
    return (suggestion, not dressed) if parse_heading(suggestion) else None


def _title(rest: str, dressed: bool) -> str:
    title = rest.strip(_DRESS if dressed else _BLANKS)
    return title[1:].lstrip(_BLANKS) if title[:1] in (":", "：") else title


def find_near(line: str, number: int) -> tuple[bool, NearMiss | None]:
    """Find the near miss in line `number`: (does it count where its chapter has a heading, the near miss).

    A line without `#`, or one of several chapters, does not count there: it may be a list of chapters. The
    near miss is None when there is none.
    """
    if not (_may_be_heading(line) or _begins_with_ordinal(line)):
        return False, None  # most lines, without the cost of the patterns
    suggestion, sure = near_miss(line), True
    if suggestion is None:
        several = _range_heading(line, number)
        if several:
            return False, several
        bare = _BARE.match(line) if _begins_with_ordinal(line) else None
        sure = False
        suggestion = _suggestion(bare) if bare and _BARE_TITLE.match(bare.group("rest")) else None
    meant = parse_heading(suggestion[0]) if suggestion else None
    return sure, NearMiss(meant[0], number, line, *suggestion) if suggestion and meant else None


def _range_heading(line: str, number: int) -> NearMiss | None:
    """Read a line of several chapters, such as `### 第 6-7 章: 改口`: each needs a heading of its own."""
    found = _SEVERAL.match(line) if _may_be_heading(line) else None
    if found is None or found.group("rest").startswith("的"):
        return None
    first, last = numerals.parse(found.group("first")), numerals.parse(found.group("last"))
    if first is None or last is None or not 1 <= first < last <= first + _MOST_AT_ONCE:
        return None
    title = _title(found.group("rest"), dressed=False)
    suggestion = f"### 第 {first} 章" + (f": {title}" if title else "")
    return NearMiss(last, number, line, f"{suggestion}` 和另起的 `### 第 {last} 章: 章名", False, first)


def is_unread(line: str) -> bool:
    """Tell whether the line is a chapter's heading without a readable number, such as `### 第 N 章`."""
    found = _UNREAD.match(line) if _may_be_heading(line) else None
    if found is None or any(mark in _JOINS for mark in found.group("number")):
        return False
    return not numerals.NO_TITLE.match(found.group("rest"))
