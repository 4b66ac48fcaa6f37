"""Contradictions among a volume's facts, as far as its files show. Pure. Source: seed 000 Step 4.

There are four sources: a character's place in a contract against his place in the state (`place`), a judge's
doubt about a chapter that was let through (`judge`), a storyline's knowledge of another one's secrets
(`leak`), an operation that could not be applied (`state`). Nothing is decided here: the author reads them.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Any, Iterator, Mapping
from novel_hooks.pattern import Pattern
from novel_hooks.rules.evaluation.verdict import LAYERS, check_word, layer_checks
from novel_hooks.rules.state import operations
from novel_hooks.rules.text.json_values import mapping, text

if TYPE_CHECKING:
    from novel_hooks.rules.review.material import Material

PLACE, JUDGE, LEAK, STATE = "place", "judge", "leak", "state"
_CLAUSE = Pattern(r"[，,。；;、（(：:\s]")
_VIOLATIONS = ("violation", "violation_suspected")


def continuity(material: Material) -> list[dict[str, Any]] | None:
    """List the contradictions as `{chapter, source, name, detail}`, by chapter; None without a change log."""
    if material.log is None:
        return None
    facts = [
        *_place_facts(material),
        *_check_facts(material),
        *_leak_facts(material),
        *_state_facts(material),
    ]
    rank = (PLACE, JUDGE, LEAK, STATE)
    return sorted(facts, key=lambda one: (one["chapter"], rank.index(one["source"])))


def _fact(chapter: int, source: str, name: object, detail: object) -> dict[str, Any]:
    line = " ".join(str(detail or "").split())
    return {"chapter": chapter, "source": source, "name": str(name or ""), "detail": line}


def _place_facts(material: Material) -> Iterator[dict[str, Any]]:
    """Characters with one place in the contract and another in the state, as the chapter begins."""
    for chapter in material.written:
        contract, places = (material.contracts or {}).get(chapter), (material.places or {}).get(chapter, {})
        if contract is None:
            continue
        for name, planned in _planned_places(contract.document):
            if name in places and not _is_same_place(planned, places[name]):
                yield _fact(chapter, PLACE, name, f"契约写在「{planned}」，状态里在「{places[name]}」")


def _planned_places(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    states = (document.get("preconditions") or {}).get("character_states") or {}
    for name, entry in states.items():
        if where := text(mapping(entry).get("location")):
            yield name, where.strip()


def places_by_name(state: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, str]:
    """Map display names to places, for every character with a place in the state.

    `names` are the display names of the cards, by slug; without a card the state's own, else the slug.
    """
    return {
        names.get(slug) or str(entry.get("display_name") or slug): where.strip()
        for slug, entry in (state.get("characters") or {}).items()
        if (where := text(mapping(entry).get("location")))
    }


def _is_same_place(one: str, other: str) -> bool:
    """Return whether the first clause of one is in the other's: `西台` and `西台大绳房檐下`."""
    short, long = sorted((_CLAUSE.split(one)[0] or one, _CLAUSE.split(other)[0] or other), key=len)
    return short in long or one in other or other in one


def _check_facts(material: Material) -> Iterator[dict[str, Any]]:
    for chapter in material.written:
        for layer, check in layer_checks(material.evaluations.get(chapter) or {}):
            if layer != "l3" and check_word(check, "status").strip() in _VIOLATIONS:
                yield _fact(chapter, JUDGE, check.get(LAYERS[layer][1]), check.get("detail"))


def _leak_facts(material: Material) -> Iterator[dict[str, Any]]:
    for chapter, document in sorted(material.crossrefs.items()):
        if chapter in material.written and document.get("leak_risk") in ("low", "high"):
            yield _fact(chapter, LEAK, document.get("storyline_id"), document.get("leak_detail"))


def _state_facts(material: Material) -> Iterator[dict[str, Any]]:
    for one in material.log or ():
        if one.get("skipped") is True:
            yield _fact(one["chapter"], STATE, "", f"状态增量跳过了：{one.get('reason') or ''}")
        for drop in one.get("dropped") or ():
            op = drop.get("op") if isinstance(drop, dict) else None
            named = isinstance(op, dict) and isinstance(op.get("path"), str)
            told = operations.author_line(op, {}) if named else ""
            yield _fact(one["chapter"], STATE, told, drop.get("reason") if isinstance(drop, dict) else "")
