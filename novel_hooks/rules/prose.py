"""The texts of a chapter: how long they are, which number their heading carries, what is wrong with them.

One word count for the whole product: `count`. Source: protocol §1 (memory), seed 000 Step 3.7.
"""

from __future__ import annotations

from novel_hooks.errors import (
    HeadingMissing,
    HeadingWrong,
    MemoryTooLong,
    Problem,
    SummaryTooLong,
    TextEmpty,
)
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules import numerals

SUMMARY_LIMIT = 300
MEMORY_LIMIT = 500
"""Both in `Count.chars`."""

_BLANK = "\ufeff\u200b\u200c\u200d\u2060"
_GAP = "[ \t\u3000]*"
_NUMBERED = Pattern(rf"第{_GAP}(?P<number>[^\s第章回]{{1,20}}){_GAP}[章回](?P<rest>.*)\Z")
_SHARPS = Pattern(rf"#{{1,6}}{_GAP}(?P<told>.*)\Z")
_SENTENCE = Pattern("[，。！？；…”」』]")


class Count(Record):
    """`chars`: every mark that is not blank, the heading line left out; `han`: Chinese characters only."""

    chars: int
    han: int


def count(text: str) -> Count:
    """The length of a chapter, summary or memory."""
    solid = _solid(_body(text))
    return Count(len(solid), sum(map(_is_han, solid)))


def chars(text: str) -> int:
    """`count(text).chars` alone, at a fraction of the cost."""
    return len(_solid(_body(text)))


def length(text: str) -> int:
    """Every mark of any text that is not blank; nothing is left out."""
    return len(_solid(text))


def heading(text: str) -> tuple[int | None, str | None]:
    """Number and title of the first line that is not blank, when it is a heading; else `(None, None)`.

    `# 第 N 章 名` in Arabic, full-width or Chinese numerals. Without `#` the line must hold nothing else
    than the heading: a sentence that speaks of a chapter is prose. Numbers in the prose are never read.
    """
    first, _ = _first_line(text)
    sharps = _SHARPS.match(first)
    told = sharps.group("told").strip() if sharps else first
    found = _NUMBERED.match(told)
    if not found or not (sharps or _stands_alone(found.group("rest"))):
        return None, (told or None) if sharps else None
    return numerals.value(found.group("number")), found.group("rest").strip(" \t\u3000:：") or None


def problems(text: str, chapter: int, path: str) -> list[Problem]:
    """What is wrong with the staged chapter `chapter`: no body, another number; a missing heading warns."""
    found: list[Problem] = []
    number, _ = heading(text)
    if number is None:
        found.append(HeadingMissing(path, chapter=chapter))
    elif number != chapter:
        found.append(HeadingWrong(path, found=number, chapter=chapter))
    if not count(text).chars:
        found.append(TextEmpty(path, what="正文"))
    return found


def summary_problems(text: str, path: str) -> list[Problem]:
    """A summary says something, in about 300 characters at most (a longer one warns)."""
    length = count(text).chars
    if not length:
        return [TextEmpty(path, what="摘要")]
    return [SummaryTooLong(path, count=length, limit=SUMMARY_LIMIT)] if length > SUMMARY_LIMIT else []


def memory_problems(text: str, path: str) -> list[Problem]:
    """A storyline's memory replaces the one before: it says something, in at most 500 characters."""
    length = count(text).chars
    if not length:
        return [TextEmpty(path, what="故事线记忆")]
    return [MemoryTooLong(path, count=length, limit=MEMORY_LIMIT)] if length > MEMORY_LIMIT else []


def _solid(text: str) -> str:
    joined = "".join(text.split())
    for blank in _BLANK:
        if blank in joined:
            joined = joined.replace(blank, "")
    return joined


def _is_han(mark: str) -> bool:
    """Compared by hand: a set of these ranges takes longer to compile than a chapter to count."""
    return (
        "\u4e00" <= mark <= "\u9fff"
        or "\u3400" <= mark <= "\u4dbf"
        or mark == "\u3007"
        or "\uf900" <= mark <= "\ufaff"
        or "\U00020000" <= mark <= "\U0003ffff"
    )


def _first_line(text: str) -> tuple[str, str]:
    """The first line that is not blank, and everything behind it."""
    plain = text.lstrip(_BLANK).replace("\r\n", "\n").replace("\r", "\n").lstrip()
    first, _, rest = plain.partition("\n")
    return first.strip(), rest


def _body(text: str) -> str:
    first, rest = _first_line(text)
    is_heading = bool(_SHARPS.match(first)) or heading(first)[0] is not None
    return rest if is_heading else f"{first}\n{rest}"


def _stands_alone(rest: str) -> bool:
    """Is what follows `第N章` the end, or a separator and a title that is no sentence?"""
    return not rest.strip() or (rest[0] in " \t\u3000:：" and not _SENTENCE.search(rest))
