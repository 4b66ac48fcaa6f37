"""Unknown entities: names in the text without a card, noted once a chapter until they are registered.

Source: protocol §1 (unknown entities); seed 000 Step 3.6.
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Collection, Iterable, Mapping, Sequence
from novel_hooks.record import Record
from novel_hooks.rules.text.json_values import integer, objects, text

KINDS: Mapping[str, str] = {"character": "角色", "location": "地点", "item": "物品", "faction": "势力"}
"""Kinds of a name, by the author's word for each."""


def merge_unknown(
    existing: Iterable[Mapping[str, Any]], chapter: int, ts: str, entities: Iterable[object]
) -> list[dict[str, Any]]:
    """Return the lines to append for `entities` of a delta, none twice by (chapter, mention); `ts` ISO-8601.

    An entity without a mention is passed over; one of an unknown kind has none. A line is
    `{ts, chapter, mention, context, suggested_type}`.
    """
    noted = {one.get("mention") for one in existing if one.get("chapter") == chapter}
    new: list[dict[str, Any]] = []
    for entity in entities:
        mention = _mention(entity)
        if mention is None or mention in noted or not isinstance(entity, dict):
            continue
        noted.add(mention)
        kind, context = entity.get("suggested_type"), text(entity.get("context"))
        advice = {"context": context, "suggested_type": kind if is_kind(kind) else None}
        new.append({"ts": ts, "chapter": chapter, "mention": mention, **advice})
    return new


def is_kind(kind: object) -> bool:
    """Return whether the value is one of `KINDS`."""
    return isinstance(kind, str) and kind in KINDS


def of_no_kind(entities: object) -> list[str]:
    """Return the mentions whose `suggested_type` is given and unknown: it counts as none."""
    told = [one for one in objects(entities) if one.get("suggested_type") is not None]
    return [name for one in told if not is_kind(one["suggested_type"]) for name in [_mention(one)] if name]


def come_again(
    known: Sequence[Mapping[str, Any]], fresh: Sequence[Mapping[str, Any]], registered: Collection[str]
) -> tuple[list[str], list[str]]:
    """Return (the unregistered people in two chapters or more, those whose second chapter is in `fresh`).

    Only a person who appears again needs a card; things and places have entries in the state.
    """
    people = [
        one
        for one in unknown_names([*known, *fresh], registered, least=2)
        if len(one.chapters) > 1 and one.suggested_type in (None, "character")
    ]
    named = {_mention(line) for line in fresh}
    again = [one.mention for one in people if len(one.chapters) == 2 and one.mention in named]
    return [one.mention for one in people], again


def unregistered_names(lines: Iterable[Mapping[str, Any]], registered: Collection[str]) -> list[str]:
    """Return the distinct mentions that are no registered id or display name, in the order they came up."""
    mentions = dict.fromkeys(_mention(line) for line in lines)
    return [one for one in mentions if one is not None and one not in registered]


class UnknownName(Record):
    """One unregistered name: its chapters in order, its last suggested type, its first context."""

    mention: str
    chapters: tuple[int, ...]
    suggested_type: str | None
    context: str | None


def unknown_names(
    lines: Iterable[Mapping[str, Any]], registered: Collection[str], least: int = 1
) -> list[UnknownName]:
    """Return the unregistered names: those in most chapters first, then the older ones, then by name.

    Names with fewer than `least` lines are left out.
    """
    by_mention: dict[str, list[Mapping[str, Any]]] = {}
    for line in lines:
        mention = _mention(line)
        if mention is not None and mention not in registered:
            by_mention.setdefault(mention, []).append(line)
    names = [_unknown_name(name, noted) for name, noted in by_mention.items() if len(noted) >= least]
    return sorted(names, key=lambda one: (-len(one.chapters), one.chapters[:1], one.mention))


def is_passer_by(one: UnknownName) -> bool:
    """Tell whether the name is of a person in one chapter only, who needs no card unless he appears again."""
    return len(one.chapters) < 2 and one.suggested_type in (None, "character")


def _unknown_name(mention: str, lines: list[Mapping[str, Any]]) -> UnknownName:
    chapters = {number for number in (integer(line.get("chapter")) for line in lines) if number is not None}
    types = [kind for kind in (text(line.get("suggested_type")) for line in lines) if kind]
    contexts = [context for context in (text(line.get("context")) for line in lines) if context]
    last = types[-1] if types else None
    return UnknownName(mention, tuple(sorted(chapters)), last, contexts[0] if contexts else None)


def _mention(entity: object) -> str | None:
    mention = text(entity.get("mention")) if isinstance(entity, dict) else None
    return mention.strip() if mention is not None else None
