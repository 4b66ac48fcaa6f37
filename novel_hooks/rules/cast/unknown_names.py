"""Names in the text that no card registers: noted once a chapter, counted until they are registered.

Source: protocol §1 (unknown entities); seed 000 Step 3.6.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import Any

from novel_hooks.record import Record
from novel_hooks.rules.text.json_values import integer, text


def merge_unknown(
    existing: Iterable[Mapping[str, Any]], chapter: int, ts: str, entities: Iterable[object]
) -> list[dict[str, Any]]:
    """The lines to append for `entities` of a delta, none twice by (chapter, mention); `ts` ISO-8601.

    What has no mention says nothing and is passed over.
    """
    known = {one.get("mention") for one in existing if one.get("chapter") == chapter}
    new: list[dict[str, Any]] = []
    for entity in entities:
        mention = _mention(entity)
        if mention is None or mention in known or not isinstance(entity, dict):
            continue
        known.add(mention)
        told = {"context": entity.get("context"), "suggested_type": entity.get("suggested_type")}
        new.append({"ts": ts, "chapter": chapter, "mention": mention, **told})
    return new


def unregistered_names(lines: Iterable[Mapping[str, Any]], registered: Collection[str]) -> list[str]:
    """The distinct mentions, in the order they came up, that are no registered id or display name."""
    mentions = dict.fromkeys(_mention(line) for line in lines)
    return [one for one in mentions if one is not None and one not in registered]


class UnknownName(Record):
    """One unregistered name: its chapters in order, what it was last taken for, where it first stood."""

    mention: str
    chapters: tuple[int, ...]
    suggested_type: str | None
    context: str | None


def unknown_names(lines: Iterable[Mapping[str, Any]], registered: Collection[str]) -> list[UnknownName]:
    """The names that nobody registered since: in most chapters first, then the older, then by name."""
    told: dict[str, list[Mapping[str, Any]]] = {}
    for line in lines:
        mention = _mention(line)
        if mention is not None and mention not in registered:
            told.setdefault(mention, []).append(line)
    found = [_unknown_name(mention, told[mention]) for mention in told]
    return sorted(found, key=lambda one: (-len(one.chapters), one.chapters[:1], one.mention))


def _unknown_name(mention: str, lines: list[Mapping[str, Any]]) -> UnknownName:
    chapters = {number for number in (integer(line.get("chapter")) for line in lines) if number is not None}
    types = [kind for kind in (text(line.get("suggested_type")) for line in lines) if kind]
    contexts = [context for context in (text(line.get("context")) for line in lines) if context]
    last = types[-1] if types else None
    return UnknownName(mention, tuple(sorted(chapters)), last, contexts[0] if contexts else None)


def _mention(entity: object) -> str | None:
    mention = text(entity.get("mention")) if isinstance(entity, dict) else None
    return mention.strip() if mention is not None else None
