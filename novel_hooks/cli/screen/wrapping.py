"""Lines wrapped to a screen's width, as Chinese is set. Pure.

No line begins with a closing mark or ends with an opening one. A command between back ticks, a word, a
path, a number with its measure, a short entry between full-width blanks stays whole where it fits into a
line. The lines behind the first are indented: below the text of a table's second column, behind an arrow,
else two columns more than the first.
"""

from __future__ import annotations

from re import Match

from novel_hooks.annotations import Iterator
from novel_hooks.cli.screen.width import text_width
from novel_hooks.pattern import Pattern

_COUNT = r"(?:第 )?[0-9][0-9,.–-]* [章卷行字处条次分份步秒天]"
_UNIT = Pattern(
    rf"`[^`\n]*`|novel [a-z-]+(?: [!-_a-z{{|}}~]+)*|{_COUNT}|[!-_a-~]+|`|[ \t]+|[^!-~ \t]",
)
_CLOSING = frozenset("，。！？；：、）》〉」』】〕”’…—～％%·　,.!?;:)]}█░")
_OPENING = frozenset("（《〈「『【〔“‘([{")
_COLUMN = Pattern(r"(?P<first> *\S+(?: \S+)* {2,})\S")
_PARTS = Pattern(r" *[^\s。！？“「][^\s。！？]*(?: \S+)*\u3000")
_HEAD = Pattern(r" *(?:→ |· |- )?")
_LABEL = Pattern(r"[^\s。！？“「][^\s。！？“「]{0,9}：")
_BETWEEN = Pattern(r"(?<=\u3000)(?![\u3000，。！？；：、）》〉」』】〕”’…—～％·])")
_BAR = Pattern(r"\[(?=[█░])(█*)(░*)\] ?")
_SHORT_BAR = 8
_DEEPER = 2


def wrap(text: str, columns: int) -> str:
    """Return the text with every line that is wider than `columns` broken into several."""
    return "\n".join(piece for line in text.split("\n") for piece in wrap_line(line, columns))


def wrap_line(line: str, columns: int) -> list[str]:
    """Return one line as lines of at most `columns`. A single unit that is wider than that is cut."""
    line = line if text_width(line) <= columns else _BAR.sub(_shorter_bar, line)
    if text_width(line) <= columns:
        return [line]
    indent = " " * _indent(line, columns)
    found, here = [], ""
    for piece in _entries(line, columns, columns - len(indent)):
        if here.strip() and text_width(here) + text_width(piece.rstrip()) > columns:
            found.append(here.rstrip())
            here, piece = indent, piece.lstrip(" \t")
        here += piece
    return [*found, here.rstrip()] if here.strip() else found


def _shorter_bar(found: Match[str]) -> str:
    """Return a bar of eight marks, an entry of its own."""
    full, size = len(found[1]), len(found[1]) + len(found[2])
    filled = _SHORT_BAR * full // size
    return f"[{'█' * filled}{'░' * (_SHORT_BAR - filled)}]\u3000"


def _indent(line: str, columns: int) -> int:
    """Return the indentation of the lines behind the first."""
    column = _COLUMN.match(line)
    if column and text_width(column["first"]) * 2 <= columns:
        return text_width(column["first"])
    listed = column or _PARTS.match(line)
    head = _HEAD.match(line)
    deep = text_width(head[0]) if head else 0
    if head and head[0].strip():
        return deep
    return deep + _DEEPER if deep or listed or _LABEL.match(line) else 0


def _entries(line: str, columns: int, most: int) -> Iterator[str]:
    """Yield the entries of a line that full-width blanks divide: short ones whole, of others the pieces.

    An entry of a labelled list is short where it fits into a line, any other where half a line holds it.
    """
    short = most if _LABEL.match(line) else min(most, columns // 2)
    for entry in filter(None, _BETWEEN.split(line)):
        if text_width(entry.rstrip()) <= short:
            yield entry
        else:
            yield from _pieces(entry, most)


def _pieces(line: str, most: int) -> Iterator[str]:
    """Yield what must not be torn: a unit with the closing marks behind it and the opening ones before it."""
    piece = ""
    for unit in _UNIT.findall(line):
        joined = unit[0] in _CLOSING or (piece and piece[-1] in _OPENING)
        if piece and not (joined and text_width(piece + unit) <= most):
            cut = _before_the_last(piece) if unit[0] in _CLOSING else len(piece)
            yield piece[:cut]
            piece = piece[cut:]
        piece += unit
        while text_width(piece) > most:
            cut = _fitting(piece, most)
            folder = piece.rfind("/", 0, cut) + 1  # a path is cut behind a folder
            cut = folder if folder * 2 > cut else cut
            yield piece[:cut]
            piece = piece[cut:]
    if piece:
        yield piece


def _before_the_last(piece: str) -> int:
    """Return where a full piece is cut so that a closing mark has its last part before it."""
    last = len(piece.rstrip("".join(_CLOSING))) - 1
    part = max(piece.rfind("/", 0, last), piece.rfind(" ", 0, last)) + 1
    return part or (last if last > 0 else len(piece))


def _fitting(text: str, most: int) -> int:
    """Return how many characters fit, at least one."""
    taken = 1
    while taken < len(text) and text_width(text[: taken + 1]) <= most:
        taken += 1
    return taken
