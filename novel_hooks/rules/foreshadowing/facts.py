"""Foreshadowing: the facts of all volumes, the plan of one, and the facts that a chapter's ops make.

An item is `{id, description, signal, payoff, scope, status, planted_chapter, planted_storyline,
target_resolve_range, last_updated_chapter, history[{chapter, action, detail}]}`. Source: seed 002
(normative); protocol §1 and §7 decide the rest.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Collection, Iterable, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.record import Record
from novel_hooks.rules.foreshadowing.item import (
    ACTIONS,
    CLOSED,
    DROPPED,
    Dropped,
    in_window,
    is_overdue,
    is_planted_in,
    merge_op,
    merge_plan,
)
from novel_hooks.rules.foreshadowing.item import span as span  # part of this module's face
from novel_hooks.rules.text.json_values import deep_copy, mapping, text

_ENOUGH = {"planted": ACTIONS, "advanced": ACTIONS[1:], "resolved": ACTIONS[2:]}
_TEXTS = ("description", "signal", "payoff")
_ALIKE = 0.5
_KEY, _OTHER_KEY = "foreshadowing", "items"


class Merged(Record):
    """The new document of `foreshadowing/global.json`, and warnings on ops and plans that were left out."""

    document: dict[str, Any]
    warnings: list[Problem]


def parse(document: object, path: str = layout.FORESHADOWING) -> list[dict[str, Any]]:
    """Parse a document into its items: `{"foreshadowing": […]}`, `{"items": […]}`, or a bare list.

    None (no file) has none. Raises ForeshadowingBroken for any other shape, or an item without an id.
    """
    if document is None:
        return []
    listed = document
    if isinstance(document, dict):
        key = _OTHER_KEY if _KEY not in document and _OTHER_KEY in document else _KEY
        listed = document.get(key)
    if not isinstance(listed, list):
        raise errors.ForeshadowingBroken(path, case="no list")
    for number, item in enumerate(listed, start=1):
        if not isinstance(item, dict) or text(item.get("id")) is None:
            raise errors.ForeshadowingBroken(path, case="no id", number=number)
    return listed


def merge(
    document: object, plan: object, ops: Iterable[object], chapter: int, storyline_id: str | None
) -> Merged:
    """Merge the foreshadow ops of `chapter` into the facts, in order; other ops are passed over.

    A second merge of the same ops changes nothing. `plan` is the volume's plan, or None; a broken one is
    ignored with a warning. The given document is not changed; a bare list or `items` comes back under
    `foreshadowing`. Raises ForeshadowingBroken when the facts themselves are broken.
    """
    items = deep_copy(parse(document))
    assert isinstance(items, list)
    warnings: list[Problem] = []
    planned = _plan_by_id(plan, warnings)
    for op in ops:
        if isinstance(op, dict) and op.get("op") == "foreshadow":
            try:
                merge_op(items, planned, op, chapter, storyline_id)
            except Dropped as dropped:
                warnings.append(_dropped_warning(op, str(dropped)))
    others = dict(mapping(document))
    if _KEY not in others:
        others.pop(_OTHER_KEY, None)
    return Merged({**others, _KEY: items}, warnings)


def tasks(
    facts: Sequence[Mapping[str, Any]],
    plan: Sequence[Mapping[str, Any]],
    chapter: int,
    named: Mapping[str, str | None] | None = None,
) -> list[dict[str, Any]]:
    """Return the threads that `chapter` is to plant, advance or resolve, by id; closed ones never.

    They are those that the plan plants in it, those in whose range it lies, those that are overdue, and
    `named`: those of the chapter's contract and outline, each with the action on it, None where they do not
    say. A fact wins over the plan, which fills only the fields that the fact lacks. `todo` is the action,
    `overdue_by` the chapters past a short thread's range; each is left out where there is none.
    """
    planned, known = _by_id(plan), _by_id(facts)
    due = {name for name, item in planned.items() if is_planted_in(item, chapter) or in_window(item, chapter)}
    due |= {name for name, fact in known.items() if in_window(fact, chapter) or is_overdue(fact, chapter)}
    doing = named or {}
    due |= {name for name in doing if name in planned or name in known}
    threads = [merge_plan(known.get(name), planned.get(name)) for name in sorted(due)]
    return [
        _with_duty(thread, chapter, doing.get(thread["id"]))
        for thread in threads
        if thread.get("status") not in CLOSED
    ]


def _with_duty(thread: dict[str, Any], chapter: int, action: str | None) -> dict[str, Any]:
    """Return the thread with what is to be done in the chapter, and how late it is."""
    late = lateness(thread, chapter)
    duty = {"todo": action} if action else {}
    return {**thread, **duty, **({"overdue_by": late} if late else {})}


def unrecorded(threads: Iterable[Mapping[str, Any]], ops: Iterable[object]) -> list[dict[str, Any]]:
    """Return the tasks whose `todo` no foreshadow op does.

    An op that advances or resolves also counts as planting; only an op that resolves counts as resolving.
    """
    done: dict[str, set[object]] = {}
    for op in ops:
        if isinstance(op, dict) and op.get("op") == "foreshadow":
            done.setdefault(str(op.get("path")), set()).add(op.get("value"))
    return [
        dict(one)
        for one in threads
        if one.get("todo") and not done.get(one["id"], set()) & set(_ENOUGH[one["todo"]])
    ]


def all_threads(
    facts: Sequence[Mapping[str, Any]], plan: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return every thread that is a fact or planned, by id, each as `tasks` gives it; resolved ones too."""
    known, planned = _by_id(facts), _by_id(plan)
    return [merge_plan(known.get(name), planned.get(name)) for name in sorted({*known, *planned})]


