"""Moments without `datetime`, checked against it."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.store.host import moment

UTC = datetime.timezone.utc


@given(
    st.datetimes(datetime.datetime(1, 1, 2), datetime.datetime(9999, 12, 30)), st.integers(-14 * 60, 14 * 60)
)
def test_any_moment_with_a_zone_is_read_as_datetime_reads_it(at: datetime.datetime, minutes: int) -> None:
    zone = datetime.timezone(datetime.timedelta(minutes=minutes))
    exact = at.replace(tzinfo=zone)
    assert moment.epoch(exact.isoformat()) == exact.replace(microsecond=0).timestamp()


@given(st.integers(0, 4_000_000_000))
def test_what_is_written_is_read_back(now: int) -> None:
    text = moment.iso(now)
    assert text == datetime.datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    assert moment.epoch(text) == now


@pytest.mark.parametrize(
    "text",
    [None, 5, "", "2025-01-01", "2025-01-01T00:00:00", "2025-13-01T00:00:00Z", "2025-00-01T00:00:00Z",
     "2025-01-01T24:00:00Z", "2025-01-01T00:60:00Z", "x2025-01-01T00:00:00Z", "2025-01-01T00:00:00Zx",
     "２０２５-01-01T00:00:00Z"],
)  # fmt: skip
def test_anything_else_is_no_moment(text: object) -> None:
    assert moment.epoch(text) is None


def test_the_author_reads_local_time() -> None:
    assert "月" in moment.local_text(0.0, 0.0) and ":" in moment.local_text(0.0, 0.0)
