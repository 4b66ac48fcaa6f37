"""Lines of a chapter as its paragraphs, and the changes of scene between them. Pure.

One line is one paragraph, as web novels have it. Lines that belong together (a poem, a song, an address, a
system's panel) are marked as in Markdown: `> ` before each, or two blanks or a backslash behind each but the
last. They are one paragraph with `\\n` in it; each line of a quote keeps its `> `.
"""

from __future__ import annotations

from novel_hooks.annotations import Iterable, Sequence
from novel_hooks.rules.text import scene_breaks
from novel_hooks.rules.text.numerals import UNSEEN

BREAK = ""
"""Stands between two paragraphs for a change of scene."""
QUOTE = "> "
BLANKS = f" \t\r\f\v\u00a0\u3000{UNSEEN}"
_EVEN = 3
"""So many gaps of one size, and no other, are the text's way to part paragraphs, however wide they are."""
_VERSE = 40
"""The longest line that two blanks at its end bind to the next: behind longer ones they are a slip."""


def paragraphs(lines: Iterable[str], scene_break: str = "") -> tuple[str, ...]:
    """Return the paragraphs of the lines, `BREAK` for a line of marks, the book's own, or a wider gap.

    A gap is wide from two empty lines on, when the text parts its paragraphs by less.
    """
    pieces = _bound(list(lines), scene_break)
    usual = _usual_gap([size for size, _ in pieces[1:]])
    made: list[str] = []
    for size, piece in pieces:
        if made and made[-1] != BREAK and (piece == BREAK or size > max(usual, 1)):
            made.append(BREAK)
        if piece != BREAK:
            made.append(piece)
    return tuple(made[:-1] if made and made[-1] == BREAK else made)


def bound_lines(paragraph: str) -> list[str]:
    """Return the lines of a paragraph without the marks of a quote; one line as a rule."""
    quoted = paragraph.startswith(QUOTE)
    return [line[1:].strip(BLANKS) if quoted else line for line in paragraph.split("\n")]


def in_markdown(paragraph: str, mark: str = "  ") -> str:
    """Return a paragraph in its source's form, lines that belong together bound by two blanks or `\\`."""
    return paragraph if paragraph.startswith(QUOTE) else paragraph.replace("\n", f"{mark}\n")


def quote(lines: Iterable[str]) -> str:
    """Return lines as the paragraph of a quote."""
    return "\n".join(f"{QUOTE}{line}".rstrip() for line in lines)


def _bound(lines: Sequence[str], scene_break: str) -> list[tuple[int, str]]:
    """Return (empty lines before it, paragraph or `BREAK`), lines that belong together put in one."""
    soft = _means_blanks(lines)
    pieces: list[tuple[int, str]] = []
    gap, open_end = 0, False
    for line in lines:
        plain = line.strip(BLANKS)
        if not plain:
            gap, open_end = gap + 1, False
            continue
        quoted = plain.startswith(QUOTE) or (plain == ">" and _is_quote(pieces, gap))
        held = plain.endswith("\\") or (soft and line.rstrip("\r\n").endswith("  ") and len(plain) <= _VERSE)
        text = quote([plain[1:].strip(BLANKS)]) if quoted else plain
        if scene_breaks.is_break(plain, scene_break):
            pieces.append((gap, BREAK))
        elif (quoted and _is_quote(pieces, gap)) or (open_end and not quoted):
            before = pieces[-1][1]
            if not quoted and before.endswith("\\"):
                before = before[:-1].rstrip(BLANKS)
            pieces[-1] = (pieces[-1][0], f"{before}\n{text}")
        else:
            pieces.append((gap, text))
        gap, open_end = 0, held and not quoted and pieces[-1][1] != BREAK
    return pieces


def _is_quote(pieces: Sequence[tuple[int, str]], gap: int) -> bool:
    return bool(pieces) and not gap and pieces[-1][1].startswith(QUOTE)


def _means_blanks(lines: Sequence[str]) -> bool:
    """Do two blanks at a line's end mean anything here? Where most lines have them, they are a program's."""
    solid = [line for line in lines if line.strip(BLANKS)]
    return sum(line.rstrip("\r").endswith("  ") for line in solid) * 2 <= len(solid)


def _usual_gap(gaps: Sequence[int]) -> int:
    """Return the number of empty lines that part two paragraphs as a rule; of several the least."""
    if not gaps or (len(set(gaps)) == 1 and len(gaps) < _EVEN):
        return min([1, *gaps])
    counts = {size: gaps.count(size) for size in set(gaps)}
    return min(counts, key=lambda size: (-counts[size], size))
