"""The course of the last chapters: scores rising or falling, storylines that do not appear. Pure.

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
"""Averages of five chapters that differ by less are level."""
ASLEEP = ("dormant", "resolved", "completed", "closed", "ended", "休眠", "完结", "已完结", "已收束")
"""The statuses of a storyline that is not written at present, in lower case."""


def score_trend(rows: Sequence[Mapping[str, Any]], low_below: float) -> dict[str, Any]:
    """Summarize the scores of at most `WINDOW` chapters: `{chapters[], average, before, direction, low[]}`.

    `rows` are `{chapter, overall, force_passed}`, `chapters` the first two of each. `average` is of the last
    five chapters, `before` of those in front of them, `direction` see `score_direction`, `low` see
    `low_chapters`.
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
    """List the chapters with a score below the line or force-passed, as `{chapter, overall}`."""
    return [
        {"chapter": row["chapter"], "overall": row["overall"]}
        for row in rows
        if row["force_passed"] or (row["overall"] is not None and row["overall"] < below)
    ]


def score_text(overall: float) -> str:
    """Format a score with two decimals, never rounded up: 3.996 is not yet 4.00 (protocol §3)."""
    return f"{math.floor(overall * 100 + 1e-9) / 100:.2f}"


def mean_score(rows: Iterable[Mapping[str, Any]]) -> float | None:
    """Average the scores, chapters without one left out, to two places; None without any."""
    scores = [row["overall"] for row in rows if row["overall"] is not None]
    return round(sum(scores) / len(scores), 2) if scores else None


def score_direction(average: float | None, before: float | None) -> str | None:
    """Compare two averages: UP, DOWN or LEVEL; None when one is missing."""
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
    """Summarize every storyline as `{id, name, last_seen, asleep, late, unsure}`, in the book's order.

    `seen` maps storylines to their last chapter within the last `WINDOW`. `asleep`: dormant in the schedule,
    not active in it, or without a schedule dormant or finished by its status. `late`: awake and not seen.
    `gaps`: the storyline of some chapter is unknown; one not seen is then `unsure` instead of late.
    """
    named = [one for one in listed if isinstance(one, dict) and text(one.get("id"))]
    rows = {str(one["id"]): one for one in reversed(named)}
    order = list(dict.fromkeys([*(str(one["id"]) for one in named), *active, *sorted(seen)]))
    return [_presence(name, rows.get(name, {}), active, dormant, seen, last, gaps) for name in order]


def _presence(
    name: str,
    line: Mapping[str, Any],
    active: Collection[str],
    dormant: Collection[str],
    seen: Mapping[str, int],
    last: int,
    gaps: bool,
) -> dict[str, Any]:
    status = (text(line.get("status")) or "").strip().lower()
    asleep = name in dormant or (name not in active and (bool(active) or status in ASLEEP))
    last_seen = seen.get(name)
    return {
        "id": name,
        "name": text(line.get("name")) or name,
        "last_seen": last_seen,
        "asleep": asleep,
        "late": not asleep and last_seen is None and last >= WINDOW and not gaps,
        "unsure": not asleep and last_seen is None and gaps,
    }
