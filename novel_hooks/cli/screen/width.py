"""Widths on a terminal, in columns. Source: Unicode's East Asian Width.

A Chinese character takes two columns, and so does a mark that some terminals show as one and some as two.
"""

from __future__ import annotations

import os
import unicodedata

from novel_hooks.annotations import Any, Mapping

USUAL = 80
"""The columns of a page that no terminal shows."""
_NARROWEST = 20
_NO_COLUMN = ("Mn", "Me", "Cf")


def mark_width(mark: str) -> int:
    """Return the columns of one character: 0, 1 or 2."""
    if mark < "\x7f":
        return 1
    if unicodedata.category(mark) in _NO_COLUMN:
        return 0
    return 2 if unicodedata.east_asian_width(mark) in "WFA" else 1


def text_width(text: str) -> int:
    """Return the columns of a text without line breaks."""
    return len(text) if text.isascii() else sum(map(mark_width, text))


def padded(text: str, columns: int) -> str:
    """Return the text with blanks behind it up to this width; a wider text unchanged."""
    return text + " " * (columns - text_width(text))


def screen_width(stream: Any, environ: Mapping[str, str]) -> int | None:
    """Return the columns of the terminal that shows a stream; None when the stream is no terminal.

    `COLUMNS` counts before the terminal's own answer.
    """
    try:
        if not stream.isatty():
            return None
        asked = environ.get("COLUMNS", "")
        columns = int(asked) if asked.isdecimal() else os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        return None
    return max(columns, _NARROWEST) if columns > 0 else None