def with_dropped(items: Sequence[Mapping[str, Any]], dropped: Collection[str]) -> list[dict[str, Any]]:
    """Return the items, those with an id in `dropped` with that status; a resolved one stays resolved."""
    return [
        {**item, "status": DROPPED}
        if item["id"] in dropped and item.get("status") != "resolved"
        else dict(item)
        for item in items
    ]


def matching(items: Iterable[Mapping[str, Any]], words: str) -> list[str]:
    """Return the ids of the items whose texts hold all of the words, once each, in order."""
    wanted = words.split()
    found = [item["id"] for item in items if wanted and all(word in _texts(item) for word in wanted)]
    return list(dict.fromkeys(found))


def likest(items: Iterable[Mapping[str, Any]], words: str) -> str | None:
    """Return the id of the item whose texts hold most characters of the words, at least half; else None."""
    marks = {mark for mark in words if not mark.isspace()}
    shares = [(len(marks.intersection(_texts(item))) / len(marks), item["id"]) for item in items if marks]
    best = max(shares, key=lambda one: one[0], default=(0.0, ""))
    return best[1] if best[0] >= _ALIKE else None


def _texts(item: Mapping[str, Any]) -> str:
    return "\n".join(filter(None, (text(item.get(key)) for key in _TEXTS)))


def overdue_items(items: Sequence[Mapping[str, Any]], last_completed: int) -> list[dict[str, Any]]:
    """Return the short-scope items, still open, whose range ended before `last_completed` (seed 002 §4)."""
    return [dict(item) for item in items if is_overdue(item, last_completed)]


def lateness(item: Mapping[str, Any], chapter: int) -> int:
    """Return the number of chapters by which a short thread is overdue at `chapter`; 0 = it is not."""
    window = span(item.get("target_resolve_range"))
    return chapter - window[1] if window is not None and is_overdue(item, chapter) else 0


def _dropped_warning(op: Mapping[str, Any], detail: str) -> Problem:
    values = {"name": op.get("path"), "action": op.get("value"), "reason": detail}
    return errors.ForeshadowingOpDropped(layout.FORESHADOWING, **values)


def _plan_by_id(plan: object, warnings: list[Problem]) -> dict[str, Mapping[str, Any]]:
    try:
        return _by_id(parse(plan, "本卷的伏笔计划"))
    except errors.ForeshadowingBroken as broken:
        warnings.append(errors.ForeshadowingPlanUnread(reason=broken.values["detail"]))
        return {}


def _by_id(items: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Return the items by id, of several with one id the first."""
    return {item["id"]: item for item in reversed(items)}
