"""Chapters that are planned and not yet written: who and what each of them leans on. Pure.

Source: protocol §1 (contracts, outlines).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from novel_hooks.rules.outline.contract import Contract

from novel_hooks.record import Record
from novel_hooks.rules.cast.names import Names
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.text.json_values import text
from novel_hooks.rules.volume import chapter_chain


class PlannedChapter(Record):
    """A chapter to come. `keys` are its key lines in the outline, {} where it has none."""

    volume: int
    chapter: int
    contract: Contract
    keys: Mapping[str, str]


def needs_person(one: PlannedChapter, names: Iterable[str]) -> str | None:
    """Where the chapter names him first: its preconditions, the point of view, an objective, a change.

    `names` are all his words.
    """
    known = Names([("he", list(names))])
    if any(known.who(word) for word in one.contract.cast or ()):
        return "character_states"
    return chapter_chain.first_mentions(one.contract, one.keys, known).get("he")


def needs_rule(one: PlannedChapter, name: str) -> bool:
    return name in contracts.world_rules(one.contract)


def needs_storyline(one: PlannedChapter, name: str) -> bool:
    """It tells this storyline, hands over to it, or says what goes on there meanwhile."""
    return name in (one.contract.storyline_id, one.contract.next_storyline, *one.contract.concurrent_state)


def needs_place(one: PlannedChapter, name: str) -> bool:
    """The outline's place, or where somebody stands, names it."""
    return any(name in told for told in _place_texts(one))


def _place_texts(one: PlannedChapter) -> Iterator[str]:
    yield one.keys.get("Location", "")
    for entry in (contracts.preconditions(one.contract).get("character_states") or {}).values():
        where = text(entry.get("location")) if isinstance(entry, dict) else None
        yield where or ""
