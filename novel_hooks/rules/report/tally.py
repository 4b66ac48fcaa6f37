"""The tally of words: a line for each landed chapter, its length and when it was written. Pure."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

from novel_hooks.record import Record
from novel_hooks.rules.text import length
from novel_hooks.rules.text.json_values import text


class Written(Record):
    """A landed chapter: its length in 字, and the moment (ISO-8601) at which it was written, "" if unknown.

    A chapter that moved in has no such moment; recording a chapter anew leaves it as it was.
    """

    chars: int
    at: str


def moment_of(line: Mapping[str, object]) -> str:
    """Return the moment at which the chapter of a line of the change log was written; "" when unknown."""
    told = text(line.get("first_ts" if "first_ts" in line else "ts")) or ""
    return told if told.isprintable() else ""


def chars_of(data: bytes | None) -> int:
    """Return the length of a chapter's bytes in 字; 0 without a file."""
    return length.chars((data or b"").decode("utf-8", "replace"))


def tally_lines(tally: Mapping[int, Written]) -> list[str]:
    """Return the tally as lines, in order of the chapters: number, length, moment, with tabs between."""
    return [f"{chapter}\t{one.chars}\t{one.at}" for chapter, one in sorted(tally.items())]


def parse(listed: Iterable[str]) -> dict[int, Written] | None:
    """Parse what `tally_lines` made; None for anything else."""
    lines = list(listed)
    if any(line.count("\t") != 2 for line in lines):
        return None
    parts = "\t".join(lines).split("\t") if lines else []
    chapters, lengths = parts[::3], parts[1::3]
    digits = "".join(chapters + lengths)
    if digits and not (all(chapters) and all(lengths) and digits.isascii() and digits.isdigit()):
        return None
    return dict(zip(map(int, chapters), map(Written, map(int, lengths), parts[2::3])))


def is_whole(tally: Mapping[int, object], last: int) -> bool:
    """Tell whether every chapter up to `last` is in the tally."""
    return all(map(tally.__contains__, range(1, last + 1)))


def total(tally: Mapping[int, Written], chapters: Sequence[int]) -> int:
    """Return the 字 of these chapters together."""
    return sum(tally[chapter].chars for chapter in chapters if chapter in tally)
