"""A table of two columns on a screen, aligned by display width, or in one column on a narrow screen. Pure."""

from __future__ import annotations

from novel_hooks.annotations import Sequence
from novel_hooks.cli.screen.width import padded, text_width

_LEAST = 30
"""The least columns for the second column beside the first."""
_LONGEST = 26
"""A first column is no wider; a longer entry has its text in the line below."""
_DEEP = 6


def two_columns(rows: Sequence[tuple[str, str]], columns: int) -> list[str]:
    """Return the rows (name, text) as lines; a text that is too long for its line is left to be wrapped."""
    widths = [text_width(name) for name, _ in rows]
    wide = max((one for one in widths if one <= _LONGEST), default=0) + 4
    beside = columns - wide >= _LEAST
    found = []
    for name, text in rows:
        if beside and text_width(name) <= _LONGEST:
            found.append(f"{padded(f'  {name}', wide)}{text}".rstrip())
        else:
            found += [f"  {name}", f"{' ' * (wide if beside else _DEEP)}{text}"]
    return found
