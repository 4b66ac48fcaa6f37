"""A volume's foreshadowing plan by itself: ids, fields, ranges. Source: seed 002 §1 and §2."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Iterator, Mapping
from novel_hooks.errors import Problem
from novel_hooks.pattern import Pattern
from novel_hooks.rules.foreshadowing.item import ACTIONS, CLOSED, PAYOFF, SCOPES, SIGNAL, merge_plan, span
from novel_hooks.rules.text.json_values import FAULTY, integer, text

if TYPE_CHECKING:
    from novel_hooks.rules.volume.plan import Plan

    Fault = tuple[str, Mapping[str, object]]

_ID = Pattern(r"[a-z0-9]+([-_][a-z0-9]+)*\Z")
_RANGE = "target_resolve_range"


def plan_item_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the problems of the plan's items: ids, missing fields, chapters and ranges that do not fit."""
    if plan.threads is None:
        return
    path, seen = plan.path(layout.foreshadowing_plan(plan.volume)), set[str]()
    number = integer(plan.stated_volume)
    if number not in (None, plan.volume):
        yield errors.VolumeForeshadowing(path, case="other volume", found=number, volume=plan.volume)
    for item in plan.threads:
        name = text(item.get("id"))
        if name is None:
            continue  # a fault of shape, a problem of its own
        if name in seen:
            yield errors.VolumeForeshadowing(path, case="twice", name=name)
        else:
            for case, values in _item_faults(plan, item, name):
                yield errors.VolumeForeshadowing(path, case, name=name, **values)
        seen.add(name)


def find_fact(plan: Plan, name: str) -> Mapping[str, Any] | None:
    """Return the thread of that id among the facts; None when there is none."""
    return next((one for one in plan.facts or () if one.get("id") == name), None)


def may_be_fact(plan: Plan, name: str) -> bool:
    """Tell whether the thread is a fact, or the facts could not be read."""
    return plan.facts is None or find_fact(plan, name) is not None


def _item_faults(plan: Plan, item: Mapping[str, Any], name: str) -> Iterator[Fault]:
    """Yield each fault of an item: a case of VolumeForeshadowing and its values."""
    if not may_be_fact(plan, name):
        yield from _new_item_faults(plan, item, name)
    else:
        yield from _fact_faults(item, find_fact(plan, name) or {})
    if item.get(_RANGE) is not FAULTY:
        yield from _range_faults(plan, item, name)
    known = merge_plan(find_fact(plan, name), item)
    if text(known.get(PAYOFF)) and not text(known.get(SIGNAL)) and item.get(SIGNAL) is not FAULTY:
        yield "no signal", {}


def _new_item_faults(plan: Plan, item: Mapping[str, Any], name: str) -> Iterator[Fault]:
    """Yield the faults of a thread that is no fact yet: it needs all fields and an unwritten chapter."""
    if not _ID.match(name):
        yield "id", {}
    if not text(item.get("description")) and item.get("description") is not FAULTY:
        yield "no description", {}
    if item.get("scope") not in SCOPES and item.get("scope") is not FAULTY:
        yield "no scope", {"scopes": "、".join(SCOPES)}
    if item.get("status") in ("advanced", "resolved"):
        yield "unplanted", {"status": item["status"]}
    planted = integer(item.get("planted_chapter"))
    if planted is None:
        if item.get("planted_chapter") is not FAULTY:
            yield "no chapter", {"range": plan.range_text}
    elif plan.outline.headings and not plan.first <= planted <= plan.end:
        yield "outside", {"planted": planted, "range": plan.range_text}
    elif planted <= plan.last <= plan.end:
        yield "planted late", {"planted": planted, "next": plan.last + 1}


def _fact_faults(item: Mapping[str, Any], fact: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the contradictions between the plan and the fact of one thread (seed 002 §2)."""
    planted, was = integer(item.get("planted_chapter")), integer(fact.get("planted_chapter"))
    if planted is not None and was is not None and planted != was:
        yield "other planting", {"was": was, "planted": planted}
    both = (item.get("status"), fact.get("status"))
    status, so_far = (ACTIONS.index(one) if one in ACTIONS else -1 for one in both)
    if status > so_far >= 0:
        told = {"known": fact["status"], "status": item["status"], "facts": layout.FORESHADOWING}
        yield "status ahead", told


def _range_faults(plan: Plan, item: Mapping[str, Any], name: str) -> Iterator[Fault]:
    """Yield the first fault of the range: no range, before the planting, over, or outside the volume."""
    given, fact = item.get(_RANGE), find_fact(plan, name) or {}
    window = span(given)
    if window is None and not given and may_be_fact(plan, name):
        return  # the fact has it
    if window is None:
        yield "no range", {}
        return
    planted = integer(item.get("planted_chapter")) or integer(fact.get("planted_chapter"))
    if planted is not None and window[0] < planted <= plan.end:
        case = "over first" if window[1] < planted else "open first"
        yield case, {"planted": planted, "start": window[0], "end": window[1]}
        return
    if fact.get("status") in CLOSED:
        return
    if window[1] <= plan.last <= plan.end:
        yield "range over", {"end": window[1], "last": plan.last}
    elif item.get("scope") == "short" and plan.outline.headings and window[1] > plan.end:
        yield "range outside", {"end": window[1], "range": plan.range_text}
