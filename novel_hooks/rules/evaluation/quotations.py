"""A judge's quotations, compared with the chapter's text. They give warnings only. Pure.

Words are compared, punctuation and blanks are not: a judge writes other quotation marks than the writer.
Source: the judge's own duty (`agents/quality-judge.md`), every judgement points at a sentence of the text.
"""

from __future__ import annotations

from novel_hooks.annotations import Iterator, Mapping
from novel_hooks.pattern import Pattern
from novel_hooks.rules.evaluation.score import DIMENSIONS
from novel_hooks.rules.evaluation.verdict import LAYERS, check_word, layer_checks
from novel_hooks.rules.text import excerpt
from novel_hooks.rules.text.json_values import mapping, text

LEAST = 8
"""So many 字 in a row make a quotation anywhere; a shorter one is a clause or in quotation marks."""
_LEAST_QUOTED = 2
_FEW = 4
"""Evidence with fewer 字 is a remark (无, 见上), no quotation."""
_SHOWN, _LONG = 3, 24
_GAP = Pattern(r"…+|\.{3,}|。{3,}")
_MOST_LEFT_OUT = 200
"""So many 字 an ellipsis may leave out between two parts of one quotation."""
_QUOTED = Pattern(r"“([^“”]+)”|「([^「」]+)」|『([^『』]+)』")
_CLAUSES = Pattern(r"[，。：；！？、…—,.:;!?\s“”「」『』‘’（）()]+")
_ABSENT = Pattern("(?:本章|全章|文中|正文)?(?:中|里)?(?:没有|无|未|不涉及)")


def quotation_warnings(verdict: Mapping[str, object], chapter: str) -> list[str]:
    """Return Chinese lines on quotations that the chapter lacks, and on violations without a quotation."""
    body = letters(chapter)
    return [*_missing_quotations(verdict, body), *_unquoted_violations(verdict, body)]


def _missing_quotations(verdict: Mapping[str, object], body: str) -> Iterator[str]:
    """Yield one line a dimension whose evidence is not in the chapter."""
    for name, title in DIMENSIONS.items():
        entry = mapping(mapping(verdict.get("scores")).get(name))
        missing = [quote for quote in _quotes(entry.get("evidence")) if not is_in_text(quote, body)]
        if missing:
            cut = [f"「{excerpt.shorten(quote, _LONG)}」" for quote in missing]
            shown = excerpt.join_first(cut, _SHOWN, "句")
            yield f"评审给「{title}」打分引的话在正文里找不到：{shown}。这一项的分请自己掂量。"


def _unquoted_violations(verdict: Mapping[str, object], body: str) -> Iterator[str]:
    for layer, check in layer_checks(verdict):
        detail = text(check.get("detail")) or ""
        if check_word(check, "status") not in ("violation", "violation_suspected") or _quotes_chapter(
            detail, body
        ):
            continue
        title, key = LAYERS[layer]
        name = text(check.get(key)) or "（没有编号）"
        yield f"评审说{title} {name} 不符，却没有引出正文里的原句：请自己对一对。"


def is_in_text(quote: str, body: str) -> bool:
    """Tell whether the quotation stands in `body`, the letters of a text.

    The parts of one with an ellipsis stand in the text in order, not far apart.
    """
    if letters(quote) in body:
        return bool(letters(quote))
    parts = [letters(part) for part in _GAP.sub("\n", quote).split("\n") if letters(part)]
    if len(parts) < 2 or min(map(len, parts)) < _LEAST_QUOTED:
        return False
    start = body.find(parts[0])
    while start >= 0:
        if _follow(parts[1:], body, start + len(parts[0])):
            return True
        start = body.find(parts[0], start + 1)
    return False


def _follow(parts: list[str], body: str, at: int) -> bool:
    for part in parts:
        found = body.find(part, at, at + _MOST_LEFT_OUT + len(part))
        if found < 0:
            return False
        at = found + len(part)
    return True


def quoted_texts(words: str) -> Iterator[str]:
    """Yield each part in Chinese quotation marks, of two 字 or more."""
    for found in _QUOTED.finditer(words):
        part = next(part for part in found.groups() if part)
        if len(letters(part)) >= _LEAST_QUOTED:
            yield part


def _quotes(evidence: object) -> Iterator[str]:
    """Yield the quotations of one text or a list of texts; remarks such as 本章没有伏笔 are none."""
    for entry in evidence if isinstance(evidence, list) else [evidence]:
        quote = text(entry)
        if quote and len(letters(quote)) >= _FEW and not _ABSENT.match(letters(quote)):
            yield quote


def _quotes_chapter(detail: str, body: str) -> bool:
    """Tell whether the chapter has a quoted part or a clause of the detail, or LEAST 字 of it in a row."""
    clauses = [letters(part or "") for part in _CLAUSES.split(detail)]
    if any(is_in_text(part, body) for part in quoted_texts(detail)):
        return True
    parts = [clause for clause in clauses if len(clause) >= _FEW]
    run = letters(detail)
    parts += [run[at : at + LEAST] for at in range(len(run) - LEAST + 1)]
    return any(part in body for part in parts)


def letters(words: str) -> str:
    """Return the letters, digits and Chinese characters alone."""
    return "".join(mark for mark in words if mark.isalnum())
