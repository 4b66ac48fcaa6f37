"""Characters, their names and their contracts, as a packet needs them.

Source: seed 000 Steps 2.3, 2.4, protocol §1, §7.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Collection, Iterable, Iterator, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.record import Record
from novel_hooks.rules.cast import names as naming
from novel_hooks.rules.cast.names import Names
from novel_hooks.rules.text.json_values import integer, mapping, object_ids, text

SECRET_OUT = "secret_out"
_ENDS_HERE = "本章写到它到头：那件事以前照旧管着，那以后不再管。"


class Character(Record):
    """An active character: the id, the display name, the card's document."""

    slug: str
    name: str
    document: Mapping[str, Any]


def character(slug: str, document: Mapping[str, Any]) -> Character:
    """Make a character of a card; without a display name he bears his id."""
    return Character(slug, str(document.get("display_name") or slug), document)


def names_of(person: Character) -> list[str]:
    """Return the names of a character in texts and documents: display name, aliases, id; each once."""
    listed = person.document.get("aliases")
    aliases = [one for one in listed if text(one)] if isinstance(listed, list) else []
    return list(dict.fromkeys([person.name, *aliases, person.slug]))


def related(person: Character) -> list[str]:
    """Return the ids or names to whom the card's `relationships` lead, its `starting` ones too, each once."""
    places = (person.document, mapping(person.document.get("starting")))
    found = (place.get("relationships") for place in places)
    return list(dict.fromkeys(name for one in found if isinstance(one, dict) for name in one))


def names(people: Iterable[Character]) -> Names:
    """Return the resolver of all these people's names."""
    return Names((person.slug, names_of(person)) for person in people)


def contracts_in_force(person: Character, chapter: int) -> list[Any]:
    """Return his contracts that bind in `chapter`: from `valid_from_chapter` to `valid_until`, ends included.

    An end that is written in words does not end the contract, because only the author knows whether it has
    come.
    """
    return [one for one in person.document.get("contracts") or () if _binds(one, chapter)]


def _binds(contract: Mapping[str, Any], chapter: int) -> bool:
    first, last = integer(contract.get("valid_from_chapter")), integer(contract.get("valid_until"))
    return (first is None or first <= chapter) and (last is None or chapter <= last)


def agent_view(person: Character, chapter: int, closing: Collection[str] = ()) -> dict[str, Any]:
    """Return the part of his card that binds a chapter's writer: `{display_name, contracts}`.

    A contract whose id is in `closing` ends in this chapter, and says so.
    """
    contracts = [
        {key: part for key, part in one.items() if key != "update_requires"}  # that tells what comes later
        for one in _shown_contracts(person, chapter, closing)
    ]
    return {"display_name": person.name, "contracts": contracts}


def _shown_contracts(person: Character, chapter: int, closing: Collection[str]) -> list[dict[str, Any]]:
    return [
        {**one, "ends_here": _ENDS_HERE} if one.get("id") in closing else dict(one)
        for one in contracts_in_force(person, chapter)
    ]


def judge_view(person: Character, chapter: int, closing: Collection[str] = ()) -> dict[str, Any]:
    """Return his whole contracts, with the card's `voice` and his secret, if any."""
    voice = person.document.get("voice")
    return {
        "display_name": person.name,
        "contracts": _shown_contracts(person, chapter, closing),
        **({"voice": voice} if voice else {}),
        **_secret_fields(person),
    }


def plan_view(person: Character, first: int) -> dict[str, Any]:
    """Return the part of his card for a plan: `{display_name, contracts, secret?, secret_out?}`.

    The contracts are those that do not end before the chapter `first`, later ones included.
    """
    listed = person.document.get("contracts") or ()
    binding = [one for one in listed if (integer(one.get("valid_until")) or first) >= first]
    return {"display_name": person.name, "contracts": binding, **_secret_fields(person)}


def _secret_fields(person: Character) -> dict[str, Any]:
    told, out = secret(person), secret_out(person)
    return {**({"secret": told} if told else {}), **({SECRET_OUT: out} if told and out else {})}


def secret(person: Character) -> str | None:
    """Return the character's secret, which nobody in the book knows yet; None without any."""
    return text(person.document.get("secret"))


def secret_out(person: Character) -> int | None:
    """Return the chapter in which his secret came out; None while it is kept. Its landing notes it."""
    return integer(person.document.get(SECRET_OUT))


