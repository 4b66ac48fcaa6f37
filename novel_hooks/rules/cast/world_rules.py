"""The world's hard rules and the blacklist, as a packet lists them.

Source: seed 000 Step 2.2, protocol §7.
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Mapping
from novel_hooks.rules.text.json_values import integer, objects


def hard_rules(document: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """Return the world's hard rules, by id; none of a missing file (None)."""
    return sorted(filter(_is_hard, rules(document)), key=lambda r: str(r.get("id", "")))


def hard_rule_lines(document: Mapping[str, Any] | None, chapter: int | None = None) -> list[str]:
    """Return the hard rules as `- [W-001][magic] text (exceptions: …)`, a line a rule (seed 000 Step 2.2).

    With `chapter` a rule that readers meet only later is marked: `- [W-012][magic][第 6 章起] text`.
    """
    return [_rule_line(rule, chapter) for rule in hard_rules(document)]


def soft_rules(document: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return the document with the rules that are not hard alone; None when there are none."""
    soft = [rule for rule in rules(document) if not _is_hard(rule)]
    return {**(document or {}), "rules": soft} if soft else None


def introduced(document: Mapping[str, Any] | None, chapter: int) -> dict[str, Any] | None:
    """Return the document without the rules that are introduced after `chapter`."""
    if document is None:
        return None
    return {**document, "rules": [rule for rule in rules(document) if not _comes_later(rule, chapter)]}


def rules(document: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """Return all rules of the world; none of a missing file (None)."""
    return objects((document or {}).get("rules"))


def _is_hard(rule: Mapping[str, Any]) -> bool:
    return str(rule.get("constraint_type", "")).lower() == "hard"


def _comes_later(rule: Mapping[str, Any], chapter: int) -> bool:
    first = integer(rule.get("introduced_chapter"))
    return first is not None and first > chapter


def _rule_line(rule: Mapping[str, Any], chapter: int | None) -> str:
    exceptions = [str(e) for e in rule.get("exceptions") or () if str(e)]
    tail = f" (exceptions: {'；'.join(exceptions)})" if exceptions else ""
    later = chapter is not None and _comes_later(rule, chapter)
    mark = f"[第 {rule['introduced_chapter']} 章起]" if later else ""
    head = f"- [{rule.get('id', '')}][{rule.get('category', '')}]{mark}"
    return f"{head} {rule.get('rule', '')}{tail}".translate(_ONE_LINE)


_ONE_LINE = dict.fromkeys(map(ord, "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"), " ")


def blacklist_top(document: Mapping[str, Any] | None, count: int = 10) -> list[str]:
    """Return the first `count` words of the blacklist, each once, without those that the author allows."""
    listed = document or {}
    allowed = {str(w) for w in listed.get("whitelist") or ()}
    words = (one.get("word") or "" if isinstance(one, dict) else one for one in listed.get("words") or ())
    return [w for w in dict.fromkeys(map(str, words)) if w and w not in allowed][:count]
