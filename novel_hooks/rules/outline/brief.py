"""The author's brief and its places that are still open. Pure. Source: the template of `novel init`."""

from __future__ import annotations

OPEN_MARK = "〔待填〕"
PLANNERS = "## 谜底"
"""The section that neither a chapter's writer nor who learns the style may read."""
_SAMPLE = "（样子："
_QUOTES = (("“", "”"), ("「", "」"), ("『", "』"), ("‘", "’"), ('"', '"'), ("'", "'"))


def without_answers(text: str) -> str:
    """Return the brief without the section of its answers, to the next heading of its level or above."""
    kept, inside = list[str](), False
    for line in text.splitlines(keepends=True):
        if line.startswith(("# ", "## ")):
            inside = line.startswith(PLANNERS)
        kept += [] if inside else [line]
    return "".join(kept)


def sample_lines(text: str) -> list[str]:
    """Return the template's own examples that still stand in the brief, each without its brackets."""
    lines = (line.strip() for line in text.splitlines())
    return [line.strip("（）") for line in lines if line.startswith(_SAMPLE)]


def open_places(text: str) -> int:
    """Count the places that the author has not filled in, each written as `OPEN_MARK`.

    A mark in quotes before the first `## ` is no place: there the template explains the mark.
    """
    count, preface = 0, True
    for line in text.splitlines():
        preface = preface and not line.startswith("## ")
        quoted = sum(line.count(f"{pair[0]}{OPEN_MARK}{pair[1]}") for pair in _QUOTES) if preface else 0
        count += line.count(OPEN_MARK) - quoted
    return count
