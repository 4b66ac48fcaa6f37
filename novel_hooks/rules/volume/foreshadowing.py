"""A volume's foreshadowing plan by itself: ids, fields, ranges. Source: seed 002 §1 and §2."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from novel_hooks.rules.volume.plan import Plan

from novel_hooks import errors, layout
from novel_hooks.errors import Problem
from novel_hooks.pattern import Pattern
from novel_hooks.rules.foreshadowing.item import ACTIONS, CLOSED, SCOPES, span
from novel_hooks.rules.text.json_values import FAULTY, integer, text

_ID = Pattern(r"[a-z0-9]+([-_][a-z0-9]+)*\Z")
_RANGE = "target_resolve_range"


def plan_item_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the problems of the plan's items: ids, missing fields, chapters and ranges that do not fit."""
    if plan.threads is None:
        return
    path, seen = layout.staged(layout.foreshadowing_plan(plan.volume)), set[str]()
    number = integer(plan.stated_volume)
    if number not in (None, plan.volume):
        detail, how = f"volume 写的是 {number}，应是 {plan.volume}", f"请把 volume 改成 {plan.volume}。"
        yield errors.VolumeForeshadowing(path, detail=detail, how=how)
    for item in plan.threads:
        name = text(item.get("id"))
        if name is None:
            continue  # a fault of shape, a problem of its own
        if name in seen:
            how = "请把两条并成一条，或给其中一条另起编号。"
            yield errors.VolumeForeshadowing(path, detail=f"伏笔「{name}」写了两次", how=how)
        else:
            for detail, how in _item_faults(plan, item, name):
                yield errors.VolumeForeshadowing(path, detail=f"伏笔「{name}」{detail}", how=how)
        seen.add(name)


def find_fact(plan: Plan, name: str) -> Mapping[str, Any] | None:
    """Return the thread of that id among the facts; None when there is none."""
    return next((one for one in plan.facts or () if one.get("id") == name), None)


def may_be_fact(plan: Plan, name: str) -> bool:
    """Return whether the thread is a fact, or the facts could not be read."""
    return plan.facts is None or find_fact(plan, name) is not None


def _item_faults(plan: Plan, item: Mapping[str, Any], name: str) -> Iterator[tuple[str, str]]:
    if not may_be_fact(plan, name):
        yield from _new_item_faults(plan, item, name)
    else:
        yield from _fact_faults(item, find_fact(plan, name) or {})
    if item.get(_RANGE) is not FAULTY:
        yield from _range_faults(plan, item, name)


def _new_item_faults(plan: Plan, item: Mapping[str, Any], name: str) -> Iterator[tuple[str, str]]:
    """Yield the faults of a thread that is no fact yet: it needs all fields and an unwritten chapter."""
    if not _ID.match(name):
        yield "的编号写法不对", "编号只用小写英文字母、数字、连字符，如 double-seal；契约和大纲里的也一起改。"
    if not text(item.get("description")) and item.get("description") is not FAULTY:
        yield "没有 description", "请写上埋的是什么、怎么收。"
    if item.get("scope") not in SCOPES and item.get("scope") is not FAULTY:
        yield "没有 scope", f"请写成 {'、'.join(SCOPES)} 之一。"
    if item.get("status") in ("advanced", "resolved"):
        yield f"还没埋，status 却是 {item['status']}", "请把 status 改成 planted。"
    planted = integer(item.get("planted_chapter"))
    if planted is None:
        if item.get("planted_chapter") is not FAULTY:
            yield "没有 planted_chapter", f"请写上在哪一章埋，{plan.range_text}之间。"
    elif plan.outline.headings and not plan.first <= planted <= plan.end:
        yield f"要在第 {planted} 章埋，不在本卷里", f"请把 planted_chapter 改在{plan.range_text}之间。"
    elif planted <= plan.last <= plan.end:
        how = f"请改到第 {plan.last + 1} 章以后埋；其实埋过了，就用 `novel sync {planted}` 补记。"
        yield f"要在第 {planted} 章埋，那一章已经写完，没有埋", how


def _fact_faults(item: Mapping[str, Any], fact: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the contradictions between the plan and the fact of one thread (seed 002 §2)."""
    planted, was = integer(item.get("planted_chapter")), integer(fact.get("planted_chapter"))
    if planted is not None and was is not None and planted != was:
        yield f"是第 {was} 章埋的，planted_chapter 却是 {planted}", f"请把 planted_chapter 改成 {was}。"
    status, so_far = (_progress(one.get("status")) for one in (item, fact))
    if status > so_far >= 0:
        how = f"请照 {layout.FORESHADOWING} 里的写。"
        yield f"已有的记录是 {fact['status']}，status 却是 {item['status']}", how


def _progress(status: object) -> int:
    """Return the place of the status among planted, advanced, resolved; -1 for any other."""
    return ACTIONS.index(status) if isinstance(status, str) and status in ACTIONS else -1


def _range_faults(plan: Plan, item: Mapping[str, Any], name: str) -> Iterator[tuple[str, str]]:
    """Yield the first fault of the range: no range, before the planting, over, or outside the volume."""
    given, fact = item.get(_RANGE), find_fact(plan, name) or {}
    window = span(given)
    if window is None and not given and may_be_fact(plan, name):
        return  # the fact has it
    if window is None:
        yield "没有可用的回收范围", f"请把 {_RANGE} 写成 [起, 止] 两个章号，前小后大。"
        return
    planted = integer(item.get("planted_chapter")) or integer(fact.get("planted_chapter"))
    if planted is not None and window[0] < planted <= plan.end:
        if window[1] < planted:
            detail = f"第 {planted} 章才埋，第 {window[1]} 章就要收完"
        else:
            detail = f"第 {planted} 章才埋，第 {window[0]} 章就可以收"
        yield detail, f"请改好 planted_chapter 或 {_RANGE}。"
        return
    if fact.get("status") in CLOSED:
        return
    if window[1] <= plan.last <= plan.end:
        yield f"到第 {window[1]} 章就该收完，书已写到第 {plan.last} 章", f"请把 {_RANGE} 改到后面去。"
    elif item.get("scope") == "short" and plan.outline.headings and window[1] > plan.end:
        how = f"请把 {_RANGE} 的止章改在{plan.range_text}之间，或把 scope 改成 medium、long。"
        yield f"是短线（short），却要到第 {window[1]} 章才收完，出了本卷", how
