"""Moments: seconds since the epoch to ISO-8601 and back, without the cost of `datetime`."""

from __future__ import annotations

import time

from novel_hooks.pattern import Pattern

_ISO = Pattern(
    r"(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,]\d+)?(?:([Zz])|([+-])(\d\d):?(\d\d))\Z", 256
)
"""256: re.ASCII."""
_DAYS_BEFORE = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)


def iso(now: float) -> str:
    """Return a moment as `2025-01-31T08:00:00Z`: UTC, whole seconds."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))


def epoch(text: object) -> float | None:
    """Parse an ISO-8601 moment to seconds since the epoch, fractions cut.

    None for anything but a text with date, time and time zone (`2025-01-31T08:00:00+08:00`).
    """
    found = _ISO.match(text) if isinstance(text, str) else None
    if not found:
        return None
    year, month, day, hour, minute, second = (int(part) for part in found.groups()[:6])
    if not (1 <= month <= 12 and 1 <= day <= 31 and hour < 24 and minute < 60 and second < 61):
        return None
    seconds = _days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second
    sign, hours, minutes = found.groups()[7:]
    away = (int(hours) * 3600 + int(minutes) * 60) if sign else 0
    return float(seconds + away if sign == "-" else seconds - away)


def local_text(moment: float, now: float) -> str:
    """Return a moment as `1月31日 16:00` in local time; with the year unless it is that of `now`."""
    at = time.localtime(moment)
    year = "" if at.tm_year == time.localtime(now).tm_year else f"{at.tm_year}年"
    return f"{year}{at.tm_mon}月{at.tm_mday}日 {at.tm_hour:02d}:{at.tm_min:02d}"


def local_day(moment: float) -> str:
    """Return the day of a moment by the local clock: `2026-03-01`."""
    return time.strftime("%Y-%m-%d", time.localtime(moment))


def local_day_number(moment: float) -> int:
    """Return the day of a moment by the local clock, as the number of days since 1970-01-01."""
    at = time.localtime(moment)
    return _days(at.tm_year, at.tm_mon, at.tm_mday)


def _days(year: int, month: int, day: int) -> int:
    """Return the days since 1970-01-01, Gregorian."""
    before = year - 1
    leap = month > 2 and (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))
    whole_years = before * 365 + before // 4 - before // 100 + before // 400 - 719162
    return whole_years + _DAYS_BEFORE[month - 1] + leap + day - 1
