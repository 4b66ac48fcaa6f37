"""The share of a text that a refiner has changed. Pure.

Source: `agents/style-refiner.md` (the share at which the refiner must stop).
"""

from __future__ import annotations

from novel_hooks.annotations import Sequence
from novel_hooks.pattern import Pattern

MOST = 0.15
"""The largest share of a chapter that a polish may change."""

_SENTENCE = Pattern(r"[^。！？…\n]*[。！？…]*[”」』]*\n*")
_CLOSE = 600
"""The longest piece, in 字, that is compared mark by mark; a longer one takes seconds and counts whole."""


def change_share(before: str, after: str) -> float:
    """Return the number of 字 taken out and put in, divided by the number of 字 in `before`.

    Blanks do not count. One 字 replaced counts twice, so the share of a text that was written anew may be
    2.0 or more. 0.0 for an empty `before`.
    """
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
    """Count the 字 that differ between two versions of a piece; all of both when one is long."""
    from difflib import SequenceMatcher

    if max(len(old), len(new)) > _CLOSE:
        return len(old) + len(new)
    same = sum(block.size for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks())
    return len(old) + len(new) - 2 * same


def _sentences(text: str) -> list[str]:
    """Return the sentences of the text in order, without blanks; empty ones are left out."""
    return [part for part in map(_without_blanks, _SENTENCE.findall(text)) if part]


def _without_blanks(text: str) -> str:
    return "".join(text.split())
