"""Lines that mark a change of scene, in the book's own form: `---`, `***`, `* * *`, `＊＊＊`. Pure.

A book's own break is a line of its own (`scene_break` of `novel.yaml`), or none: then two empty lines are, as
the writing guide says. Source: protocol §8.
"""

from __future__ import annotations

from novel_hooks.pattern import Pattern
from novel_hooks.record import Record

_GAP = "[ \t\u3000]*"
_BREAK = Pattern(rf"{_GAP}([-*＊_])(?:{_GAP}\1){{2,}}{_GAP}\Z")
_MARKS = "-*＊_"


class Mended(Record):
    """A chapter's text with the book's own breaks; `changed` counts the changed lines."""

    text: str
    changed: int


def is_break(line: str, own: str = "") -> bool:
    """Tell whether a line is a break: three marks of one kind or more, or the book's `own`."""
    plain = line.strip(" \t\u3000\r")
    if own and plain == own.strip():
        return True
    return plain[:1] in _MARKS and plain != "" and _BREAK.match(plain) is not None


def has_marks(text: str) -> bool:
    """Tell whether a line holds marks alone, so that it may be a break."""
    return any(line.strip() and not any(map(str.isalnum, line)) for line in text.split("\n"))


def mend(text: str, own: str = "") -> Mended:
    """Return the text with each break between two paragraphs in the book's form.

    A break behind the heading or at the end separates nothing, and is removed. A first line stays, because it
    begins something else, such as the head of a file.
    """
    if not any(mark in text for mark in _MARKS):
        return Mended(text, 0)
    lines = text.split("\n")
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    breaks = [at for at, line in enumerate(lines) if at > first and is_break(line)]
    odd = [at for at in breaks if not own or lines[at].strip() != own.strip()]
    if not odd:
        return Mended(text, 0)
    made = lines[: first + 1]
    waiting = False
    for at in range(first + 1, len(lines)):
        if at in odd:
            waiting = True
        elif not waiting:
            made.append(lines[at])
        elif lines[at].strip():
            alone = made[first][:1] in ("#", "＃") and not any(line.strip() for line in made[first + 1 :])
            made = _joined(made, own, at_start=alone)
            made.append(lines[at])
            waiting = False
    if waiting:
        made = _trimmed(made)
    text = "\n".join(made)
    return Mended(text if text.endswith("\n") else f"{text}\n", len(odd))


def blanked(text: str, own: str | None = None) -> str:
    """Return the text with empty lines for breaks, line by line: for checks that count lines.

    With `own` only the book's own break counts, without it any behind the first line.
    """
    lines = text.split("\n")
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    plain = own.strip() if own else ""
    for at, line in enumerate(lines):
        if at > first and ((own is None and is_break(line)) or (plain and line.strip() == plain)):
            lines[at] = ""
    return "\n".join(lines)


def _joined(lines: list[str], own: str, at_start: bool) -> list[str]:
    """Return the lines before a paragraph, ended by the book's break; behind the heading alone by one gap."""
    before = _trimmed(lines)
    if at_start:
        return [*before, ""]
    return [*before, "", own.strip(), ""] if own.strip() else [*before, "", ""]


def _trimmed(lines: list[str]) -> list[str]:
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    return lines[:end]
