"""The storylines of the book and where they were written. Pure."""

from __future__ import annotations

from novel_hooks.annotations import Any, Collection, Iterable, Mapping, Sequence
from novel_hooks.rules.outline.storyline import is_asleep
from novel_hooks.rules.text.json_values import objects, text


def storyline_rows(
    rows: Iterable[Mapping[str, Any]], listed: Sequence[object], asleep: Collection[str]
) -> list[dict[str, Any]]:
    """Return `{id, name, awake, chapters, last}` of every storyline, in the book's order.

    `chapters` counts those written for it, `last` is the last one; `asleep` rest in the current volume.
    """
    written: dict[str, list[int]] = {}
    for row in rows:
        if row["storyline"]:
            written.setdefault(row["storyline"], []).append(row["chapter"])
    known = {str(one["id"]): one for one in objects(list(listed)) if text(one.get("id"))}
    return [
        {
            "id": name,
            "name": text(known.get(name, {}).get("name")) or name,
            "awake": name not in asleep and not is_asleep(known.get(name, {})),
            "chapters": len(written.get(name, ())),
            "last": written[name][-1] if name in written else None,
        }
        for name in dict.fromkeys([*known, *written])
    ]
