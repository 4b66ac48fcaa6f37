"""Words of judge and plans for the chapter's writer, without secrets that are not due yet.

The author is told that something was kept back. His own note is given unchanged. Source: protocol §7.
"""

from __future__ import annotations

import json

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Collection, Iterable, Sequence
from novel_hooks.flows.book import foreshadowing
from novel_hooks.flows.packet.gathering import Gathering, Hidden
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import world_rules
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.packet import packet
from novel_hooks.rules.packet.packet import Input
from novel_hooks.rules.text import json_values, secrets

_PLANS = ("project_brief", "current_volume_outline", "world_pages")
"""What a writer gets of the plans beyond his own chapter's: it may well tell how the book ends."""
_OWN = (
    "chapter_outline",
    *contracts.CONTEXT,
    "chapter_contract",
    "character_contracts",
    "people",
    "current_state",
)
"""What plans and state say of his chapter and its people: the author hears of a secret in it."""


def from_writer(g: Gathering, entries: Sequence[Any]) -> list[Any]:
    """Return the entries without the sentences that tell a secret, and a warning when there were any.

    A word that the packet shows elsewhere is no secret.
    """
    hidden = _hidden(g)
    if not hidden.secrets or not entries:
        return list(entries)
    from_plans(g)  # what they tell too early is not shown
    shown = "\n".join(one.body() for one in g.inputs)
    found = secrets.look_through(entries, hidden.secrets, shown, hidden.names)
    if found.removed:
        told = [p for p in g.problems if isinstance(p, errors.FixHeldBack)]
        before = [str(one.values["words"]) for one in told]
        words = dict.fromkeys([*before, *(f"「{one}」" for one in found.removed)])
        g.problems[:] = [p for p in g.problems if p not in told]
        g.problems.append(errors.FixHeldBack(words="".join(words), chapter=g.desk.number))
    return found.entries


def from_plans(g: Gathering) -> None:
    """Take the sentences that tell a secret out of plans and state.

    A secret that is written already is none.
    """
    places = {one.key for one in g.inputs if one.key in (*_PLANS, *_OWN)}
    if not places:
        return
    hidden = _hidden(g).secrets
    own = {at: _content(one) for at, one in enumerate(g.inputs) if one.key in _OWN}
    untold = secrets.of_plan(hidden, json_values.strings([*own.values()]), lambda: _bodies(g, places))
    removed: dict[str, tuple[str, ...]] = {}
    for at, plan in own.items():
        left = secrets.plan_without_secrets(plan, untold)
        if left.removed:
            one, whole = g.inputs[at], left.entries[0]
            removed[one.key] = left.removed
            g.inputs[at] = (
                packet.value_input(one.key, whole) if _is_json(one) else packet.replaced(one, whole)
            )
    _note_removed(g, removed)
    if places.isdisjoint(_PLANS):
        return
    plans = (one.body() for one in g.inputs if one.key in _PLANS)
    later = secrets.of_plan([*hidden, *_later_rules(g)], plans, lambda: _bodies(g, _PLANS))
    for at, one in enumerate(g.inputs):
        if one.key in _PLANS:
            told = one.body()
            rest = secrets.without_secrets(told, later)
            if rest != told:
                g.inputs[at] = packet.excerpt_input(one.key, one.type, rest)


def _is_json(one: Input) -> bool:
    """Tell whether the input is a JSON file's text: cut as a text it would be JSON no more."""
    return one.type == "json" and one.text is not None


def _content(one: Input) -> Any:
    """Return the input's text, or its JSON value."""
    return json.loads(one.body()) if _is_json(one) else one.value if one.text is None else one.text


def _bodies(g: Gathering, but: Collection[str]) -> str:
    """Return the packet's material but for these keys, an input a line."""
    return "\n".join(one.body() for one in g.inputs if one.key not in but)


def _note_removed(g: Gathering, removed: dict[str, tuple[str, ...]]) -> None:
    """Tell the author what his chapter's plan told too early."""
    if removed:
        places = "、".join(f"「{packet.TITLES[key]}」" for key in removed)
        words = dict.fromkeys(f"「{one}」" for listed in removed.values() for one in listed)
        g.problems.append(errors.PlanHeldBack(places=places, words="".join(words), chapter=g.desk.number))


def _hidden(g: Gathering) -> Hidden:
    """Return what is hidden from the chapter's writer, read once for a packet."""
    if g.hidden is None:
        g.hidden = _gathered(g)
    return g.hidden


def _gathered(g: Gathering) -> Hidden:
    people = g.once(g.book.cast) or []
    payoffs = g.attempt(foreshadowing.secret_payoffs, g.book, g.desk.volume, g.desk.number) or []
    names = [name for person in people for name in casts.names_of(person)[:-1]]
    contract = g.contract
    disclosed = [*contracts.disclosures(contract), *contracts.secrets_kept(contract)] if contract else []
    kept = [words for _, words in casts.kept_secrets(people, disclosed)]
    return Hidden((*payoffs, *kept), tuple(names))


def _later_rules(g: Gathering) -> Iterable[str]:
    """Yield the rules that the book introduces in a later chapter."""
    document = g.attempt(g.book.document, layout.WORLD_RULES, "world-rules") or {}
    begun = (world_rules.introduced(document, g.desk.number) or {}).get("rules") or ()
    return (str(one.get("rule")) for one in document.get("rules") or () if one not in begun)
