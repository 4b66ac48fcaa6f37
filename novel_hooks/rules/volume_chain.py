"""The chain from one chapter's end to the next one's beginning. Source: seed 000 Step 2.4, protocol §1."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from novel_hooks.rules.contract import Contract
    from novel_hooks.rules.volume import Plan

from novel_hooks.errors import Problem, VolumeChain
from novel_hooks.pattern import Pattern

_BETWEEN = Pattern(r"[、，,；;／/和与及\s]+")
_NAMED = ("character", "name", "display_name", "entity", "target")


def chain(plan: Plan) -> Iterator[Problem]:
    """Who is in the last chapter's state changes and in this one's cast is in this one's preconditions.

    The cast are those whom this chapter's point of view, objectives or state changes name.
    """
    if plan.people is None:
        return
    names = [person.name for person in plan.people]
    for chapter in plan.chapters:
        earlier, contract = plan.at(chapter - 1), plan.contracts.get(chapter)
        if earlier is None or contract is None:
            continue
        moved, cast = changed(earlier, names), present(contract, plan.keys(chapter).get("POV", ""), names)
        for name in sorted(moved):
            if name in cast and name not in (contract.cast or ()):
                told = {"name": name, "before": chapter - 1, "chapter": chapter}
                yield VolumeChain(contract.path, **told, where=cast[name])


def changed(contract: Contract, names: list[str]) -> set[str]:
    """The people whom the contract's `state_changes` change: a map by name, or a list."""
    told = (contract.document.get("postconditions") or {}).get("state_changes") or ()
    if isinstance(told, dict):
        return {name for name in names if name in told}
    found: set[str] = set()
    for entry in told:
        if isinstance(entry, dict):
            said = {entry.get(key) for key in _NAMED} | set(entry)
            found |= {name for name in names if name in said}
        elif isinstance(entry, str):
            found |= {name for name in names if entry.startswith(name)}
    return found


def present(contract: Contract, pov: str, names: list[str]) -> Mapping[str, str]:
    """The chapter's cast: name → where it is named first."""
    found: dict[str, str] = {}
    for name in _people(pov, names):
        found.setdefault(name, "大纲的 POV")
    for objective in contract.document.get("objectives") or ():
        for name in _acting(objective, names):
            found.setdefault(name, f"目标 {objective.get('id')}")
    for name in sorted(changed(contract, names)):
        found.setdefault(name, "state_changes")
    return found


def _acting(objective: Mapping[str, Any], names: list[str]) -> list[str]:
    """Who is an objective's target, or stands at the head of its action."""
    action = str(objective.get("action") or "")
    heads = [name for name in names if action.startswith(name)]
    return [*_people(str(objective.get("target") or ""), names), *heads]


def _people(text: str, names: list[str]) -> list[str]:
    parts = {text.strip(), *_BETWEEN.sub("\n", text).split("\n")}
    return [name for name in names if name in parts]
