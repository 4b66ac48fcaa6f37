"""Two versions of a text, compared phrase by phrase. Pure.

The sentences that both versions have stay whole. Between them single marks are compared, and a common part
counts only when it is a phrase, because a stray common mark helps no reader.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Iterator, Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record

if TYPE_CHECKING:
    from difflib import SequenceMatcher as Matcher

SAME, GONE, NEW = "same", "gone", "new"
CUT = "……"
_MARKS = {GONE: "〔删：{}〕", NEW: "〔增：{}〕"}
_AROUND = 14
"""Characters of unchanged text that are shown beside a change."""
_SENTENCE = Pattern(r"[^。！？…\n]*[。！？…]*[”」』]*\n?")
_CLOSE = 600
"""The longest piece, in characters, that is compared mark by mark; a longer one takes seconds."""
_PHRASE = 2
"""The fewest characters in a row that count as kept inside a changed sentence."""
_MANY = 400
"""The most pairs of sentences that are held against each other."""
_ALIKE = 0.4
"""The least likeness, from 0 to 1, of two versions of a sentence."""
_LITTLE = 0.3
"""A changed piece of which less than this share is kept is shown as replaced whole."""


class Piece(Record):
    """A run of text: `kind` is `SAME`, `GONE` (only in the older version) or `NEW` (only in the newer)."""

    kind: str
    text: str


class Line(Record):
    """One paragraph with a change; `number` is its line in the newer version, from 1."""

    number: int
    pieces: tuple[Piece, ...]


class Amount(Record):
    """The amount of a change: places, and 字 removed and added (blanks do not count)."""

    places: int
    removed: int
    added: int


def pieces(before: str, after: str) -> tuple[Piece, ...]:
    """Return both versions as one sequence of pieces.

    The `SAME` and `GONE` ones together are `before`, the `SAME` and `NEW` ones together are `after`.
    """
    found: list[Piece] = []
    old, new = _sentences(before), _sentences(after)
    for kind, a, b, c, d in _matcher(old, new).get_opcodes():
        if kind == "equal":
            found.append(Piece(SAME, "".join(old[a:b])))
        else:
            for one, other in _pairs(old[a:b], new[c:d]):
                found += _changed(one, other)
    return tuple(_merged(found))


def changed_lines(whole: Sequence[Piece]) -> list[Line]:
    """Return the paragraphs that hold a change, in order; their pieces end before the line break."""
    lines, number = [], 1
    pieces_here: list[Piece] = []
    for piece in whole:
        parts = piece.text.split("\n")
        for index, part in enumerate(parts):
            pieces_here += [Piece(piece.kind, part)] if part else []
            if index < len(parts) - 1:
                lines.append(Line(number, tuple(pieces_here)))
                number += piece.kind != GONE
                pieces_here = []
    lines.append(Line(number, tuple(pieces_here)))
    return [line for line in lines if any(piece.kind != SAME and piece.text.strip() for piece in line.pieces)]


def shortened(line: Line, around: int) -> Line:
    """Return the line with at most `around` characters of unchanged text beside each change."""
    last = len(line.pieces) - 1
    kept = [_short(piece, around, index > 0, index < last) for index, piece in enumerate(line.pieces)]
    return Line(line.number, tuple(kept))


def amount(whole: Sequence[Piece]) -> Amount:
    """Count the changes; a piece that went and the one that came in its place are one place."""
    places = sum(
        1
        for before, piece in zip((Piece(SAME, ""), *whole), whole)
        if piece.kind != SAME and before.kind == SAME
    )
    return Amount(places, _chars(whole, GONE), _chars(whole, NEW))


def marked(line: Line) -> str:
    """Return a paragraph as one text for the author, its changes marked: `他怕〔删：黑〕〔增：水〕。`."""
    cut = shortened(line, _AROUND)
    return "".join(_MARKS.get(one.kind, "{}").format(one.text) for one in cut.pieces)


def numbered_lines(whole: Sequence[Piece], most: int) -> tuple[list[str], int]:
    """Return (the first `most` changed paragraphs, marked, each with its line; the number of the others)."""
    found = changed_lines(whole)
    return [f"第 {one.number} 行　{marked(one)}" for one in found[:most]], max(0, len(found) - most)


def words_text(old: str, new: str) -> str:
    """Return the change of a passage without line numbers: its changed paragraphs, marked."""
    return "　".join(marked(one) for one in changed_lines(pieces(old, new)))


def counted_text(counted: Amount) -> str:
    """Return the amount in the author's words: `改了 3 处：删 12 字，增 20 字`."""
    if not counted.places:
        return "一个字也没有改"
    return f"改了 {counted.places} 处：删 {counted.removed:,} 字，增 {counted.added:,} 字"


