"""The values of `novel.yaml` as an author types them on a command line. Pure.

One reader for all numbers: `５００万`, `50w`, `5k`, `1e6`, `四千字`, `20 元`.
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Mapping
from novel_hooks.pattern import Pattern
from novel_hooks.rules.settings.budget import TOKENS
from novel_hooks.rules.steps import break_points
from novel_hooks.rules.text import numerals, typed_words

_WORDS = ("title", "genre", "currency", "scene_break")
_MODELS = ("models.", "codex_models.")
_MEASURES: Mapping[str, str] = {
    "chapter_chars": "个?字",
    "daily_chars": "个?字",
    "packet_chars": "个?字",
    "tokens": "个?词元|个?tokens?",
    "money": "元|块钱?|[美日欧]元|人民币|美金|rmb|usd|cny",
    "max_revisions": "[轮次遍]",
    "max_characters": "个人?|人|[位名]",
    "keep_versions": "章",
    "backup_after": "章",
    "gate": "分",
}
"""What may stand behind a number, by setting: tokens are never taken for money."""


def parse(key: str, words: str) -> Any:
    """Parse the words that an author typed for a setting into its value; the words themselves when none.

    `写初稿，评审` → `[draft, judge]` for `stop_after`, `三` → 3. `values.problems` judges the file.
    """
    if key in _WORDS or key.startswith(_MODELS):
        return words
    if key == "chapter_names":
        return typed_words.find_key(typed_words.FILE_NAMES, words)
    if key == "stop_after":
        phases = [typed_words.find_key(typed_words.STOPS, word) for word in typed_words.split_list(words)]
        return (
            phases[0] if phases == [break_points.EVERY] else ([] if phases == [break_points.NONE] else phases)
        )
    typed = _normalize(words)
    if key == "chapter_chars":
        typed = _AMONG.sub("", typed)
        typed = _THOUSANDS.sub("", typed) if _TO.search(typed) else typed
        ends = [_number(word) for word in typed_words.split_list(_TO.sub(" ", typed))]
        return ends if len(ends) == 2 and all(isinstance(end, int) for end in ends) else words
    found = _number(_bare(_THOUSANDS.sub("", typed), _measure(key)))
    return words if found is None else found


def _normalize(words: str) -> str:
    """Return the words trimmed, with full-width letters, digits and signs made narrow."""
    from unicodedata import normalize

    return normalize("NFKC", typed_words.normalize_typed(words))


def _measure(key: str) -> str:
    head, _, leaf = key.partition(".")
    if head == "budget":
        return _MEASURES["tokens" if leaf.endswith(TOKENS) else "money"]
    return _MEASURES.get("money" if head == "prices" else head, "")


def _bare(typed: str, measure: str) -> str:
    """Return the number alone: `每天约四千字左右` → `四千`."""
    inner = _BEFORE.sub("", _AFTER.sub("", typed))
    return Pattern(rf"(?i:[ ]?(?:{measure}))\Z").sub("", inner) if measure else inner


def _number(word: str) -> int | float | None:
    """Read one number: `1800`, `1.8k`, `500万`, `1.2亿`, `50w`, `1e6`, `两百万`; None for any other word."""
    found = _DIGITS.fullmatch(word)
    if found is None:
        return _in_chinese(word)
    whole, part = found["whole"], found["part"] or ""
    zeros = int(found["power"] or 0) or _ZEROS[(found["unit"] or "").lower()]
    if len(part) > zeros:
        return float(f"{whole}.{part}e{zeros}")
    return int(whole + part.ljust(zeros, "0"))


def _in_chinese(word: str) -> int | None:
    """Read `两亿`, `五百万`: the one reader of numerals ends at 万."""
    counted = numerals.parse(word.removesuffix("亿")) if word.endswith("亿") else numerals.parse(word)
    return None if counted is None else counted * (10**8 if word.endswith("亿") else 1)


_TO = Pattern(r"(?<=\S)\s*(?:[-－‐‑‒–—―−﹣－ー~～〜∼⁓/]+|\.{2,}|[…⋯]+|到|至|to|TO)\s*(?=\S)")
_THOUSANDS = Pattern(r"(?<=[0-9])[,，](?=[0-9]{3}(?:[^0-9]|\Z))")
_AMONG = Pattern(
    r"^(?:从|每章|每天|每日|一天)|[个]?字(?:每章|一章|/章|左右|上下|之间|以内)?|(?:左右|上下|之间|每章|一章)\Z"
)
_BEFORE = Pattern(r"^(?:每章|每天|每日|一天|一章|一趟|大约|约|最多|最少|不超过|[¥￥$])+[ ]?")
_AFTER = Pattern(r"[ ]?(?:左右|上下|以内|每天|一天|/天|每章|一章|/章|一趟)\Z")
_DIGITS = Pattern(
    r"(?P<whole>[0-9]{1,13})(?:\.(?P<part>[0-9]{1,9}))?"
    r"(?:[eE]\+?(?P<power>[0-9]{1,2})|[ ]?(?P<unit>[kKwWmM千万亿]|百万|千万))?"
)
_ZEROS = {"": 0, "k": 3, "千": 3, "w": 4, "万": 4, "m": 6, "百万": 6, "千万": 7, "亿": 8}
