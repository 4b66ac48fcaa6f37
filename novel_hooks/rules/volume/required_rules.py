"""The world rules that a volume's contracts require: each is there, and by then introduced. Pure."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Iterator
from novel_hooks.errors import Problem
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.text.json_values import integer
from novel_hooks.rules.volume import places

if TYPE_CHECKING:
    from novel_hooks.rules.volume.plan import Plan


def world_rule_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the `required_world_rules` that do not exist, or are introduced later; each once."""
    if plan.rules is None:
        return
    unknown: dict[str, list[int]] = {}
    early: dict[str, list[int]] = {}
    for chapter, contract in sorted(plan.contracts.items()):
        for name in contracts.world_rules(contract) if chapter > plan.last else ():
            since = integer(plan.rules.get(name))
            if name not in plan.rules:
                unknown.setdefault(name, []).append(chapter)
            elif since is not None and since > chapter:
                early.setdefault(name, []).append(chapter)
    for name, numbers in early.items():
        path, chapters = plan.contracts[numbers[0]].path, places.chapters_text(numbers)
        told = {"since": plan.rules[name], "chapters": chapters, "rules": layout.WORLD_RULES}
        yield errors.VolumeWorldRule(path, name=name, case="early", **told)
    if "rules" in plan.partial:
        return
    for name, numbers in unknown.items():
        path, guess = plan.contracts[numbers[0]].path, places.suggestion_text(name, plan.rules)
        told = {"rules": layout.WORLD_RULES, "also": places.also_text(numbers), "guess": guess}
        yield errors.VolumeWorldRule(path, name=name, case="unknown", **told)
