"""The texts of a chapter: their length and their problems.

The whole product counts words by `count`. Source: protocol §1 (memory), seed 000 Step 3.7.
"""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.errors import Problem
from novel_hooks.record import Record
from novel_hooks.rules.text import chapter_heading

SLACK = 0.05
"""By so much a chapter or summary may miss its limits before that is remarked on."""
SUMMARY_LIMIT = 300
MEMORY_LIMIT = 500
"""The most 字 of a summary and of a storyline's memory, as `Count.chars`."""


class Count(Record):
    """The length of a text. `chars`: its marks that are not blank; `han`: its Chinese characters alone.

    Both leave out the heading line.
    """

    chars: int
    han: int


def count(text: str) -> Count:
    """Count a chapter, summary or memory, its heading line left out."""
    solid = _without_blanks(chapter_heading.body(text))
    return Count(len(solid), sum("\u4e00" <= mark <= "\u9fff" or _is_rare_han(mark) for mark in solid))


def chars(text: str) -> int:
    """Return `count(text).chars`, at a fraction of the cost."""
    return len(_without_blanks(chapter_heading.body(text)))


def length(text: str) -> int:
    """Return the number of marks of any text that are not blank, a heading included."""
    return len(_without_blanks(text))


def chapter_case(chars: int, least: int, most: int) -> str | None:
    """Return `short` or `long` for a chapter that misses its length by more than `SLACK`; else None."""
    if least * (1 - SLACK) <= chars <= most * (1 + SLACK):
        return None
    return "short" if chars < least else "long"


def problems(text: str, chapter: int, path: str) -> list[Problem]:
    """List the problems of the staged chapter `chapter`: no body, another number, no heading (a warning).

    Behind a volume's name the number may count from the volume's beginning, so another number there is taken
    for a missing heading.
    """
    found: list[Problem] = []
    number, _, of_volume = chapter_heading.heading_parts(text)
    if number is None or (of_volume and number != chapter):
        found.append(errors.HeadingMissing(path, chapter=chapter))
    elif number != chapter:
        found.append(errors.HeadingWrong(path, found=number, chapter=chapter))
    if not count(text).chars:
        found.append(errors.TextEmpty(path, what="正文"))
    return found


def summary_problems(text: str, path: str) -> list[Problem]:
    """List a summary's problems: empty, or longer than `SUMMARY_LIMIT` 字 and `SLACK` (a warning)."""
    length = count(text).chars
    if not length:
        return [errors.TextEmpty(path, what="摘要")]
    too_long = length > SUMMARY_LIMIT * (1 + SLACK)
    return [errors.SummaryTooLong(path, count=length, limit=SUMMARY_LIMIT)] if too_long else []


def memory_problems(text: str, path: str) -> list[Problem]:
    """List the problems of a storyline's memory: empty, or longer than `MEMORY_LIMIT` 字."""
    length = count(text).chars
    if not length:
        return [errors.TextEmpty(path, what="故事线记忆")]
    return [errors.MemoryTooLong(path, count=length, limit=MEMORY_LIMIT)] if length > MEMORY_LIMIT else []


def _without_blanks(text: str) -> str:
    joined = "".join(text.split())
    for blank in chapter_heading.BLANK:
        if blank in joined:
            joined = joined.replace(blank, "")
    return joined


def _is_rare_han(mark: str) -> bool:
    # Compared one by one: a character class of these ranges takes longer to compile than a chapter to count.
    return (
        "\u3400" <= mark <= "\u4dbf"
        or mark == "\u3007"
        or "\uf900" <= mark <= "\ufaff"
        or "\U00020000" <= mark <= "\U0003ffff"
    )
