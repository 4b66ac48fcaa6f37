"""The chain from one chapter's end to the next one's beginning. Source: seed 000 Step 2.4, protocol §1."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from novel_hooks.rules.outline.contract import Contract
    from novel_hooks.rules.volume.plan import Plan

from novel_hooks import errors
from novel_hooks.errors import Problem
from novel_hooks.rules.cast.names import Names
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.text.json_values import FAULTY, text
from novel_hooks.rules.volume import places

_NAMED = ("character", "name", "display_name", "entity", "target", "who", "path")
PEOPLE = "characters"
THINGS = ("items", "locations", "factions", "world_state")
"""What `state_changes` may be sorted by, as the state is."""
_ACTING = ("Conflict", "StateChanges")
"""Key lines that name who takes part."""


def chain_problems(plan: Plan) -> Iterator[Problem]:
    """Who is in the last chapter's state changes and in this one's cast is in this one's preconditions.

    The cast are those whom this chapter's point of view, key lines, objectives or state changes name.
    """
    if plan.people is None:
        return
    names = plan.names
    for chapter in plan.chapters:
        earlier, contract = plan.at(chapter - 1), plan.sound(chapter)
        if (
            earlier is None
            or contract is None
            or chapter <= plan.last
            or not can_read_preconditions(contract)
        ):
            continue
        keys = plan.keys(chapter) if plan.agreed(chapter) else {}  # else they may be another chapter's
        moved, cast = changed_people(earlier, names), first_mentions(contract, keys, names)
        held = _precondition_people(contract, names)
        for name in sorted(moved):
            if name in cast and name not in held:
                told = {"name": names.title(name), "before": chapter - 1, "chapter": chapter}
                yield errors.VolumeChain(contract.path, **told, where=cast[name])


def entrance_problems(plan: Plan) -> Iterator[Problem]:
    """Whom a chapter is told through or changes, it says how he comes in; the chain has told some already."""
    if plan.people is None:
        return
    names = plan.names
    for chapter in plan.chapters:
        earlier, contract = plan.at(chapter - 1), plan.sound(chapter)
        if (
            contract is None
            or chapter <= plan.last
            or contract.cast is None
            or not can_read_preconditions(contract)
        ):
            continue
        linked = changed_people(earlier, names) if earlier is not None else {}
        told = dict.fromkeys(names.ids_in_list(plan.keys(chapter).get("POV", "")), "大纲的 POV")
        for name in changed_people(contract, names):
            told.setdefault(name, "state_changes")
        for name in sorted(set(told) - _precondition_people(contract, names) - set(linked)):
            yield errors.VolumeCast(contract.path, name=names.title(name), chapter=chapter, where=told[name])


def can_read_preconditions(contract: Contract) -> bool:
    """Can its preconditions be read? Otherwise nothing follows from who is not there."""
    before = contract.document.get("preconditions")
    return before is not FAULTY and contracts.preconditions(contract).get("character_states") is not FAULTY


def _precondition_people(contract: Contract, names: Names) -> set[str]:
    """Whom the preconditions name; a slip of the pen, told by itself, is whom it nearly names."""
    found = {name for word in contract.cast or () for name in names.who(word)}
    titles = {places.closest(word, names.shown()) for word in contract.cast or () if not names.who(word)}
    return found | {name for title in titles if title for name in names.who(title)}


def changed_people(contract: Contract, names: Names) -> dict[str, str]:
    """The people whom `state_changes` change → the word it has for them: a map by name, or a list."""
    return {found[0]: word for word, found in state_change_names(contract, names) if len(found) == 1}


def state_change_names(contract: Contract, names: Names) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each word at the head of a state change, and whom it means; () nobody's."""
    told = contracts.postconditions(contract).get("state_changes")
    if isinstance(told, dict):
        yield from _names_in_map(told, names)
    elif isinstance(told, list):
        for entry in told:
            yield from _names_in_entry(entry, names)


def _names_in_map(told: Mapping[str, object], names: Names) -> Iterator[tuple[str, tuple[str, ...]]]:
    for key, value in told.items():
        if key == PEOPLE and isinstance(value, dict):
            yield from _names_in_map(value, names)
        else:
            yield from _names_in_word(key, names)


def _names_in_word(said: str, names: Names) -> list[tuple[str, tuple[str, ...]]]:
    """`何铁与苏禾`, or a path as a delta has it: `characters.he-tie.location`."""
    head, _, rest = said.strip().partition(".")
    if head in THINGS:
        return []
    return names.parts(rest.partition(".")[0] if head == PEOPLE and rest else said)


def _names_in_entry(entry: object, names: Names) -> Iterator[tuple[str, tuple[str, ...]]]:
    if isinstance(entry, dict):
        said = [entry[key] for key in _NAMED if text(entry.get(key))]
        for word in said:
            yield from _names_in_word(str(word), names)
        if not said:
            for key in entry:
                yield from [(word, found) for word, found in names.parts(key) if found]
    elif isinstance(entry, str):
        head = entry.replace("：", ":").partition(":")[0]
        heads = [(word, found) for word, found in _names_in_word(head, names) if found]
        yield from heads or [(names.title(name), (name,)) for name in names.ids_at_start(entry)]


def first_mentions(contract: Contract, keys: Mapping[str, str], names: Names) -> dict[str, str]:
    """The chapter's cast → where each is named first. `keys` are its key lines in the outline."""
    found: dict[str, str] = {}
    for where, listed in _mentions(contract, keys, names):
        for name in listed:
            found.setdefault(name, where)
    return found


def _mentions(contract: Contract, keys: Mapping[str, str], names: Names) -> Iterator[tuple[str, list[str]]]:
    yield "大纲的 POV", names.ids_in_list(keys.get("POV", ""))
    for objective in contracts.objectives(contract):
        for key in ("target", "action", "description"):
            said = text(objective.get(key)) or ""
            where = f"目标 {objective.get('id')} 的 {key}" if text(objective.get("id")) else f"目标的 {key}"
            yield where, [*names.ids_in_list(said), *names.ids_in_text(said, owned=key != "target")]
    yield "state_changes", list(changed_people(contract, names))
    for key in _ACTING:
        yield f"大纲的 {key}", names.ids_in_text(keys.get(key, ""))