def given_secrets(cast: Sequence[Character], listed: Iterable[str]) -> dict[str, str]:
    """Return slug → secret of those who have one and whose names or ids are in `listed`."""
    known = names(cast)
    meant = {slug for one in listed for _, ids in known.parts(one) for slug in ids}
    told = ((person.slug, secret(person)) for person in cast if person.slug in meant)
    return {slug: words for slug, words in told if words is not None}


def kept_secrets(cast: Sequence[Character], disclosed: Iterable[str]) -> list[tuple[Character, str]]:
    """Return (character, secret) of every secret that has not come out.

    Those of the characters in `disclosed`, names or ids, are left out.
    """
    out = given_secrets(cast, disclosed)
    told = ((one, secret(one)) for one in cast if one.slug not in out and secret_out(one) is None)
    return [(person, words) for person, words in told if words is not None]


def problems(cast: Sequence[Character], staged: Collection[str] = ()) -> list[Problem]:
    """Return the problems of the cast's cards: file names that are not the id, names that two bear.

    The file name is a slug (protocol §1). `staged`: ids of those whose card lies in staging; their step
    checks their file names one by one.
    """
    found: list[Problem] = []
    slugs = {person.slug for person in cast}
    for person in sorted(cast, key=lambda c: c.slug):
        path = layout.character_card(person.slug)
        found += [] if person.slug in staged else file_name_problems(person, path, slugs)
    return [*found, *duplicate_name_problems(cast, staged)]


def file_name_problems(person: Character, path: str, slugs: Collection[str]) -> list[Problem]:
    """Return the one problem of a card whose file name is no id or not the one inside; else [].

    `slugs` are those of all cards: a file is never to be renamed to one that is there.
    """
    inside = person.document.get("id")
    own = inside if isinstance(inside, str) and layout.SLUG.match(inside) else None
    if own is not None and own != person.slug and own in slugs:
        return [errors.CharacterIdWrong(path, case="taken", slug=person.slug, name=own)]
    if not layout.SLUG.match(person.slug):
        return [errors.CharacterIdWrong(path, case="no id", slug=person.slug, name=own or "代号")]
    if inside is not None and inside != person.slug:
        return [errors.CharacterIdWrong(path, case="other id", slug=person.slug, id=inside)]
    return []


def duplicate_name_problems(cast: Sequence[Character], staged: Collection[str] = ()) -> list[Problem]:
    """Return an error for each second character of one display name: names are mapped back to slugs.

    Of two the staged card is at fault rather than the landed one.
    """
    first: dict[str, str] = {}
    found: list[Problem] = []
    for person in sorted(cast, key=lambda c: (c.slug in staged, c.slug)):
        path, name = card_path(person.slug, staged), naming.normalize_name(person.name)
        if name in first:
            found.append(errors.CharacterDuplicate(path, name=person.name.strip(), first=first[name]))
        else:
            first[name] = path
    return found


def card_path(slug: str, staged: Collection[str]) -> str:
    """Return the project-relative path of a card, in staging for the ids in `staged`."""
    path = layout.character_card(slug)
    return layout.staged(path) if slug in staged else path


def borrowed_aliases(cast: Sequence[Character]) -> Iterator[tuple[Character, str, Character]]:
    """Yield (a character, his alias, the character whose display name it is).

    Such an alias always means the other character (`rules.cast.names`).
    """
    shown = {naming.normalize_name(person.name): person for person in sorted(cast, key=lambda c: c.slug)}
    for person in sorted(cast, key=lambda c: c.slug):
        for alias in dict.fromkeys(names_of(person)[1:]):
            bearer = shown.get(naming.normalize_name(alias), person)
            if bearer.slug != person.slug:
                yield person, alias, bearer


def shared_contract_ids(cast: Sequence[Character]) -> Iterator[tuple[str, Character, Character]]:
    """Yield (a contract's id, the first character that has it, another one that has it).

    A judge's check with such an id fits neither of them.
    """
    first: dict[str, Character] = {}
    for person in sorted(cast, key=lambda c: c.slug):
        for name in dict.fromkeys(contract_ids(person.document)):
            if name in first:
                yield name, first[name], person
            first.setdefault(name, person)


def contract_ids(document: Mapping[str, Any]) -> list[str]:
    """Return the ids of a card's contracts in their order; a contract without one is left out."""
    return object_ids(document.get("contracts"))
