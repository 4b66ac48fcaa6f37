"""How strict every schema is, place by place: a table to review, `make golden` rewrites it."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest

from novel_hooks.store.schema import schema

EXAMPLES = Path(__file__).parent.parent / "contract" / "examples"
TABLES = Path(__file__).parent / "strictness"
PROBES: dict[str, Any] = {
    "null": None,
    "true": True,
    "-1": -1,
    "0": 0,
    "1": 1,
    "1.5": 1.5,
    "9": 9,
    "empty": "",
    "slug": "a-b",
    "words": "甲 乙",
    "[]": [],
    "['a']": ["a"],
    "[7]": [7],
    "[2, 1]": [2, 1],
    "[0.1, 0.2]": [0.1, 0.2],
    "{}": {},
}
HEAD = """\
# What this schema takes where, beginning from its good examples in tests/contract/examples.
# place | required, or may be left out | the probes that are taken in its place
"""
ANYTHING = "optional | anything"

Place = tuple[Any, ...]


def table(name: str) -> str:
    lines: dict[str, str] = {}
    for path in sorted(EXAMPLES.glob(f"{name}/good-*.json")):
        probe(name, json.loads(path.read_text(encoding="utf-8")), (), lines)
    return HEAD + "".join(f"{place} | {found}\n" for place, found in lines.items())


def probe(name: str, document: Any, place: Place, lines: dict[str, str]) -> None:
    """Adds the line of `place` and of all below it; the first example that has a place decides."""
    shown = ".".join(map(str, place)) or "(document)"
    if shown not in lines:
        lines[shown] = strictness(name, document, place)
    held = at(document, place)
    if lines[shown] == ANYTHING or not isinstance(held, (dict, list)):
        return
    keys = list(held) if isinstance(held, dict) else range(len(held))
    for key in keys[:1] if isinstance(held, list) or place == ("scores",) else keys:
        probe(name, document, (*place, key), lines)


def strictness(name: str, document: Any, place: Place) -> str:
    need = "optional" if place and fits(name, removed(document, place)) else "required"
    taken = [label for label, value in PROBES.items() if fits(name, replaced(document, place, value))]
    every = "anything" if len(taken) == len(PROBES) else " ".join(taken)
    return f"{need} | {every or 'none of them'}"


def fits(name: str, document: Any) -> bool:
    return bool(
        schema._validator(name).is_valid(document)
    )  # as `schema.check`, but at the first fault it stops


def at(document: Any, place: Place) -> Any:
    for key in place:
        document = document[key]
    return document


def replaced(document: Any, place: Place, value: Any) -> Any:
    """The document with another value there; what lies beside the way to it is the same object."""
    if not place:
        return value
    fresh = copy.copy(document)
    fresh[place[0]] = replaced(document[place[0]], place[1:], value)
    return fresh


def removed(document: Any, place: Place) -> Any:
    less = copy.copy(at(document, place[:-1]))
    del less[place[-1]]
    return replaced(document, place[:-1], less)


@pytest.mark.parametrize("name", schema.NAMES)
def test_the_schema_is_as_strict_as_its_table_says(name: str) -> None:
    found, path = table(name), TABLES / f"{name}.txt"
    if os.environ.get("NOVEL_GOLDEN") == "write":
        path.write_bytes(found.encode("utf-8"))
    assert found == path.read_text(encoding="utf-8")
