"""The valid part of a document with faults of shape: each faulty place is FAULTY."""

from __future__ import annotations

from novel_hooks.annotations import Any, Sequence
from novel_hooks.flows.book.collect import attempt
from novel_hooks.record import Record
from novel_hooks.rules.text.json_values import FAULTY, deep_copy
from novel_hooks.store.formats import jsonio
from novel_hooks.store.schema import schema


class PartialDocument(Record):
    """A document in part, FAULTY when nothing of it is valid; `faults` are its top keys with a fault."""

    document: Any
    faults: frozenset[str]


def parse(data: bytes, path: str, name: str) -> PartialDocument | None:
    """Parse the JSON in `data` as far as it fits schema `name`; None when it is no JSON.

    A list that is only too long keeps all of its items.
    """
    document, faults = attempt(lambda: deep_copy(jsonio.parse(data, path)))
    if faults:
        return None
    places = schema.misfit_places(name, document)
    for place, keyword in places:
        if not place:
            return PartialDocument(FAULTY, frozenset())
        _mark_faulty(document, place, keyword)
    return PartialDocument(document, frozenset(str(place[0]) for place, _ in places))


def _mark_faulty(document: Any, place: Sequence[str | int], keyword: str) -> None:
    held = document
    for key in place[:-1]:
        if held is FAULTY or not _has(held, key):
            return
        held = held[key]
    last = place[-1]
    if held is FAULTY or (keyword == "maxItems" and _is_usable(held[last])):
        return
    if isinstance(held, dict) or _has(held, last):
        held[last] = FAULTY


def _has(held: Any, key: str | int) -> bool:
    if isinstance(held, dict):
        return key in held
    return isinstance(held, list) and isinstance(key, int) and key < len(held)


def _is_usable(value: object) -> bool:
    """Is each item something by itself? The ends of a range are not."""
    return isinstance(value, list) and all(isinstance(one, (str, dict)) for one in value)
