"""JSON files: read strictly, written canonically. Source: protocol §1, last paragraph.

`json.loads` lets through more than a project file may hold. Refused are: NaN and the infinities
(spelled out, or by overflow), a key written twice, half a surrogate pair, integers of over
`MOST_DIGITS` digits, nesting deeper than `MOST_LEVELS`.
"""

from __future__ import annotations

import json

from novel_hooks import errors, layout
from novel_hooks.annotations import NoReturn
from novel_hooks.store.formats.text import MOST_DIGITS, MOST_LEVELS, decode

_BOM = "\ufeff"
_INFINITE = float("inf")


class _Unwelcome(Exception):
    """A value that Python's reader takes and this module refuses; `jsonfault` finds its place."""


def parse(data: bytes, path: str, own: bool = False, shallow: bool = False) -> object:
    """Parse `data`, the bytes of the file `path` (project-relative, for the message), to its value.

    `shallow`: the caller has seen that nothing in it nests deeper than `MOST_LEVELS`.
    Raises `TextNotUtf8`, `GitConflict`, or `JsonBroken` with line and column counted from 1 (`OwnJsonBroken`
    when only `novel` writes that file), `JsonBlank` for an empty file of the book.
    """
    try:
        return _strict_value(data.decode("utf-8").removeprefix(_BOM), shallow)
    except (ValueError, _Unwelcome, RecursionError):  # what is wrong is looked for only now
        raise _refusal(data, path, own) from None


def _refusal(data: bytes, path: str, own: bool) -> errors.Problem:
    """Return what is wrong with bytes that hold no value, as those with holes or marks of git never do."""
    from novel_hooks.store.formats import jsonfault

    text = decode(data, path, own)
    if not text.strip() and not own and not path.startswith(f"{layout.STAGING}/"):
        return errors.JsonBlank(path)
    try:
        _strict_value(text)
        raise _Unwelcome
    except json.JSONDecodeError as wrong:
        fault = jsonfault.syntax_fault(text, wrong)
    except (_Unwelcome, RecursionError):
        fault = jsonfault.first_fault(text)
    kind = errors.OwnJsonBroken if own else errors.JsonBroken
    return kind(path, line=fault.line, column=fault.column, fault=fault.detail)


def _strict_value(text: str, shallow: bool = False) -> object:
    value: object = _STRICT.decode(text)
    if (not shallow and _too_deep(text, value)) or _has_half_pair(text, value):
        raise _Unwelcome
    return value


def parse_trusted(data: bytes) -> object:
    """Parse bytes that `parse` has taken before: the same value, in less than half the time.

    Other bytes may raise `ValueError` or `RecursionError`.
    """
    value: object = json.loads(data.decode("utf-8").removeprefix(_BOM))
    return value


def dump(value: object) -> bytes:
    """Return the canonical bytes of a JSON file: sorted keys, indent 2, UTF-8, LF at the end.

    Raises `ValueError` for a value that no JSON file may hold (NaN, half a surrogate pair). That is
    never the author's fault, so no `Problem`.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, indent=2)
    return (text + "\n").encode("utf-8")


def dump_line(value: object) -> bytes:
    """Return one line of a `.jsonl` file, with its LF: `{"a":1,"b":2}`, keys sorted. Raises as `dump`."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return (text + "\n").encode("utf-8")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Unwelcome
    return found


def _constant(_spelling: str) -> NoReturn:
    raise _Unwelcome


def _int(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise _Unwelcome
    return int(digits)


def _float(spelling: str) -> float:
    value = float(spelling)
    if abs(value) == _INFINITE:
        raise _Unwelcome
    return value


# Made once: `json.loads` with hooks makes one a call, which is most of what a line of a log costs.
_STRICT = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_constant, parse_int=_int, parse_float=_float
)


def _too_deep(text: str, value: object) -> bool:
    if text.count("{") + text.count("[") <= MOST_LEVELS:  # nothing nests deeper than it has brackets
        return False
    level = [value] if isinstance(value, (dict, list)) else []
    depth = 0
    while level:
        depth += 1
        if depth > MOST_LEVELS:
            return True
        level = [
            child
            for node in level
            for child in (node.values() if isinstance(node, dict) else node)
            if isinstance(child, (dict, list))
        ]
    return False


def _has_half_pair(text: str, value: object) -> bool:
    """Does a string of `value` hold half a surrogate pair? Only an escape `\\ud…` in `text` can make one."""
    if "\\ud" not in text and "\\uD" not in text:
        return False
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
