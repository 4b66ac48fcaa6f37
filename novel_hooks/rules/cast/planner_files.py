"""Rules for a planner's files beyond their schemas: ids, names, numbers. Pure.

Values of a wrong shape may be FAULTY. Source: protocol §1, `rules.planning.planner_tasks` (the words of the
packets).
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Collection, Iterator, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.pattern import Pattern
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import person_state
from novel_hooks.rules.cast.characters import Character
from novel_hooks.rules.cast.field_words import WORDS
from novel_hooks.rules.cast.people import SHOWN
from novel_hooks.rules.text import secrets
from novel_hooks.rules.text.json_values import object_ids, strings

_RULE = Pattern(r"W-[0-9]{3,}\Z")
_OF_NOW = Pattern(
    r"(?:只有|只到|只是|还是|还在|停在|仍是|不过|刚到|刚入|才到|才)第?"
    r"[0-9〇零一二三四五六七八九十百两]+[层级阶重品段星]"
    r"|(?:境界|修为|等级|级别)(?:是|为|在|只|还|停|仍)"
    r"|^[^，。；]{0,4}?(?:手里|手上|身上|怀里|袖里|袖中|兜里|包里|腰间)(?:只|还)?"
    r"(?:有|带着|揣着|拿着|留着|藏着)(?![^，。；]{0,12}时)"
)
"""Rules that tell a level or a possession."""
_NEAR = ("（wants）", "（fears）", "（knows）")
_FEWEST_CONTRACTS, _MOST_CONTRACTS = 2, 5


def stem(path: str) -> str:
    """Return the file's name without its folder and ending."""
    return path.rsplit("/", 1)[-1].rsplit(".", 1)[0]


def is_staged(path: str) -> bool:
    """Tell whether the project-relative path lies in staging."""
    return path.startswith(f"{layout.STAGING}/")


def file_name_problems(path: str, card: Mapping[str, Any] | None) -> Iterator[Problem]:
    """Yield the problems of a character's file that is not named by his slug, or whose card has another id.

    A profile has no card (None).
    """
    slug = stem(path)
    if not layout.SLUG.match(slug):
        yield errors.PlanBroken(path, case="file name")
    inside = card.get("id") if card is not None else None
    if isinstance(inside, str) and inside != slug:
        yield errors.PlanBroken(path, case="other id", id=inside, slug=slug)


def duplicate_id_problems(path: str, listed: object) -> Iterator[Problem]:
    """Yield a problem for each id that several entries of a list have."""
    ids = object_ids(listed)
    for name in dict.fromkeys(one for one in ids if ids.count(one) > 1):
        yield errors.PlanBroken(path, case="id twice", name=name)


def rule_id_problems(path: str, rules: object) -> Iterator[Problem]:
    """Yield a warning when a planner's rules are not numbered as its packet asks (`W-001`).

    The author's own rules may have any id: only staged files are checked.
    """
    odd = [name for name in object_ids(rules) if not _RULE.match(name)] if is_staged(path) else []
    if odd:
        names = "、".join(f"「{name}」" for name in dict.fromkeys(odd))
        yield errors.PlanOdd(path, case="ids", names=names)


def slug_problems(path: str) -> Iterator[Problem]:
    """Yield a warning when a staged document's file name is no slug, as its packet asks."""
    if is_staged(path) and not layout.SLUG.match(stem(path)):
        yield errors.PlanOdd(path, case="file name")


