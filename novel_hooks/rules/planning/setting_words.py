"""Words of the setting: of a part, of a change (removed and added), and of texts that depend on them.

Pure.
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Mapping
from novel_hooks.pattern import Pattern

_IDS = ("id", "type", "from", "to", "scope", "status")
_LONGEST = 300
"""So long are the old and the new words of a change."""
_PIECE = Pattern(r"[^。！？；\n]+[。！？；”’」』]*")
_SHARED = 4
"""Letters in a row of what a change took away that make a decision lean on it."""


def rule_text(rule: Mapping[str, Any]) -> str:
    """Return the words of a world rule: the rule, its exceptions, its cost."""
    told, beside = str(rule.get("rule") or ""), "；".join(map(str, rule.get("exceptions") or ()))
    return f"{told}\n例外：{beside}" if beside else told


def card_text(document: Mapping[str, Any]) -> str:
    """Return the words of a card, a line each: the names, and every text of it but ids."""
    aliases = document.get("aliases")
    listed = aliases if isinstance(aliases, list) else [aliases] if aliases else []
    names = [str(document.get("display_name") or ""), *map(str, listed)]
    rest = {key: value for key, value in document.items() if key not in ("display_name", "aliases")}
    return "、".join(filter(None, names)) + "\n" + json_text(rest)


def json_text(value: Any, key: str = "") -> str:
    """Return the texts of a JSON value that an author reads, a line each; ids and bare marks are none."""
    if isinstance(value, dict):
        parts = [json_text(part, name) for name, part in value.items()]
    elif isinstance(value, list):
        parts = [json_text(part, key) for part in value]
    else:
        parts = [value.strip()] if isinstance(value, str) and key not in _IDS and not value.isascii() else []
    return "\n".join(part for part in parts if part)


def differing(old: str, new: str) -> tuple[str, str]:
    """Return (the sentences that only the old text has, those that only the new one has), not too long."""
    before, after = ([one.strip() for one in _PIECE.findall(text)] for text in (old, new))
    gone = [one for one in before if one and one not in after]
    come = [one for one in after if one and one not in before]
    return _cut("".join(gone)), _cut("".join(come))


def joined(first: str, second: str) -> str:
    """Return the words of two parts of one thing, not too long."""
    return _cut("　".join(part for part in (first, second) if part))


def leans_on(old: str, new: str, words: str) -> bool:
    """Tell whether the words share letters in a row with `old` that `new` does not have any more."""
    gone, here, told = ("".join(filter(str.isalnum, text)) for text in (old, new, words))
    runs = {gone[at : at + _SHARED] for at in range(max(0, len(gone) - _SHARED + 1))}
    return any(run in told and run not in here for run in runs)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
