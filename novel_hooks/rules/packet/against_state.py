"""Contradictions between a chapter's contract and the state about its people. Pure. Source: protocol §1.

Only facts count that cannot both be true: a thing that somebody else holds, a person who is dead. The
contract decides where people are at a chapter's beginning, because they may have gone there.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Any, Collection, Iterator, Mapping
from novel_hooks.pattern import Pattern
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.text.json_values import mapping, strings, text

if TYPE_CHECKING:
    from novel_hooks.rules.cast.names import Names
    from novel_hooks.rules.outline.contract import Contract

_HELD = ("holds", "inventory")
_DEAD = Pattern(r"已?经?(?:死(?![里活])|身亡|亡故|身故|病故|殁|过世|去世|遇害)")


def contradictions(
    contract: Contract, state: Mapping[str, Any], things: Collection[str], known: Names
) -> Iterator[str]:
    """Yield in Chinese the `character_states` of the contract that contradict the state.

    `things` are the names of the state's items.
    """
    people = mapping(state.get("characters"))
    said = contracts.preconditions(contract).get("character_states")
    for name, fields in said.items() if isinstance(said, dict) else ():
        slugs, given = known.who(name), fields if isinstance(fields, dict) else {}
        if len(slugs) != 1:
            continue
        entry = mapping(people.get(slugs[0]))
        if _DEAD.match(text(entry.get("status")) or ""):
            yield f"契约写「{name}」在场，状态里他“{entry['status']}”"
        held = "\n".join(strings([given.get(key) for key in _HELD]))
        for thing in things:
            if _names(held, thing) and not _names(_inventory(entry), thing):
                holders = [one for one, other in people.items() if _names(_inventory(other), thing)]
                if holders:
                    others = "、".join(f"「{known.title(one)}」" for one in holders)
                    yield f"契约写「{name}」拿着「{thing}」，状态里它在{others}手里"


def _inventory(entry: object) -> str:
    held = mapping(entry)
    return "\n".join(strings([held.get("inventory"), held.get("items")]))


def _names(held: str, thing: str) -> bool:
    """Return whether the thing itself is held: `布老虎的线` is a thread."""
    return thing in held.replace(f"{thing}的", "")
