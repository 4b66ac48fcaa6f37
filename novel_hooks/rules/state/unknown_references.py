"""Entities that a chapter's records speak of and nobody knows: no record, no state, not in the text. Pure.

A record may call a thing in its own words, so a name counts as known when it holds a registered one, or when
two neighbouring characters of it stand in the text.

What an op does with an id that is new (protocol §4, seed 002 §3): `set`, `add` and `inc` begin an entry of
`characters`, `items`, `locations` or `factions`; a `remove` is dropped, for there is nothing to take; a
foreshadow op begins a thread. None of it blocks. Told is an id that neither record nor state knows, with the
known one that it is a slip of: of a person and a thread always, of a thing, place or faction unless its id or
the name that this delta gives it stands in the text.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from typing import Any

from novel_hooks import errors
from novel_hooks.errors import Problem
from novel_hooks.record import Record
from novel_hooks.rules.foreshadowing.item import ACTIONS
from novel_hooks.rules.state import operations as applying
from novel_hooks.rules.text import typed_words
from novel_hooks.rules.text.json_values import text

_UNKNOWN = "没有档案，故事状态里没有，正文里也没有"
_NO_CARD = "characters/active/ 里没有这个角色，故事状态里也没有"
_NO_THREAD = "伏笔记录和各卷的伏笔计划里都没有这条伏笔"
_THREAD = "foreshadow"
_ALIKE = 0.75
"""From here on an id is a slip of a known one."""
_GROUPS = {"items": "物品", "locations": "地点", "factions": "势力"}
_NAMES = ("display_name", "name")


class KnownEntities(Record):
    """What the book knows: `slugs` of people, `ids` by section of the state, `threads` (None: unreadable),
    `names` registered, `text` the one that may speak of it."""

    slugs: Collection[str] = ()
    ids: Mapping[str, Collection[str]] = {}
    threads: Collection[str] | None = None
    names: Collection[str] = ()
    text: str = ""

    def of(self, group: str) -> Collection[str]:
        """The ids of a section, or of the threads."""
        if group == _THREAD:
            return self.threads or ()
        return self.slugs if group == "characters" else self.ids.get(group, ())


def crossref_problems(document: Any, names: Collection[str], told: str, path: str) -> list[Problem]:
    """`cross_references[].entity`; `names` are registered, `told` are the texts that may speak of it."""
    listed = document.get("cross_references") if isinstance(document, dict) else None
    return [*_unknown_mentions(listed, "cross_references", "entity", names, told, path)]


def delta_problems(
    document: Any, known: KnownEntities, path: str, dropped: Collection[int] = frozenset()
) -> list[Problem]:
    """`unknown_entities[].mention`, and what the `ops` are about: each id once, at its first op.

    `dropped` are the indexes of ops that the landing will not take: those begin nothing.
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
    told: set[tuple[str, str]] = set()
    for at, op in usable:
        for group, name, detail in _unknown_references(op, known, [one for _, one in usable], at in dropped):
            if (group, name) not in told:
                told.add((group, name))
                found.append(_unknown_warning(path, at, group, name, detail, known))
    return found


def _unknown_warning(path: str, at: int, group: str, name: str, detail: str, known: KnownEntities) -> Problem:
    """The warning with the known id that may have been meant, among those of the same kind."""
    meant = nearest_id(name, known.of(group))
    told = f"{detail}；是不是「{meant}」？" if meant else f"{detail}。"
    where, slip = f"ops[{at}].path", bool(meant)
    if group == _THREAD:
        return errors.ForeshadowUnrecorded(path, where=where, name=name, detail=told, slip=slip)
    return errors.EntityUnrecorded(
        path, where=where, name=name, detail=told, slip=slip or group == "characters"
    )


def nearest_id(name: str, known: Collection[str]) -> str | None:
    """The known id that `name` is a slip of."""
    return typed_words.nearest(name.lower(), known, _ALIKE)


def _unknown_references(
    op: Mapping[str, Any], known: KnownEntities, ops: Collection[Mapping[str, Any]], dropped: bool
) -> Iterator[tuple[str, str, str]]:
    """(section, id, why) of what the op is about and nobody knows."""
    spoken = op["path"]
    if op.get("op") == _THREAD:
        if known.threads is not None and spoken not in known.threads:
            actions = [o.get("value") for o in ops if o.get("op") == _THREAD and o["path"] == spoken]
            yield _THREAD, spoken, _NO_THREAD + _op_effect(actions)
        return
    try:
        group, name, *rest = applying.split_path(spoken)
    except applying.Dropped:
        return
    if group == "characters":
        people = [name, *rest[1:]] if rest[:1] == ["relationships"] else [name]
        yield from ((group, one, _NO_CARD) for one in people if one not in known.slugs)
    elif (
        group in _GROUPS
        and name not in known.ids.get(group, ())
        and not _is_introduced(group, name, ops, known)
    ):
        new = "这一条会被略过" if dropped or op.get("op") == "remove" else "这一条会新建它"
        yield group, name, f"故事状态里没有这个{_GROUPS[group]}，正文里也找不到，{new}"


def _op_effect(actions: Collection[object]) -> str:
    if not any(action in ACTIONS for action in actions):
        return "，这一条会被略过"
    return "，这一条会新建它" if "planted" in actions else "，它还没有埋下，这一条会新建它"


def _is_introduced(group: str, name: str, ops: Collection[Mapping[str, Any]], known: KnownEntities) -> bool:
    """Does the text speak of it, by its id or by a name that this delta gives it?"""
    given: list[object] = [name]
    for op in ops:
        if op["path"] == f"{group}.{name}" and isinstance(op.get("value"), dict):
            given += [op["value"].get(key) for key in _NAMES]
        elif op["path"] in [f"{group}.{name}.{key}" for key in _NAMES]:
            given.append(op.get("value"))
    told = [one for one in map(text, given) if one is not None]
    return any(_is_known(one.strip(), known.names, known.text) for one in told)


def _unknown_mentions(
    listed: Any, where: str, key: str, names: Collection[str], told: str, path: str
) -> Iterator[Problem]:
    for index, entry in enumerate(listed if isinstance(listed, list) else ()):
        name = text(entry.get(key)) if isinstance(entry, dict) else None
        if name is not None and not _is_known(name.strip(), names, told):
            place = f"{where}[{index}].{key}"
            yield errors.EntityUnrecorded(path, where=place, name=name.strip(), detail=f"{_UNKNOWN}。")


def _is_known(name: str, names: Collection[str], told: str) -> bool:
    if any(one and one in name for one in names):
        return True
    return any(name[at : at + 2] in told for at in range(max(1, len(name) - 1)))
