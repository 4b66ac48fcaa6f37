"""Moments without `datetime`, checked against it."""

from __future__ import annotations

import datetime
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.store.host import moment

if TYPE_CHECKING:
    from collections.abc import Iterator

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


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01 00:00:00z", 0),
        ("1970-01-01t00:00:01.999Z", 1),
        ("1970-01-01T00:00:01,5Z", 1),
        ("1970-01-01T08:00:00+08:00", 0),
        ("1970-01-01T08:00:00+0800", 0),
        ("1969-12-31T18:30:00-05:30", 0),
        ("1970-01-01T23:59:60Z", 86400),
        ("1970-12-31T00:00:00Z", 364 * 86400),
        ("1972-02-29T00:00:00Z", (2 * 365 + 59) * 86400),
        ("1972-03-01T00:00:00Z", (2 * 365 + 60) * 86400),
        ("2000-03-01T00:00:00Z", 951_868_800),
        ("2100-03-01T00:00:00Z", 4_107_542_400),
        ("1969-12-31T23:59:59Z", -1),
    ],
)
def test_a_moment_is_in_seconds(text: str, seconds: int) -> None:
    assert moment.epoch(text) == seconds
    assert isinstance(moment.epoch(text), float)


@pytest.mark.parametrize(
    "text",
    [
        "2025-01-00T00:00:00Z",
        "2025-01-32T00:00:00Z",
        "2025-01-01T00:00:61Z",
        "2025-01-01T00:00:00+8",
        "2025-01-01T00:00:00.Z",
        "2025-01-01T00:00:00Z\n",
    ],
)
def test_a_moment_that_cannot_be_is_none(text: str) -> None:
    assert moment.epoch(text) is None


@pytest.fixture
def china(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "CST-8")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.parametrize(
    ("at", "now", "text"),
    [
        ("2025-01-31T08:00:00Z", "2025-06-01T00:00:00Z", "1月31日 16:00"),
        ("2025-12-31T16:05:09Z", "2025-12-31T16:30:00Z", "1月1日 00:05"),
        ("2025-12-31T15:59:00Z", "2025-12-31T16:30:00Z", "2025年12月31日 23:59"),
        ("2027-01-31T08:00:00Z", "2025-06-01T00:00:00Z", "2027年1月31日 16:00"),
    ],
)
def test_the_author_reads_local_time(china: None, at: str, now: str, text: str) -> None:
    found = [moment.epoch(one) for one in (at, now)]
    assert found[0] is not None and found[1] is not None
    assert moment.local_text(found[0], found[1]) == text
