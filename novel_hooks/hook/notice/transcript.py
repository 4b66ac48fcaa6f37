"""An agent's transcript, one JSON object a line: when the agent began, and the tokens of all its turns.

It is the client's own file, and its format may change. A value that is not found there is unknown, and
nothing else depends on it. Source: transcripts of the real clients.
"""

from __future__ import annotations

import os

from novel_hooks.annotations import Iterator, Mapping
from novel_hooks.hook.client import wire
from novel_hooks.record import Record
from novel_hooks.store.host import moment

_MOST_BYTES = 1 << 26
USAGE = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class Transcript(Record):
    """An agent's beginning and tokens: `began` in seconds since the epoch (UTC), None when unknown.

    `usage` sums the tokens by `USAGE`; a key without any number is left out.
    """

    began: float | None
    usage: Mapping[str, int]


def read(place: str | None) -> Transcript:
    """Read the transcript at `place`.

    Everything is unknown of one that cannot be read or is larger than 64 MiB.
    """
    lines = _lines(place)
    return Transcript(_began(lines), _usage(lines))


def read_codex(place: str | None) -> Transcript:
    """Read Codex's transcript at `place`, which has the sum of all turns; otherwise as `read`."""
    lines = _lines(place)
    return Transcript(_began(lines), _codex_usage(lines))


def _lines(place: str | None) -> list[bytes]:
    try:
        if place is None or not os.path.isfile(place) or os.path.getsize(place) > _MOST_BYTES:
            return []
        with open(place, "rb") as handle:
            return handle.read().split(b"\n")
    except (OSError, ValueError):
        return []


def _began(lines: list[bytes]) -> float | None:
    return next((moment.epoch(entry.get("timestamp")) for entry in _entries(lines[:1])), None)


def _codex_usage(lines: list[bytes]) -> dict[str, int]:
    """The last count is the sum; what came from the cache is part of its input."""
    for entry in _entries(line for line in reversed(lines) if b'"token_count"' in line):
        payload = entry.get("payload")
        info = payload.get("info") if isinstance(payload, dict) else None
        total = info.get("total_token_usage") if isinstance(info, dict) else None
        if isinstance(total, dict):
            return _apart({key: value for key, value in total.items() if type(value) is int and value >= 0})
    return {}


def _apart(total: Mapping[str, int]) -> dict[str, int]:
    cached, written = total.get("cached_input_tokens", 0), total.get("cache_write_input_tokens", 0)
    given = total.get("input_tokens")
    found = {
        "input_tokens": None if given is None else max(given - cached - written, 0),
        "output_tokens": total.get("output_tokens"),
        "cache_creation_input_tokens": total.get("cache_write_input_tokens"),
        "cache_read_input_tokens": total.get("cached_input_tokens"),
    }
    return {key: value for key, value in found.items() if value is not None}


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
        for key in USAGE:
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
