"""A storyline of the book: whether it is finished or rests, and how long it may run or stay away. Pure."""

from __future__ import annotations

from novel_hooks.annotations import Any, Mapping
from novel_hooks.rules.text.json_values import text

LONGEST_RUN = 5
"""So many chapters in a row a main storyline has at most."""
LONGEST_GAP = 10
"""Within so many chapters a storyline is back."""
_FINISHED = ("resolved", "completed", "closed", "ended", "完结", "已完结", "已收束")
_RESTS = ("dormant", "休眠")
"""Statuses of a storyline in `storylines.json`, in lower case."""


def is_finished(line: Mapping[str, Any]) -> bool:
    """Tell whether the storyline has ended, by its status."""
    return _status(line) in _FINISHED


def is_asleep(line: Mapping[str, Any]) -> bool:
    """Tell whether the storyline is not written at present, by its status: it rests, or has ended."""
    return _status(line) in (*_RESTS, *_FINISHED)


def _status(line: Mapping[str, Any]) -> str:
    return (text(line.get("status")) or "").strip().lower()
