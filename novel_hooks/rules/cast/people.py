"""People for the agents that write or record: names, forms of address, looks, voice. Pure.

A card's `secret` is for planners and the judge. A writer gets it when his chapter's contract says so. Source:
protocol §1, §7.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Any, Iterable, Iterator, Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast.names import Names, normalize_name
from novel_hooks.rules.text.json_values import mapping, strings, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from novel_hooks.rules.cast.characters import Character

_CALLED = ("aliases", "called_by")
_REMEMBERED = (*_CALLED, "age", "looks", "voice")
_LEFT = "已经退场，只能被提起、记起。"
_BETWEEN = Pattern(r"[、，,；;／/（）()“”「」]")
_SHORTEST = 2
_KEPT = "他自己知道，瞒着别人：心里、手上照它写，不说破，读者最多起疑。"
_OUT = "这一章说破，怎样说破照契约。"
_TOLD = "第 {chapter} 章已经说破，不再是秘密。"
_NOTHING: tuple[object, ...] = (None, "", [], {})
SHOWN = (*_CALLED, "age", "looks", "voice", "level", "wants", "fears")
"""The fields that a writer sees of a card beside its contracts."""


def other_names(cast: Iterable[Character], state: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return slug → the character's other names in use: forms of address, and the name that he uses now.

    A form of address counts when it holds a mark of his name, as 孟执事 of 孟白术 does: 师父 and 叔 may mean
    anybody. A word that is somebody's name, or fits two people, is left out.
    """
    listed, people = list(cast), state.get("characters")
    taken = {normalize_name(name) for person in listed for name in casts.names_of(person)}
    found = {one.slug: [*_forms(one), *_assumed(people, one.slug)] for one in listed}
    bearers: dict[str, set[str]] = {}
    for slug, words in found.items():
        for word in words:
            bearers.setdefault(normalize_name(word), set()).add(slug)
    return {
        slug: [
            word
            for word in dict.fromkeys(words)
            if bearers[normalize_name(word)] == {slug} and normalize_name(word) not in taken
        ]
        for slug, words in found.items()
    }


def _forms(person: Character) -> Iterator[str]:
    called = person.document.get("called_by")
    for told in strings([*called.values()] if isinstance(called, dict) else called):
        for part in _BETWEEN.split(told):
            word = (part or "").strip()
            if len(word) >= _SHORTEST and set(word) & set(person.name):
                yield word


def _assumed(people: object, slug: str) -> list[str]:
    name = text(mapping(mapping(people).get(slug)).get("goes_as"))
    return [name.strip()] if name else []


def all_names(cast: Sequence[Character], state: Mapping[str, Any]) -> Names:
    """Return the resolver of display names, aliases, ids and `other_names`."""
    other = other_names(cast, state)
    return Names((person.slug, [*casts.names_of(person), *other[person.slug]]) for person in cast)


def named_people(
    cast: Sequence[Character], texts: Iterable[str], state: Mapping[str, Any] = {}
) -> list[Character]:
    """Return the characters whom the texts name, by any of `all_names`, by slug.

    A text that is only a shared name means all its bearers.
    """
    known, listed = all_names(cast, state), list(texts)
    slugs = {slug for one in listed for slug in known.who(one)}
    slugs.update(known.ids_in_text("\n".join(listed)))
    return sorted((person for person in cast if person.slug in slugs), key=lambda c: c.slug)


def shown_by_slug(
    people: Iterable[Character], own: Mapping[str, str] = {}, out: Mapping[str, str] = {}
) -> dict[str, dict[str, Any]]:
    """Return slug → the writer's view of the card: `display_name` and the other fields that hold a text.

    The fields are aliases, forms of address, age, looks, voice, level, wishes and fears. `secret`, with the
    way it is meant, is added for those who keep it in the chapter (`own`), those whose secret comes out in it
    (`out`), and those whose secret came out before.
    """
    listed = sorted(people)
    told = {
        **{
            one.slug: {"secret": words, "secret_use": _TOLD.format(chapter=chapter)}
            for one in listed
            if (words := casts.secret(one)) and (chapter := casts.secret_out(one))
        },
        **{slug: {"secret": words, "secret_use": _KEPT} for slug, words in own.items()},
        **{slug: {"secret": words, "secret_use": _OUT} for slug, words in out.items()},
    }
    return {one.slug: {**_fields(one, SHOWN), **told.get(one.slug, {})} for one in listed}


def retired_by_slug(people: Iterable[Character]) -> dict[str, dict[str, Any]]:
    """Return slug → names, age, looks and voice of those who have left the book, with a remark on that."""
    return {one.slug: {**_fields(one, _REMEMBERED), "retired": _LEFT} for one in sorted(people)}


def names_by_slug(cast: Iterable[Character]) -> dict[str, dict[str, Any]]:
    """Return slug → `{display_name, aliases?, called_by?}`, in slug order."""
    return {person.slug: _fields(person, _CALLED) for person in sorted(cast)}


def _fields(person: Character, keys: Sequence[str]) -> dict[str, Any]:
    given = {key: person.document.get(key) for key in keys}
    return {"display_name": person.name, **{k: part for k, part in given.items() if part not in _NOTHING}}
