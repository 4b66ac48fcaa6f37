"""The world's hard rules and the blacklist, as a packet lists them.

Source: seed 000 Step 2.2, protocol §7.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def hard_rules(document: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """Return the world's hard rules, by id; none of a missing file (None)."""
    listed = (document or {}).get("rules") or []
    hard = [r for r in listed if isinstance(r, dict) and str(r.get("constraint_type", "")).lower() == "hard"]
    return sorted(hard, key=lambda r: str(r.get("id", "")))


def hard_rule_lines(document: Mapping[str, Any] | None) -> list[str]:
    """Return the hard rules as `- [W-001][magic] text (exceptions: …)`, a line a rule (seed 000 Step 2.2)."""
    return [_rule_line(rule) for rule in hard_rules(document)]


def _rule_line(rule: Mapping[str, Any]) -> str:
    exceptions = [str(e) for e in rule.get("exceptions") or () if str(e)]
    tail = f" (exceptions: {'；'.join(exceptions)})" if exceptions else ""
    return f"- [{rule.get('id', '')}][{rule.get('category', '')}] {rule.get('rule', '')}{tail}".translate(
        _ONE_LINE
    )


_ONE_LINE = dict.fromkeys(map(ord, "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"), " ")


def blacklist_top(document: Mapping[str, Any] | None, count: int = 10) -> list[str]:
    """Return the first `count` words of the blacklist, without those that the author lets pass; each once."""
    listed = document or {}
    allowed = {str(w) for w in listed.get("whitelist") or ()}
    words = dict.fromkeys(_blacklist_word(w) for w in listed.get("words") or ())
    return [w for w in words if w and w not in allowed][:count]


def _blacklist_word(entry: object) -> str:
    if isinstance(entry, dict):
        return str(entry.get("word") or "")
    return str(entry)
