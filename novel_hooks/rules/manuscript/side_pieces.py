"""Prologues, epilogues and side stories: their words, and the side of a chapter they go to. Pure.

Such a piece has no number of its own. It becomes part of the next chapter or of the last one, so that
chapters keep the numbers that readers know.
"""

from __future__ import annotations

_BEFORE = ("楔子", "序章", "序幕", "序言", "序曲", "序", "引子", "引言", "前言")
"""Pieces in front of the chapter that follows. The longer of two words that begin alike comes first."""
_BEHIND = ("尾声", "后记", "番外篇", "番外", "外传", "完本感言", "后日谈")
"""Pieces behind the chapter before."""
WORDS = (*_BEFORE, *_BEHIND)
BRACKETS = "【[《（("
"""Marks that may stand before the word."""


def goes_before(heading: str) -> bool:
    """Tell whether the piece with this heading goes in front of the next chapter: `【楔子】 雪夜`."""
    return heading.lstrip(BRACKETS).startswith(_BEFORE)


def headings_blanked(text: str) -> str:
    """Return the text of a chapter that moved in with empty lines for the headings below its first line.

    They part it from its side pieces, and are no residue: `# 番外 灯市`.
    """
    lines = text.split("\n")
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    return "\n".join("" if at > first and line.startswith("# ") else line for at, line in enumerate(lines))
