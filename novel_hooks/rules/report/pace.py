"""The author's days: 字 a day, the streak, the pace. Pure: today is an argument."""

from __future__ import annotations

from datetime import date, timedelta

from novel_hooks.annotations import Any, Iterable, Mapping, Sequence

WEEK = 7


def day_rows(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return `{day, chars, chapters}` of every day on which a chapter landed, in order (ISO dates)."""
    days: dict[str, dict[str, Any]] = {}
    for row in rows:
        if row["day"] is not None:
            entry = days.setdefault(row["day"], {"day": row["day"], "chars": 0, "chapters": 0})
            entry["chars"] += row["chars"] or 0
            entry["chapters"] += 1
    return [days[day] for day in sorted(days)]


def pace(days: Sequence[Mapping[str, Any]], today: str, left: int | None) -> dict[str, Any]:
    """Return `{today, streak, longest, days, per_day, week_chars, week_chapters, left, left_days}`.

    `streak` are the days in a row up to today, or to yesterday while today has none yet. `per_day` is the
    mean of the days with a chapter. `left` are the volume's chapters still to write, `left_days` the days
    that they take at the pace of the last seven; None when unknown or nothing was written in them.
    """
    written = {date.fromisoformat(one["day"]): one for one in days}
    now = date.fromisoformat(today)
    week = [written[one] for one in (now - timedelta(days=n) for n in range(WEEK)) if one in written]
    chapters = sum(one["chapters"] for one in week)
    return {
        "today": today,
        "streak": _streak(written, now if now in written else now - timedelta(days=1)),
        "longest": max(
            (_streak(written, day) for day in written if day + timedelta(days=1) not in written), default=0
        ),
        "days": len(days),
        "per_day": round(sum(one["chars"] for one in days) / len(days)) if days else None,
        "week_chars": sum(one["chars"] for one in week),
        "week_chapters": chapters,
        "left": left,
        "left_days": -(-left * WEEK // chapters) if left is not None and chapters else None,
    }


def _streak(written: Mapping[date, Any], last: date) -> int:
    count = 0
    while last - timedelta(days=count) in written:
        count += 1
    return count
