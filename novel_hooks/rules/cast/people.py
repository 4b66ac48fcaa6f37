"""People as an agent needs them to write or to record: names, forms of address, looks, voice. Pure.

A card's `secret` is for planners and the judge; a writer has it where his chapter's contract says so.
Source: protocol §1, §7.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from novel_hooks.rules.cast.characters import Character
from novel_hooks.rules.cast import characters as casts

_CALLED = ("aliases", "called_by")
_KEPT = "他自己知道，瞒着别人：心里、手上照它写，不说破，读者最多起疑。"
_OUT = "这一章说破，怎样说破照契约。"
_TOLD = "第 {chapter} 章已经说破，不再是秘密。"
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


def shown_by_slug(
    people: Iterable[Character], own: Mapping[str, str] = {}, out: Mapping[str, str] = {}
) -> dict[str, dict[str, Any]]:
    """Return slug → what a writer sees of the card: `display_name` and those of its fields that say anything.

    The fields are aliases, forms of address, age, looks, voice, level, what he wants and what he fears, with
    the `secret` of those who keep it in the chapter (`own`), whose secret comes out in it (`out`), or came
    out before, and how it is meant.
    """
    listed = sorted(people)
    told = {
        **{one.slug: _told(one) for one in listed if casts.secret(one) and casts.secret_out(one)},
        **{slug: {"secret": words, "secret_use": _KEPT} for slug, words in own.items()},
        **{slug: {"secret": words, "secret_use": _OUT} for slug, words in out.items()},
    }
    return {one.slug: {**_fields(one, [*SHOWN]), **told.get(one.slug, {})} for one in listed}


def _told(person: Character) -> dict[str, Any]:
    use = _TOLD.format(chapter=casts.secret_out(person))
    return {"secret": casts.secret(person), "secret_use": use}


def names_by_slug(cast: Iterable[Character]) -> dict[str, dict[str, Any]]:
    """Return slug → `{display_name, aliases?, called_by?}`, in slug order."""
    return {person.slug: _fields(person, _CALLED) for person in sorted(cast)}


def _fields(person: Character, keys: Sequence[str]) -> dict[str, Any]:
    given = {key: person.document.get(key) for key in keys}
    return {"display_name": person.name, **{k: part for k, part in given.items() if part not in _NOTHING}}
