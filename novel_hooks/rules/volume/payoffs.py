"""Payoffs told too early: outlines and contracts are what a chapter's writer reads. Source: protocol §7."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from novel_hooks.rules.outline.contract import Contract
    from novel_hooks.rules.volume.plan import Plan
import json

from novel_hooks import errors
from novel_hooks.errors import Problem
from novel_hooks.rules.foreshadowing import secrets
from novel_hooks.rules.foreshadowing.item import CLOSED, PAYOFF, SIGNAL, merge_plan
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.text.json_values import text
from novel_hooks.rules.volume.foreshadowing_updates import contract_updates, upcoming_outline_updates


def early_payoff_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the unwritten chapters whose outline or contract tells a payoff before the chapter of it.

    A word of the thread's own signal is no payoff.
    """
    hidden = _hidden_threads(plan)
    lines, over = dict(upcoming_outline_updates(plan)) if hidden else {}, set[str]()
    for chapter in plan.chapters if hidden else ():
        contract = plan.sound(chapter)
        told = [*lines.get(chapter, ()), *(contract_updates(contract) if contract else ())]
        over |= {one.name for one in told if one.action == "resolved"}
        if chapter > plan.last:
            yield from _chapter_problems(plan, chapter, [one for one in hidden if one["id"] not in over])


def _hidden_threads(plan: Plan) -> list[dict[str, Any]]:
    """Return the threads of the plan and of the book that have a payoff and are not resolved."""
    planned = {str(item["id"]): item for item in plan.threads or () if text(item.get("id"))}
    known = {str(fact["id"]): fact for fact in plan.facts or () if text(fact.get("id"))}
    threads = [merge_plan(known.get(name), planned.get(name)) for name in sorted({*planned, *known})]
    return [one for one in threads if text(one.get(PAYOFF)) and one.get("status") not in CLOSED]


def _chapter_problems(plan: Plan, chapter: int, hidden: list[dict[str, Any]]) -> Iterator[Problem]:
    for path, words in _chapter_texts(plan, chapter, plan.sound(chapter)):
        for one in hidden:
            if secrets.is_in_plan(words, one[PAYOFF], text(one.get(SIGNAL)) or ""):
                yield errors.VolumeForeshadowing(path, "payoff early", name=one["id"], chapter=chapter)


def _chapter_texts(plan: Plan, chapter: int, contract: Contract | None) -> Iterator[tuple[str, str]]:
    """Yield (path, text) of the chapter's outline and of its contract."""
    heading = next((one for one in plan.outline.headings if one.chapter == chapter), None)
    if heading is not None:
        yield plan.outline.path, outlines.block_under(plan.outline, heading)
    if contract is not None:
        yield contract.path, json.dumps(contract.document, ensure_ascii=False, default=str)
