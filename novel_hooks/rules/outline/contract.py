"""The chapter's contract and the volume's schedule, normalised. Source: protocol §1, seed 000 Step 2.5."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any
from novel_hooks import errors
from novel_hooks.errors import Problem
from novel_hooks.record import Record


class Contract(Record):
    """`cast` are the display names of `preconditions.character_states`, None when it is not there."""

    path: str
    document: Mapping[str, Any]
    chapter: int
    storyline_id: str
    cast: tuple[str, ...] | None
    next_storyline: str | None
    concurrent_state: Mapping[str, Any]


class Schedule(Record):
    """The volume's storylines; the newly activated are `active`. `convergences` are ((first, last), ids)."""

    active: tuple[str, ...]
    dormant: tuple[str, ...]
    convergences: tuple[tuple[tuple[int, int], tuple[str, ...]], ...]


NO_SCHEDULE = Schedule((), (), ())


def parse(document: Mapping[str, Any], path: str) -> Contract:
    """A contract that its schema has accepted."""
    preconditions = _mapping(document.get("preconditions"))
    states = preconditions.get("character_states")
    hint = _mapping(document.get("transition_hint"))
    following = hint.get("next_storyline")
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
    """A map or a string, nested or at top level: as a map from storyline id to one sentence.

    A bare string has no storyline: its key is `*`.
    """
    nested = _mapping(document.get("storyline_context")).get("concurrent_state")
    blank = nested in (None, {}) or (isinstance(nested, str) and not nested.strip())
    found = document.get("concurrent_state") if blank else nested
    if isinstance(found, dict):
        return dict(sorted(found.items()))
    return {"*": found} if isinstance(found, str) and found.strip() else {}


def problems(contract: Contract, chapter: int, outline_storyline: str) -> list[Problem]:
    """Step 2.5's checks: the right chapter, the outline's storyline, a required objective."""
    found: list[Problem] = []
    if contract.chapter != chapter:
        found.append(_mismatch(contract, f"契约写的是第 {contract.chapter} 章，应是第 {chapter} 章"))
    if contract.storyline_id != outline_storyline:
        found.append(
            _mismatch(contract, f"契约的故事线是 {contract.storyline_id}，大纲写的是 {outline_storyline}")
        )
    if not has_required_objective(contract):
        found.append(_mismatch(contract, "契约里没有一条必达目标（required: true）"))
    return found


def has_required_objective(contract: Contract) -> bool:
    """Has it an objective that must be reached?"""
    return any(one.get("required") is True for one in objectives(contract))


def objectives(contract: Contract) -> list[Mapping[str, Any]]:
    listed = contract.document.get("objectives")
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def preconditions(contract: Contract) -> Mapping[str, Any]:
    return _mapping(contract.document.get("preconditions"))


def postconditions(contract: Contract) -> Mapping[str, Any]:
    return _mapping(contract.document.get("postconditions"))


def world_rules(contract: Contract) -> list[str]:
    """`required_world_rules`, each once."""
    listed = preconditions(contract).get("required_world_rules")
    return (
        list(dict.fromkeys(one for one in listed if isinstance(one, str))) if isinstance(listed, list) else []
    )


def _mismatch(contract: Contract, detail: str) -> errors.ContractMismatch:
    return errors.ContractMismatch(contract.path, detail=detail)


def required_objective_ids(contract: Contract) -> tuple[str, ...]:
    """Ids of the objectives that the judge must check."""
    listed = contract.document.get("objectives") or []
    return tuple(
        str(o["id"]) for o in listed if isinstance(o, dict) and o.get("required") is True and "id" in o
    )


def parse_schedule(document: Mapping[str, Any] | None) -> Schedule:
    """Bare strings and objects are both read."""
    if document is None:
        return NO_SCHEDULE
    events = []
    for event in document.get("convergence_events") or ():
        first, last = event["chapter_range"]
        events.append(((first, last), tuple(event.get("involved_storylines") or ())))
    at_work = [*(document.get("active_storylines") or ()), *(document.get("newly_activated") or ())]
    return Schedule(
        active=tuple(dict.fromkeys(_storyline_ids(at_work))),
        dormant=_storyline_ids(document.get("dormant_storylines") or ()),
        convergences=tuple(events),
    )


def _storyline_ids(listed: Sequence[Any]) -> tuple[str, ...]:
    found = (entry.get("storyline_id") if isinstance(entry, dict) else entry for entry in listed)
    return tuple(entry for entry in found if isinstance(entry, str))


def is_key_chapter(chapter: int, start: int, end: int, plan: Schedule) -> bool:
    """First or last of the volume, or inside a convergence range, ends included (protocol §3)."""
    if chapter in (start, end):
        return True
    return any(first <= chapter <= last for (first, last), _ in plan.convergences)


def neighbour_storylines(contract: Contract, plan: Schedule) -> tuple[str, ...]:
    """Storylines whose memory goes in beside the own one: the next, the convergence; never dormant."""
    wanted = [contract.next_storyline] if contract.next_storyline else []
    for (first, last), involved in plan.convergences:
        if first <= contract.chapter <= last:
            wanted.extend(involved)
    seen: list[str] = []
    for storyline in wanted:
        if storyline != contract.storyline_id and storyline not in plan.dormant and storyline not in seen:
            seen.append(storyline)
    return tuple(seen)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
