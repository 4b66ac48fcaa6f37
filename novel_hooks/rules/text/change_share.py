"""How much of a text a refiner has changed. Pure. Source: `agents/style-refiner.md` (the line to stop at)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
from novel_hooks.pattern import Pattern

MOST = 0.15
"""More than this share of a chapter is no polish any more."""

_SENTENCE = Pattern(r"[^。！？…\n]*[。！？…]*[”」』]*\n*")
_CLOSE = 600
"""Runs longer than this, in 字, are counted whole: a look at every mark would take seconds."""


def change_share(before: str, after: str) -> float:
    """字 taken out and put in, beside those of `before`; blanks do not count. 0.0 for an empty text."""
    length = len(_without_blanks(before))
    return _changed_chars(_sentences(before), _sentences(after)) / length if length else 0.0


def _changed_chars(old: Sequence[str], new: Sequence[str]) -> int:
    from difflib import SequenceMatcher

    changed = 0
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            changed += _changed_in_piece(
                _without_blanks("".join(old[a:b])), _without_blanks("".join(new[c:d]))
            )
    return changed


def _changed_in_piece(old: str, new: str) -> int:
    from difflib import SequenceMatcher

    if not old or not new or len(old) > _CLOSE or len(new) > _CLOSE:
        return len(old) + len(new)
    same = sum(block.size for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks())
    return len(old) + len(new) - 2 * same


def _sentences(text: str) -> list[str]:
    """Their parts without blanks, in order; those that are empty then left out."""
    return [part for part in map(_without_blanks, _SENTENCE.findall(text)) if part]


def _without_blanks(text: str) -> str:
    return "".join(text.split())
