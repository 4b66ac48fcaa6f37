"""One value of a JSON text set or taken away; every other character stays as its author wrote it.

The text must be valid JSON without a byte order mark, and the object that holds the value must be there and
not empty. A path is made of keys and places in lists: `("contracts", 0, "valid_until")`.
"""

from __future__ import annotations

import json

from novel_hooks.annotations import TYPE_CHECKING, Iterator, Sequence
from novel_hooks.record import Record

if TYPE_CHECKING:
    Step = str | int

_BLANKS = " \t\n\r"
_READER = json.JSONDecoder()


class _Entry(Record):
    """An entry of an object or list: its key or place, where key and value begin, and where it ends."""

    step: Step
    start: int
    value: int
    end: int


def with_value(text: str, path: Sequence[Step], value: object) -> str:
    """Return the text with the value at `path`; a key that is not there is added behind the object's last."""
    entries, written = _entries_at(text, path[:-1]), json.dumps(value, ensure_ascii=False)
    found = next((one for one in entries if one.step == path[-1]), None)
    if found is not None:
        return text[: found.value] + written + text[found.end :]
    last = entries[-1]
    gap = text[_blanks_before(text, last.start) : last.start]
    between = text[_blanks_before(text, last.value) : last.value]
    added = f",{gap}{json.dumps(path[-1], ensure_ascii=False)}:{between}{written}"
    return text[: last.end] + added + text[last.end :]


def without_value(text: str, path: Sequence[Step]) -> str:
    """Return the text without the key at the end of `path`, which is not its object's only one."""
    entries = _entries_at(text, path[:-1])
    at = next(n for n, one in enumerate(entries) if one.step == path[-1])
    if at == 0:
        return text[: entries[0].start] + text[entries[1].start :]
    return text[: entries[at - 1].end] + text[entries[at].end :]


def _entries_at(text: str, path: Sequence[Step]) -> list[_Entry]:
    start = _after_blanks(text, 0)
    for step in path:
        start = next(one.value for one in _entries(text, start) if one.step == step)
    return [*_entries(text, start)]


def _entries(text: str, start: int) -> Iterator[_Entry]:
    """Yield the entries of the object or list that begins at `start`."""
    at, place = _after_blanks(text, start + 1), 0
    while text[at] not in "]}":
        first, step = at, place
        if text[start] == "{":
            step, at = _READER.raw_decode(text, at)
            at = _after_blanks(text, _after_blanks(text, at) + 1)
        _, end = _READER.raw_decode(text, at)
        yield _Entry(step, first, at, end)
        at, place = _after_blanks(text, end), place + 1
        at = _after_blanks(text, at + 1) if text[at] == "," else at


def _after_blanks(text: str, at: int) -> int:
    while text[at] in _BLANKS:
        at += 1
    return at


def _blanks_before(text: str, at: int) -> int:
    while text[at - 1] in _BLANKS:
        at -= 1
    return at
