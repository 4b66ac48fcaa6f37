"""Ends of characters' contracts and secrets, set on the cards by the landing of a chapter.

Only these functions change a card's text, and only at this one place of it. Source: protocol §4.
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Mapping, Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast.characters import Character
from novel_hooks.rules.text import json_edit
from novel_hooks.rules.text.json_values import integer, objects, same, text

_END = "valid_until"
_TOLD = Pattern(r"直到|为止|在[^，。；、]{1,20}之前|(?i:\buntil\b)")
"""Words that tell of an end."""


def holders(people: Sequence[Character], name: str) -> list[Character]:
    """Return the people who have a contract of this id."""
    return [person for person in people if name in casts.contract_ids(person.document)]


def contract(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return the card's contract of this id; {} when there is none."""
    return next((one for one in objects(document.get("contracts")) if one.get("id") == name), {})


def ends_by_event(one: Mapping[str, Any]) -> bool:
    """Tell whether the contract states its end in words and no chapter is set for it."""
    if integer(one.get(_END)) is not None:
        return False
    told = (one.get("rule"), one.get("update_requires"))
    return text(one.get(_END)) is not None or any(_TOLD.search(text(each) or "") for each in told)


def is_over(one: Mapping[str, Any], chapter: int) -> bool:
    """Tell whether the contract ends with `chapter` or before it."""
    last = integer(one.get(_END))
    return last is not None and last <= chapter


def with_end(card: str, document: Mapping[str, Any], name: str, chapter: int) -> str:
    """Return the card's text with the contract ending in `chapter`; `document` is what the text says."""
    return json_edit.with_value(card, ("contracts", _place(document, name), _END), chapter)


def ended_note(slug: str, document: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the landed record's note by which an end is taken back: `{character, contract, before?}`."""
    one = contract(document, name)
    before = {"before": one[_END]} if _END in one else {}
    return {"character": slug, "contract": name, **before}


def with_secret_out(card: str, chapter: int) -> str:
    """Return the card's text with its secret coming out in `chapter`."""
    return json_edit.with_value(card, (casts.SECRET_OUT,), chapter)


def secret_note(slug: str, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the landed record's note by which a secret is hidden again: `{character, secret, before?}`."""
    before = {"before": document[casts.SECRET_OUT]} if casts.SECRET_OUT in document else {}
    return {"character": slug, "secret": True, **before}


def without_end(card: str, document: Mapping[str, Any], ended: Mapping[str, Any], chapter: int) -> str | None:
    """Return the card's text as before the landing of `chapter` that noted `ended`.

    None when contract or secret do not end as the landing left them, because the author has changed the card
    since.
    """
    name = ended.get("contract")
    holder, key = (document, casts.SECRET_OUT) if name is None else (contract(document, name), _END)
    if not same(holder.get(key), chapter):
        return None
    path = (key,) if name is None else ("contracts", _place(document, name), key)
    if "before" in ended:
        return json_edit.with_value(card, path, ended["before"])
    return json_edit.without_value(card, path)


def _place(document: Mapping[str, Any], name: str) -> int:
    listed = document["contracts"]
    return next(n for n, one in enumerate(listed) if isinstance(one, dict) and one.get("id") == name)
