"""The end of a `.jsonl` file: only a power cut or another program leaves it without its last LF."""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.record import Record
from novel_hooks.store.formats import jsonio

WHOLE = "whole"
OPEN = "open"
CUT = "cut"


class Tail(Record):
    """The end of a log. `head` are the bytes up to the last LF, `rest` those after it.

    `kind` is WHOLE; OPEN: the last line is JSON without its LF; CUT: the last line is no JSON.
    """

    kind: str
    head: bytes
    rest: bytes


def log_tail(data: bytes, path: str) -> Tail:
    """Return the end of `data`, the bytes of the log `path`."""
    at = data.rfind(b"\n") + 1
    head, rest = data[:at], data[at:]
    if not rest:
        return Tail(WHOLE, head, rest)
    if not rest.strip(b"\0 \t\r"):
        return Tail(CUT, head, rest)
    try:
        jsonio.parse(rest, path)
    except errors.Problem:
        return Tail(CUT, head, rest)
    return Tail(OPEN, head, rest)
