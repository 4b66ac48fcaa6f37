"""Characters of a volume's plan: cards, retirements, shared names. Source: protocol §1, seed 000 Step 2.4."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Iterator
from novel_hooks.errors import Problem
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.text.json_values import text
from novel_hooks.rules.volume import chapter_chain, foreshadowing_updates, storylines
from novel_hooks.rules.volume import places as volume_places

if TYPE_CHECKING:
    from novel_hooks.rules.outline.contract import Contract
    from novel_hooks.rules.volume.plan import Plan

_NO_ONE = Pattern(
    r"(?i)(?:第?[一二三]人称.*|全知.*|限知.*|旁观.*|旁白|群像|多线|众人|无|没有|[-—–/]+|none|n/a|omniscient.*)\Z"
)
"""A point of view that is no character's. Source: outlines as authors write them."""
_ID = Pattern(r"[a-z0-9]+(?:[-_][a-z0-9]+)+\Z")
_OF_PEOPLE = ("character", "relationship")
_THINGS = "；不是人，就收进 state_changes 的 locations、items、factions 或 world_state 里"


class Place(Record):
    """A place that names a character: file, place in it, kind (`pov`, `state`, `change`, `target`)."""

    path: str
    where: str
    kind: str


def character_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the names without an active card, the retired characters, and the ambiguous or repeated names.

    Names are those of preconditions, points of view, targets and state changes.
    """
    if plan.people is None:
        return
    yield from casts.problems(plan.people, plan.staged)
    strangers = dict[str, list[Place]]()
    for word, place in _unknown_words(plan):
        strangers.setdefault(word, []).append(place)
    for word, places in strangers.items():
        where = volume_places.places_text((p.path, p.where) for p in places)
        if plan.left.who(word):
            yield errors.VolumeRetired(places[0].path, name=word, where=where)
        elif "people" not in plan.partial:
            things = _THINGS if any(p.kind == "change" for p in places) else ""
            near = volume_places.suggestion_text(word, plan.names.shown())
            told = {"name": word, "where": where, "near": near, "things": things, "card": _new_card(plan)}
            yield errors.VolumeCharacter(places[0].path, **told)
    for chapter, contract in sorted(plan.contracts.items()):
        if chapter > plan.last:
            yield from _duplicate_problems(plan, contract)


def _unknown_words(plan: Plan) -> Iterator[tuple[str, Place]]:
    """Yield each word that should name a character and names none, and its place."""
    known = plan.names
    for line, name in storylines.storyline_narrators(plan):
        if not known.who(name):
            yield name, Place(plan.storylines_path, f"「{line}」的 pov_characters", "pov")
    for chapter in sorted({*plan.chapters, *plan.contracts}):
        if chapter <= plan.last:
            continue
        contract, pov = plan.contracts.get(chapter), plan.keys(chapter).get("POV", "")
        if contract is not None:
            for word in contract.cast or ():
                if not known.who(word):
                    yield word, Place(contract.path, "character_states", "state")
        for word, found in known.parts(pov):
            if not found and not _NO_ONE.match(word) and not known.ids_in_text(word):
                yield word, Place(plan.outline.path, f"第 {chapter} 章 POV", "pov")
        if contract is not None:
            yield from _unknown_changes(plan, contract, chapter)


def _unknown_changes(plan: Plan, contract: Contract, chapter: int) -> Iterator[tuple[str, Place]]:
    known, retired = plan.names, plan.left
    things, place = _names_of_things(plan), plan.keys(chapter).get("Location", "")
    for word, found in chapter_chain.state_change_names(contract, known):
        if not (found or word in things or word in place or known.ids_in_text(word, owned=False)):
            yield word, Place(contract.path, "state_changes", "change")
    for objective in contracts.objectives(contract):
        for word, found in known.parts(text(objective.get("target")) or ""):
            if not found and (retired.who(word) or (_ID.match(word) and word not in things)):
                yield word, Place(contract.path, f"目标 {objective.get('id')} 的 target", "target")


def _names_of_things(plan: Plan) -> set[str]:
    """Return the names and ids that are no character's: the state's things, storylines, rules, threads."""
    return {
        *plan.things,
        *(plan.lines or ()),
        *(plan.rules or ()),
        *foreshadowing_updates.thread_ids(plan.threads or ()),
        *foreshadowing_updates.thread_ids(plan.facts or ()),
    }


def uncarded_problems(plan: Plan) -> Iterator[Problem]:
    """Yield a warning for each name without a card at which people's objectives of several chapters aim."""
    for name, chapters in uncarded_names(plan).items():
        told = {"name": name, "chapters": volume_places.chapters_text(chapters), "card": _new_card(plan)}
        yield errors.VolumeCast(plan.contract_path(chapters[0]), case="stranger", **told)


def uncarded_names(plan: Plan) -> dict[str, list[int]]:
    """Return name → chapters to come, of the names that `uncarded_problems` reports."""
    aimed, things = dict[str, list[int]](), _names_of_things(plan)
    for chapter, contract in sorted(plan.contracts.items()):
        for objective in contracts.objectives(contract) if chapter > plan.last else ():
            of_people = objective.get("type") in _OF_PEOPLE
            words = [text(objective.get("actor")), text(objective.get("target")) if of_people else None]
            for word, found in (part for one in words for part in plan.names.parts(one or "")):
                if not (found or word in things or plan.left.who(word) or plan.names.ids_in_text(word)):
                    aimed.setdefault(word, []).append(chapter)
    known = plan.people is not None and "people" not in plan.partial
    return {name: chapters for name, chapters in aimed.items() if known and len(set(chapters)) > 1}


def _new_card(plan: Plan) -> str:
    return plan.path(layout.character_card("代号"))


def _duplicate_problems(plan: Plan, contract: Contract) -> Iterator[Problem]:
    """Yield the words that mean several characters, and the characters whom two words of one map mean."""
    seen: dict[str, str] = {}
    changed = dict(chapter_chain.state_change_names(contract, plan.names))
    for word, found in {**{word: plan.names.who(word) for word in contract.cast or ()}, **changed}.items():
        titles = dict.fromkeys(plan.names.title(name) for name in found)
        if len(titles) > 1:
            told = {"word": word, "titles": "、".join(titles)}
            yield errors.VolumeContract(contract.path, case="name shared", **told)
    for word in contract.cast or ():
        found = plan.names.who(word)
        if len(found) == 1:
            (name,) = found
            if name in seen:
                told = {"first": seen[name], "word": word, "title": plan.names.title(name)}
                yield errors.VolumeContract(contract.path, case="person", **told)
            seen.setdefault(name, word)
