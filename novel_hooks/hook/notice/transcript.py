"""What an agent's transcript tells: when he began, how many tokens all his turns took.

One JSON object a line. It is the client's own file and may look otherwise tomorrow: what is not found there
is not known, and nothing else depends on it. Source: transcripts of the real client.
"""

from __future__ import annotations

import os

from novel_hooks.hook.client import wire
from novel_hooks.record import Record
from novel_hooks.store.host import moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_MOST_BYTES = 1 << 26
_KEYS = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class Transcript(Record):
    """`began` in seconds since the epoch (UTC), None when not known; `usage` is empty then."""

    began: float | None
    usage: Mapping[str, int]


def read(place: str | None) -> Transcript:
    """The file at `place`; what cannot be read is not known."""
    try:
        if place is None or not os.path.isfile(place) or os.path.getsize(place) > _MOST_BYTES:
            return Transcript(None, {})
        with open(place, "rb") as handle:
            lines = handle.read().split(b"\n")
    except (OSError, ValueError):
        return Transcript(None, {})
    moments = (moment.epoch(entry.get("timestamp")) for entry in _entries(lines[:1]))
    return Transcript(next(moments, None), _usage(lines))


def _usage(lines: list[bytes]) -> dict[str, int]:
    """The sums over all messages; one message may stand on several lines, the last of them is whole."""
    messages: dict[str, Mapping[str, object]] = {}
    for entry in _entries(line for line in lines if b'"usage"' in line):
        message = entry.get("message")
        if entry.get("type") == "assistant" and isinstance(message, dict):
            usage = message.get("usage")
            if isinstance(usage, dict):
                messages[str(message.get("id"))] = usage
    found: dict[str, int] = {}
    for usage in messages.values():
        for key in _KEYS:
            value = usage.get(key)
            if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
                found[key] = found.get(key, 0) + value
    return found


def _entries(lines: Iterator[bytes] | list[bytes]) -> Iterator[Mapping[str, object]]:
    for line in lines:
        try:
            entry = wire.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict):
            yield entry
