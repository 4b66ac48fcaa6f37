"""An agent's transcript: when the agent began, how many tokens all turns took.

One JSON object a line. It is the client's own file, and its format may change: a value not found there is
unknown, and nothing else depends on it. Source: transcripts of the real client.
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
    """An agent's beginning and tokens: `began` in seconds since the epoch (UTC), None when unknown.

    `usage` sums the tokens by `_KEYS`; a key without any number is left out.
    """

    began: float | None
    usage: Mapping[str, int]


def read(place: str | None) -> Transcript:
    """Read the transcript at `place`; of one that cannot be read, or above 64 MiB, everything is unknown."""
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
    """The sums over all messages. One message may take several lines, and the last of them is whole."""
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
