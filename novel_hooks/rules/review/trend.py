"""How the book is doing lately: the course of the scores, storylines out of sight. Pure.

Source: seed 000 Step 4 (five chapters' average, the low ones). The window is ten chapters: within them a side
storyline comes back.
"""

from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import Any
from novel_hooks.rules.text.json_values import text

WINDOW = 10
HALF = 5
UP, DOWN, LEVEL = "up", "down", "level"
_NOISE = 0.15
"""Averages of five that lie nearer than this say nothing."""
_ASLEEP = ("dormant", "resolved", "completed", "closed", "ended", "休眠", "完结", "已完结", "已收束")


def score_trend(rows: Sequence[Mapping[str, Any]], low_below: float) -> dict[str, Any]:
    """`{chapters[{chapter, overall}], average, before, direction, low[]}` of at most `WINDOW` chapters.

    `average` is of the last five, `before` of those in front of them, `direction` up, down, level, or None
    without both. `low`: chapters below the polish line, or let through with the rounds used up.
    """
    shown = [{"chapter": row["chapter"], "overall": row["overall"]} for row in rows]
    average, before = mean_score(rows[-HALF:]), mean_score(rows[:-HALF])
    return {
        "chapters": shown,
        "average": average,
        "before": before,
        "direction": score_direction(average, before),
        "low": low_chapters(rows, low_below),
    }


def low_chapters(rows: Iterable[Mapping[str, Any]], below: float) -> list[dict[str, Any]]:
    """`{chapter, overall}` of the chapters that give cause for a second look."""
    return [
        {"chapter": row["chapter"], "overall": row["overall"]}
        for row in rows
        if row["force_passed"] or (row["overall"] is not None and row["overall"] < below)
    ]


def score_text(overall: float) -> str:
    """A score with two decimals, never rounded up: 3.996 is not yet 4.00 (protocol §3)."""
    return f"{math.floor(overall * 100 + 1e-9) / 100:.2f}"


def mean_score(rows: Iterable[Mapping[str, Any]]) -> float | None:
    """Of the scores that are known, to two places; None without any."""
    known = [row["overall"] for row in rows if row["overall"] is not None]
    return round(sum(known) / len(known), 2) if known else None


def score_direction(average: float | None, before: float | None) -> str | None:
    if average is None or before is None:
        return None
    if abs(average - before) < _NOISE:
        return LEVEL
    return UP if average > before else DOWN


def storyline_presence(
    listed: Iterable[object],
    active: Collection[str],
    dormant: Collection[str],
    seen: Mapping[str, int],
    last: int,
    gaps: bool = False,
) -> list[dict[str, Any]]:
    """`{id, name, last_seen, asleep, late, unsure}` of every storyline, in the order of the book's list.

    `seen` tells the last chapter of each within the last `WINDOW`; `late`: awake and not seen there. Who is
    in the volume's schedule is awake; without one all are that nothing calls asleep. `gaps`: of some chapter
    it is not known; who was not seen may have been there, and is `unsure` instead of late.
    """
    named = [one for one in listed if isinstance(one, dict) and text(one.get("id"))]
    rows = {str(one["id"]): one for one in reversed(named)}
    order = list(dict.fromkeys([*(str(one["id"]) for one in named), *active, *sorted(seen)]))
    return [_presence(name, rows.get(name, {}), active, dormant, seen, last, gaps) for name in order]


def _presence(
    name: str,
    known: Mapping[str, Any],
    active: Collection[str],
    dormant: Collection[str],
    seen: Mapping[str, int],
    last: int,
    gaps: bool,
) -> dict[str, Any]:
    told = text(known.get("status")) or ""
    asleep = name in dormant or (name not in active and (bool(active) or told.strip().lower() in _ASLEEP))
    found = seen.get(name)
    return {
        "id": name,
        "name": text(known.get("name")) or name,
        "last_seen": found,
        "asleep": asleep,
        "late": not asleep and found is None and last >= WINDOW and not gaps,
        "unsure": not asleep and found is None and gaps,
    }
