"""The people of a packet: their contracts, the writer's view of them, their names for the record.

Source: seed 000 Steps 2.3, 2.4, protocol §7.
"""

from __future__ import annotations

from novel_hooks import defaults, errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Any
from novel_hooks.errors import Problem
from novel_hooks.flows.book import settings
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import chosen_people, contract_ends
from novel_hooks.rules.cast import people as known_people
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.packet import packet

if TYPE_CHECKING:
    from novel_hooks.flows.packet.gathering import Gathering
    from novel_hooks.flows.packet.phase_inputs import Part
    from novel_hooks.rules.cast.characters import Character


def add_contracts(g: Gathering, part: Part) -> None:
    """Add the contracts of the chapter's characters; for the judge their whole cards and profiles."""
    people = g.once(g.book.cast)
    if people is None or g.contract is None:
        return
    g.problems += casts.problems(people)
    judged = "character_profiles" in part.keys
    chosen = _chosen(g, people)
    if judged:
        for person in chosen:
            g.file("character_profiles", "character_profile", layout.character_profile(person.slug))
    view = casts.judge_view if judged else casts.agent_view
    closing = contracts.closes(g.contract)
    for name in closing:
        count = len(contract_ends.holders(people, name))
        if count != 1:
            case = "shared" if count else "unknown"
            g.problems.append(errors.ContractEndUnclear(g.contract.path, case=case, name=name))
    given = {person.slug: view(person, g.desk.number, closing) for person in chosen}
    if judged:
        given = _with_cards(g, people, chosen, given)
    g.add(packet.value_input("character_contracts", given))


def _with_cards(
    g: Gathering, people: list[Character], chosen: list[Character], contracts_of: dict[str, dict[str, Any]]
) -> dict[str, dict[str, Any]]:
    """Return the contracts with what a writer sees of their holders, and the names of all others in the text.

    So a form of address that nobody has for somebody is found, and what he would never want.
    """
    shown = known_people.shown_by_slug(chosen)
    text = g.attempt(g.desk.get, "chapter")
    said = text.value if text is not None and text.ok else ""
    named = known_people.named_people(people, [said], g.attempt(g.book.state) or {})
    others = known_people.names_by_slug(one for one in named if one.slug not in contracts_of)
    return {**others, **{slug: {**shown[slug], **one} for slug, one in contracts_of.items()}}


def _chosen(g: Gathering, people: list[Character]) -> list[Character]:
    """Return the characters in the chapter's contract, else the last `max_characters` seen (Step 2.4)."""
    if g.contract is None:
        return []
    recent = [] if g.contract.cast is not None else _recent_summaries(g)
    most = g.attempt(settings.max_characters, g.book) or defaults.MAX_CHARACTERS
    chosen, warnings = chosen_people.select_characters(people, g.contract.cast, g.contract.path, recent, most)
    g.problems += [one for one in warnings if str(one) not in map(str, g.problems)]
    return chosen


def _recent_summaries(g: Gathering) -> list[tuple[int, str]]:
    first = max(1, g.desk.number - chosen_people.RECENT_SUMMARIES)
    found = [(n, g.attempt(g.book.text, layout.summary(n))) for n in range(first, g.desk.number)]
    return [(number, text) for number, text in found if text is not None]


def add_people(g: Gathering, part: Part) -> None:
    """Add the writer's view of everybody in the chapter, and of named people who have left the book."""
    people = g.once(g.book.cast) or []
    contract = g.contract
    own = casts.given_secrets(people, contracts.secrets_kept(contract)) if contract else {}
    out = casts.given_secrets(people, contracts.disclosures(contract)) if contract else {}
    present = {*chapter_people(g), *(person.slug for person in _chosen(g, people)), *own, *out}
    shown = [person for person in people if person.slug in present]
    left = known_people.named_people(_retired(g, people), g.plan_texts())
    given = {**known_people.shown_by_slug(shown, own, out), **known_people.retired_by_slug(left)}
    g.add(packet.value_input("people", dict(sorted(given.items()))))


def _retired(g: Gathering, people: list[Character]) -> list[Character]:
    """Return those who have left and share no name with who is there; a broken card stops nothing."""
    taken = {name for person in people for name in casts.names_of(person)}
    try:
        return [one for one in g.book.retired() if taken.isdisjoint(casts.names_of(one))]
    except Problem:
        return []


def chapter_people(g: Gathering) -> list[str]:
    """Return the ids of everybody in contract or outline."""
    return list(g.once(_named_people, g))


def _named_people(g: Gathering) -> list[str]:
    people, state = g.once(g.book.cast) or [], g.attempt(g.book.state) or {}
    return [person.slug for person in known_people.named_people(people, g.plan_texts(), state)]


def add_entity_ids(g: Gathering, part: Part) -> None:
    """Add id, name, aliases and forms of address of everybody."""
    people = g.once(g.book.cast) or []
    g.problems += casts.problems(people)
    g.add(packet.value_input("entity_id_map", known_people.names_by_slug(people)))
