"""Names in the text that no card registers: noted once a chapter, counted until they are registered.

Source: protocol §1 (unknown entities); seed 000 Step 3.6.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import Any

from novel_hooks.rules.json_values import text

MANY = 3
"""From three unregistered names on the author is warned."""


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


def unregistered(lines: Iterable[Mapping[str, Any]], registered: Collection[str]) -> list[str]:
    """The distinct mentions, in the order they came up, that are no registered id or display name."""
    mentions = dict.fromkeys(_mention(line) for line in lines)
    return [one for one in mentions if one is not None and one not in registered]


def _mention(entity: object) -> str | None:
    mention = text(entity.get("mention")) if isinstance(entity, dict) else None
    return mention.strip() if mention is not None else None
