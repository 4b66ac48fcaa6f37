"""A volume's foreshadowing: what it plans, and what its contracts speak of. Source: seed 002 §1 and §2."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from novel_hooks.rules.volume import Plan

from novel_hooks import layout
from novel_hooks.errors import Problem, VolumeForeshadowing
from novel_hooks.rules.contract import Contract
from novel_hooks.rules.foreshadow_item import span
from novel_hooks.rules.json_values import integer


def planned(plan: Plan) -> Iterator[Problem]:
    """Ids once each; every range legal; what is new is planted in the volume, what is short ends in it."""
    if plan.threads is None or not plan.outline.headings:
        return
    path, seen = layout.staged(layout.plan(plan.volume)), set[str]()
    for item in plan.threads:
        name = str(item.get("id"))
        if name in seen:
            how = "请把两条并成一条，或给其中一条另起编号。"
            yield VolumeForeshadowing(path, name=name, detail="写了两次", how=how)
        seen.add(name)
        for detail, how in _faults(plan, item):
            yield VolumeForeshadowing(path, name=name, detail=detail, how=how)


def _faults(plan: Plan, item: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """`(what, what to do)`. What an earlier chapter has told already is not planted again."""
    told = plan.facts is None or item.get("id") in plan.facts
    planted, window = integer(item.get("planted_chapter")), span(item.get("target_resolve_range"))
    inside = f"第 {plan.first} 章到第 {plan.end} 章"
    if not told and planted is not None and not plan.first <= planted <= plan.end:
        yield f"要在第 {planted} 章埋，不在本卷里", f"请把 planted_chapter 改在{inside}之间。"
    if window is None and told and not item.get("target_resolve_range"):
        return  # the fact has it
    if window is None:
        yield "没有可用的回收范围", "请把 target_resolve_range 写成 [起, 止] 两个章号，前小后大。"
        return
    if planted is not None and window[1] < planted:
        yield (
            f"第 {planted} 章才埋，第 {window[1]} 章就要收完",
            "请改好 planted_chapter 或 target_resolve_range。",
        )
    if item.get("scope") == "short" and not plan.first <= window[1] <= plan.end:
        how = f"请把 target_resolve_range 的止章改在{inside}之间，或把 scope 改成 medium、long。"
        yield f"是短线（short），却要到第 {window[1]} 章才收完，出了本卷", how


def spoken(plan: Plan) -> Iterator[Problem]:
    """Contracts speak of threads that the plan or the book has."""
    if plan.threads is None or plan.facts is None:
        return
    known = {*plan.facts, *(item.get("id") for item in plan.threads)}
    how = f"请在 {layout.staged(layout.plan(plan.volume))} 里立这一条，或改好编号。"
    for _, contract in sorted(plan.contracts.items()):
        for name in updates(contract):
            if name not in known:
                yield VolumeForeshadowing(contract.path, name=name, detail="没有人立过", how=how)


def updates(contract: Contract) -> list[str]:
    """The ids in `foreshadowing_updates`: keys of a map, or a list of ids or of objects with one."""
    found = (contract.document.get("postconditions") or {}).get("foreshadowing_updates") or ()
    ids = found if isinstance(found, dict) else [e.get("id") if isinstance(e, dict) else e for e in found]
    return list(dict.fromkeys(one for one in ids if isinstance(one, str)))
