"""Consistency of the facts of foreshadowing, by themselves and with the change log.

Source: seed 002 §1 and §3; protocol §1. Pure.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Collection, Iterable, Iterator, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.rules.foreshadowing.item import ACTIONS
from novel_hooks.rules.state.changelog import foreshadow_ops
from novel_hooks.rules.state.consistency import ranges
from novel_hooks.rules.text import excerpt
from novel_hooks.rules.text.json_values import integer

_SHOWN = 6


def problems(items: Sequence[Mapping[str, Any]], last: int) -> list[Problem]:
    """Return the faults of items that have passed their schema, against `last`, the last landed chapter.

    Each id occurs once, no chapter is after `last`, and history and status agree.
    """
    found: list[Problem] = []
    first: dict[str, int] = {}
    for place, item in enumerate(items, start=1):
        name = item["id"]
        faults = [*_item_faults(item, last)]
        if name in first:
            faults.append(("twice", {"one": first[name], "other": place}))
        first.setdefault(name, place)
        found += [
            errors.ThreadOdd(layout.FORESHADOWING, case, name=name, **values) for case, values in faults
        ]
    return found


def _item_faults(item: Mapping[str, Any], last: int) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield each fault of an item: a case of ThreadOdd and its values."""
    history = item.get("history") or []
    updated = integer(item.get("last_updated_chapter"))
    late = [n for n in (*map(_entry_chapter, history), updated) if n is not None and n > last]
    if late:
        mistyped = f"（只是章号写错了的，改成 1 到 {last} 的章号就行）" if last else ""
        changes = "，".join(_removal_advice(item, history, last)) + mistyped
        yield "ahead", {"chapter": max(late), "last": last, "changes": changes}
        return  # the others are reported once this one is mended
    pairs = [(entry.get("chapter"), entry.get("action")) for entry in history]
    again = [n for n, pair in enumerate(pairs, start=1) if pair in pairs[: n - 1]]
    if again:
        yield "same entry", {"places": _places_text(again)}
    if any(action == "resolved" for _, action in pairs) and item.get("status") != "resolved":
        yield "resolved", {"status": item.get("status") or "空的"}


def _removal_advice(item: Mapping[str, Any], history: Sequence[Any], last: int) -> Iterator[str]:
    """Yield the changes after which the item has no chapter after `last`; `rollback` does so by records."""
    stay = [entry for entry in history if (_entry_chapter(entry) or 0) <= last]
    planted = integer(item.get("planted_chapter"))
    remaining = [n for n in (*map(_entry_chapter, stay), planted) if n is not None and n <= last]
    removed = [(place, entry) for place, entry in enumerate(history, start=1) if entry not in stay]
    if removed and not remaining:
        yield "把它整条删去"
        return
    if removed:
        yield f"删去 history 里的{_places_text([place for place, _ in removed])}"
    updated, status = integer(item.get("last_updated_chapter")), item.get("status")
    if updated is not None and updated > last:
        yield f"把 last_updated_chapter 从 {updated} 改成 {max(remaining, default='null')}"
    if status != _furthest_status(stay) and any(entry.get("action") == status for _, entry in removed):
        yield f"把 status 从 {status} 改成 {_furthest_status(stay)}"


def _furthest_status(history: Sequence[Mapping[str, Any]]) -> str:
    """Return the furthest action of these entries, `planted` when there are none (seed 002 §3)."""
    return max((str(entry.get("action")) for entry in history), key=ACTIONS.index, default=ACTIONS[0])


def _places_text(numbers: Sequence[int]) -> str:
    return "、".join(f"第 {number} 项" for number in numbers)


def _entry_chapter(entry: Mapping[str, Any]) -> int | None:
    return integer(entry.get("chapter"))


def unmerged_problems(
    items: Sequence[Mapping[str, Any]], lines: Iterable[Mapping[str, Any]], waiting: Collection[int]
) -> list[Problem]:
    """Return one problem for each thread whose foreshadow ops in the change log the facts lack, by id.

    Chapters in `waiting`, the foreshadowing backlog, are left out.
    """
    entries = ((item["id"], item.get("history") or ()) for item in items)
    known = {name: {(one.get("chapter"), one.get("action")) for one in listed} for name, listed in entries}
    lost: dict[str, list[tuple[int, str]]] = {}
    for entry in foreshadow_ops(lines):
        for op in entry.ops:
            name, pair = str(op.get("path")), (entry.chapter, str(op.get("value")))
            if entry.chapter not in waiting and pair not in known.get(name, ()):
                lost.setdefault(name, []).append(pair)
    return [_unmerged_problem(name, lost[name], name in known) for name in sorted(lost)]


def _unmerged_problem(name: str, pairs: Sequence[tuple[int, str]], known: bool) -> Problem:
    entries = [f'{{"chapter": {chapter}, "action": "{action}"}}' for chapter, action in pairs]
    return errors.ThreadsUntold(
        layout.FORESHADOWING,
        "known" if known else "unknown",
        name=name,
        chapters=ranges(n for n, _ in pairs),
        entries=excerpt.join_first(entries, _SHOWN, "项"),
    )
