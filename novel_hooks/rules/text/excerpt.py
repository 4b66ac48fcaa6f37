"""Parts that stand for a whole: the end of a text, the beginning of a line, the first of a list. Pure."""

from __future__ import annotations

from novel_hooks.annotations import Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.rules.text import chapter_heading, length

_SENTENCE = Pattern(r"[^。！？…]+[。！？…]*[”」』’]*|[。！？…”」』’]+")


def ending(text: str, most: int) -> str:
    """Return the text when it has at most `most` 字, else its heading and its last paragraphs.

    These have at most `most` 字. Of a last paragraph that is longer, its last sentences are returned, of a
    last sentence that is longer, its last marks. Source: protocol §7 (earlier texts of a packet).
    """
    if length.chars(text) <= most:
        return text
    lines = text.rstrip().split("\n")
    first = next(line.strip() for line in lines if line.strip())
    number, title = chapter_heading.heading(text)
    is_heading = number is not None or title is not None
    kept = _last(lines, most)
    if not any(line.strip() for line in kept):
        kept = ["".join(_last([found.group() for found in _SENTENCE.finditer(lines[-1])], most))]
    end = "\n".join(kept).strip("\n") or lines[-1][-most:]
    return f"{first}\n\n{end}\n" if is_heading else f"{end}\n"


def shorten(text: str, most: int) -> str:
    """Return the text on one line; of one longer than `most` characters the first and `…`."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def join_first(entries: Sequence[str], most: int, unit: str, mark: str = "、") -> str:
    """Join the first `most` entries; of more, tell how many there are: `甲、乙 等 9 个`, `「甲」等 2 句`."""
    shown = mark.join(entries[:most])
    if len(entries) <= most:
        return shown
    return f"{shown}{'' if shown.endswith('」') else ' '}等 {len(entries)} {unit}"


def first_of(entries: Sequence[str], most: int) -> str:
    """Join the first `most` entries, with `…` behind them when there are more."""
    return "、".join(entries[:most]) + ("…" if len(entries) > most else "")


def _last(pieces: Sequence[str], most: int) -> list[str]:
    """Return the last pieces that have at most `most` 字 together."""
    start, taken = len(pieces), 0
    while start and taken + length.length(pieces[start - 1]) <= most:
        start -= 1
        taken += length.length(pieces[start])
    return list(pieces[start:])
