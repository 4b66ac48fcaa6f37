"""The course of the last chapters: scores rising or falling, storylines that do not appear. Pure.

Source: seed 000 Step 4 (five chapters' average, the low ones).
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Collection, Iterable, Mapping, Sequence
from novel_hooks.rules.outline.storyline import LONGEST_GAP, is_asleep
from novel_hooks.rules.text import excerpt
from novel_hooks.rules.text.json_values import text

WINDOW = LONGEST_GAP
"""So many last chapters are looked at: by their end a storyline is back."""
HALF = 5
UP, DOWN, LEVEL = "up", "down", "level"
_DIRECTIONS = {UP: "在上升", DOWN: "在下降", LEVEL: "持平"}
LONG = 60
"""The most characters of a line's description."""
_NOISE = 0.15
"""Averages of five chapters that differ by less are level."""


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
    return f"{(overall * 100 + 1e-9) // 1 / 100:.2f}"


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
    found = []
    for name in order:
        line, last_seen = rows.get(name, {}), seen.get(name)
        asleep = name in dormant or (name not in active and (bool(active) or is_asleep(line)))
        told = {"id": name, "name": text(line.get("name")) or name, "last_seen": last_seen, "asleep": asleep}
        missing = not asleep and last_seen is None
        found.append({**told, "late": missing and last >= WINDOW and not gaps, "unsure": missing and gaps})
    return found


def trend_text(scores: Mapping[str, Any]) -> str:
    """Describe a `score_trend` as half a line, without a full stop; empty without a score."""
    if scores["average"] is None:
        return ""
    count = min(HALF, len(scores["chapters"]))
    parts = [f"近 {count} 章均分 {scores['average']:.2f}"]
    if scores["direction"]:
        parts.append(f"之前 {scores['before']:.2f}，{_DIRECTIONS[scores['direction']]}")
    low = f"；{low_text(scores['low'])}" if scores["low"] else ""
    return "，".join(parts) + low


def thread_text(thread: Mapping[str, Any]) -> str:
    """Describe a thread, `{id, description, due}`, such as `灯的数目（clue-001，最迟第 9 章收）`."""
    due = f"，最迟第 {thread['due']} 章收" if thread["due"] is not None else ""
    name = excerpt.shorten(thread["description"], LONG)
    return f"{name}（{thread['id']}{due}）" if name != thread["id"] else f"{name}{due}"


def storyline_text(line: Mapping[str, Any]) -> str:
    """Describe one of `storyline_presence`, such as `渡口线 第 7 章`."""
    if line["last_seen"]:
        return f"{line['name']} 第 {line['last_seen']} 章"
    if line["unsure"]:
        return f"{line['name']} 看不出（有的章没有记录，或读不出来）"
    return f"{line['name']} {f'近 {WINDOW} 章没出现' if line['late'] else '还没出现'}"


def low_text(chapters: Iterable[Mapping[str, Any]]) -> str:
    """Name the low chapters with their scores: `偏低：第 7 章 3.20`."""
    shown = [
        f"第 {one['chapter']} 章" + ("" if one["overall"] is None else f" {score_text(one['overall'])}")
        for one in chapters
    ]
    return f"偏低：{'、'.join(shown)}" if shown else "没有偏低的章"