def contract_count_problems(path: str, card: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield a warning when a card has fewer or more contracts than its packet asks for."""
    count = len(card.get("contracts") or ())
    if not _FEWEST_CONTRACTS <= count <= _MOST_CONTRACTS:
        limits = {"least": _FEWEST_CONTRACTS, "most": _MOST_CONTRACTS}
        yield errors.PlanOdd(path, case="contracts", count=count, **limits)


def card_shape_problems(path: str, card: Mapping[str, Any], case: str) -> Iterator[Problem]:
    """Yield warnings on fields of a card of a wrong shape; `case` is that of those that begin a state."""
    for fault in person_state.name_faults(card):
        yield errors.PlanOdd(path, "name field", fault=fault)
    for fault in person_state.card_faults(card):
        yield errors.PlanOdd(path, case, fault=fault)


def person_state_problems(path: str, card: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield warnings on a card's values for the person's state: of a wrong shape, or given as a contract."""
    yield from card_shape_problems(path, card, "staged field")
    rules = [one.get("rule") for one in card.get("contracts") or () if isinstance(one, dict)]
    told = [rule for rule in rules if isinstance(rule, str) and _OF_NOW.search(rule)]
    if told:
        yield errors.PlanOdd(path, "of now", rules="」「".join(told))


def secret_leak_problems(people: Sequence[Character], slugs: Collection[str]) -> Iterator[Problem]:
    """Yield the fields of staged cards, shown to a chapter's writer, that tell a secret of any card.

    A field that seems to tell its own character's secret in other words is only a warning.
    """
    kept = casts.kept_secrets(people, ())
    for person, secret in kept:
        if person.slug in slugs:
            yield from _near_secret_problems(person, secret, casts.card_path(person.slug, slugs))
    for person in people if kept else ():
        for field, texts in _shown_fields(person) if person.slug in slugs else ():
            searched = secrets.plan_texts(texts)
            for owner, secret in kept:
                words = secrets.telling_sentence(searched, secret)
                if words is not None:
                    path = casts.card_path(person.slug, slugs)
                    yield errors.PlanBroken(path, "secret", field=field, name=owner.name, words=words)


def _near_secret_problems(person: Character, secret: str, path: str) -> Iterator[Problem]:
    """Yield a warning for what he wants, fears or knows with letters in a row of his secret's.

    Letters that the rest of the card shows are none: names, places, his trade.
    """
    fields = {word: list(texts) for word, texts in _shown_fields(person)}
    near = [word for word in fields if word.endswith(_NEAR)]
    shown = "\n".join(one for word, texts in fields.items() if word not in near for one in texts)
    for word in near:
        searched = secrets.plan_texts(fields[word])
        words = secrets.telling_sentence(searched, secret, f"{person.name}\n{shown}", secrets.RUN)
        if words is not None and secrets.telling_sentence(searched, secret) is None:
            yield errors.PlanOdd(path, "near secret", field=word, words=words)


def _shown_fields(person: Character) -> Iterator[tuple[str, list[str]]]:
    """Yield (the author's word for a field with its key, its texts) of what a writer is given of a card."""
    begins = person_state.beginning(person.document)
    for key in dict.fromkeys((*person_state.BEGINNING, *SHOWN)):
        told = person.document.get(key) if key in SHOWN else begins.get(key)
        yield f"{WORDS[key]}（{key}）", [*strings(told)]
    for number, one in enumerate(person.document.get("contracts") or (), 1):
        told = {key: part for key, part in one.items() if key != "update_requires"}
        yield f"第 {number} 条契约（contracts）", [*strings(told)]


def staged_card_problems(people: Sequence[Character], slugs: Collection[str]) -> Iterator[Problem]:
    """Yield the problems of staged cards that take a name or a contract's id from another.

    An alias is the display name of another, a contract has the id of another's. `slugs` are the ids of the
    staged cards.
    """
    for person, alias, bearer in casts.borrowed_aliases(people):
        at_fault, case = (person, "alias taken") if person.slug in slugs else (bearer, "name taken")
        if at_fault.slug in slugs:
            path = casts.card_path(at_fault.slug, slugs)
            yield errors.PlanBroken(path, case, alias=alias, person=person.name)
    for name, first, other in casts.shared_contract_ids(people):
        own, bearer = (other, first) if other.slug in slugs else (first, other)
        if own.slug in slugs:
            path = casts.card_path(own.slug, slugs)
            yield errors.PlanBroken(path, case="contract twice", name=name, bearer=bearer.name)
