"""One piece of foreshadowing: its range, the fields that it lacks, and the effect of an op on it.

Source: seed 002 §1 and §3; protocol §1 (null, "" and the placeholder count as missing).
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Iterator, Mapping
from novel_hooks.rules.text.json_values import deep_copy, integer, objects, same, text

ACTION_WORDS: Mapping[str, str] = {"planted": "埋下", "advanced": "推进", "resolved": "收回"}
ACTIONS = tuple(ACTION_WORDS)
"""What a chapter may do with a thread, in this order; with the author's words for it."""
PLANNED = "planned"
DROPPED = "dropped"
"""The status of a thread that the author gave up (`.novel/dropped-threads.json`), in no file of the story."""
CLOSED = ("resolved", DROPPED)
SCOPES = ("short", "medium", "long")

SIGNAL, PAYOFF = "signal", "payoff"
"""What a reader may see of a thread, and what it turns out to be: `payoff` is for planners and the judge."""

_TITLES = ("description", SIGNAL)
_PLACED = ("description", "scope", "target_resolve_range")
_FILLABLE = (*_PLACED, SIGNAL, PAYOFF)


class Dropped(ValueError):
    """An op that cannot be merged; its text is the reason, in Chinese."""


def title(thread: Mapping[str, Any]) -> str:
    """Return the author's words for a thread: its subject in one sentence, else its signal; else its id."""
    named = described(thread)
    return named.partition("。")[0] or named


def described(thread: Mapping[str, Any]) -> str:
    """Return the author's words for a thread, whole: those of `title`.

    An unplanned thread has its id for a description; the words of its first op are used instead.
    """
    name = text(thread.get("id")) or ""
    words = (one for one in (text(thread.get(key)) for key in _TITLES) if one and one != name)
    told = (text(one.get("detail")) for one in objects(thread.get("history")))
    return next(words, None) or next((one for one in told if one), None) or name


def course(thread: Mapping[str, Any], done: bool = True) -> list[str]:
    """Return in the author's words the thread's past, and its plan.

    `[第 2 章已埋, 推进中, 计划第 5–9 章收]`; without `done` the plan: `[计划第 2 章埋, 计划第 5–9 章收]`.
    """
    told = (text(thread.get("status")) if done else None) or PLANNED
    planted, closed = integer(thread.get("planted_chapter")), next(reversed(closing_chapters(thread)), None)
    words = []
    if planted is not None:
        words.append(f"计划第 {planted} 章埋" if told == PLANNED else f"第 {planted} 章已埋")
    if told == "resolved":
        words.append("已收" if closed is None else f"第 {closed} 章已收")
    elif told != "planted" or planted is None:
        words += [_STATES[told]] if told in _STATES and not (told == PLANNED and words) else []
    window = span(thread.get("target_resolve_range"))
    if window is not None and told not in CLOSED:
        start, end = window
        words.append(f"计划第 {start} 章收" if start == end else f"计划第 {start}–{end} 章收")
    return words


_STATES = {PLANNED: "计划中", "planted": "已埋", "advanced": "推进中", DROPPED: "已放下"}


def closing_chapters(thread: Mapping[str, Any]) -> list[int | None]:
    """Return the chapters that resolved the thread, as its history tells; None for an unreadable one."""
    entries = objects(thread.get("history"))
    return [integer(one.get("chapter")) for one in entries if one.get("action") == "resolved"]


def merge_op(
    items: list[dict[str, Any]],
    planned: Mapping[str, Mapping[str, Any]],
    op: Mapping[str, Any],
    chapter: int,
    storyline_id: str | None,
) -> None:
    """Merge `op` of `chapter` into `items`, which are changed in place.

    An item without facts begins as a placeholder, filled from `planned` (by id). Raises Dropped for an op
    without id or with another action than ACTIONS, and for an item whose history is no list.
    """
    name, action = text(op.get("path")), op.get("value")
    if name is None:
        raise Dropped("没有写伏笔编号")
    if not isinstance(action, str) or action not in ACTIONS:
        raise Dropped(f"只能是 {'、'.join(ACTIONS)}")
    item = next((one for one in items if one["id"] == name), None)
    if item is None:
        item = {
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
        items.append(item)
    history = item.get("history")
    if history is not None and not isinstance(history, list):
        raise Dropped("这条伏笔的 history 不是列表，请改正后再试")
    item.update(_planned_fields(item, planned.get(name)))
    item["history"] = _with_entry(history or [], chapter, action, op.get("detail"))
    _advance(item, action, chapter, storyline_id)


def _planned_fields(item: Mapping[str, Any], plan: Mapping[str, Any] | None) -> Iterator[tuple[str, Any]]:
    """Yield the planned fields that the item lacks; a placeholder (`description == id`) lacks them all."""
    placeholder = _lacks(item, "description") or item["description"] == item["id"]
    for key in _FILLABLE:
        value = _usable_value(key, plan.get(key)) if plan is not None else None
        if value is not None and (_lacks(item, key) or (placeholder and key in _PLACED)):
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
    """Return the history with an entry for the action; one a chapter and action."""
    entry = {"chapter": chapter, "action": action}
    earlier = [{key: old.get(key) for key in entry} for old in history if isinstance(old, dict)]
    words = detail if isinstance(detail, str) else ""
    return history if any(same(old, entry) for old in earlier) else [*history, {**entry, "detail": words}]


def _advance(item: dict[str, Any], action: str, chapter: int, storyline_id: str | None) -> None:
    """Set status, last update and planting by the action; the status moves one way only."""
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
    """Return (start, end) of a range `[start, end]` of whole numbers in order; else None."""
    if not isinstance(value, list) or len(value) != 2:
        return None
    start, end = integer(value[0]), integer(value[1])
    return None if start is None or end is None or start > end else (start, end)


def in_window(item: Mapping[str, Any], chapter: int) -> bool:
    """Return whether the chapter lies in the item's range, ends included."""
    window = span(item.get("target_resolve_range"))
    return window is not None and window[0] <= chapter <= window[1]


def is_planted_in(item: Mapping[str, Any], chapter: int) -> bool:
    """Return whether the item is planted in this chapter."""
    return integer(item.get("planted_chapter")) == chapter


def is_overdue(item: Mapping[str, Any], chapter: int) -> bool:
    """Return whether the item is overdue: of short scope, still open, its range past (seed 002 §4)."""
    if item.get("scope") != "short" or item.get("status") in CLOSED:
        return False
    window = span(item.get("target_resolve_range"))
    return window is not None and chapter > window[1]


def merge_plan(fact: Mapping[str, Any] | None, plan: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return fact and plan of one id as one item: the fact wins, the plan fills only the fields it lacks.

    An item that is planned and no fact yet has the status `planned`, whatever the plan writes; one that the
    plan calls resolved, or that was given up, stays so.
    """
    if fact is None:
        item = dict(plan or {})
        return item if item.get("status") in CLOSED else {**item, "status": PLANNED}
    missing = {key: value for key, value in (plan or {}).items() if _lacks(fact, key)}
    return {**fact, **missing, **dict(_planned_fields(fact, plan))}