def _short(piece: Piece, around: int, follows: bool, leads: bool) -> Piece:
    """Cut an unchanged piece to its ends beside the changes before (`follows`) and behind it (`leads`)."""
    text = piece.text
    if piece.kind != SAME or len(text) <= around * (follows + leads) + len(CUT):
        return piece
    return Piece(SAME, (text[:around] if follows else "") + CUT + (text[-around:] if leads else ""))


def _chars(whole: Sequence[Piece], kind: str) -> int:
    return sum(len("".join(piece.text.split())) for piece in whole if piece.kind == kind)


def _sentences(text: str) -> list[str]:
    return [part for part in _SENTENCE.findall(text) if part]


def _pairs(old: Sequence[str], new: Sequence[str]) -> list[tuple[str, str]]:
    """Pair the sentences that are versions of each other, in order; "" stands for a sentence without one."""
    if not old or not new or len(old) * len(new) > _MANY:
        return [("".join(old), "".join(new))]
    # best[i][j]: the likeness of the best pairing of old[i:] with new[j:], and what it does first.
    best = [[(0.0, "") for _ in range(len(new) + 1)] for _ in range(len(old) + 1)]
    for i in range(len(old), -1, -1):
        for j in range(len(new), -1, -1):
            ways = [(best[i + 1][j][0], "old")] if i < len(old) else []
            ways += [(best[i][j + 1][0], "new")] if j < len(new) else []
            if i < len(old) and j < len(new) and (alike := _likeness(old[i], new[j])) >= _ALIKE:
                ways.append((best[i + 1][j + 1][0] + alike, "pair"))
            best[i][j] = max(ways, default=(0.0, ""))
    found, i, j = [], 0, 0
    while i < len(old) or j < len(new):
        step = best[i][j][1]
        found.append((old[i] if step != "new" else "", new[j] if step != "old" else ""))
        i, j = i + (step != "new"), j + (step != "old")
    return found


def _likeness(old: str, new: str) -> float:
    if max(len(old), len(new)) > _CLOSE:
        return 0.0
    matcher = _matcher(old, new)
    return matcher.ratio() if matcher.quick_ratio() >= _ALIKE else 0.0


def _matcher(old: Sequence[str], new: Sequence[str]) -> Matcher[str]:
    from difflib import SequenceMatcher

    return SequenceMatcher(None, old, new, autojunk=False)


def _changed(old: str, new: str) -> list[Piece]:
    """Return the pieces of a part that is not the same in both."""
    if not old or not new or max(len(old), len(new)) > _CLOSE:
        return _replaced(old, new)
    found: list[Piece] = []
    for kind, a, b, c, d in _matcher(old, new).get_opcodes():
        at_an_end = a == c == 0 or (b == len(old) and d == len(new))
        if kind == "equal" and (b - a >= _PHRASE or at_an_end):
            found.append(Piece(SAME, old[a:b]))
        else:
            found += _replaced(old[a:b], new[c:d])
    kept = sum(len(piece.text) for piece in found if piece.kind == SAME)
    return list(_joined(found)) if kept >= _LITTLE * min(len(old), len(new)) else _replaced(old, new)


def _replaced(old: str, new: str) -> list[Piece]:
    return [Piece(kind, text) for kind, text in ((GONE, old), (NEW, new)) if text]


def _joined(found: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the pieces so that between two kept ones all that went stands before all that came."""
    texts = {GONE: "", NEW: ""}
    for piece in (*found, Piece(SAME, "")):
        if piece.kind == SAME:
            yield from _replaced(texts[GONE], texts[NEW])
            texts = {GONE: "", NEW: ""}
            if piece.text:
                yield piece
        else:
            texts[piece.kind] += piece.text


def _merged(found: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the pieces with neighbours of one kind as one."""
    from itertools import groupby

    for kind, group in groupby(found, key=lambda piece: piece.kind):
        yield Piece(kind, "".join(piece.text for piece in group))
