"""The judges' own `required_fixes`: their kinds, what they quote of the text, two lists in one.

A fix is `{target, instruction, kind, quote?}`. As an evaluation keeps it, `found` says whether the chapter
has one of its quotations. Source: protocol §1 (evaluation) and §3.
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Iterator, Mapping, Sequence
from novel_hooks.rules.evaluation.quotations import is_in_text, letters, quoted_texts
from novel_hooks.rules.text.json_values import describe, text

Fix = Mapping[str, Any]

TEXT, FACT, STORY = "text", "fact", "story"
KINDS = (TEXT, FACT, STORY)
WHOLE = "全章"
"""The target of a fix that names no place."""
_SHARED = 4
"""A quotation of so many 字 that lies in another one is of the same place."""
_GRAVITY = {FACT: 0, STORY: 1, TEXT: 2}


def own_fixes(verdict: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the judge's own fixes, without `found`; a bare text is an instruction for the whole chapter.

    A kind that is missing or unknown is STORY.
    """
    for fix in _entries(verdict):
        instruction = text(fix.get("instruction"))
        if not instruction:
            continue
        target = (text(fix.get("target")) or WHOLE).strip()
        made = {"target": target, "instruction": instruction.strip(), "kind": _kind(fix) or STORY}
        quote = text(fix.get("quote"))
        yield {**made, "quote": quote.strip()} if quote else made


def merge_fixes(verdicts: Sequence[Mapping[str, Any]], chapter: str) -> list[dict[str, Any]]:
    """Return the fixes of one or two verdicts, the used one first, each place once, with `found`.

    Of two fixes of one place the graver kind stays, with the more precise instruction: the one that quotes
    the text, else the longer one.
    """
    told = letters(chapter)
    merged: list[dict[str, Any]] = []
    for number, verdict in enumerate(verdicts):
        before = list(merged) if number else []
        for fix in own_fixes(verdict):
            one = {**fix, "found": any(is_in_text(quote, told) for quote in _quoted(fix))}
            at = next((merged.index(known) for known in before if _same_place(known, one)), None)
            if at is None:
                merged += [] if one in merged else [one]
            else:
                merged[at] = _more_precise(merged[at], one)
    return merged


def parse(listed: object) -> list[dict[str, Any]] | None:
    """Parse the list that an evaluation keeps; None when there is none: it is of an older version."""
    if not isinstance(listed, list) or not all(isinstance(fix, dict) for fix in listed):
        return None
    return [dict(fix) for fix in listed if text(fix.get("instruction")) and text(fix.get("target"))]


def of_kind(fixes: Sequence[Fix], *kinds: str) -> list[dict[str, Any]]:
    """Return the fixes of these kinds for the agent that mends them, without `found`."""
    return [{k: v for k, v in fix.items() if k != "found"} for fix in fixes if fix.get("kind") in kinds]


def proven_facts(fixes: Sequence[Fix]) -> list[Fix]:
    """Return the fixes of facts that quote the text: these force a revision."""
    return [fix for fix in fixes if fix.get("kind") == FACT and fix.get("found") is True]


def place(fix: Fix) -> str:
    """Return the quotation of a fix, else its target, for the author."""
    return text(fix.get("quote")) or str(fix["target"])


def warnings(verdict: Mapping[str, Any], chapter: str) -> Iterator[str]:
    """Yield Chinese lines on unknown kinds, and on fixes of facts that quote nothing of the chapter."""
    for fix in _entries(verdict):
        if fix.get("kind") is not None and _kind(fix) is None:
            yield f"评审给一条修改意见标的类别「{describe(fix['kind'])}」不认识，当作要动情节的办。"
    told = letters(chapter)
    for fix in own_fixes(verdict):
        if fix["kind"] == FACT and not any(is_in_text(quote, told) for quote in _quoted(fix)):
            yield f"评审说「{fix['target']}」写错了事实，却没有引出正文里的原句：请自己对一对。"


def _entries(verdict: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    listed = verdict.get("required_fixes")
    for entry in listed if isinstance(listed, list) else ():
        yield entry if isinstance(entry, dict) else {"instruction": entry}


def _kind(fix: Mapping[str, Any]) -> str | None:
    written = text(fix.get("kind"))
    kind = written.strip().lower() if written else None
    return kind if kind in KINDS else None


def _quoted(fix: Fix) -> list[str]:
    """Return each quotation: `quote`, and what stands in quotation marks elsewhere."""
    quote = text(fix.get("quote")) or ""
    quoted = [part for key in ("target", "instruction") for part in quoted_texts(str(fix[key]))]
    return [*([quote] if len(letters(quote)) > 1 else []), *quoted]


def _same_place(one: Fix, other: Fix) -> bool:
    """Tell whether two fixes are of one place: they share a quotation, or their target where one has none."""
    ours, theirs = ([letters(quote) for quote in _quoted(fix)] for fix in (one, other))
    if ours[:1] == theirs[:1] != [] or any(_is_shared(mine, yours) for mine in ours for yours in theirs):
        return True
    target = letters(str(one["target"]))
    named = target != WHOLE and target == letters(str(other["target"]))
    return named and not (ours and theirs)


def _is_shared(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= _SHARED and short in long


def _more_precise(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    kept = max((one, other), key=lambda fix: (fix["found"], len(fix["instruction"])))
    kind = min(one["kind"], other["kind"], key=lambda name: _GRAVITY[name])
    return {**kept, "kind": kind}
