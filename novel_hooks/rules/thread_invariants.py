"""What must hold of the facts of foreshadowing, by themselves and against the change log.

Source: seed 002 §1 and §3; protocol §1. Pure.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any
from novel_hooks import layout
from novel_hooks.errors import Problem, ThreadOdd, ThreadsUntold
from novel_hooks.rules.changelog import foreshadowing as told_by
from novel_hooks.rules.invariants import ranges
from novel_hooks.rules.json_values import integer


def problems(items: Sequence[Mapping[str, Any]], last: int) -> list[Problem]:
    """Items that have passed their schema: ids once, nothing behind `last`, history and status agree."""
    found: list[Problem] = []
    seen: set[str] = set()
    for item in items:
        name = item["id"]
        details = [*_faults(item, last)]
        if name in seen:
            details.append("出现了两次，编号应各不相同")
        seen.add(name)
        found += [ThreadOdd(layout.FORESHADOWING, name=name, detail=detail) for detail in details]
    return found


def _faults(item: Mapping[str, Any], last: int) -> Iterator[str]:
    history = item.get("history") or []
    chapters = [n for n in (integer(e.get("chapter")) for e in history) if n is not None]
    updated = integer(item.get("last_updated_chapter"))
    late = [n for n in (*chapters, updated) if n is not None and n > last]
    if late:
        yield f"记着第 {max(late)} 章的事，而全书只写到第 {last} 章"
    pairs = [(entry.get("chapter"), entry.get("action")) for entry in history]
    if len(set(pairs)) != len(pairs):
        yield "的历史里同一章的同一件事记了两次"
    resolved = any(action == "resolved" for _, action in pairs)
    if resolved and item.get("status") != "resolved":
        yield f"在历史里已经收回，状态却是 {item.get('status') or '空的'}"


def untold(
    items: Sequence[Mapping[str, Any]], lines: Iterable[Mapping[str, Any]], waiting: Collection[int]
) -> list[Problem]:
    """Foreshadow ops of the change log that the facts do not have; chapters that wait are passed over."""
    known = {item["id"]: _told_pairs(item) for item in items}
    lost: dict[str, list[int]] = {}
    for told in told_by(lines):
        for op in told.ops:
            name = str(op.get("path"))
            if told.chapter not in waiting and (told.chapter, op.get("value")) not in known.get(name, ()):
                lost.setdefault(name, []).append(told.chapter)
    return [
        ThreadsUntold(layout.FORESHADOWING, name=name, chapters=ranges(lost[name])) for name in sorted(lost)
    ]


def _told_pairs(item: Mapping[str, Any]) -> set[tuple[Any, Any]]:
    return {(entry.get("chapter"), entry.get("action")) for entry in item.get("history") or ()}
