"""JSON as the guard needs it, without importing `json`.

`json` imports `re`, and both together take longer than the start of the interpreter; the C half of
`json`, the private module `_json`, takes next to nothing and does the work anyway. Where it is missing
or has another face (another implementation, a later version) `json` itself is used: same results.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_BLANK = " \t\r\n"


class _Settings:
    """What the C scanner asks for: the ways of `json.loads`, infinities and NaN refused."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    array_hook = None
    parse_float = float
    parse_int = int
    memo: Mapping[str, str] = {}

    @staticmethod
    def parse_constant(spelling: str) -> object:
        raise ValueError(f"no JSON: {spelling}")


def loads(data: bytes) -> object:
    """The one value in `data`. Raises ValueError or RecursionError.

    Bytes that are no UTF-8 come out as lone surrogates: they may stand in a file's content, and are
    refused where they matter, in a path.
    """
    text = data.decode("utf-8", "surrogateescape").lstrip("\ufeff").strip(_BLANK)
    scan = _scanner()
    if scan is None:
        import json

        return json.loads(text, parse_constant=_Settings.parse_constant)
    try:
        value, end = scan(text, 0)
    except StopIteration as wrong:
        raise ValueError(f"no JSON at {wrong.value}") from None
    if end != len(text):
        raise ValueError(f"more than one JSON value, at {end}")
    return value


def drain(handle: int) -> bytes:
    """All that can be read there."""
    pieces: list[bytes] = []
    while True:
        piece = os.read(handle, 1 << 20)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)


def quoted(text: str) -> str:
    """`text` as a JSON string, as it is but for what must be escaped."""
    try:
        from _json import encode_basestring
    except ImportError:
        import json

        return json.dumps(text, ensure_ascii=False)
    return str(encode_basestring(text))


def record(fields: Mapping[str, str | None]) -> str:
    """A flat JSON object without needless spaces, keys in order of their names."""
    pairs = (f"{quoted(key)}:{'null' if value is None else quoted(value)}" for key, value in fields.items())
    return "{" + ",".join(sorted(pairs)) + "}"


def _scanner() -> Callable[[str, int], tuple[object, int]] | None:
    try:
        from _json import make_scanner

        return make_scanner(_Settings)  # type: ignore[arg-type]
    except (ImportError, AttributeError, TypeError):
        return None
