"""People as an agent needs them to write or to record: names, forms of address, looks, voice. Pure.

A card's `secret` is for planners and the judge; nothing here holds it. Source: protocol §1, §7.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from novel_hooks.rules.cast.characters import Character
from novel_hooks.rules.cast import characters as casts

_CALLED = ("aliases", "called_by")
_NOTHING: tuple[object, ...] = (None, "", [], {})
SHOWN: Mapping[str, str] = {
    "aliases": "别名",
    "called_by": "别人叫他",
    "age": "年纪",
    "looks": "样子",
    "voice": "口吻",
    "level": "境界",
    "wants": "想要",
    "fears": "怕",
}
"""What a writer sees of a card beside its contracts → the author's word for it."""


def named_people(cast: Sequence[Character], texts: Iterable[str]) -> list[Character]:
    """Return the characters whom the texts name, by display name, alias or id, by slug.

    A text that is nothing but a name which several share names them all.
    """
    known, listed = casts.names(cast), list(texts)
    slugs = {slug for one in listed for slug in known.who(one)}
    slugs.update(known.ids_in_text("\n".join(listed)))
    return sorted((person for person in cast if person.slug in slugs), key=lambda c: c.slug)


def shown_by_slug(people: Iterable[Character]) -> dict[str, dict[str, Any]]:
    """Return slug → what a writer sees of the card: `display_name` and those of its fields that say anything.

    The fields are aliases, forms of address, age, looks, voice, level, what he wants and what he fears.
    """
    return {person.slug: _fields(person, [*SHOWN]) for person in sorted(people)}


def names_by_slug(cast: Iterable[Character]) -> dict[str, dict[str, Any]]:
    """Return slug → `{display_name, aliases?, called_by?}`, in slug order."""
    return {person.slug: _fields(person, _CALLED) for person in sorted(cast)}


def _fields(person: Character, keys: Sequence[str]) -> dict[str, Any]:
    given = {key: person.document.get(key) for key in keys}
    return {"display_name": person.name, **{k: part for k, part in given.items() if part not in _NOTHING}}
