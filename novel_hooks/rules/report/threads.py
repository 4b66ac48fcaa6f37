"""The threads of the book as lines in time. Pure. Source: seed 002. A payoff is never part of it."""

from __future__ import annotations

from novel_hooks.annotations import Any, Iterable, Mapping
from novel_hooks.rules.foreshadowing.item import DROPPED, PLANNED, described, is_overdue, span
from novel_hooks.rules.text.json_values import integer, objects, text

OPEN, DUE, OVERDUE, RESOLVED = "open", "due", "overdue", "resolved"
STATE_WORDS: Mapping[str, str] = {
    OVERDUE: "超期没收",
    DUE: "该收没收",
    OPEN: "在途",
    PLANNED: "计划中",
    RESOLVED: "已收",
    DROPPED: "已放下",
}
"""The states of a thread, the most urgent first, by the author's word for each."""
_RANK = tuple(STATE_WORDS)


def thread_rows(items: Iterable[Mapping[str, Any]], last: int) -> list[dict[str, Any]]:
    """Return `{id, description, scope, state, planted, resolved, window, events[]}` of every thread.

    `state` is overdue (short, its window past), due (its window past), open, planned, resolved or dropped, in
    this order. `events` are `{chapter, action, detail}` by chapter. `last` is the last landed chapter.
    """
    rows = [_row(item, last) for item in items]
    return sorted(rows, key=lambda row: (_RANK.index(row["state"]), _first(row), row["id"]))


def _row(item: Mapping[str, Any], last: int) -> dict[str, Any]:
    window = span(item.get("target_resolve_range"))
    events: list[dict[str, Any]] = [
        {"chapter": chapter, "action": str(one.get("action")), "detail": text(one.get("detail")) or ""}
        for one in objects(item.get("history"))
        if (chapter := integer(one.get("chapter"))) is not None
    ]
    events.sort(key=lambda one: one["chapter"])
    closed = [one["chapter"] for one in events if one["action"] == RESOLVED]
    return {
        "id": str(item.get("id")),
        "description": described(item),
        "scope": text(item.get("scope")),
        "state": _state(item, window, last),
        "planted": integer(item.get("planted_chapter")),
        "resolved": closed[-1] if closed else None,
        "window": list(window) if window else None,
        "events": events,
    }


def _state(item: Mapping[str, Any], window: tuple[int, int] | None, last: int) -> str:
    status = item.get("status")
    if status in (RESOLVED, DROPPED, PLANNED):
        return str(status)
    if is_overdue(item, last):
        return OVERDUE
    return DUE if window is not None and window[1] <= last else OPEN


def _first(row: Mapping[str, Any]) -> int:
    starts = [row["planted"], *(one["chapter"] for one in row["events"]), *(row["window"] or ())]
    return min((one for one in starts if one is not None), default=0)
