"""Entities that a chapter's records speak of and nobody knows: no record, no state, not in the text. Pure.

A record may call a thing in its own words, so a name counts as known when it holds a registered one, or when
two neighbouring characters of it stand in the text.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Any

from novel_hooks.errors import EntityNowhere, Problem
from novel_hooks.rules.json_values import text

_UNKNOWN = "没有档案，故事状态里没有，正文里也没有"
_NO_CARD = "characters/active/ 里没有这个角色，故事状态里也没有"


def in_crossref(document: Any, names: Collection[str], told: str, path: str) -> list[Problem]:
    """`cross_references[].entity`; `names` are registered, `told` are the texts that may speak of it."""
    listed = document.get("cross_references") if isinstance(document, dict) else None
    return [*_unknown(listed, "cross_references", "entity", names, told, path)]


def in_delta(
    document: Any, slugs: Collection[str], names: Collection[str], told: str, path: str
) -> list[Problem]:
    """`unknown_entities[].mention`, and `ops[].path` of characters; `slugs` are the characters known."""
    if not isinstance(document, dict):
        return []
    found = [*_unknown(document.get("unknown_entities"), "unknown_entities", "mention", names, told, path)]
    ops = document.get("ops")
    for index, op in enumerate(ops if isinstance(ops, list) else ()):
        spoken = text(op.get("path")) if isinstance(op, dict) and op.get("op") != "foreshadow" else None
        group, _, rest = (spoken or "").partition(".")
        slug = rest.partition(".")[0]
        if group == "characters" and slug and slug not in slugs:
            found.append(EntityNowhere(path, where=f"ops[{index}].path", name=slug, detail=_NO_CARD))
    return found


def _unknown(
    listed: Any, where: str, key: str, names: Collection[str], told: str, path: str
) -> Iterator[Problem]:
    for index, entry in enumerate(listed if isinstance(listed, list) else ()):
        name = text(entry.get(key)) if isinstance(entry, dict) else None
        if name is not None and not _known(name.strip(), names, told):
            place = f"{where}[{index}].{key}"
            yield EntityNowhere(path, where=place, name=name.strip(), detail=_UNKNOWN)


def _known(name: str, names: Collection[str], told: str) -> bool:
    if any(one and one in name for one in names):
        return True
    return any(name[at : at + 2] in told for at in range(max(1, len(name) - 1)))
