"""The author's brief: its places that are still open. Pure. Source: the template of `novel init`."""

from __future__ import annotations

OPEN_MARK = "〔待填〕"
_QUOTES = (("“", "”"), ("「", "」"), ("『", "』"), ("‘", "’"), ('"', '"'), ("'", "'"))


def open_places(text: str) -> int:
    """How many places the author has not filled in.

    The template says what the mark means: quoted, before the first `## `, it is no place.
    """
    count, preface = 0, True
    for line in text.splitlines():
        preface = preface and not line.startswith("## ")
        spoken_of = sum(line.count(f"{pair[0]}{OPEN_MARK}{pair[1]}") for pair in _QUOTES) if preface else 0
        count += line.count(OPEN_MARK) - spoken_of
    return count
