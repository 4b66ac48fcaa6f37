"""Unknown entities in a chapter's records: names in no record, no state and not in the text. Pure.

A record may name a thing in its own words. So a name counts as known when it contains a registered one, or
when the text contains two neighbouring characters of it.

An op with a new id never blocks (protocol §4, seed 002 §3). `set`, `add` and `inc` begin an entry of
`characters`, `items`, `locations` or `factions`. A `remove` is dropped, for there is nothing to remove. A
foreshadow op begins a thread. A warning names each id that neither records nor state know, and the known id
that it may be a slip of. Characters and threads are always named. Things, places and factions are not when
the text contains the id, or the name that the delta gives it.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Collection, Iterator, Sequence
from novel_hooks.errors import Problem
from novel_hooks.record import Record
from novel_hooks.rules.cast import alike_names, unknown_names
from novel_hooks.rules.cast.alike_names import Alike
from novel_hooks.rules.foreshadowing.item import ACTIONS
from novel_hooks.rules.state import operations
from novel_hooks.rules.text import typed_words
from novel_hooks.rules.text.json_values import mapping, objects, text

if TYPE_CHECKING:
    from collections.abc import Mapping

_LISTS = {"cross_references": "串线", "unknown_entities": "新名字"}
_THREAD = "foreshadow"
_ALIKE = 0.75
"""The likeness from which an id counts as a slip of a known one."""
_NAMES = ("display_name", "name")
_BEGINS = ("set", "inc", "add")
SECTION_OF_KIND = {"item": "items", "location": "locations", "faction": "factions"}


class KnownEntities(Record):
    """The entities that a book has, and the text that may name them.

    `slugs` are those of characters, `ids` those of the state by section, `threads` those of foreshadowing
    (None: unreadable), `names` the registered names. `called` are the names of things, places and factions by
    section, those noted as unknown among them. `titles` are the author's words for ids of people and threads.
    """

    slugs: Collection[str] = ()
    ids: Mapping[str, Collection[str]] = {}
    threads: Collection[str] | None = None
    names: Collection[str] = ()
    text: str = ""
    called: Mapping[str, Collection[str]] = {}
    titles: Mapping[str, str] = {}

    def of(self, group: str) -> Collection[str]:
        """Return the ids of a section of the state, or of the threads (`foreshadow`)."""
        if group == _THREAD:
            return self.threads or ()
        return self.slugs if group == "characters" else self.ids.get(group, ())


def crossref_problems(document: Any, names: Collection[str], prose: str, path: str) -> list[Problem]:
    """Return a warning for each `cross_references[].entity` that `prose` and the registered `names` lack."""
    listed = mapping(document).get("cross_references")
    return [*_unknown_mentions(listed, "cross_references", "entity", names, prose, path)]


def delta_problems(
    document: Any, known: KnownEntities, path: str, dropped: Collection[int] = frozenset()
) -> list[Problem]:
    """Return a warning for each unknown `unknown_entities[].mention`, and each unknown id, at its first op.

    `dropped` are the indexes of the ops that the landing drops: those begin no entry.
    """
    if not isinstance(document, dict):
        return []
    listed = document.get("ops")
    ops = [*enumerate(listed if isinstance(listed, list) else ())]
    usable = [(at, op) for at, op in ops if isinstance(op, dict) and text(op.get("path")) is not None]
    found = [
        *_unknown_mentions(
            document.get("unknown_entities"), "unknown_entities", "mention", known.names, known.text, path
        )
    ]
    seen: set[tuple[str, str]] = set()
    for at, op in usable:
        for group, name, case in _unknown_references(op, known, [one for _, one in usable], at in dropped):
            if (group, name) not in seen:
                seen.add((group, name))
                found.append(_unknown_warning(path, at, group, name, case, known))
    odd = unknown_names.of_no_kind(document.get("unknown_entities"))
    if odd:
        names = "、".join(f"「{name}」" for name in dict.fromkeys(odd))
        found.append(errors.EntityKindUnknown(path, names=names))
    begun = [op["path"] for at, op in usable if at not in dropped and op.get("op") in _BEGINS]
    return [*found, *_alike_problems(document, begun, known, path)]


def _alike_problems(
    document: Mapping[str, Any], begun: Sequence[str], known: KnownEntities, path: str
) -> Iterator[Problem]:
    """Yield one question about the new names of things that may be other names of known ones."""
    noted = objects(document.get("unknown_entities"))
    found: list[Alike] = []
    for kind, group in SECTION_OF_KIND.items():
        new = [parts[1] for parts in (one.split(".") for one in begun) if parts[0] == group and parts[1:]]
        new = [name for name in new if not layout.SLUG.match(name)]
        mentions = [text(one.get("mention")) for one in noted if one.get("suggested_type") == kind]
        new += [name.strip() for name in mentions if name is not None]
        found += alike_names.alike(new, known.called.get(group, ()))
    if found:
        pairs = "、".join(f"「{one.name}」和记过的「{one.known}」" for one in found)
        yield errors.EntityAlike(path, pairs=pairs, contained=any(one.contained for one in found))


def _unknown_warning(path: str, at: int, group: str, name: str, case: str, known: KnownEntities) -> Problem:
    """Return the warning, with the known id of the same kind that may have been meant."""
    meant = nearest_id(name, known.of(group))
    called = known.titles.get(meant or "", "")
    guess = f"；是不是{f'「{called}」，' if called else ''}代号「{meant}」？" if meant else "。"
    kind = errors.ForeshadowUnrecorded if group == _THREAD else errors.EntityUnrecorded
    return kind(
        path,
        case,
        where=operations.place_words(at),
        name=name,
        kind=operations.SECTIONS[group] if group in operations.NAMED else None,
        guess=guess,
        slip=bool(meant) or group == "characters",
    )


def nearest_id(name: str, known: Collection[str]) -> str | None:
    """Return the known id that `name` is probably a slip of; None when none is close."""
    return typed_words.nearest(name.lower(), known, _ALIKE)


def _unknown_references(
    op: Mapping[str, Any], known: KnownEntities, ops: Collection[Mapping[str, Any]], dropped: bool
) -> Iterator[tuple[str, str, str]]:
    """Yield (section, id, case of its warning) of each unknown id that the op names."""
    target = op["path"]
    if op.get("op") == _THREAD:
        if known.threads is not None and target not in known.threads:
            actions = [o.get("value") for o in ops if o.get("op") == _THREAD and o["path"] == target]
            yield _THREAD, target, _op_effect(actions)
        return
    try:
        group, name, *rest = operations.split_path(target)
    except operations.Dropped:
        return
    if group == "characters":
        people = [name, *rest[1:]] if rest[:1] == ["relationships"] else [name]
        yield from ((group, one, "character") for one in people if one not in known.slugs)
    elif (
        group in operations.NAMED
        and name not in known.ids.get(group, ())
        and not _is_introduced(group, name, ops, known)
    ):
        yield group, name, "dropped" if dropped or op.get("op") == "remove" else "begun"


def _op_effect(actions: Collection[object]) -> str:
    if not any(action in ACTIONS for action in actions):
        return "dropped"
    return "planted" if "planted" in actions else "unplanted"


def _is_introduced(group: str, name: str, ops: Collection[Mapping[str, Any]], known: KnownEntities) -> bool:
    """Return whether the text contains the entity, by its id or by a name that this delta gives it."""
    called: list[object] = [name]
    for op in ops:
        if op["path"] == f"{group}.{name}" and isinstance(op.get("value"), dict):
            called += [op["value"].get(key) for key in _NAMES]
        elif op["path"] in [f"{group}.{name}.{key}" for key in _NAMES]:
            called.append(op.get("value"))
    words = [word for word in map(text, called) if word is not None]
    return any(_is_known(word.strip(), known.names, known.text) for word in words)


def _unknown_mentions(
    listed: Any, where: str, key: str, names: Collection[str], prose: str, path: str
) -> Iterator[Problem]:
    for index, entry in enumerate(listed if isinstance(listed, list) else ()):
        name = text(entry.get(key)) if isinstance(entry, dict) else None
        if name is not None and not _is_known(name.strip(), names, prose):
            place = f"{_LISTS[where]}第 {index + 1} 条"
            yield errors.EntityUnrecorded(path, "mention", where=place, name=name.strip(), guess="")


def _is_known(name: str, names: Collection[str], prose: str) -> bool:
    if any(known and known in name for known in names):
        return True
    return any(name[at : at + 2] in prose for at in range(max(1, len(name) - 1)))
