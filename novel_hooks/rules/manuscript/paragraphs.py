"""Lines of a chapter as its paragraphs, and the changes of scene between them. Pure."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

from novel_hooks.rules.text import scene_breaks
from novel_hooks.rules.text.numerals import UNSEEN

BREAK = ""
"""Stands between two paragraphs for a change of scene."""
BLANKS = f" \t\r\f\v\u00a0\u3000{UNSEEN}"
_EVEN = 3
"""So many gaps of one size, and no other, are the text's way to part paragraphs, however wide they are."""


def paragraphs(lines: Iterable[str], scene_break: str = "") -> tuple[str, ...]:
    """Return the paragraphs of the lines, `BREAK` for a line of marks, the book's own, or a wider gap.

    A gap is wide from two empty lines on, when the text parts its paragraphs by less.
    """
    pieces: list[tuple[int, str]] = []
    gap = 0
    for line in lines:
        plain = line.strip(BLANKS)
        if not plain:
            gap += 1
            continue
        pieces.append((gap, BREAK if scene_breaks.is_break(plain, scene_break) else plain))
        gap = 0
    usual = _usual_gap([size for size, _ in pieces[1:]])
    made: list[str] = []
    for size, piece in pieces:
        if made and made[-1] != BREAK and (piece == BREAK or size > max(usual, 1)):
            made.append(BREAK)
        if piece != BREAK:
            made.append(piece)
    return tuple(made[:-1] if made and made[-1] == BREAK else made)


def _usual_gap(gaps: Sequence[int]) -> int:
    """Return the number of empty lines that part two paragraphs as a rule; of several the least."""
    if not gaps or (len(set(gaps)) == 1 and len(gaps) < _EVEN):
        return min([1, *gaps])
    counts = {size: gaps.count(size) for size in set(gaps)}
    return min(counts, key=lambda size: (-counts[size], size))
