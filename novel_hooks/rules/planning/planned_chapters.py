"""Planned, unwritten chapters: the people, rules, storylines and places that each needs. Pure.

Source: protocol §1 (contracts, outlines).
"""

from __future__ import annotations

from novel_hooks.annotations import Iterable, Iterator, Mapping
from novel_hooks.record import Record
from novel_hooks.rules.cast.names import Names
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline.contract import Contract
from novel_hooks.rules.text.json_values import mapping, text
from novel_hooks.rules.volume import chapter_chain


class PlannedChapter(Record):
    """A chapter to come. `keys` are its key lines in the outline, {} where it has none."""

    volume: int
    chapter: int
    contract: Contract
    keys: Mapping[str, str]


def needs_person(chapter: PlannedChapter, names: Iterable[str]) -> str | None:
    """Return the place where the chapter first names a character; None without one.

    `names` are all words for him. The places, in this order: `character_states` of the preconditions, then
    those of `chapter_chain.first_mentions` (point of view, objectives, `state_changes`, other key lines).
    """
    people = Names([("he", list(names))])
    if any(people.who(word) for word in chapter.contract.cast or ()):
        return "character_states"
    return chapter_chain.first_mentions(chapter.contract, chapter.keys, people).get("he")


def needs_rule(chapter: PlannedChapter, name: str) -> bool:
    """Tell whether the contract requires the world rule with this id."""
    return name in contracts.world_rules(chapter.contract)


def needs_storyline(chapter: PlannedChapter, name: str) -> bool:
    """Tell whether the chapter belongs to the storyline, leads over to it, or has its concurrent state."""
    contract = chapter.contract
    return name in (contract.storyline_id, contract.next_storyline, *contract.concurrent_state)


def needs_place(chapter: PlannedChapter, name: str) -> bool:
    """Tell whether the outline's `Location` or a character's `location` in the contract holds the name."""
    return any(name in place for place in _place_texts(chapter))


def _place_texts(chapter: PlannedChapter) -> Iterator[str]:
    yield chapter.keys.get("Location", "")
    for entry in (contracts.preconditions(chapter.contract).get("character_states") or {}).values():
        yield text(mapping(entry).get("location")) or ""
