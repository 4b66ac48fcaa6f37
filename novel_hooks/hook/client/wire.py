"""JSON for the guard, read and written without an import of `json`.

`json` imports `re`, and both together take longer than the start of the interpreter. The private module
`_json`, the C half of `json`, loads at almost no cost. If it is missing or has another interface (another
implementation, a later version), `json` itself is used, with the same results.
"""

from __future__ import annotations

import os

from novel_hooks.annotations import TYPE_CHECKING, Callable

if TYPE_CHECKING:
    from collections.abc import Mapping

CLAUDE, CODEX = "claude", "codex"
"""The hosts, as `hooks/guard` and `hooks/notice` are told them."""
BROKEN = 70
"""The exit code of a hook that broke; `hooks/guard` then blocks a call of our agents."""
_BLANK = " \t\r\n"
_MOST_BYTES = 1 << 16
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class _Settings:
    """The settings of the C scanner: those of `json.loads`, with infinities and NaN refused."""

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
    """Read the one JSON value in `data`. Raises ValueError or RecursionError.

    Bytes that are no UTF-8 become lone surrogates: a file's content may hold them. The check of a path
    refuses them.
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


def read(place: str) -> object:
    """Read the JSON value that a small file holds; None when there is none to be read."""
    try:
        handle = os.open(place, _READ)
        try:
            return loads(os.read(handle, _MOST_BYTES))
        finally:
            os.close(handle)
    except (OSError, ValueError, RecursionError):
        return None


def serve(respond: Callable[[bytes], bytes]) -> None:
    """Answer the event on stdin on stdout; end the process at once, without cleaning up."""
    try:
        with open(0, "rb", closefd=False) as events:
            output = respond(events.read())
        while output:
            output = output[os.write(1, output) :]
    except BaseException:  # the border: who started the hook must know what broke, and stdout stay clean
        if os.environ.get("NOVEL_DEBUG"):
            raise
        os._exit(BROKEN)
    os._exit(0)


def quoted(text: str) -> str:
    """Write `text` as a JSON string, with the fewest escapes."""
    try:
        from _json import encode_basestring
    except ImportError:
        import json

        return json.dumps(text, ensure_ascii=False)
    return str(encode_basestring(text))


def record(fields: Mapping[str, str | None]) -> str:
    """Write a flat JSON object without spaces, sorted by key: `{"a":"1","b":"2"}`."""
    pairs = (f"{quoted(key)}:{'null' if value is None else quoted(value)}" for key, value in fields.items())
    return "{" + ",".join(sorted(pairs)) + "}"


def _scanner() -> Callable[[str, int], tuple[object, int]] | None:
    try:
        from _json import make_scanner

        return make_scanner(_Settings)  # type: ignore[arg-type]
    except (ImportError, AttributeError, TypeError):
        return None
