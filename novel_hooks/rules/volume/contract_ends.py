"""The characters' contracts that a volume ends: each is named rightly, and none is forgotten. Pure.

A chapter's contract names the contracts that end in it in `postconditions.closes`. Source: protocol §4.
"""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.annotations import TYPE_CHECKING, Iterator
from novel_hooks.errors import Problem
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import contract_ends
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.text import excerpt
from novel_hooks.rules.text.json_values import integer
from novel_hooks.rules.volume import places

if TYPE_CHECKING:
    from novel_hooks.rules.volume.plan import Plan

_SHOWN = 6


def closing_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the contracts that end in no sound way, then in one warning those that no chapter ends."""
    if plan.people is None:
        return
    closed = dict[str, int]()
    for chapter, contract in sorted(plan.contracts.items()):
        for name in contracts.closes(contract):
            if chapter > plan.last:
                yield from _closing_problem(plan, chapter, name, closed.get(name))
            closed.setdefault(name, chapter)
    yield from _open_end_problems(plan, closed)


def _closing_problem(plan: Plan, chapter: int, name: str, earlier: int | None) -> Iterator[Problem]:
    people, path = plan.people or (), plan.contracts[chapter].path
    found = contract_ends.holders(people, name)
    if not found:
        if "people" not in plan.partial:
            known = [one for person in people for one in casts.contract_ids(person.document)]
            near = places.suggestion_text(name, known)
            yield errors.VolumeContract(path, "closes unknown", name=name, guess=near)
        return
    if len(found) > 1:
        who = "、".join(person.name for person in found)
        yield errors.VolumeContract(path, "closes shared", name=name, people=who)
        return
    one = contract_ends.contract(found[0].document, name)
    rule = f"{found[0].name}的约定：{one.get('rule')}（{name}）"
    start = integer(one.get("valid_from_chapter")) or 0
    if earlier is not None:
        yield errors.VolumeContract(path, "closes again", rule=rule, earlier=earlier)
    elif contract_ends.is_over(one, chapter - 1):
        yield errors.VolumeContract(path, "closes late", rule=rule, end=one["valid_until"])
    elif start > chapter:
        yield errors.VolumeContract(path, "closes early", rule=rule, start=start, chapter=chapter)


def _open_end_problems(plan: Plan, closed: dict[str, int]) -> Iterator[Problem]:
    """Warn of the contracts that tell of an end in words, which no chapter of the volume brings."""
    told = [
        f"{person.name}的「{one.get('rule')}」（{one.get('id')}）"
        for person in plan.people or ()
        for one in casts.contracts_in_force(person, plan.end)
        if contract_ends.ends_by_event(one) and one.get("id") not in closed
    ]
    if told and plan.contracts:
        listed = excerpt.join_first(told, _SHOWN, "条", "；")
        yield errors.PlanOdd(plan.outline.path, "open ends", contracts=listed)
