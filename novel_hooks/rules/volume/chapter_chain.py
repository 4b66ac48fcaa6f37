"""The chain from one chapter's end to the next one's beginning. Source: seed 000 Step 2.4, protocol §1."""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.annotations import TYPE_CHECKING, Iterator, Mapping
from novel_hooks.errors import Problem
from novel_hooks.rules.cast.names import Names
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.text.json_values import FAULTY, text
from novel_hooks.rules.volume import places

if TYPE_CHECKING:
    from novel_hooks.rules.outline.contract import Contract
    from novel_hooks.rules.volume.plan import Plan

_NAMED = ("character", "name", "display_name", "entity", "target", "who", "path")
PEOPLE = "characters"
THINGS = ("items", "locations", "factions", "world_state")
"""Keys of `state_changes`, as the state has them, below which no character is named."""
_ACTING = ("Conflict", "StateChanges")
"""Key lines that name the characters who take part."""


def chain_problems(plan: Plan) -> Iterator[Problem]:
    """Yield a problem for each character whom the chapter before changed and who is present without a state.

    Present are the characters of `present_people`; a mere mention does not count. The state at the chapter's
    beginning is in `preconditions.character_states`. The chapter before the volume counts too.
    """
    names = plan.names
    for chapter, contract, earlier in _upcoming(plan):
        if earlier is None:
            continue
        keys = plan.keys(chapter) if plan.agreed(chapter) else {}  # else they may be another chapter's
        present, stated = present_people(contract, keys, names), _precondition_people(contract, names)
        for name in sorted(changed_people(earlier, names)):
            if name in present and name not in stated:
                title, where = names.title(name), present[name]
                yield errors.VolumeChain(
                    contract.path, name=title, where=where, before=chapter - 1, chapter=chapter
                )


def entrance_problems(plan: Plan) -> Iterator[Problem]:
    """Yield a warning for each narrator or changed character of a chapter that lacks his state.

    Characters whom `chain_problems` names are left out.
    """
    names = plan.names
    for chapter, contract, earlier in _upcoming(plan):
        if contract.cast is None:
            continue
        linked = changed_people(earlier, names) if earlier is not None else {}
        present = dict.fromkeys(names.ids_in_list(plan.keys(chapter).get("POV", "")), "大纲的 POV")
        for name in changed_people(contract, names):
            present.setdefault(name, "state_changes")
        for name in sorted(set(present) - _precondition_people(contract, names) - set(linked)):
            told = {"name": names.title(name), "chapter": chapter, "where": present[name]}
            yield errors.VolumeCast(contract.path, case="entrance", **told)


def _upcoming(plan: Plan) -> Iterator[tuple[int, Contract, Contract | None]]:
    """Yield (chapter, contract, that of the chapter before) where a missing character can be told."""
    for chapter in plan.chapters if plan.people is not None else ():
        contract = plan.sound(chapter)
        if contract is not None and chapter > plan.last and can_read_preconditions(contract):
            yield chapter, contract, plan.at(chapter - 1)


def can_read_preconditions(contract: Contract) -> bool:
    """Tell whether the preconditions could be read; otherwise no character counts as missing from them."""
    before = contract.document.get("preconditions")
    return before is not FAULTY and contracts.preconditions(contract).get("character_states") is not FAULTY


def _precondition_people(contract: Contract, names: Names) -> set[str]:
    """Return the ids of the characters with a state; a misspelt name, a problem of its own, counts too."""
    found = {name for word in contract.cast or () for name in names.who(word)}
    titles = {places.closest(word, names.shown()) for word in contract.cast or () if not names.who(word)}
    return found | {name for title in titles if title for name in names.who(title)}


def changed_people(contract: Contract, names: Names) -> dict[str, str]:
    """Map the id of each character whom `state_changes` change to the word used for him."""
    return {found[0]: word for word, found in state_change_names(contract, names) if len(found) == 1}


def state_change_names(contract: Contract, names: Names) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each name at the head of a state change, and the ids of the characters it means, () for none.

    `state_changes` are a map by name, or a list of objects or of texts such as `何铁：醒→走`.
    """
    changes = contracts.postconditions(contract).get("state_changes")
    if isinstance(changes, dict):
        yield from _names_in_map(changes, names)
    elif isinstance(changes, list):
        for entry in changes:
            yield from _names_in_entry(entry, names)


def _names_in_map(changes: Mapping[str, object], names: Names) -> Iterator[tuple[str, tuple[str, ...]]]:
    for key, value in changes.items():
        if key == PEOPLE and isinstance(value, dict):
            yield from _names_in_map(value, names)
        else:
            yield from _names_in_word(key, names)


def _names_in_word(word: str, names: Names) -> list[tuple[str, tuple[str, ...]]]:
    """Split names such as `何铁与苏禾`, or take the name of a delta's path: `characters.he-tie.location`."""
    head, _, rest = word.strip().partition(".")
    if head in THINGS:
        return []
    return names.parts(rest.partition(".")[0] if head == PEOPLE and rest else word)


def _names_in_entry(entry: object, names: Names) -> Iterator[tuple[str, tuple[str, ...]]]:
    if isinstance(entry, dict):
        words = [entry[key] for key in _NAMED if text(entry.get(key))]
        for word in words:
            yield from _names_in_word(str(word), names)
        if not words:
            for key in entry:
                yield from [(word, found) for word, found in names.parts(key) if found]
    elif isinstance(entry, str):
        head = entry.replace("：", ":").partition(":")[0]
        heads = [(word, found) for word, found in _names_in_word(head, names) if found]
        yield from heads or [(names.title(name), (name,)) for name in names.ids_at_start(entry)]


def present_people(contract: Contract, keys: Mapping[str, str], names: Names) -> dict[str, str]:
    """Map the id of each character present in a chapter to the place that says so, in the author's words.

    These tell the chapter (POV), act in an objective (`actor`, or a `target` that is a person), or change.
    """
    found = dict.fromkeys(names.ids_in_list(keys.get("POV", "")), "大纲的 POV")
    for objective in contracts.objectives(contract):
        for key in ("actor", "target"):
            for name in names.ids_in_list(text(objective.get(key)) or ""):
                found.setdefault(name, _objective_place(objective, key))
    for name in changed_people(contract, names):
        found.setdefault(name, "state_changes")
    return found


def _objective_place(objective: Mapping[str, object], key: str) -> str:
    name = text(objective.get("id"))
    return f"目标 {name} 的 {key}" if name else f"目标的 {key}"


def first_mentions(contract: Contract, keys: Mapping[str, str], names: Names) -> dict[str, str]:
    """Map the id of each character of a chapter to the place that names him first, in the author's words.

    `keys` are the chapter's key lines in the outline.
    """
    found: dict[str, str] = {}
    for where, listed in _mentions(contract, keys, names):
        for name in listed:
            found.setdefault(name, where)
    return found


def _mentions(contract: Contract, keys: Mapping[str, str], names: Names) -> Iterator[tuple[str, list[str]]]:
    yield "大纲的 POV", names.ids_in_list(keys.get("POV", ""))
    for objective in contracts.objectives(contract):
        for key in ("target", "action", "description"):
            words = text(objective.get(key)) or ""
            yield (
                _objective_place(objective, key),
                [*names.ids_in_list(words), *names.ids_in_text(words, owned=key != "target")],
            )
    yield "state_changes", list(changed_people(contract, names))
    for key in _ACTING:
        yield f"大纲的 {key}", names.ids_in_text(keys.get(key, ""))
