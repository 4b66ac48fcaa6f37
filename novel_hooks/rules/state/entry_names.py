"""The names of the state's entries: people, things, places and factions. Pure. Source: protocol §4."""

from __future__ import annotations

from novel_hooks.annotations import Any, Iterator, Mapping
from novel_hooks.rules.state.operations import SECTIONS
from novel_hooks.rules.text.json_values import text

KEY, TITLE, ALIAS = "0", "1", "2"
_TITLES = ("display_name", "name")


def ranked_names(key: str, entry: Any) -> Iterator[tuple[str, str]]:
    """Yield (rank, name) of an entry: its KEY, what it is called (TITLE), its aliases (ALIAS)."""
    yield KEY, key
    if isinstance(entry, dict):
        yield from ((TITLE, entry[title]) for title in _TITLES if text(entry.get(title)))
        aliases = entry.get("aliases")
        yield from ((ALIAS, one) for one in (aliases if isinstance(aliases, list) else ()) if text(one))


def names_in_text(key: str, entry: Any) -> list[str]:
    """Return an entry's names as a text has them, the shown one first; a key counts that is a name."""
    called = [name.strip() for rank, name in ranked_names(key, entry) if rank != KEY]
    return list(dict.fromkeys([*called, *([] if key.isascii() else [key])]))


def shown_names(state: Mapping[str, Any], people: Mapping[str, str]) -> dict[str, str]:
    """Return id → name of the state's entries and of `people` (id → name)."""
    found: dict[str, str] = {}
    for section in SECTIONS:
        for key, entry in (state.get(section) or {}).items():
            for rank, name in ranked_names(key, entry):
                if rank == TITLE:
                    found.setdefault(key, name)
    return {**found, **people}
