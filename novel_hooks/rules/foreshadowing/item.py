"""One piece of foreshadowing: its time window, what it lacks, and what an op does to it.

Source: seed 002 §1 and §3; protocol §1 (null, "" and the placeholder count as missing).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

from novel_hooks.rules.text.json_values import deep_copy, integer, same, text

ACTIONS = ("planted", "advanced", "resolved")
PLANNED = "planned"
SCOPES = ("short", "medium", "long")

_FILLABLE = ("description", "scope", "target_resolve_range")


class Dropped(ValueError):
    """Why one op was not merged, in Chinese."""


def merge_op(
    items: list[dict[str, Any]],
    planned: Mapping[str, Mapping[str, Any]],
    op: Mapping[str, Any],
    chapter: int,
    storyline_id: str | None,
) -> None:
    """Make `op` of `chapter` a fact among `items` (changed in place); raises Dropped when it is none."""
    name, action = text(op.get("path")), op.get("value")
    if name is None:
        raise Dropped("没有写伏笔编号")
    if not isinstance(action, str) or action not in ACTIONS:
        raise Dropped(f"只能是 {'、'.join(ACTIONS)}")
    item = next((one for one in items if one["id"] == name), None)
    if item is None:
        item = _new_item(name, action, chapter, storyline_id)
        items.append(item)
    history = item.get("history")
    if history is not None and not isinstance(history, list):
        raise Dropped("这条伏笔的 history 不是列表，请改正后再试")
    item.update(_planned_fields(item, planned.get(name)))
    item["history"] = _with_entry(history or [], chapter, action, op.get("detail"))
    _advance(item, action, chapter, storyline_id)


def _new_item(name: str, action: str, chapter: int, storyline_id: str | None) -> dict[str, Any]:
    return {
        "id": name,
        "description": name,
        "scope": "medium",
        "status": action,
        "planted_chapter": chapter if action == "planted" else None,
        "planted_storyline": storyline_id,
        "target_resolve_range": None,
        "last_updated_chapter": chapter,
        "history": [],
    }


def _planned_fields(item: Mapping[str, Any], plan: Mapping[str, Any] | None) -> Iterator[tuple[str, Any]]:
    """The planned fields that the item lacks; a placeholder is `description == id`, with all it brought."""
    placeholder = _lacks(item, "description") or item["description"] == item["id"]
    for key in _FILLABLE:
        value = _usable_value(key, plan.get(key)) if plan is not None else None
        if value is not None and (placeholder or _lacks(item, key)):
            yield key, deep_copy(value)


def _lacks(item: Mapping[str, Any], key: str) -> bool:
    return item.get(key) in (None, "")


def _usable_value(key: str, value: object) -> object:
    if key == "target_resolve_range":
        return value if span(value) else None
    if key == "scope":
        return value if value in SCOPES else None
    return text(value)


def _with_entry(history: list[Any], chapter: int, action: str, detail: object) -> list[Any]:
    entry = {"chapter": chapter, "action": action}
    known = [{key: old.get(key) for key in entry} for old in history if isinstance(old, dict)]
    told = detail if isinstance(detail, str) else ""
    return history if any(same(old, entry) for old in known) else [*history, {**entry, "detail": told}]


def _advance(item: dict[str, Any], action: str, chapter: int, storyline_id: str | None) -> None:
    """Status moves one way only: planted, advanced, resolved."""
    item["last_updated_chapter"] = max(integer(item.get("last_updated_chapter")) or chapter, chapter)
    if action == "planted" and _lacks(item, "planted_chapter"):
        item["planted_chapter"] = chapter
    if storyline_id and _lacks(item, "planted_storyline"):
        item["planted_storyline"] = storyline_id
    status = item.get("status")
    backwards = status == "resolved" or (action == "planted" and status not in (None, "", "planted"))
    if action == "resolved" or not backwards:
        item["status"] = action


def span(value: object) -> tuple[int, int] | None:
    """`[start, end]` of whole numbers in order, else None."""
    if not isinstance(value, list) or len(value) != 2:
        return None
    start, end = integer(value[0]), integer(value[1])
    return None if start is None or end is None or start > end else (start, end)


def in_window(item: Mapping[str, Any], chapter: int) -> bool:
    """Lies the chapter in the item's window, ends included?"""
    window = span(item.get("target_resolve_range"))
    return window is not None and window[0] <= chapter <= window[1]


def is_planted_in(item: Mapping[str, Any], chapter: int) -> bool:
    """Is this the chapter that plants it?"""
    return integer(item.get("planted_chapter")) == chapter


def is_overdue(item: Mapping[str, Any], chapter: int) -> bool:
    """Has a short-scope item outlived its window by then (seed 002 §4)?"""
    if item.get("scope") != "short" or item.get("status") == "resolved":
        return False
    window = span(item.get("target_resolve_range"))
    return window is not None and chapter > window[1]


def merge_plan(fact: Mapping[str, Any] | None, plan: Mapping[str, Any] | None) -> dict[str, Any]:
    """Fact and plan of one id: the fact wins, the plan fills only what it lacks.

    What is planned and no fact yet has the status `planned`, whatever the plan says that it will be; one that
    the plan calls resolved stays so.
    """
    if fact is None:
        told = dict(plan or {})
        return told if told.get("status") == "resolved" else {**told, "status": PLANNED}
    missing = {key: value for key, value in (plan or {}).items() if _lacks(fact, key)}
    return {**fact, **missing, **dict(_planned_fields(fact, plan))}
