"""A chapter's contract, normalised, and what it asks for. Source: protocol §1, seed 000 Step 2.5."""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.annotations import TYPE_CHECKING, Any, Iterator, Mapping
from novel_hooks.errors import Problem
from novel_hooks.record import Record
from novel_hooks.rules.text.json_values import mapping, objects

if TYPE_CHECKING:
    from novel_hooks.rules.outline.schedule import Schedule


class Contract(Record):
    """A chapter's contract. `document` is the JSON object of the file at `path`.

    `cast` are the display names of `preconditions.character_states`, None where there are none.
    `concurrent_state` is a map from storyline id to one sentence.
    """

    path: str
    document: Mapping[str, Any]
    chapter: int
    storyline_id: str
    cast: tuple[str, ...] | None
    next_storyline: str | None
    concurrent_state: Mapping[str, Any]


CONTEXT = ("storyline_context", "concurrent_state", "transition_hint")
"""The contract's keys about storylines; each is an input of its own for a writer."""


def parse(document: Mapping[str, Any], path: str) -> Contract:
    """Parse a contract that its schema has accepted."""
    states = mapping(document.get("preconditions")).get("character_states")
    following = mapping(document.get("transition_hint")).get("next_storyline")
    return Contract(
        path=path,
        document=document,
        chapter=document["chapter"],
        storyline_id=document["storyline_id"],
        cast=tuple(states) if isinstance(states, dict) and states else None,
        next_storyline=following if isinstance(following, str) and following else None,
        concurrent_state=concurrent_state(document),
    )


def concurrent_state(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the contract's `concurrent_state` as a map from storyline id to one sentence, sorted by id.

    It may be nested in `storyline_context` or stand at top level, as a map or as a string. A string has no
    storyline: its key is `*`.
    """
    nested = mapping(document.get("storyline_context")).get("concurrent_state")
    blank = nested in (None, {}) or (isinstance(nested, str) and not nested.strip())
    found = document.get("concurrent_state") if blank else nested
    if isinstance(found, dict):
        return dict(sorted(found.items()))
    return {"*": found} if isinstance(found, str) and found.strip() else {}


def without_context(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the contract without the storyline's context and hint, which a packet gives beside it."""
    return {key: part for key, part in document.items() if key not in CONTEXT}


def problems(contract: Contract, chapter: int, outline_storyline: str) -> list[Problem]:
    """List a contract's problems: another chapter, another storyline than the outline's, nothing required.

    Source: seed 000 Step 2.5.
    """
    found: list[Problem] = []
    if contract.chapter != chapter:
        numbers = {"found": contract.chapter, "chapter": chapter}
        found.append(errors.ContractMismatch(contract.path, case="other chapter", **numbers))
    if contract.storyline_id != outline_storyline:
        lines = {"own": contract.storyline_id, "line": outline_storyline}
        found.append(errors.ContractMismatch(contract.path, case="other storyline", **lines))
    if not has_required_objective(contract):
        found.append(errors.ContractMismatch(contract.path, case="no objective"))
    return found


def has_required_objective(contract: Contract) -> bool:
    """Tell whether the contract has an objective that must be reached (`required: true`)."""
    return any(objective.get("required") is True for objective in objectives(contract))


def objectives(contract: Contract) -> list[dict[str, Any]]:
    """Return the contract's objectives that are JSON objects, in order."""
    return objects(contract.document.get("objectives"))


def preconditions(contract: Contract) -> Mapping[str, Any]:
    """Return the contract's `preconditions`, empty when they are no JSON object."""
    return mapping(contract.document.get("preconditions"))


def postconditions(contract: Contract) -> Mapping[str, Any]:
    """Return the contract's `postconditions`, empty when they are no JSON object."""
    return mapping(contract.document.get("postconditions"))


def world_rules(contract: Contract) -> list[str]:
    """Return the ids in `preconditions.required_world_rules`, each once."""
    value = preconditions(contract).get("required_world_rules")
    rules = value if isinstance(value, list) else []
    return list(dict.fromkeys(rule for rule in rules if isinstance(rule, str)))


def closes(contract: Contract) -> list[str]:
    """Return the ids of the characters' contracts that end in this chapter, each once."""
    value = postconditions(contract).get("closes")
    listed = value if isinstance(value, list) else []
    return list(dict.fromkeys(name for name in listed if isinstance(name, str)))


def disclosures(contract: Contract) -> list[str]:
    """Return the names under which `state_changes` have a `secret`: it comes out in this chapter."""
    return [*_with_secret(postconditions(contract).get("state_changes"))]


def secrets_kept(contract: Contract) -> list[str]:
    """Return the names under which `character_states` have a `secret`: the writer's, not the reader's."""
    return [*_with_secret(preconditions(contract).get("character_states"))]


def _with_secret(changes: object) -> Iterator[str]:
    for entry in changes if isinstance(changes, list) else [changes]:
        for name, fields in mapping(entry).items():
            if "secret" in mapping(fields):
                yield name
            yield from _with_secret(fields if isinstance(fields, dict) else None)


def required_objective_ids(contract: Contract) -> tuple[str, ...]:
    """Return the ids of the objectives that must be reached, as the judge checks them."""
    required = (entry for entry in objectives(contract) if entry.get("required") is True)
    return tuple(str(entry["id"]) for entry in required if "id" in entry)


def neighbour_storylines(contract: Contract, plan: Schedule) -> tuple[str, ...]:
    """Return the storylines whose memory a packet gives beside the chapter's own, each once.

    They are the next storyline and those of the chapter's convergences, never a dormant one.
    """
    wanted = [contract.next_storyline] if contract.next_storyline else []
    for (first, last), involved in plan.convergences:
        if first <= contract.chapter <= last:
            wanted.extend(involved)
    left_out = (contract.storyline_id, *plan.dormant)
    return tuple(dict.fromkeys(storyline for storyline in wanted if storyline not in left_out))
