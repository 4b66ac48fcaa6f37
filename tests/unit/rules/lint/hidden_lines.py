"""What a sheet hides of a text."""

from __future__ import annotations

from novel_hooks.rules.lint.sheet import Sheet
from unit.rules.lint.samples import HEAD


def parts(body: str) -> list[str]:
    """The pieces of the body that are apart from the narration."""
    sheet = Sheet(HEAD + body)
    return [sheet.text[start:end] for start, end in sheet.spans]


def hidden(lines: list[str], gap: str = "\n\n") -> list[int]:
    """Which of the lines are apart as a whole."""
    sheet = Sheet(HEAD + gap.join(lines))
    return [at for at, line in enumerate(sheet.lines) if (line.start, line.end) in sheet.spans]
