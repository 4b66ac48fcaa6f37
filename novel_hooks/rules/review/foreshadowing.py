"""A volume's foreshadowing: the plan against the facts. Pure. Source: seed 002 §2 and §4."""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Any, Mapping
from novel_hooks.rules.foreshadowing import facts
from novel_hooks.rules.foreshadowing.item import (
    CLOSED,
    PLANNED,
    closing_chapters,
    described,
    is_overdue,
    span,
)
from novel_hooks.rules.text.json_values import integer, text

if TYPE_CHECKING:
    from novel_hooks.rules.review.material import Material


def thread_summary(material: Material) -> dict[str, Any] | None:
    """Sort a volume's threads into `{planned, resolved[], overdue[], due[], missing[], unplanned[]}`.

    `planned` counts the items of the plan. `resolved`: resolved in this volume. `overdue`: short ones behind
    their window (seed 002 §4). `due`: other open ones with a window that has ended. `missing`: planned for
    the chapters written so far and never planted. `unplanned`: planted in this volume without a plan. None
    when plan or facts could not be read.
    """
    if material.plan is None or material.facts is None:
        return None
    reached = max(material.written, default=material.first - 1)
    plans = {str(item["id"]) for item in material.plan}
    items = facts.all_threads(material.facts, material.plan)
    open_ones = [one for one in items if one.get("status") not in (*CLOSED, PLANNED)]
    overdue = [one for one in open_ones if is_overdue(one, reached)]
    unplanted = [one for one in items if one.get("status") == PLANNED]
    here = range(material.first, material.last + 1)
    groups = {
        "resolved": [one for one in items if _resolved_in(one, material.first, material.last)],
        "overdue": overdue,
        "due": [one for one in open_ones if one not in overdue and _due(one, reached)],
        "missing": [one for one in unplanted if _should_be_planted(one, material, reached)],
        "unplanned": [
            one
            for one in items
            if str(one["id"]) not in plans and integer(one.get("planted_chapter")) in here
        ],
    }
    listed = {key: [_thread_entry(one) for one in group] for key, group in groups.items()}
    return {"planned": len(plans), **listed}


def _thread_entry(item: Mapping[str, Any]) -> dict[str, Any]:
    window = span(item.get("target_resolve_range"))
    return {
        "id": str(item["id"]),
        "description": described(item),
        "scope": text(item.get("scope")),
        "window": list(window) if window else None,
    }


def _resolved_in(item: Mapping[str, Any], first: int, last: int) -> bool:
    if item.get("status") != "resolved":
        return False
    numbers = closing_chapters(item) or [integer(item.get("last_updated_chapter"))]
    return any(number is not None and first <= number <= last for number in numbers)


def _due(item: Mapping[str, Any], reached: int) -> bool:
    window = span(item.get("target_resolve_range"))
    return window is not None and window[1] <= reached


def _should_be_planted(item: Mapping[str, Any], material: Material, reached: int) -> bool:
    """Return whether the plan had it planted by now; without a chapter it has the whole volume's time."""
    planted = integer(item.get("planted_chapter"))
    return reached >= material.last if planted is None else planted <= reached
