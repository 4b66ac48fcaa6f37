"""A volume's material by hand: chapters 7 to 12, of which all but the last two are written."""

from __future__ import annotations

from typing import Any

from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.review.material import Material

EMPTY: dict[str, Any] = {
    "volume": 2,
    "first": 7,
    "last": 12,
    "written": (7, 8, 9, 10),
    "chars": 12000,
    "rows": [],
    "low_below": 3.5,
    "contracts": {},
    "evaluations": {},
    "crossrefs": {},
    "log": [],
    "places": {},
    "plan": [],
    "facts": [],
    "schedule": {},
    "storylines": {},
    "people": frozenset(),
    "strangers": [],
    "unread": (),
}


def material(**changes: Any) -> Material:
    """Material without any finding, and `changes`."""
    return Material(**{**EMPTY, **changes})


def contract(chapter: int, **fields: Any) -> contracts.Contract:
    document = {"chapter": chapter, "storyline_id": "river-line", **fields}
    return contracts.parse(document, f"volumes/vol-02/chapter-contracts/chapter-{chapter:03d}.json")
