"""The characters' contracts that a volume ends: each is named rightly, and none is forgotten. Pure.

A chapter's contract names the contracts that end in it in `postconditions.closes`. Source: protocol §4.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from novel_hooks.rules.volume.plan import Plan

from novel_hooks import errors
from novel_hooks.errors import Problem
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import contract_ends
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.text.json_values import integer
from novel_hooks.rules.volume import places

_SHOWN = 6


def closing_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the contracts that end in no sound way, then in one warning those that no chapter ends."""
    if plan.people is None:
        return
    closed = dict[str, int]()
    for chapter, contract in sorted(plan.contracts.items()):
        for name in contracts.closes(contract):
            if chapter > plan.last:
                detail, how = _closing_fault(plan, chapter, name, closed.get(name))
                if detail:
                    yield errors.VolumeContract(contract.path, detail=detail, how=how)
            closed.setdefault(name, chapter)
    yield from _open_end_problems(plan, closed)


def _closing_fault(plan: Plan, chapter: int, name: str, earlier: int | None) -> tuple[str, str]:
    """Return (what is wrong with a closing, what to do); ("", "") when nothing is."""
    people = plan.people or ()
    found = contract_ends.holders(people, name)
    if not found:
        if "people" in plan.partial:
            return "", ""
        known = [one for person in people for one in casts.contract_ids(person.document)]
        near = places.suggestion_text(name, known)
        return (
            f"postconditions.closes 里的「{name}」不是谁的约定",
            f"请改成角色卡里有的编号{near}，或去掉它。",
        )
    if len(found) > 1:
        who = "、".join(person.name for person in found)
        return f"postconditions.closes 里的「{name}」{who}都有，不知说的是谁的", "请先给其中一条另起编号。"
    one = contract_ends.contract(found[0].document, name)
    name = f"{found[0].name}的约定：{one.get('rule')}（{name}）"
    if earlier is not None:
        return f"「{name}」第 {earlier} 章已经到头了", "一条约定只到头一次，请留下一处。"
    if contract_ends.is_over(one, chapter - 1):
        return f"「{name}」第 {one['valid_until']} 章就到头了", "请从 closes 里去掉它。"
    if (integer(one.get("valid_from_chapter")) or 0) > chapter:
        start = one["valid_from_chapter"]
        return f"「{name}」第 {start} 章才起，第 {chapter} 章到不了头", "请改到那以后的章。"
    return "", ""


def _open_end_problems(plan: Plan, closed: dict[str, int]) -> Iterator[Problem]:
    """Warn of the contracts that tell of an end in words, which no chapter of the volume brings."""
    told = [
        f"{person.name}的「{one.get('rule')}」（{one.get('id')}）"
        for person in plan.people or ()
        for one in casts.contracts_in_force(person, plan.end)
        if contract_ends.ends_by_event(one) and one.get("id") not in closed
    ]
    if told and plan.contracts:
        more = f"等 {len(told)} 条" if len(told) > _SHOWN else ""
        detail = f"这些约定写着到一件事为止，本卷没有一章让它到头：{'；'.join(told[:_SHOWN])}{more}"
        how = (
            "本卷哪一章写到那件事，就在定下来以前说一声是哪一章，架构师会把括号里的编号写进那一章的 closes；"
            "本卷写不到，不用动。"
        )
        yield errors.PlanOdd(plan.outline.path, detail=detail, how=how)
