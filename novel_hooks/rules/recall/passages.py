"""Marks of chapters' passages, by which a repeated one is found without reading the chapters. Pure.

Of every run of `WINDOW` short pieces the one with the lowest hash is a mark (winnowing). Two texts that share
`SURE` Han characters share a mark, and a chapter of 3,000 has some sixty. A mark is a hint: the texts
themselves are compared.
"""

from __future__ import annotations

from zlib import crc32

from novel_hooks import sha2
from novel_hooks.annotations import Iterable, Iterator, Sequence

PIECE, WINDOW = 24, 100
SURE = PIECE + WINDOW - 1
LEAST = 200
"""Han characters of a chapter that is worth a row; so many, word for word, are a long passage."""


def han_characters(text: str) -> str:
    """Return only the Han characters of a text."""
    return "".join([mark for mark in text if "\u3400" <= mark <= "\u9fff"])


def passage_marks(han: str) -> list[str]:
    """Return the marks of a text of Han characters, each as eight digits; sorted, none twice."""
    data = han.encode("utf-32-le")
    hashes = [crc32(data[4 * at : 4 * (at + PIECE)]) for at in range(len(han) - PIECE + 1)]
    found, at = set[int](), -1
    for start in range(len(hashes) - WINDOW + 1):
        last = start + WINDOW - 1
        if at < start:
            window = hashes[start : last + 1]
            at = last - window[::-1].index(min(window))
        elif hashes[last] <= hashes[at]:
            at = last
        found.add(hashes[at])
    return [f"{one:08x}" for one in sorted(found)]


def title_mark(title: str) -> str:
    """Return the mark of a title in a row: titles that differ only in marks and blanks have the same."""
    plain = "".join(mark for mark in title if mark.isalnum())
    return sha2.digest(plain.encode("utf-8"))[:16] if plain else "-"


def row(chapter: int, title: str, body: str) -> str | None:
    """Return a chapter's row: number, title, marks; None for a body that is too short to repeat anything."""
    han = han_characters(body)
    if len(han) < LEAST:
        return None
    return f"{chapter}\t{title_mark(title)}\t{' '.join(passage_marks(han))}"


def with_row(rows: Sequence[str], chapter: int, fresh: str | None) -> list[str]:
    """Return the rows with the chapter's own instead of what they had of it; they are not parsed."""
    return [*(one for one in rows if not one.startswith(f"{chapter}\t")), *([fresh] if fresh else [])]


def indexed_chapters(rows: Sequence[str]) -> set[int]:
    """Return the chapters that have a row."""
    return {int(one.partition("\t")[0]) for one in rows if one.partition("\t")[0].isdecimal()}


def with_title(rows: Sequence[str], title: str, before: int) -> list[int]:
    """Return the chapters before `before` whose row has this title, in order."""
    mark = f"\t{title_mark(title)}\t"
    return [] if mark == "\t-\t" else sorted(_numbers([one for one in rows if mark in one], before))


def find_sharing(rows: Sequence[str], han: str, before: int) -> list[int]:
    """Return the chapters before `before` that share a mark with the text, those that share most first."""
    shared: dict[int, int] = {}
    if not rows:
        return []
    wanted = set(passage_marks(han))
    for one in rows:
        count = len(wanted.intersection(one.rpartition("\t")[2].split(" ")))
        for number in _numbers([one], before) if count else ():
            shared[number] = count
    return sorted(shared, key=lambda number: (-shared[number], number))


def _numbers(rows: Iterable[str], before: int) -> Iterator[int]:
    for one in rows:
        number = one.partition("\t")[0]
        if number.isdecimal() and int(number) < before:
            yield int(number)
