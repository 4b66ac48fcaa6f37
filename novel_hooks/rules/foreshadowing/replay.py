"""Foreshadowing when one chapter's ops are replaced: items go back to before it, then all ops are applied.

An item is rebuilt only when the old ops, applied again, give exactly the present item. An item that was
changed in any other way stays, gets the new ops, and is named. Source: seed 002 §3, ADR 0012.
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.record import Record
from novel_hooks.rules.foreshadowing import facts
from novel_hooks.rules.text.json_values import deep_copy, integer, mapping, objects, same

Line = Mapping[str, Any]
Before = Mapping[int, Mapping[str, Any]]
Plans = Mapping[int, Any]


class Rethreaded(Record):
    """The facts as they are now, with the items as they were before each chapter.

    `before`: chapter → id → item before that chapter (None: there was none). `kept` are the ids of the items
    that could not go back.
    """

    document: dict[str, Any]
    before: dict[int, dict[str, Any]]
    kept: list[str]
    warnings: list[Problem]


def line_thread_ids(line: Line) -> list[str]:
    """Return the ids in the foreshadow ops of a change log's line, once each, in order."""
    return list(dict.fromkeys(op["path"] for op in _foreshadow_ops(line)))


def chapters_touching(lines: Sequence[Line], chapter: int, ids: Sequence[str]) -> list[int]:
    """Return the chapters from `chapter` on whose ops name any of `ids`."""
    wanted = set(ids)
    return [
        line["chapter"]
        for line in lines
        if line["chapter"] >= chapter and not wanted.isdisjoint(line_thread_ids(line))
    ]


def replace_ops(
    document: object, old: Sequence[Line], new: Sequence[Line], chapter: int, before: Before, plans: Plans
) -> Rethreaded:
    """Return the facts after the chapter's line in `old` became the one in `new`.

    `old` and `new` are lines of the change log. `before` holds the landed records' items, `plans` the
    volume's plan, both by chapter. The document is not changed. Raises ForeshadowingBroken for facts of a
    wrong shape.
    """
    items: list[Any] = list(facts.parse(document))
    found = Rethreaded({}, {}, [], [])
    for name in _concerned_ids(old, new, chapter):
        now = next((item for item in items if item["id"] == name), None)
        first = next(iter(chapters_touching(old, chapter, [name])), None)
        item, known = _starting_item(now, name, first, before)
        if known and same(_apply_ops(item, name, old, chapter, plans)[0], now):
            item, warnings = _apply_ops(item, name, new, chapter, plans, found.before)
        else:
            found.kept.append(name)
            here = [line for line in new if line["chapter"] == chapter]
            item, warnings = _apply_ops(now, name, here, chapter, plans)
        found.warnings.extend(warnings)
        items = _with_item(items, name, item)
    extra = {key: part for key, part in mapping(document).items() if key != "items"}
    return found._replace(document={**extra, "foreshadowing": deep_copy(items)})


def items_before(items: Sequence[Mapping[str, Any]], chapter: int) -> list[dict[str, Any]]:
    """Return the items as a reader knew them before `chapter`, by their histories."""
    return [earlier for item in items if (earlier := _item_before(item, chapter)) is not None]


def recorded_ops(items: Sequence[Mapping[str, Any]], chapter: int) -> list[dict[str, Any]]:
    """Return the foreshadow ops of `chapter` by the items' histories."""
    ops = []
    for item in items:
        for entry in objects(item.get("history")):
            if integer(entry.get("chapter")) == chapter:
                op = {"op": "foreshadow", "path": item["id"], "value": entry.get("action")}
                ops.append({**op, "detail": entry["detail"]} if "detail" in entry else op)
    return ops


def _item_before(item: Mapping[str, Any], chapter: int) -> dict[str, Any] | None:
    """Return the item without the later entries, its status and last update by the others; None: not yet."""
    history = objects(item.get("history"))
    earlier = [e for e in history if (integer(e.get("chapter")) or 0) < chapter]
    if len(earlier) == len(history):
        return dict(item)
    planted = integer(item.get("planted_chapter"))
    if not earlier and (planted is None or planted >= chapter):
        return None
    actions = {e.get("action") for e in earlier}
    status = next((one for one in ("resolved", "advanced") if one in actions), "planted")
    last = max((integer(e.get("chapter")) or 0 for e in earlier), default=planted)
    return {**item, "history": earlier, "status": status, "last_updated_chapter": last}


def _concerned_ids(old: Sequence[Line], new: Sequence[Line], chapter: int) -> list[str]:
    both = [line for line in (*old, *new) if line["chapter"] == chapter]
    return list(dict.fromkeys(name for line in both for name in line_thread_ids(line)))


def _starting_item(now: Any, name: str, first: int | None, before: Before) -> tuple[Any, bool]:
    """Return the item before its first op from the chapter on, and whether that is recorded."""
    if first is None:
        return now, True
    threads = before.get(first, {})
    return threads.get(name), name in threads


def _apply_ops(
    item: Any,
    name: str,
    lines: Sequence[Line],
    chapter: int,
    plans: Plans,
    noted: dict[int, dict[str, Any]] | None = None,
) -> tuple[Any, list[Problem]]:
    """Return the item after the ops on it, from `chapter` on, and the warnings of that chapter.

    `noted` gets the item as it was before each of its chapters.
    """
    warnings: list[Problem] = []
    for line in lines:
        ops = [op for op in _foreshadow_ops(line) if op["path"] == name]
        if line["chapter"] < chapter or not ops:
            continue
        if noted is not None:
            noted.setdefault(line["chapter"], {})[name] = item
        item, problems = _merge_ops(item, name, ops, line, plans)
        warnings += problems if line["chapter"] == chapter else []
    return item, warnings


def _merge_ops(item: Any, name: str, ops: list[Any], line: Line, plans: Plans) -> tuple[Any, list[Problem]]:
    """Return the item after the ops of one line, None when they make none, and the warnings."""
    document = {"foreshadowing": [] if item is None else [item]}
    plan = plans.get(line["chapter"])
    merged = facts.merge(document, plan, ops, line["chapter"], line.get("storyline_id"))
    return next((one for one in merged.document["foreshadowing"] if one["id"] == name), None), merged.warnings


def _with_item(items: list[Any], name: str, item: Any) -> list[Any]:
    """Return the items with this one in its place, at the end when it is new; without it for None."""
    if all(one["id"] != name for one in items):
        return items if item is None else [*items, item]
    return [item if one["id"] == name else one for one in items if one["id"] != name or item is not None]


def _foreshadow_ops(line: Line) -> list[Any]:
    ops = objects(line.get("ops"))
    return [op for op in ops if op.get("op") == "foreshadow" and isinstance(op.get("path"), str)]
