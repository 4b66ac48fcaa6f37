"""A judge's quotations looked up in the chapter. What is not there is told; nothing is judged again. Pure.

Words count, marks and blanks do not: a judge writes other quotation marks than the writer. Source: the
judge's own duty (`agents/quality-judge.md`), every judgement points at a sentence of the text.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

from novel_hooks.pattern import Pattern
from novel_hooks.rules.evaluation.verdict_fields import DIMENSIONS, LAYERS, check_word, layer_checks
from novel_hooks.rules.text.json_values import text

LEAST = 8
"""So many 字 in a row make a quotation; shorter runs are found anywhere."""
_FEW = 4
"""A string with fewer is a remark (无, 见上), no quotation."""
_SHOWN, _LONG = 3, 24
_ABSENT = Pattern("(?:本章|全章|文中|正文)?(?:中|里)?(?:没有|无|未|不涉及)")


def quotation_warnings(verdict: Mapping[str, object], chapter: str) -> list[str]:
    """Chinese lines: quotations that are not in the text, violations that quote nothing of it."""
    told = _letters(chapter)
    return [*_missing_quotations(verdict, told), *_unquoted_violations(verdict, told)]


def _missing_quotations(verdict: Mapping[str, object], told: str) -> Iterator[str]:
    """One line a dimension."""
    scores = verdict.get("scores")
    for name, title in DIMENSIONS.items():
        entry = scores.get(name) if isinstance(scores, dict) else None
        quotes = list(_quotes(entry.get("evidence"))) if isinstance(entry, dict) else []
        lost = [quote for quote in quotes if not _is_quoted(quote, told)]
        if lost:
            more = f"等 {len(lost)} 句" if len(lost) > _SHOWN else ""
            shown = "、".join(f"「{_shorten(quote)}」" for quote in lost[:_SHOWN])
            yield f"评审给「{title}」打分引的话在正文里找不到：{shown}{more}。这一项的分请自己掂量。"


def _unquoted_violations(verdict: Mapping[str, object], told: str) -> Iterator[str]:
    for layer, check in layer_checks(verdict):
        detail = _letters(text(check.get("detail")) or "")
        if check_word(check, "status") not in ("violation", "violation_suspected") or _shares_run(
            detail, told
        ):
            continue
        title, key = LAYERS[layer]
        name = text(check.get(key)) or "（没有编号）"
        yield f"评审说{title} {name} 不符，却没有引出正文里的原句：请自己对一对。"


def _quotes(evidence: object) -> Iterator[str]:
    """One text or a list of them; remarks that nothing is there are none."""
    listed = evidence if isinstance(evidence, list) else [evidence]
    for one in listed:
        said = text(one)
        if said and len(_letters(said)) >= _FEW and not _ABSENT.match(_letters(said)):
            yield said


def _is_quoted(quote: str, told: str) -> bool:
    return _letters(quote) in told


def _shares_run(detail: str, told: str) -> bool:
    """Does any run of `LEAST` 字 of it stand in the text?"""
    return any(detail[at : at + LEAST] in told for at in range(len(detail) - LEAST + 1))


def _letters(said: str) -> str:
    """Letters, digits and Chinese characters alone."""
    return "".join(mark for mark in said if mark.isalnum())


def _shorten(quote: str) -> str:
    plain = " ".join(quote.split())
    return plain if len(plain) <= _LONG else f"{plain[: _LONG - 1]}…"
