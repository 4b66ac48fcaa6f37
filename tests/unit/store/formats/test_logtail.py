"""The end of a log: whole, a line without its LF, or half a line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.store.formats.logtail import CUT, OPEN, WHOLE, Tail, log_tail


@pytest.mark.parametrize(
    ("data", "kind", "head", "rest"),
    [
        (b"", WHOLE, b"", b""),
        (b"{}\n", WHOLE, b"{}\n", b""),
        (b"no json\n", WHOLE, b"no json\n", b""),
        (b"{}", OPEN, b"", b"{}"),
        (b'{"a":1}\n{"b":2}', OPEN, b'{"a":1}\n', b'{"b":2}'),
        (b'{"a":1}\n{"b":2}\r', OPEN, b'{"a":1}\n', b'{"b":2}\r'),
        (b'{"a":1}\n{}\n{"b":2}', OPEN, b'{"a":1}\n{}\n', b'{"b":2}'),
        (b'{"a":1}\n{"b":', CUT, b'{"a":1}\n', b'{"b":'),
        (b'{"a":1}\n{"b":2}\0\0', CUT, b'{"a":1}\n', b'{"b":2}\0\0'),
        (b"{}\n\0\0", CUT, b"{}\n", b"\0\0"),
        (b"{}\n \t\r", CUT, b"{}\n", b" \t\r"),
        (b"{}\n\xff", CUT, b"{}\n", b"\xff"),
        (b"{}\nnull", OPEN, b"{}\n", b"null"),
    ],
)
def test_an_end_is_whole_open_or_cut(data: bytes, kind: str, head: bytes, rest: bytes) -> None:
    assert log_tail(data, "log.jsonl") == Tail(kind, head, rest)


@given(st.binary(max_size=30))
def test_no_byte_is_lost(data: bytes) -> None:
    tail = log_tail(data, "log.jsonl")
    assert tail.head + tail.rest == data
    assert b"\n" not in tail.rest and (not tail.head or tail.head.endswith(b"\n"))
    assert (tail.kind == WHOLE) is (tail.rest == b"")
