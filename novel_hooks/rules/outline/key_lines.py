"""The lines of a chapter's block that are nearly one of the eight key lines. Source: seed 000 Step 2.1."""

from __future__ import annotations

from novel_hooks.annotations import Any, Mapping, Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.rules.outline.author_view import LABELS
from novel_hooks.rules.text import typed_words

_LINE = Pattern(
    r"(?:[-*+•·－]\s{0,4})?[*_]{0,3}\s{0,4}(?P<name>[A-Za-z][A-Za-z _-]{0,30}?|[\u4e00-\u9fff]{2,6})"
    r"\s{0,4}(?:[*_]{1,3}\s{0,4}[:：]?|[:：])\s{0,4}[*_]{0,3}(?P<value>.*)\Z"
)
_ALIKE = 0.8
_CHINESE = {
    **{word: key for key, word in LABELS.items()},
    "视角人物": "POV",
    "场景": "Location",
    "核心冲突": "Conflict",
    "弧线": "Arc",
    "角色弧线": "Arc",
    "状态变更": "StateChanges",
    "过渡提示": "TransitionHint",
    "转场提示": "TransitionHint",
}


def near_keys(lines: Sequence[str], absent: Sequence[str], first: int) -> Mapping[str, Mapping[str, Any]]:
    """Map absent keys to `{line, text, suggestion}` of the first line that seems to mean them.

    A key that no line seems to mean is left out. `first` is the number of the first of `lines` in its file,
    counted from 1.
    """
    found: dict[str, Mapping[str, Any]] = {}
    for number, line in enumerate(lines, first):
        matched = _LINE.match(line.strip())
        key = _meant_key(matched.group("name"), absent) if matched else None
        if matched and key is not None and key not in found:
            value = matched.group("value").strip()
            suggestion = f"- **{key}**: {value}".rstrip()
            found[key] = {"line": number, "text": line.strip(), "suggestion": suggestion}
    return found


def _meant_key(name: str, absent: Sequence[str]) -> str | None:
    """Return the absent key that the name stands for: other case or spacing, a slip, its Chinese name."""
    plain = "".join(mark for mark in name if mark.isalpha()).lower()
    if plain in _CHINESE:
        return _CHINESE[plain] if _CHINESE[plain] in absent else None
    known = {key.lower(): key for key in absent}
    if plain in known:
        return known[plain]
    near = typed_words.nearest(plain, known, _ALIKE)
    return None if near is None else known[near]
